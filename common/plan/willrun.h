/*
 * The earliest start of a job that only running jobs keep from starting
 * (Slurm's src/plugins/select/cons_tres/job_test.c, _will_run_test()). Running
 * jobs are taken as ended in order of their expected ends, in groups, until the
 * job fits. Pure. Times: epoch seconds.
 *
 * To test few groups, first the time at which each node has room is computed:
 * the time at which enough nodes have room gives the group to begin with.
 */
#pragma once

#include "common/plan/schedule.h"
#include "common/plan/schedule_nodes.h"

struct willrun {
	/* In order of expected end: indexes in schedule->running. */
	const uint32_t *order;
	size_t n;
	size_t least;  /* nodes the job needs at least for its CPUs; 0: no number
			* of nodes is enough */
	int64_t from;  /* the job starts no earlier */
	int64_t until; /* ends of jobs after it are not considered; 0: all */
	bool now_only; /* only a start at `from`, which must not be future */
	bool by_step;	 /* try after every end; else after Slurm's groups */
	int64_t linear;	 /* groups grow by so many seconds; 0: they double */
	enum select_rule later; /* for a later start; 0: as for one now */
	bool preempting; /* jobs marked by preempt_mark do not count */
	const struct sched_fits *known; /* of all nodes, or NULL */
	struct sched_ends *ends; /* used instead where nodes are counts; NULL */
	struct blocks *blocks;	 /* with `ends`: sets are of blocks; or NULL */
	/* Scratch space: n_nodes elements each. */
	int64_t *fit, *times;
};

/* Places the job at the earliest time: fills start->nodes (see place_job) and
 * *when. False: there is no such time, or it is after w->until. */
bool willrun(struct schedule *, const struct sched_job *, struct sched_start *,
	struct sched_view *, const struct willrun *, int64_t *when);
