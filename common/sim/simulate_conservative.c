/*
 * Conservative backfill (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001): every
 * waiting job holds a reservation from its arrival on. When a job ends early,
 * each pending job in the order of the queue is taken out and put back at its
 * earliest start while all other reservations stay: no reservation ever moves
 * later. Pure.
 */
#include "common/sim/simulate.h"

#include <stdlib.h>

#include "common/base/memory.h"
#include "common/sim/profile.h"
#include "common/sim/waiting.h"

struct conservative {
	struct waiting waiting;
	struct profile profile;
	size_t placed; /* jobs before this hold a reservation */
	int64_t next;  /* the earliest of them */
	bool freed;    /* something ended early since the last pass */
	bool broken;   /* a job runs longer than estimated: plan again */
};

static int open_it(struct sim *sim, struct err *err)
{
	struct conservative *c = memory_zeroed(1, sizeof(*c));

	(void)err;
	waiting_init(&c->waiting);
	profile_init(&c->profile, sim->trace->procs, sim->now);
	c->next = SIM_NEVER;
	sim->state = c;
	return 0;
}

static void close_it(struct sim *sim)
{
	struct conservative *c = sim->state;

	waiting_release(&c->waiting);
	profile_release(&c->profile);
	free(c);
}

static void arrive(struct sim *sim, uint32_t job)
{
	struct conservative *c = sim->state;

	waiting_push(&c->waiting, job, sim->trace->jobs[job].procs,
		sim->planned[job]);
}

static void leave(struct sim *sim, uint32_t job)
{
	struct conservative *c = sim->state;
	int64_t end = sim_expected_end(sim, job);

	if (end <= sim->now || c->broken)
		return;
	profile_advance(&c->profile, sim->now);
	profile_give(&c->profile, sim->trace->jobs[job].procs, sim->now, end);
	c->freed = true;
}

static void revise(struct sim *sim, uint32_t job, int64_t was)
{
	struct conservative *c = sim->state;

	(void)job;
	(void)was;
	c->broken = true;
}

/* ---- reservations --------------------------------------------------------*/

static void reserve(struct sim *sim, struct conservative *c, size_t i)
{
	struct waiting *w = &c->waiting;
	int64_t start = profile_earliest(
		&c->profile, w->procs[i], w->length[i], sim->now, SIM_NEVER);

	if (!profile_take(
		    &c->profile, w->procs[i], start, start + w->length[i]))
		BUG("planned beyond what is free");
	w->start[i] = start;
	sim_promise(sim, w->job[i], start);
}

/* Its own processors count as free from the old start on. */
static void move(struct sim *sim, struct conservative *c, size_t i)
{
	struct waiting *w = &c->waiting;
	int64_t old = w->start[i];
	int64_t start = profile_earliest(
		&c->profile, w->procs[i], w->length[i], sim->now, old);

	if (start == old)
		return;
	profile_give(&c->profile, w->procs[i], old, old + w->length[i]);
	if (!profile_take(
		    &c->profile, w->procs[i], start, start + w->length[i]))
		BUG("planned beyond what is free");
	w->start[i] = start;
}

static void move_all(struct sim *sim, struct conservative *c)
{
	struct waiting *w = &c->waiting;

	c->next = SIM_NEVER;
	for (size_t i = w->head; i < c->placed; i++) {
		if (w->procs[i] == WAITING_HOLE)
			continue;
		sim->tests++;
		if (w->start[i] > sim->now)
			move(sim, c, i);
		if (w->start[i] < c->next)
			c->next = w->start[i];
	}
}

static void place_new(struct sim *sim, struct conservative *c)
{
	struct waiting *w = &c->waiting;

	for (; c->placed < w->n; c->placed++) {
		if (w->procs[c->placed] == WAITING_HOLE)
			continue;
		sim->tests++;
		reserve(sim, c, c->placed);
		if (w->start[c->placed] < c->next)
			c->next = w->start[c->placed];
	}
}

/* From an empty plan: running jobs, then all pending ones in order. */
static void plan_anew(struct sim *sim, struct conservative *c)
{
	profile_clear(&c->profile, sim->now);
	for (size_t i = 0; i < sim->running.n; i++) {
		uint32_t job = sim->running.v[i].job;

		if (!profile_take(&c->profile, sim->trace->jobs[job].procs,
			    sim->now, sim_expected_end(sim, job)))
			BUG("more runs than there is");
	}
	c->placed = c->waiting.head;
	c->next = SIM_NEVER;
	c->broken = false;
}

static void start_due(struct sim *sim, struct conservative *c)
{
	struct waiting *w = &c->waiting;

	c->next = SIM_NEVER;
	for (size_t i = w->head; i < w->n; i++) {
		if (w->procs[i] == WAITING_HOLE)
			continue;
		if (w->start[i] > sim->now) {
			if (w->start[i] < c->next)
				c->next = w->start[i];
			continue;
		}
		waiting_remove(w, i);
		sim_start(sim, w->job[i]);
	}
	c->broken |= sim->delayed;
}

static int64_t pass(struct sim *sim)
{
	struct conservative *c = sim->state;

	profile_advance(&c->profile, sim->now);
	/* A scheduler that was busy has missed a start. */
	if (c->broken || c->next < sim->now)
		plan_anew(sim, c);
	else if (c->freed)
		move_all(sim, c);
	c->freed = false;
	place_new(sim, c);
	if (c->next <= sim->now)
		start_due(sim, c);
	waiting_tidy(&c->waiting);
	c->placed = c->waiting.n;
	if (profile_steps(&c->profile) > sim->work.steps)
		sim->work.steps = profile_steps(&c->profile);
	return c->next;
}

const struct sim_policy sim_conservative = {
	.name = "conservative",
	.open = open_it,
	.close = close_it,
	.arrive = arrive,
	.leave = leave,
	.revise = revise,
	.pass = pass,
};
