/*
 * Which processors each job of a schedule gets in pictures: a schedule only
 * knows how many. Each job takes the lowest range that holds it whole,
 * else the lowest there are. Pure.
 */
#ifndef BURSAR_GANTT_H
#define BURSAR_GANTT_H

#include <stddef.h>
#include <stdint.h>

#include "common/sim/simulate.h"

/* Processors low .. high - 1 from `from` until `until`. */
struct gantt_piece {
	int64_t from, until;
	uint32_t low, high;
	uint32_t job;
};

struct gantt {
	struct gantt_piece *v; /* a job may have several */
	size_t n, cap;
	uint32_t procs; /* of the machine */
};

/* Release it with gantt_release. */
void gantt_make(
	struct gantt *, const struct trace *, const struct sim_result *);
void gantt_release(struct gantt *);

/*
 * The same, coarser: `columns` moments evenly in [from, until) by at most
 * `rows` processors evenly out of all, each seen as it is there; neighbours of
 * the same group are one piece. `group_of` each job; piece->job becomes the
 * group.
 */
void gantt_sample(const struct gantt *, const uint32_t *group_of,
	size_t columns, size_t rows, int64_t from, int64_t until,
	struct gantt *coarse);

#endif
