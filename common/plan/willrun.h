/*
 * When could a job start if only the running jobs were in its way
 * (spec/backfill.md 3.7)? Running jobs are left out in order of their expected
 * ends, in groups, until it fits. Pure.
 *
 * To test few groups, first the time at which each node has room is computed:
 * the time at which enough nodes have room gives the group to begin with.
 */
#ifndef BURSAR_WILLRUN_H
#define BURSAR_WILLRUN_H

#include "common/plan/schedule.h"
#include "common/plan/schedule_nodes.h"

struct willrun {
	/* In order of expected end: indexes in schedule->running. */
	const uint32_t *order;
	size_t n;
	size_t least;  /* nodes that could hold its CPUs; 0: none can */
	int64_t from;  /* not before then; at most now: now is good, too */
	int64_t until; /* later ends of jobs are not looked at; 0: all are */
	bool now_only;
	bool by_step;	 /* each end is a step; else Slurm's groups */
	int64_t linear;	 /* groups grow by so many seconds; 0: they double */
	bool busy_first; /* a later start prefers nodes in use: bf_busy_nodes */
	bool preempting; /* preemptable jobs do not count from the start */
	const struct sched_fits *known; /* of all nodes, or NULL */
	struct sched_ends *ends; /* instead, where nodes are counts; or NULL */
	struct blocks *blocks;	 /* of which the sets are, with `ends`; or NULL */
	/* Room for the search: a number for each node, twice. */
	int64_t *fit, *times;
};

/* Places the job: start->nodes (see place_job) and `when`; false: it does not
 * fit by then. */
bool willrun(struct schedule *, const struct sched_job *, struct sched_start *,
	struct sched_view *, const struct willrun *, int64_t *when);

#endif
