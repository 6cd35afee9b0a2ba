#include "common/text/suspension.h"

static int64_t overlap(const struct suspension *s, int64_t from, int64_t until)
{
	int64_t start = s->start > from ? s->start : from;
	int64_t end = s->end && s->end < until ? s->end : until;

	return end > start ? end - start : 0;
}

/* Of the loose seconds those before a moment of the run. */
static int64_t loose_before(const struct suspensions *all, int64_t start,
	int64_t end, int64_t moment)
{
	return (int64_t)((long double)all->loose *
			 (long double)(moment - start) /
			 (long double)(end - start));
}

int64_t suspended_within(const struct suspensions *all, int64_t start,
	int64_t end, int64_t from, int64_t until)
{
	int64_t seconds = 0;

	if (end <= start || until <= from)
		return 0;
	if (all->loose)
		seconds = loose_before(all, start, end, until) -
			  loose_before(all, start, end, from);
	for (size_t i = 0; i < all->n; i++)
		seconds += overlap(&all->v[i], from, until);
	return seconds < until - from ? seconds : until - from;
}

struct suspensions suspensions_copy(
	const struct suspensions *all, struct arena *arena)
{
	struct suspensions copy = {.loose = all->loose, .n = all->n};

	if (!all->n)
		return copy;
	copy.v = arena_array(arena, all->n, sizeof(*copy.v));
	for (size_t i = 0; i < all->n; i++)
		copy.v[i] = all->v[i];
	return copy;
}
