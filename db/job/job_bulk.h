/*
 * Saving many jobs in few transactions: what job_save does, for millions. One
 * statement writes a group of jobs, and usage is summed up in memory until the
 * commit. Between begin and commit only this struct store may write to the
 * file. Functions that return int: 0, or -1 with the store's error, unless they
 * say otherwise.
 *
 *	bulk = job_bulk_open(store, policy);
 *	job_bulk_begin(bulk);
 *	job_bulk_insert(bulk, jobs, n) ... job_bulk_replace(bulk, job) ...
 *	job_bulk_commit(bulk);
 *	job_bulk_close(bulk);
 */
#pragma once

#include "common/conf/policy.h"
#include "db/job/job.h"

struct job_bulk;

/* NULL on errors of the store. Close frees it, and takes NULL too. */
struct job_bulk *job_bulk_open(struct store *, const struct policy *);
void job_bulk_close(struct job_bulk *);

/* Optional, before the first transaction and after the last: a store without
 * jobs is filled without its indexes (db/store/jobindex.h), which finish
 * builds; memory stays small. Keys in a job (association, QOS) must be of rows
 * that exist: the store does not check them then. `owned`: most jobs will have
 * an association. */
int job_bulk_prepare(struct job_bulk *, bool owned);
int job_bulk_finish(struct job_bulk *);

/* A transaction; commit writes the usage too. When one of them returns -1 the
 * transaction has been rolled back. store_rollback ends it otherwise. */
int job_bulk_begin(struct job_bulk *);
int job_bulk_commit(struct job_bulk *);

/* Inserts the jobs whose cluster, id and submit time have no record, and sets
 * their keys; the others get key 0, and the caller gives them to
 * job_bulk_replace, in their order. Sets usage_epoch of all. */
int job_bulk_insert(struct job_bulk *, struct job *const *jobs, size_t n);

/* Writes a later record of a job: texts and numbers that are not set, but no
 * amounts and times, are first filled in from the stored record. Sets job->key.
 * Returns JOB_CHANGED, JOB_SAME or -1. */
enum job_saved { JOB_ADDED, JOB_CHANGED, JOB_SAME };
int job_bulk_replace(struct job_bulk *, struct job *);

/* The other way round: the record that is there gets what only the new one knows, and
 * whose it is, which the new one need not say by name; *job is then what is
 * stored. */
int job_bulk_fill(struct job_bulk *, struct job *);

/* Inserts or replaces the steps, in their order. */
int job_bulk_steps(struct job_bulk *, struct step *const *steps, size_t n);
