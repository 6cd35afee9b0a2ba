/*
 * ExclusiveUser: nodes that belong to a user while that user's jobs run there.
 * Pure.
 */
#pragma once

#include "common/plan/schedule.h"

/* Does any partition have ExclusiveUser? Else owner_filter need not be
 * called. */
bool owner_matters(const struct schedule *);

/*
 * Removes from the set `nodes` the nodes of the partition that belong to
 * another user at `from` (epoch seconds), those that become free last first,
 * while more than `least` remain. Returns true when a node would have to go
 * beyond that, or one that the job names (--nodelist): it can start no earlier
 * than *later. *later: when the last node looked at becomes free; 0: no node
 * was owned.
 */
bool owner_filter(const struct schedule *, const struct sched_job *,
	const struct sched_partition *, size_t least, int64_t from,
	uint64_t *nodes, int64_t *later);
