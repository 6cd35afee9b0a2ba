/*
 * When could a job run if nothing but the running jobs were in its way
 * (spec/backfill.md 3.7)? Running jobs are thought away in the order of their
 * expected ends, in groups, until it fits. Pure.
 *
 * No group is tested that cannot do: first every node is asked when it has
 * room; the moment when enough of them have tells which group to look at.
 */
#ifndef BURSAR_WILLRUN_H
#define BURSAR_WILLRUN_H

#include "common/plan/schedule.h"
#include "common/plan/schedule_nodes.h"

struct willrun {
	/* In order of expected end: places in schedule->running. */
	const uint32_t *order;
	size_t n;
	int64_t from;  /* not before then; at most now: now is good, too */
	int64_t until; /* no end of a job behind it is looked at; 0: any */
	bool now_only;
	bool by_step;	 /* each end is a step; else Slurm's groups */
	int64_t linear;	 /* groups grow by so many seconds; 0: they double */
	bool busy_first; /* a later start prefers nodes in use: bf_busy_nodes */
	bool preempting; /* preemptable jobs do not count from the start */
	const struct sched_fits *known; /* of all nodes, or NULL */
	/* Room for the search: a number for each node, twice. */
	int64_t *fit, *times;
};

/* Places the job: start->nodes (see place_job) and `when`; false: it does not
 * fit until then. */
bool willrun(struct schedule *, const struct sched_job *, struct sched_start *,
	struct sched_view *, const struct willrun *, int64_t *when);

#endif
