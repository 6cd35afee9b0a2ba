/*
 * Free processors over time, as a step function: what running jobs and
 * reservations leave. Plain arrays, because a scan over neighbours in memory
 * beats a tree at the sizes that occur. Pure; times are seconds, the last step
 * lasts for ever.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps begin .. n - 1: free[i] processors from time[i] until time[i + 1]. What
 * lies before `begin` is past. Neighbours differ. */
struct profile {
	int64_t *time;
	uint32_t *free;
	size_t begin, n, cap;
	uint32_t capacity;
};

/* All of `capacity` free from `from` on. */
void profile_init(struct profile *, uint32_t capacity, int64_t from);
void profile_release(struct profile *);

/* All free from `from` on, as after profile_init; keeps the memory. */
void profile_clear(struct profile *, int64_t from);

/* Forgets the time before `now`, which no later call may ask for. */
void profile_advance(struct profile *, int64_t now);

size_t profile_steps(const struct profile *);

/*
 * The first moment in [from, before) at which `procs` (at most the capacity)
 * are free for `length` seconds; `before` itself when there is no earlier one.
 * The caller knows that they are free at `before`; INT64_MAX when it knows of
 * no such moment.
 */
int64_t profile_earliest(const struct profile *, uint32_t procs, int64_t length,
	int64_t from, int64_t before);

/* Takes `procs` processors over [from, until). False, and nothing is taken,
 * where they are not free all the time. */
bool profile_take(
	struct profile *, uint32_t procs, int64_t from, int64_t until);

/* Gives back `procs` processors over [from, until) that were taken. It is a BUG
 * to exceed the capacity. */
void profile_give(
	struct profile *, uint32_t procs, int64_t from, int64_t until);
