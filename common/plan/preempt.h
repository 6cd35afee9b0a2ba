/*
 * Preemption (Slurm's src/interfaces/preempt.c): which running jobs a pending
 * job may preempt, and which of them are preempted so that it can start: those
 * of lowest rank, and no more than it needs. Pure; part of
 * common/plan/schedule.h.
 *
 * A preempted job is gone at once, or at the end of its grace time; until then
 * its nodes are kept for the job it is preempted for.
 */
#pragma once

#include "common/plan/schedule.h"
#include "common/plan/schedule_nodes.h"

/* Could the job preempt anything there? Parts of a heterogeneous job never
 * do. */
bool preempt_possible(const struct schedule *, const struct sched_job *,
	const struct sched_choice *);

/* Marks the running jobs in the choice's partition that the job may preempt
 * (sched_running.preemptable); returns how many. preempt_clear takes all marks
 * away. */
size_t preempt_mark(struct schedule *, const struct sched_job *,
	const struct sched_choice *);
void preempt_clear(struct schedule *);

/*
 * Places the job now, on nodes of the view, and chooses the jobs to preempt for
 * that: start->victims and start->nodes are the arena's. False: it does not fit
 * even if all are preempted. No running job is marked afterwards.
 */
bool preempt_place(struct schedule *, const struct sched_job *,
	struct sched_start *, const struct sched_view *, struct arena *);

/* When all victims of the start are gone, epoch seconds; not before `now`. */
int64_t preempt_when(const struct sched_start *, int64_t now);

/* Preempts its victims now. */
void preempt_act(struct schedule *, const struct sched_start *);

/* Is there room for a suspended job on the nodes it had? Its own CPUs are no
 * longer counted there. */
bool preempt_has_room(struct schedule *, const struct sched_running *,
	struct arena *);

/* Moves jobs that may preempt another in the queue ahead of it; otherwise the
 * order stays (Slurm's src/interfaces/preempt.c). */
void preempt_order(struct schedule *, size_t n, struct arena *);
