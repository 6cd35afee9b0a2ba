/*
 * Free processors over time; see profile.h.
 */
#include "common/sim/profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"

enum { FIRST_ROOM = 256 };

void profile_init(struct profile *p, uint32_t capacity, int64_t from)
{
	*p = (struct profile){.capacity = capacity, .cap = FIRST_ROOM};
	p->time = memory_resize(NULL, p->cap, sizeof(*p->time));
	p->free = memory_resize(NULL, p->cap, sizeof(*p->free));
	profile_clear(p, from);
}

void profile_release(struct profile *p)
{
	free(p->time);
	free(p->free);
	*p = (struct profile){0};
}

void profile_clear(struct profile *p, int64_t from)
{
	p->begin = 0;
	p->n = 1;
	p->time[0] = from;
	p->free[0] = p->capacity;
}

size_t profile_steps(const struct profile *p)
{
	return p->n - p->begin;
}

void profile_advance(struct profile *p, int64_t now)
{
	while (p->begin + 1 < p->n && p->time[p->begin + 1] <= now)
		p->begin++;
	if (p->time[p->begin] < now)
		p->time[p->begin] = now;
}

/* The step that holds `at`: the last that begins then or before. */
static size_t find(const struct profile *p, int64_t at)
{
	size_t low = p->begin, high = p->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (p->time[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int64_t profile_earliest(const struct profile *p, uint32_t procs,
	int64_t length, int64_t from, int64_t before)
{
	size_t i = find(p, from);
	int64_t start;

	for (;;) {
		while (i < p->n && p->free[i] < procs)
			i++;
		if (i == p->n)
			return before;
		start = p->time[i] > from ? p->time[i] : from;
		if (start >= before)
			return before;
		do {
			if (++i == p->n || p->time[i] >= before ||
				p->time[i] - start >= length)
				return start;
		} while (p->free[i] >= procs);
	}
}

/* ---- changes -------------------------------------------------------------*/

static void grow(struct profile *p)
{
	p->cap *= 2;
	p->time = memory_resize(p->time, p->cap, sizeof(*p->time));
	p->free = memory_resize(p->free, p->cap, sizeof(*p->free));
}

/* Room of what is past is used before more is asked for. */
static void move_to_front(struct profile *p)
{
	p->n -= p->begin;
	memmove(p->time, p->time + p->begin, p->n * sizeof(*p->time));
	memmove(p->free, p->free + p->begin, p->n * sizeof(*p->free));
	p->begin = 0;
}

static void make_room(struct profile *p)
{
	if (p->n < p->cap)
		return;
	if (p->begin > p->n / 2)
		move_to_front(p);
	else
		grow(p);
}

/* The step that begins at `at`, created if needed. */
static size_t split(struct profile *p, int64_t at)
{
	size_t i = find(p, at), behind;

	if (p->time[i] == at)
		return i;
	if (p->time[i] > at)
		BUG("a reservation in the past");
	make_room(p);
	i = find(p, at);
	behind = p->n - i - 1;
	memmove(p->time + i + 2, p->time + i + 1, behind * sizeof(*p->time));
	memmove(p->free + i + 2, p->free + i + 1, behind * sizeof(*p->free));
	p->time[i + 1] = at;
	p->free[i + 1] = p->free[i];
	p->n++;
	return i + 1;
}

/* A step equal to the one before it is removed. */
static void join(struct profile *p, size_t i)
{
	size_t behind;

	if (i <= p->begin || i >= p->n || p->free[i] != p->free[i - 1])
		return;
	behind = p->n - i - 1;
	memmove(p->time + i, p->time + i + 1, behind * sizeof(*p->time));
	memmove(p->free + i, p->free + i + 1, behind * sizeof(*p->free));
	p->n--;
}

static bool is_free(
	const struct profile *p, uint32_t procs, int64_t from, int64_t until)
{
	for (size_t i = find(p, from); i < p->n && p->time[i] < until; i++)
		if (p->free[i] < procs)
			return false;
	return true;
}

bool profile_take(
	struct profile *p, uint32_t procs, int64_t from, int64_t until)
{
	size_t first, last;

	if (until <= from || !procs)
		return true;
	if (!is_free(p, procs, from, until))
		return false;
	split(p, from);
	last = split(p, until);
	first = find(p, from);
	for (size_t i = first; i < last; i++)
		p->free[i] -= procs;
	join(p, last);
	join(p, first);
	return true;
}

void profile_give(
	struct profile *p, uint32_t procs, int64_t from, int64_t until)
{
	size_t first, last;

	if (until <= from || !procs)
		return;
	split(p, from);
	last = split(p, until);
	first = find(p, from);
	for (size_t i = first; i < last; i++) {
		if (p->capacity - p->free[i] < procs)
			BUG("more given back than taken");
		p->free[i] += procs;
	}
	join(p, last);
	join(p, first);
}
