/*
 * What the parts of db/ that write jobs and steps, or read them row by row,
 * share. Callers include job.h.
 */
#pragma once

#include "db/job/job.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

/* Inserts the job or replaces `old` (NULL: none), the record of that cluster, id
 * and submit time; sets its key, and moves the usage. 0, or -1 with the store's
 * error. */
int job_write(struct store *, struct usage_bulk *, struct job *,
	const struct job *old);

/* A row that has the key of a job and any other columns of it, of a statement of
 * query_open_members with job_members. Members that it does not have are 0. */
void job_read_some(struct query *, struct job *, struct arena *);

/* Calls `each` for every row of the query, which `read` turns into a job, until
 * it returns anything but 0, and returns that; else 0, or -1. Closes the query;
 * `scratch` is reset before every row. */
typedef void job_read(struct query *, struct job *, struct arena *);
int job_each_row(struct query *, struct arena *scratch, job_read *read,
	int (*each)(const struct job *, void *arg), void *arg);
