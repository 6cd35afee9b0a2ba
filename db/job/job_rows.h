/*
 * What the parts of db/ that write jobs and steps, or read them row by row, share.
 * Callers include job.h.
 */
#ifndef BURSAR_DB_JOB_ROWS_H
#define BURSAR_DB_JOB_ROWS_H

#include "db/job/job.h"
#include "db/store/row.h"
#include "db/usage/usage.h"

/* Every column but key, cluster and modified; of a step, every one. */
extern const struct row_member job_members[], step_members[];
extern const size_t n_job_members, n_step_members;

/* Inserts or replaces the steps in the table step_rows (db/store/rowtable.h), whose
 * columns are step_members. */
extern const char step_rows_upsert[];

/* Inserts the job or replaces the one of that cluster, id and submit; sets its
 * key. Usage is the caller's. */
int job_write(struct store *, struct job *, struct arena *scratch);

/* Calls `each` for every row of the query, as `read` takes it, until it returns
 * not 0; gives that, or -1. Closes the query; the scratch is reset before every
 * row. */
typedef void job_read(struct query *, struct job *, struct arena *);
int job_each_row(struct query *, struct arena *scratch, job_read *read,
	int (*each)(const struct job *, void *arg), void *arg);

/* What the job is charged with. It points into the job. */
struct usage_run job_run(const struct job *);

/* Is the same charged to the same? */
bool job_same_charge(const struct job *, const struct job *);

#endif
