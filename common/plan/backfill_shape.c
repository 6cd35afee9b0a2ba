/*
 * Jobs shaped like one that found no place in the whole window find none
 * either, because a pass only ever takes away. Part of common/plan/backfill.h.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/backfill_pass.h"

struct backfill_shape {
	const struct sched_job *job;
	const struct sched_choice *choice;
	int64_t seconds;
	bool no_reserve;
	struct backfill_shape *next;
};

static bool same_amounts(const uint64_t *a, const uint64_t *b, size_t n)
{
	return a == b || (a && b && !memcmp(a, b, n * sizeof(*a)));
}

static bool same_request(const struct schedule *s, const struct sched_job *a,
	const struct sched_job *b)
{
	return a->cpus == b->cpus && a->nodes == b->nodes && a->mem == b->mem &&
	       a->exclusive == b->exclusive &&
	       a->reservation == b->reservation && !a->het && !b->het &&
	       same_amounts(a->gres, b->gres, s->n_gres) &&
	       same_amounts(a->licenses, b->licenses, s->n_licenses) &&
	       same_amounts(a->may, b->may, bits_words(s->n_nodes));
}

/* Limits belong to the chain: same association, QOS and partition. */
static bool same(const struct attempt *a, const struct backfill_shape *shape)
{
	return a->choice->partition == shape->choice->partition &&
	       a->choice->qos == shape->choice->qos &&
	       a->choice->limits == shape->choice->limits &&
	       a->seconds == shape->seconds &&
	       (!shape->no_reserve || a->no_reserve) &&
	       same_request(a->p->s, a->job, shape->job);
}

bool backfill_same_shape(const struct attempt *a)
{
	for (const struct backfill_shape *i = a->p->shapes; i; i = i->next)
		if (same(a, i))
			return true;
	return false;
}

void backfill_remember_shape(const struct attempt *a)
{
	struct backfill_shape *shape =
		arena_alloc(a->p->scratch, sizeof(*shape));

	*shape = (struct backfill_shape){
		a->job, a->choice, a->seconds, a->no_reserve, a->p->shapes};
	a->p->shapes = shape;
}
