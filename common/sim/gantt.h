/*
 * Gives each job of a simulated schedule a range of processors for pictures:
 * the schedule only knows how many it has. Each job takes the lowest free range
 * that holds all of it, else the lowest free processors. Pure. Times are
 * seconds.
 */
#pragma once

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

/* Fills the gantt from the schedule; free it with gantt_release. */
void gantt_make(
	struct gantt *, const struct trace *, const struct sim_result *);
void gantt_release(struct gantt *);

/*
 * Makes a coarser gantt by sampling: `columns` moments evenly apart in [from,
 * until), and at most `rows` processors evenly apart. Adjoining samples of the
 * same group become one piece, with the group in piece->job. group_of[job]: its
 * group. Free `coarse` with gantt_release.
 */
void gantt_sample(const struct gantt *, const uint32_t *group_of,
	size_t columns, size_t rows, int64_t from, int64_t until,
	struct gantt *coarse);
