/*
 * Rows in the order of -S; see sort.h.
 */
#include "common/table/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ----------------------------------------------------------------*/

const struct member *sorting_letter(
	const struct sorting_letters *letters, char letter)
{
	const struct member *own = members_by_letter(&letters->own, letter);

	if (own || !letter || !strchr(letters->as_shown, letter))
		return own;
	return members_by_letter(letters->types, letter);
}

void sorting_add(
	struct sorting *by, const struct member *member, bool descending)
{
	for (size_t i = 0; i < by->n; i++)
		if (by->v[i].member == member)
			return;
	if (member && by->n < sizeof(by->v) / sizeof(*by->v))
		by->v[by->n++] = (struct sorting_key){member, descending};
}

/* ---- rows ----------------------------------------------------------------*/

static int compare_reals(double a, double b)
{
	static const double fuzz = 0.00001;

	return fabs(a - b) < fuzz ? 0 : a < b ? -1 : 1;
}

static int compare_key(const struct sorting *by, const struct sorting_key *key,
	const void *a, const void *b, struct arena *scratch)
{
	struct value x = member_value(key->member, a, scratch);
	struct value y = member_value(key->member, b, scratch);
	int64_t m = (int64_t)x.number, n = (int64_t)y.number;
	int order;

	if (x.type == VALUE_TEXT)
		order = by->texts(x.text, y.text);
	else if (x.type == VALUE_REAL)
		order = compare_reals(x.real, y.real);
	else if (x.type == VALUE_TIME && (!m || !n))
		return !m - !n;
	else
		order = (m > n) - (m < n);
	return key->descending ? -order : order;
}

struct sort_context {
	const struct sorting *by;
	struct arena scratch;
};

static size_t order_of(const struct sorting *by, const void *row)
{
	size_t order;

	memcpy(&order, (const char *)row + by->order, sizeof(order));
	return order;
}

static int compare(const void *a, const void *b, void *arg)
{
	struct sort_context *run = arg;
	const struct sorting *by = run->by;
	size_t x = order_of(by, a), y = order_of(by, b);

	arena_reset(&run->scratch);
	for (size_t i = 0; i < by->n; i++) {
		int order = compare_key(by, &by->v[i], a, b, &run->scratch);

		if (order)
			return order;
	}
	return (x > y) - (x < y);
}

void sorting_run(struct sorting *by, void *rows, size_t n, size_t size)
{
	struct sort_context run = {.by = by};

	if (!by->texts)
		by->texts = strcmp;
	arena_init(&run.scratch);
	if (n)
		qsort_r(rows, n, size, compare, &run);
	arena_release(&run.scratch);
}
