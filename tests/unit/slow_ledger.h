/*
 * Usage computed anew from plain lists of jobs and facts, by the rules of
 * db/usage/facts.h and common/fair/eras.h, owner by owner and life by life: the
 * slow twin of db/usage. Only the functions of eras.h are shared. Jobs that run
 * count as if they ended at the time that is asked for.
 */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "common/fair/eras.h"
#include "db/usage/facts.h"
#include "db/usage/usage.h"

enum { SLOW_KINDS = 7, SLOW_GPU = 1001, SLOW_RAW = 1 };

static const int slow_kinds[SLOW_KINDS] = {USAGE_WALL, USAGE_RAW, TRES_CPU, TRES_MEM,
	TRES_NODE, TRES_BILLING, SLOW_GPU};

/* A part of a run, in one life. */
struct slow_piece {
	int64_t owner, life, start, end;
	const struct job *job;
	bool open, is_last; /* it runs; it is the last part of it */
};

struct slow_bucket {
	struct bucket b;
	worth added[SLOW_KINDS];
};

/* What is kept of runs that were purged. */
struct slow_kept {
	int64_t owner, life, end; /* of the bucket */
	worth added[SLOW_KINDS];
};

/* What a life has come to. */
struct slow_life {
	int64_t owner, id;
	bool still, open, any;
	struct carried when;
	double carried[SLOW_KINDS];
	struct slow_life *next;
};

struct slow {
	struct eras eras;
	const struct usage_fact *facts; /* by id */
	size_t n_facts;
	const struct job *jobs;
	size_t n_jobs;
	const struct slow_kept *kept;
	size_t n_kept;
	int64_t at;
	bool (*first_still)(void *arg, int64_t owner);
	void *arg;
	struct arena *arena;

	struct slow_piece *pieces;
	size_t n_pieces, cap_pieces;
	struct slow_life *lives;
};

/* ---- facts ---------------------------------------------------------------*/

/* The last one of the owner with a number below or equal to that. */
static inline const struct usage_fact *slow_fact(
	const struct slow *s, int64_t owner, int64_t id)
{
	const struct usage_fact *found = NULL;

	for (size_t i = 0; i < s->n_facts && s->facts[i].id <= id; i++)
		if (s->facts[i].owner == owner)
			found = &s->facts[i];
	return found;
}

static inline const struct usage_fact *slow_next(
	const struct slow *s, int64_t owner, int64_t id)
{
	for (size_t i = 0; i < s->n_facts; i++)
		if (s->facts[i].owner == owner && s->facts[i].id > id)
			return &s->facts[i];
	return NULL;
}

/* A fact was recorded before the one before it. */
static inline bool slow_went_back(const struct slow *s)
{
	for (size_t i = 1; i < s->n_facts; i++)
		if (s->facts[i].time < s->facts[i - 1].time)
			return true;
	return false;
}

/* Somebody else has what is charged to it. */
static inline bool slow_gone(const struct usage_fact *fact)
{
	return fact && fact->heir && fact->heir != fact->owner;
}

static inline bool slow_still(const struct slow *s, int64_t owner, int64_t life)
{
	const struct usage_fact *fact = slow_fact(s, owner, life);

	if (fact)
		return fact->still;
	fact = slow_next(s, owner, 0);
	return fact ? fact->was_still : s->first_still(s->arg, owner);
}

/* ---- whom runs are charged to --------------------------------------------*/

static inline void slow_piece(struct slow *s, int64_t owner, int64_t life,
	int64_t start, int64_t end, const struct job *job, bool is_last)
{
	if (start < end || is_last)
		*ARENA_PUSH(s->arena, s->pieces, s->n_pieces, s->cap_pieces) =
			(struct slow_piece){owner, life, start, end, job,
				!job->end, is_last};
}

static inline void slow_charge(struct slow *s, int64_t owner, int64_t epoch,
	int64_t start, int64_t end, const struct job *job)
{
	for (;;) {
		const struct usage_fact *fact = slow_fact(s, owner, epoch);
		const struct usage_fact *next = slow_next(s, owner, epoch);
		bool ends = next && next->time < end;

		if (slow_gone(fact) && !ends) {
			owner = fact->heir;
			continue;
		}
		if (!ends) {
			slow_piece(s, owner, fact ? fact->id : 0, start, end,
				job, true);
			return;
		}
		if (slow_gone(fact) && start < next->time)
			slow_charge(s, fact->heir, epoch, start, next->time, job);
		else if (!slow_gone(fact))
			slow_piece(s, owner, fact ? fact->id : 0, start,
				next->time, job, false);
		start = larger(start, next->time);
		epoch = next->id;
	}
}

static inline void slow_job(struct slow *s, const struct job *job)
{
	const int64_t owners[] = {job->assoc,
		job->qos ? owner_of_qos(job->qos, job->cluster) : 0,
		job->part_qos && job->part_qos != job->qos
			? owner_of_qos(job->part_qos, job->cluster)
			: 0};
	int64_t end = job->end ? job->end : s->at;

	if (job->start <= 0 || (job->end ? end <= job->start : end < job->start))
		return;
	for (size_t i = 0; i < 3; i++)
		if (owners[i])
			slow_charge(s, owners[i], job->usage_epoch, job->start,
				end, job);
}

static inline void slow_open(struct slow *s)
{
	s->pieces = NULL;
	s->lives = NULL;
	s->n_pieces = s->cap_pieces = 0;
	for (size_t i = 0; i < s->n_jobs; i++)
		slow_job(s, &s->jobs[i]);
}

/* ---- what lives come to --------------------------------------------------*/

struct slow_buckets {
	struct slow_bucket *v;
	size_t n, cap;
};

static inline struct slow_bucket *slow_bucket(
	struct slow *s, struct slow_buckets *all, const struct bucket *b)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].b.end == b->end)
			return &all->v[i];
	(void)ARENA_PUSH(s->arena, all->v, all->n, all->cap);
	all->v[all->n - 1] = (struct slow_bucket){.b = *b};
	return &all->v[all->n - 1];
}

static inline long double slow_rate(const struct job *job, int kind)
{
	if (slow_kinds[kind] == USAGE_WALL)
		return usage_rate(1, job->usage_factor);
	if (slow_kinds[kind] == USAGE_RAW)
		return usage_rate(job->billing, job->usage_factor);
	for (size_t i = 0; i < job->tres_alloc.n; i++)
		if (job->tres_alloc.v[i].id == (uint32_t)slow_kinds[kind])
			return (long double)job->tres_alloc.v[i].count *
			       usage_rate(1, job->usage_factor);
	return 0;
}

static inline void slow_add_piece(const struct slow *s, const struct slow_piece *p,
	const struct bucket *b, bool still, worth added[SLOW_KINDS])
{
	long double seconds = eras_worth(&s->eras, still, b, p->start, p->end);

	for (int k = 0; k < SLOW_KINDS; k++)
		added[k] += worth_of(slow_rate(p->job, k) * seconds);
}

/* In the bucket that has its end now. */
static inline void slow_add_kept(
	struct slow *s, struct slow_life *life, struct slow_buckets *all)
{
	for (size_t i = 0; i < s->n_kept; i++) {
		const struct slow_kept *kept = &s->kept[i];
		const struct usage_fact *begins =
			slow_fact(s, kept->owner, kept->life);
		const struct carried is = {kept->end, kept->end};
		struct bucket b = eras_bucket(&s->eras, life->still, kept->end);
		struct slow_bucket *sum;

		if (kept->owner != life->owner ||
			(begins ? begins->id : 0) != life->id)
			continue;
		sum = slow_bucket(s, all, &b);
		for (int k = 0; k < SLOW_KINDS; k++)
			sum->added[k] += b.end == kept->end
				? kept->added[k]
				: worth_of(worth_seconds(kept->added[k]) *
					   eras_factor(&s->eras, life->still,
						   is, b.end));
	}
}

static inline void slow_add_pieces(
	struct slow *s, struct slow_life *life, struct slow_buckets *all)
{
	for (size_t i = 0; i < s->n_pieces; i++) {
		const struct slow_piece *p = &s->pieces[i];
		struct bucket b;

		if (p->owner != life->owner || p->life != life->id)
			continue;
		life->open |= p->open;
		if (p->start >= p->end)
			continue;
		b = eras_bucket(&s->eras, life->still, p->end);
		slow_add_piece(s, p, &b, life->still,
			slow_bucket(s, all, &b)->added);
	}
}

static inline struct slow_life *slow_life(
	struct slow *s, int64_t owner, int64_t id);

/* Who has what the life that the fact ends comes to: whose life is it? */
static inline void slow_heir(const struct slow *s, const struct usage_fact *fact,
	int64_t *owner, int64_t *life)
{
	const struct usage_fact *begins = fact;

	*owner = fact->heir;
	if (*owner != fact->owner)
		while (slow_gone(begins = slow_fact(s, *owner, fact->id - 1)))
			*owner = begins->heir;
	*life = begins ? begins->id : 0;
}

/* What the life that the fact ends has come to. */
static inline struct slow_life *slow_ended(struct slow *s, const struct usage_fact *fact)
{
	const struct usage_fact *begins = slow_fact(s, fact->owner, fact->id - 1);

	return slow_life(s, fact->owner, begins ? begins->id : 0);
}

static inline void slow_add_heritage(struct slow *s, struct slow_life *life,
	struct slow_buckets *all, const struct usage_fact *fact)
{
	const struct slow_life *ended = slow_ended(s, fact);
	struct bucket b = eras_bucket(&s->eras, life->still, fact->time);
	struct slow_bucket *sum;
	long double factor;

	if (!ended->any)
		return;
	life->open |= ended->open;
	factor = eras_factor(&s->eras, ended->still, ended->when, fact->time) *
		 eras_carry(&s->eras, life->still,
			 (struct carried){fact->time, fact->time}, b.end);
	sum = slow_bucket(s, all, &b);
	for (int k = 0; k < SLOW_KINDS; k++)
		if (k != SLOW_RAW || isnan(fact->raw))
			sum->added[k] += worth_of(ended->carried[k] * factor);
}

static inline int slow_by_end(const void *a, const void *b)
{
	const struct slow_bucket *x = a, *y = b;

	return (x->b.end > y->b.end) - (x->b.end < y->b.end);
}

static inline void slow_carry(struct slow *s, struct slow_life *life,
	struct carried to, const worth *added, double raw)
{
	long double factor =
		!life->any ? 0
		: added	   ? eras_carry(&s->eras, life->still, life->when, to.at)
			   : eras_factor(&s->eras, life->still, life->when, to.at);

	for (int k = 0; k < SLOW_KINDS; k++) {
		life->carried[k] = (double)(life->carried[k] * factor);
		if (added)
			life->carried[k] = (double)(life->carried[k] +
						    worth_seconds(added[k]));
	}
	life->carried[SLOW_RAW] += raw;
	life->when = to;
	life->any = true;
}

static inline bool slow_nothing(const struct slow_bucket *b)
{
	for (int k = 0; k < SLOW_KINDS; k++)
		if (b->added[k])
			return false;
	return true;
}

/* Bucket by bucket; what was set counts from its time on. */
static inline void slow_sum_up(struct slow *s, struct slow_life *life,
	struct slow_buckets *all, const struct usage_fact *begins)
{
	bool set = !begins || isnan(begins->raw);

	if (all->n)
		qsort(all->v, all->n, sizeof(*all->v), slow_by_end);
	for (size_t i = 0; i <= all->n; i++) {
		if (!set && (i == all->n || all->v[i].b.end >= begins->time)) {
			slow_carry(s, life,
				(struct carried){begins->time, begins->time},
				NULL, begins->raw);
			set = true;
		}
		if (i < all->n && !slow_nothing(&all->v[i]))
			slow_carry(s, life,
				(struct carried){all->v[i].b.begin,
					all->v[i].b.end},
				all->v[i].added, 0);
	}
}

static inline struct slow_life *slow_life(
	struct slow *s, int64_t owner, int64_t id)
{
	struct slow_buckets all = {0};
	struct slow_life *life;

	for (life = s->lives; life; life = life->next)
		if (life->owner == owner && life->id == id)
			return life;
	life = arena_alloc(s->arena, sizeof(*life));
	*life = (struct slow_life){.owner = owner,
		.id = id,
		.still = slow_still(s, owner, id),
		.next = s->lives};
	s->lives = life;
	slow_add_pieces(s, life, &all);
	slow_add_kept(s, life, &all);
	for (size_t i = 0; i < s->n_facts; i++) {
		int64_t heir, of;

		if (!s->facts[i].heir)
			continue;
		slow_heir(s, &s->facts[i], &heir, &of);
		if (heir == owner && of == id)
			slow_add_heritage(s, life, &all, &s->facts[i]);
	}
	slow_sum_up(s, life, &all, slow_fact(s, owner, id));
	return life;
}

/* The present one. */
static inline struct slow_life *slow_now(struct slow *s, int64_t owner)
{
	const struct usage_fact *last = slow_fact(s, owner, INT64_MAX);

	return slow_life(s, owner, last ? last->id : 0);
}

/* What the owner's amounts have become by `to`. */
static inline void slow_read(struct slow *s, const struct slow_life *life,
	int64_t to, long double amounts[SLOW_KINDS])
{
	long double factor =
		life->any ? eras_factor(&s->eras, life->still, life->when, to)
			  : 0;

	for (int k = 0; k < SLOW_KINDS; k++)
		amounts[k] = life->carried[k] * factor;
}

static inline bool slow_set_later(const struct slow *s, const struct usage_fact *fact)
{
	for (size_t i = 0; i < s->n_facts; i++)
		if (s->facts[i].owner == fact->owner &&
			s->facts[i].id > fact->id && !isnan(s->facts[i].raw))
			return true;
	return false;
}

/* What was reset and still counts for fair-share. */
static inline long double slow_removed(struct slow *s, int64_t owner, bool *open)
{
	long double sum = 0, amounts[SLOW_KINDS];

	for (size_t i = 0; i < s->n_facts; i++) {
		const struct usage_fact *fact = &s->facts[i];
		const struct slow_life *ended;

		if (fact->owner != owner || fact->until <= s->at ||
			slow_set_later(s, fact))
			continue;
		ended = slow_ended(s, fact);
		slow_read(s, ended, s->at, amounts);
		sum += amounts[SLOW_RAW];
		*open |= ended->open;
	}
	return sum;
}

/* Who has what the part is to use yet. */
static inline int64_t slow_runs_for(const struct slow *s, const struct slow_piece *p)
{
	const struct usage_fact *next;
	int64_t owner = p->owner, life = p->life;

	while ((next = slow_next(s, owner, life)) && next->heir)
		slow_heir(s, next, &owner, &life);
	return owner;
}
