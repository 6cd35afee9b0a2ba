/*
 * The search for changes that bring an earlier start; see remedy.h.
 */
#include "common/plan/remedy.h"

enum { YEAR = 365 * 24 * 60, DAY = 24 * 60, HOUR = 60 };

struct remedy_search {
	const struct remedy_ask *ask;
	struct remedy *v;
	size_t n;
};

/* ---- amounts -------------------------------------------------------------*/

/* Round for people, and no more than some 4000 of them. */
static uint64_t step_of(enum remedy_kind kind, uint64_t asked)
{
	static const struct {
		enum remedy_kind kind;
		uint64_t from, step;
	} steps[] = {
		{REMEDY_TIME, YEAR, HOUR},
		{REMEDY_TIME, 7 * DAY, 30},
		{REMEDY_TIME, DAY + 1, 5},
		{REMEDY_MEM, 4096 * 4096, 64 * 1024},
		{REMEDY_MEM, 16 * 1024, 1024},
		{REMEDY_MEM, 2048, 64},
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i].kind == kind && asked >= steps[i].from)
			return steps[i].step;
	return asked / 4096 + 1;
}

/* Rounded up to whole steps. */
static uint64_t part(const struct remedy_range *range, uint64_t parts)
{
	uint64_t steps = range->asked / parts / range->step;

	return (steps * range->step * parts < range->asked ? steps + 1
							    : steps) *
	       range->step;
}

struct remedy_range remedy_less(
	enum remedy_kind kind, uint64_t asked, uint64_t least)
{
	struct remedy_range range = {.asked = asked};

	if (asked <= least)
		return range;
	range.step = step_of(kind, asked);
	range.middle = part(&range, 2);
	range.furthest = part(&range, 10);
	if (kind == REMEDY_TIME && asked >= YEAR) {
		range.asked = YEAR;
		range.middle = DAY;
		range.furthest = HOUR;
	}
	if (range.furthest < least)
		range.furthest = least + (range.step - least % range.step) %
						 range.step;
	if (range.middle < range.furthest)
		range.middle = range.furthest;
	if (range.furthest >= asked)
		range.step = 0;
	return range;
}

/* ---- the search ----------------------------------------------------------*/

static int plan(const struct remedy_search *s, struct remedy *r)
{
	return s->ask->plan(s->ask->arg, r);
}

static bool is_earlier(const struct remedy_search *s, const struct remedy *r)
{
	return r->start && (!s->ask->start ||
				   r->start < s->ask->start - s->ask->grain);
}

/* From what it asks for on: the first amount that starts as early as `r`, which
 * may be a grain later. */
static int find_smallest(
	struct remedy_search *s, const struct remedy_range *range, struct remedy r)
{
	const int64_t wanted = r.start + s->ask->grain;
	bool more = range->furthest > range->asked;
	uint64_t bad = range->asked / range->step, good = r.value / range->step;

	if (!more)
		bad += range->asked % range->step != 0;
	for (unsigned i = 0; i < s->ask->halvings; i++) {
		struct remedy between = {.kind = r.kind};
		uint64_t middle = more ? bad + (good - bad) / 2
				       : good + (bad - good) / 2;

		if (more ? good - bad <= 1 : bad - good <= 1)
			break;
		between.value = middle * range->step;
		if (plan(s, &between))
			return -1;
		if (is_earlier(s, &between) && between.start <= wanted) {
			good = middle;
			r = between;
		} else {
			bad = middle;
		}
	}
	s->v[s->n++] = r;
	return 0;
}

static int try_amounts(struct remedy_search *s, enum remedy_kind kind)
{
	const struct remedy_range *range = &s->ask->ranges[kind];
	struct remedy half = {.kind = kind, .value = range->middle};
	struct remedy far = {.kind = kind, .value = range->furthest};
	bool half_helps, far_helps;

	if (!range->step)
		return 0;
	if (plan(s, &half) || (far.value != half.value && plan(s, &far)))
		return -1;
	half_helps = is_earlier(s, &half);
	far_helps = is_earlier(s, &far) &&
		    (!half_helps || far.start < half.start - s->ask->grain);
	if (half_helps && find_smallest(s, range, half))
		return -1;
	return far_helps ? find_smallest(s, range, far) : 0;
}

static int try_choices(struct remedy_search *s, enum remedy_kind kind)
{
	size_t n = s->ask->choices[kind];

	for (size_t i = 0; i < n && i < REMEDY_CHOICES; i++) {
		struct remedy r = {.kind = kind, .value = i};

		if (plan(s, &r))
			return -1;
		if (is_earlier(s, &r))
			s->v[s->n++] = r;
	}
	return 0;
}

int remedies_find(
	const struct remedy_ask *ask, struct remedy v[REMEDY_MOST], size_t *n)
{
	struct remedy_search s = {ask, v, 0};
	int status = 0;

	for (int kind = 0; !status && kind < REMEDY_KINDS; kind++)
		if (kind >= REMEDY_AMOUNTS)
			status = try_choices(&s, (enum remedy_kind)kind);
		else if (kind != REMEDY_LIMIT)
			status = try_amounts(&s, (enum remedy_kind)kind);
	if (!status)
		status = try_amounts(&s, REMEDY_LIMIT);
	*n = s.n;
	return status;
}

size_t remedies_best(const struct remedy *v, size_t n, int64_t grain)
{
	int64_t first = INT64_MAX;
	size_t own = n; /* the limit comes last */

	while (own && v[own - 1].kind == REMEDY_LIMIT)
		own--;
	if (!own)
		own = n;
	for (size_t i = 0; i < own; i++)
		if (v[i].start < first)
			first = v[i].start;
	for (size_t i = 0; i < own; i++)
		if (v[i].start <= first + grain)
			return i;
	return n;
}
