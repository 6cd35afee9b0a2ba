/*
 * What is changed and never listed here: coordinators stand with accounts and
 * users, jobs are for sacct.
 */
#include "cmd/sacctmgr/sacctmgr.h"

const struct entity coordinator_entity = {
	.changes = &coordinator_changes,
	.help = "users who may manage an account",
};

const struct entity job_entity = {
	.changes = &job_changes,
	.help = "comments, codes, TRES and wckey of job records",
};
