/*
 * Running jobs that are preempted for others (Slurm's
 * src/interfaces/preempt.c), as `splan --start` noted them: jobs that were
 * warned and run until their grace time ends, and jobs suspended until there is
 * room again. Functions that return int: 0, or -1 with the store's error.
 */
#ifndef BURSAR_DB_PREEMPTION_H
#define BURSAR_DB_PREEMPTION_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

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

#endif
