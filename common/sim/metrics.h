/*
 * The metrics of a schedule (spec/backfill.md 8), from a trace and the start of
 * each of its jobs, of whatever policy; and what a picture needs.
 * Pure. Times are seconds.
 */
#ifndef BURSAR_METRICS_H
#define BURSAR_METRICS_H

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
	uint64_t overtaken; /* a later submission started before them */
	uint64_t late;	    /* than the first start they were promised */
	double late_most;   /* seconds */
	double mean_queue;  /* jobs that wait, over the makespan */
	double accuracy;    /* mean of run / limit */
	/* Preemption: how often jobs were requeued or suspended, jobs
	 * cancelled; and jobs that a limit on minutes ended. */
	uint64_t requeued, suspended, preempted, limited;
	double lost; /* processor seconds of runs lost to a requeue */
	struct sim_work work;
};

/* The bounded slowdown of a job that started. */
double metrics_bounded(
	const struct trace *, const struct sim_result *, size_t job);

/* Sorts the values. */
void metrics_spread(struct metrics_spread *, double *values, size_t n);

void metrics_compute(
	const struct trace *, const struct sim_result *, struct metrics *);

/*
 * Processors in use and asked for by waiting jobs, and how many jobs wait: the
 * means over `n` equal parts of [from, until). NULL: not wanted.
 */
struct metrics_curves {
	int64_t from, until;
	size_t n;
	double *used, *asked, *waiting;
};

void metrics_curves(const struct trace *, const struct sim_result *,
	const struct metrics_curves *);

#endif
