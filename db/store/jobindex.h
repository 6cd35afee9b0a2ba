/*
 * The indexes of the job table step aside while an empty store is filled: to
 * build each of them once costs half of keeping them up row by row. What they
 * were stands in meta, so that they come back after a run that was killed, too.
 */
#ifndef BURSAR_DB_JOBINDEX_H
#define BURSAR_DB_JOBINDEX_H

#include "db/store/store.h"

/* Inside of a transaction: drops them when there is no job yet. `owned`: most
 * jobs to come have an association; the indexes of those that have none stay. */
int job_index_drop(struct store *, bool owned);

/* Inside of a transaction: builds those that were dropped, if any. */
int job_index_build(struct store *);

/* For every program that opens the store: builds them when the one that
 * dropped them has not been heard of for a minute. */
int job_index_heal(struct store *);

/* 1: they are dropped now: nobody must count on one. -1 on errors. */
int job_index_missing(struct store *);

/* The one that dropped them is alive. */
int job_index_busy(struct store *);

#endif
