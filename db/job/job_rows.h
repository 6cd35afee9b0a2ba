/*
 * What the parts of db/ that write jobs and steps, or read them row by row,
 * share. Callers include job.h.
 */
#ifndef BURSAR_DB_JOB_ROWS_H
#define BURSAR_DB_JOB_ROWS_H

#include "db/job/job.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

/* Inserts the job or replaces the one of that cluster, id and submit time; sets
 * its key. The caller moves the usage. 0, or -1 with the store's error. */
int job_write(struct store *, struct job *, struct arena *scratch);

/* Calls `each` for every row of the query, which `read` turns into a job, until
 * it returns anything but 0, and returns that; else 0, or -1. Closes the query;
 * `scratch` is reset before every row. */
typedef void job_read(struct query *, struct job *, struct arena *);
int job_each_row(struct query *, struct arena *scratch, job_read *read,
	int (*each)(const struct job *, void *arg), void *arg);

/* The run for which the job is charged. It points into the job. */
struct usage_run job_run(const struct job *);

/* Do both charge the same association and QOS with the same amounts? */
bool job_same_charge(const struct job *, const struct job *);

#endif
