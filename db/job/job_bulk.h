/*
 * Many jobs in few transactions.
 *
 * What job_save does, for millions: one statement writes a group of them, and
 * usage is summed up in memory until the commit. Nothing else may write to the
 * store between begin and commit but through the same store.
 *
 *	bulk = job_bulk_open(store, policy);
 *	job_bulk_begin(bulk);
 *	job_bulk_insert(bulk, jobs, n) ... job_bulk_replace(bulk, job) ...
 *	job_bulk_commit(bulk);
 *	job_bulk_close(bulk);
 */
#ifndef BURSAR_DB_JOB_BULK_H
#define BURSAR_DB_JOB_BULK_H

#include "common/conf/policy.h"
#include "db/job/job.h"

struct job_bulk;

struct job_bulk *job_bulk_open(struct store *, const struct policy *);
void job_bulk_close(struct job_bulk *);

/* In front of the first transaction and behind the last: a store without jobs
 * is filled without its indexes (db/store/jobindex.h), and with little memory. Keys
 * of others that a job holds must be those of rows that are there: they are not
 * checked again. `owned`: most jobs will have an association. */
int job_bulk_prepare(struct job_bulk *, bool owned);
int job_bulk_finish(struct job_bulk *);

/* A transaction; commit writes the usage, too. After -1 nothing of it is in
 * the store. store_rollback takes it back. */
int job_bulk_begin(struct job_bulk *);
int job_bulk_commit(struct job_bulk *);

/* Inserts those that are not on record and gives them their keys; the others
 * have key 0 after it and are for job_bulk_replace, in their order. */
int job_bulk_insert(struct job_bulk *, struct job *const *jobs, size_t n);

/* A later record of a job. A text or number that is not set leaves what the
 * earlier one says. Sets job->key; JOB_CHANGED or JOB_SAME, -1 on errors. */
enum job_saved { JOB_ADDED, JOB_CHANGED, JOB_SAME };
int job_bulk_replace(struct job_bulk *, struct job *);

/* Inserts or replaces them, in their order. */
int job_bulk_steps(struct job_bulk *, struct step *const *steps, size_t n);

#endif
