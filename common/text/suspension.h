/*
 * When a job was suspended (spec/reporting.md 3.3, 3.5, 5.2): the intervals
 * that are known, and seconds of which only the sum is. Pure arithmetic.
 */
#ifndef BURSAR_SUSPENSION_H
#define BURSAR_SUSPENSION_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

struct suspension {
	int64_t start, end; /* end 0: still so */
};

struct suspensions {
	struct suspension *v; /* in order, apart from each other */
	size_t n;
	int64_t loose; /* seconds suspended at unknown times */
};

/* Seconds of [from, until), a part of the run [start, end). The loose ones are
 * spread over the run evenly; parts add up to the whole. */
int64_t suspended_within(const struct suspensions *, int64_t start, int64_t end,
	int64_t from, int64_t until);

/* With intervals of their own in the arena. */
struct suspensions suspensions_copy(const struct suspensions *, struct arena *);

#endif
