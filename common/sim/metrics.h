/*
 * The metrics of a schedule under any policy (Feitelson, JSSPP 2001), from a
 * trace and the start of each of its jobs; and curves for pictures. Pure. Times
 * are seconds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/sim/simulate.h"
#include "common/sim/trace.h"

/* Mean, median, 95th percentile (linear interpolation between the two nearest
 * of n values: at 0.95 (n - 1)) and the highest. */
struct metrics_spread {
	double mean, median, p95, max;
};

struct metrics {
	uint64_t jobs;	     /* that started; only they count below */
	uint64_t waiting;    /* that never did */
	int64_t from, until; /* first submission, last end */
	double makespan;
	double utilization;	 /* 0 to 1, over the makespan; with `lost` */
	double loss_of_capacity; /* 0 to 1: idle while a job waits that asks
				  * for no more than what is idle */
	struct metrics_spread wait, response;
	struct metrics_spread slowdown;		/* (w + r) / r */
	struct metrics_spread bounded_slowdown; /* r at least 10 s */
	struct metrics_spread proc_slowdown;	/* bounded, / processors */
	/* Fairness. */
	double user_spread; /* standard deviation of the users' mean bounded
			     * slowdowns over their mean */
	uint64_t overtaken; /* jobs behind which one was submitted that
			     * started before them */
	uint64_t late;	    /* jobs that started after their first promise */
	double late_most;   /* the largest such delay, seconds */
	double mean_queue;  /* mean number of waiting jobs over the makespan */
	double accuracy;    /* mean of run / limit */
	/* How often jobs were requeued, and suspended; how many jobs were
	 * cancelled by preemption, and ended by a limit on TRES-minutes. */
	uint64_t requeued, suspended, preempted, limited;
	double lost; /* processor seconds of runs lost to a requeue */
	struct sim_work work;
};

/* The bounded slowdown of a job that started. */
double metrics_bounded(
	const struct trace *, const struct sim_result *, size_t job);

/* Fills the spread of `n` values, and sorts them; all 0 when n is 0. */
void metrics_spread(struct metrics_spread *, double *values, size_t n);

void metrics_compute(
	const struct trace *, const struct sim_result *, struct metrics *);

/*
 * Processors in use and the number of waiting jobs, each an array of `n` means
 * over equal parts of [from, until), which the caller allocates. NULL: not
 * wanted.
 */
struct metrics_curves {
	int64_t from, until;
	size_t n;
	double *used, *waiting;
};

void metrics_curves(const struct trace *, const struct sim_result *,
	const struct metrics_curves *);
