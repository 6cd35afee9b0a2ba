/*
 * What is changed and never listed here: coordinators stand with accounts and
 * users, jobs are for sacct.
 */
#include "cmd/sacctmgr/sacctmgr.h"

const struct entity coordinator_entity = {
	.changes = &coordinator_changes,
	.vocabulary = &coordinator_vocabulary,
	.help = "users who may manage an account",
};

const struct entity job_entity = {
	.changes = &job_changes,
	.vocabulary = &job_vocabulary,
	.help = "comments, codes, TRES and wckey of job records",
};
