/*
 * The indexes of the job table are dropped while an empty store is filled:
 * building each of them once costs half of updating them row by row. Their
 * definitions are kept in meta, so that they come back even after a killed run.
 */
#pragma once

#include "db/store/store.h"

/* Inside a transaction: drops them when there is no job yet. `owned`: most jobs
 * to come have an association; the indexes for jobs without one stay. */
int job_index_drop(struct store *, bool owned);

/* Inside of a transaction: builds those that were dropped, if any. */
int job_index_build(struct store *);

/* For every program that opens the store: builds them when the process that
 * dropped them has given no sign of life for a minute. */
int job_index_heal(struct store *);

/* 1: they are dropped now, no statement may rely on one. -1 on errors. */
int job_index_missing(struct store *);

/* A sign of life of the process that dropped them. */
int job_index_busy(struct store *);
