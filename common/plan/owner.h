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
 * Takes nodes out of the set, those of the partition, that are another user's
 * at `from`, as long as `least` nodes are left; those that are free last go
 * first. `later`: when the last one that was looked at is free; 0: there was
 * none. True: too few would be left, the job starts no earlier than `later`.
 */
bool owner_filter(const struct schedule *, const struct sched_job *,
	const struct sched_partition *, size_t least, int64_t from,
	uint64_t *nodes, int64_t *later);

#endif
