/*
 * Running jobs that are preempted for others (spec/backfill.md 5.4), as `splan
 * --start` noted them: those warned that run until their grace time ends, and
 * those suspended until there is room again.
 */
#ifndef BURSAR_DB_PREEMPTION_H
#define BURSAR_DB_PREEMPTION_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

struct preemption {
	int64_t job;	   /* key */
	int64_t preemptor; /* key of the job it is preempted for */
	int64_t warned;
	int64_t due; /* when it has to be gone */
};

struct preemption_list {
	struct preemption *v; /* by job */
	size_t n, cap;
};

/* Of all jobs of the cluster (key) that have not ended. Memory is the
 * arena's. */
int preemption_load(struct store *, int64_t cluster, struct arena *,
	struct preemption_list *);

/* NULL: it is not preempted. */
const struct preemption *preemption_find(
	const struct preemption_list *, int64_t job);

/* In an open transaction. */
int preemption_save(struct store *, const struct preemption *);
int preemption_remove(struct store *, int64_t job);

#endif
