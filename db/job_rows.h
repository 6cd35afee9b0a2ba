/*
 * What the parts that write jobs and steps share (db/job.c, db/job_bulk.c,
 * db/step.c). Callers include job.h.
 */
#ifndef BURSAR_DB_JOB_ROWS_H
#define BURSAR_DB_JOB_ROWS_H

#include "db/job.h"
#include "db/row.h"
#include "db/usage.h"

/* Every column but key, cluster and modified; of a step, but job and id. */
extern const struct row_member job_members[], step_members[];
extern const size_t n_job_members, n_step_members;

/* Parameters :job, :id and those of step_members, in this order. */
extern const char step_upsert[];

/* Inserts the job or replaces the one of that cluster, id and submit; sets its
 * key. Usage is the caller's. */
int job_write(struct store *, struct job *, struct arena *scratch);

/* What the job is charged with. It points into the job. */
struct usage_run job_run(const struct job *);

/* Is the same charged to the same? */
bool job_same_charge(const struct job *, const struct job *);

#endif
