/*
 * The members of a job and of a step: one row for each fact the store keeps
 * (common/table/member.h). Names, widths and paths are those of sacct; what
 * squeue calls it stands in cmd/squeue/types.c. A new fact, marked
 * MEMBER_OURS, is a member of the struct, a row here and a migration: sacct,
 * squeue and srecord import follow.
 */
#ifndef BURSAR_DB_JOB_MEMBERS_H
#define BURSAR_DB_JOB_MEMBERS_H

#include "common/table/member.h"
#include "db/job/job.h"

/* Of struct job: every column but key, cluster and modified. */
extern const struct members job_members;

/* Of struct step: every column. */
extern const struct members step_members;

#endif
