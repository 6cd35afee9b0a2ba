/*
 * Preemption (spec/backfill.md 5.4): who may push whom aside, and which running
 * jobs make way for one that could not start now otherwise: those of lowest
 * rank, and no more than it needs. Pure; part of common/plan/schedule.h.
 *
 * A job that makes way is gone at once, or when its grace time is over: then
 * nodes are kept for the one it makes way for.
 */
#ifndef BURSAR_PREEMPT_H
#define BURSAR_PREEMPT_H

#include "common/plan/schedule.h"
#include "common/plan/schedule_nodes.h"

/* Could the job push anything aside there at all? Parts of a job never do. */
bool preempt_possible(const struct schedule *, const struct sched_job *,
	const struct sched_choice *);

/* May it push this running job aside, now? */
bool preempt_may(const struct schedule *, const struct sched_choice *,
	const struct sched_running *);

/* Marks those in its partition that it may push aside (preemptable); gives how
 * many. */
size_t preempt_mark(struct schedule *, const struct sched_job *,
	const struct sched_choice *);
void preempt_clear(struct schedule *);

/*
 * Places the job now, on nodes of the view, with the victims that takes:
 * start->victims and start->nodes are the arena's. False: not even with all of
 * them. No running job is marked afterwards.
 */
bool preempt_place(struct schedule *, const struct sched_job *,
	struct sched_start *, const struct sched_view *, struct arena *);

/* When all its victims are gone; not before `now`. */
int64_t preempt_when(const struct sched_start *, int64_t now);

/* Its victims make way now. */
void preempt_act(struct schedule *, const struct sched_start *);

/* Is there room for a suspended job where it lies? It is on its nodes no more.
 */
bool preempt_has_room(struct schedule *, const struct sched_running *,
	struct arena *);

/* The queue is in order but for this: who may push another aside stands in
 * front of it (spec/backfill.md 2.2, 2). */
void preempt_order(struct schedule *, size_t n, struct arena *);

#endif
