/*
 * Which groups of jobs wait longer under one schedule than under another one of
 * the same trace. Pure. Times are seconds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/sim/metrics.h"
#include "common/sim/simulate.h"

/* The group of a job that is in no group. */
#define COMPARE_NO_GROUP UINT32_MAX

struct compare_group {
	uint64_t jobs;	  /* that started; only they count below */
	uint64_t waiting; /* that never did */
	double work;	  /* processor seconds they ran */
	struct metrics_spread wait;
	double bounded;	    /* mean bounded slowdown */
	uint64_t preempted; /* times that they were suspended or started again */
	uint64_t cut;	    /* jobs that were ended early */
	/* Of jobs that start in both schedules: the wait here less the wait in
	 * the other. */
	uint64_t both, longer, shorter;
	double change;			  /* mean */
	double most_longer, most_shorter; /* of one job; not below 0 */
};

/* Fills out[0 .. n - 1], one for each group, comparing the second result with
 * `before`. group_of[job]: its group, below n, or COMPARE_NO_GROUP. */
void compare_groups(const struct trace *, const struct sim_result *before,
	const struct sim_result *, const uint32_t *group_of, size_t n,
	struct compare_group *out);
