/*
 * What splan noted of jobs. Functions that return int: 0, or -1 with the store's
 * error.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* When a pending job is expected to start, as the last `splan --record` of the
 * cluster found it. */
struct expected {
	int64_t job;   /* key */
	int64_t start; /* epoch seconds */
	const char *nodes; /* a host list */
};

struct expected_list {
	struct expected *v; /* ascending by job */
	size_t n, cap;
};

/* Adds those of all jobs of the cluster (key) that have not started. Memory is
 * the arena's. */
int expected_load(struct store *, int64_t cluster, struct arena *,
	struct expected_list *);

/* The entry of the job (key) in the list; NULL: nothing is expected. */
const struct expected *expected_find(const struct expected_list *, int64_t job);

/* Replaces all that are stored of the cluster (key) by the list, in an open
 * transaction. */
int expected_replace(
	struct store *, int64_t cluster, const struct expected_list *);

/* A running job that is preempted for another one (Slurm's
 * src/interfaces/preempt.c), as `splan --start` noted it: it was warned and runs
 * until its grace time ends, or is suspended until there is room again. */
struct preemption {
	int64_t job;	   /* key */
	int64_t preemptor; /* key of the job it is preempted for */
	int64_t warned; /* when; epoch seconds */
	int64_t due; /* when it has to be gone */
};

struct preemption_list {
	struct preemption *v; /* ascending by job */
	size_t n, cap;
};

/* Adds those of all jobs of the cluster (key) that have not ended. Memory is
 * the arena's. */
int preemption_load(struct store *, int64_t cluster, struct arena *,
	struct preemption_list *);

/* The entry of the job (key) in the list; NULL: it is not preempted. */
const struct preemption *preemption_find(
	const struct preemption_list *, int64_t job);

/* Inserts or replaces the entry of a job, or deletes it; in an open
 * transaction. */
int preemption_save(struct store *, const struct preemption *);
int preemption_remove(struct store *, int64_t job);
