/*
 * ExclusiveUser: nodes that belong to a user while that user's jobs run there.
 * Pure.
 */
#ifndef BURSAR_OWNER_H
#define BURSAR_OWNER_H

#include "common/plan/schedule.h"

/* Does any partition ask for it? Else there is nothing to do. */
bool owner_matters(const struct schedule *);

/*
 * Takes out of the set those nodes of the partition that another user owns at
 * `from`, as long as `least` nodes are left, beginning with those that become
 * free last. `later`: when the last one looked at becomes free; 0: no node was
 * owned. True: too few would be left, the job starts no earlier than `later`.
 */
bool owner_filter(const struct schedule *, const struct sched_job *,
	const struct sched_partition *, size_t least, int64_t from,
	uint64_t *nodes, int64_t *later);

#endif
