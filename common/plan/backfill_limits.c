/*
 * Limits that change while the pass looks ahead (struct sched_later): a job
 * that a limit refuses now is planned for when the limit ends, and no job is
 * planned into a time when a limit will forbid it. Part of
 * common/plan/backfill.h.
 */
#include "common/plan/backfill_pass.h"

/* The same choice under those limits. */
static struct sched_choice *under(
	struct attempt *a, const struct sched_later *later)
{
	struct sched_choice *then = arena_alloc(a->p->arena, sizeof(*then));

	*then = *a->choice;
	then->limits = later->limits;
	return then;
}

static bool allows(struct attempt *a, const struct sched_choice *then,
	bool placed)
{
	struct sched_start start = a->start;

	start.choice = then;
	return !(placed ? schedule_settle(a->job, &start, a->p->arena)
			: schedule_refuses(a->job, &start));
}

bool backfill_lift(struct attempt *a, bool placed)
{
	const struct sched_choice *choice = a->choice;
	int64_t behind = placed && a->when > a->p->s->now ? a->when
							  : a->p->s->now;

	for (size_t i = 0; i < choice->n_later; i++) {
		struct sched_choice *then;

		if (choice->later[i].at <= behind || !choice->later[i].limits)
			continue;
		then = under(a, &choice->later[i]);
		if (!allows(a, then, placed))
			continue;
		a->choice = a->start.choice = then;
		a->lifts = then->later[i].at;
		a->later = 0; /* the next try is there, not where room grows */
		return true;
	}
	return false;
}

bool backfill_forbidden(struct attempt *a)
{
	const struct sched_later *holds = NULL;

	for (size_t i = 0; i < a->choice->n_later; i++)
		if (a->choice->later[i].at <= a->when)
			holds = &a->choice->later[i];
	if (!holds || holds->limits == a->choice->limits)
		return false;
	return !holds->limits || !allows(a, under(a, holds), true);
}
