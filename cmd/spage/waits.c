/*
 * How long jobs waited, by the day on which they started.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

/* Of sacct. */
enum { ELIGIBLE, START };
/* Of ours. */
enum { DAY, STARTED, HALF, MOST };

struct awaited_start {
	char *start; /* "2026-11-22T11:17:57" */
	int64_t seconds;
};

static int compare(const void *a, const void *b)
{
	const struct awaited_start *x = a, *y = b;
	int order = strncmp(x->start, y->start, strlen("2026-11-22"));

	return order ? order
		     : (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static size_t read_waits(struct page *p, struct awaited_start *waits)
{
	const struct rows *rows = &p->answers[ASK_WAITS].rows;
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		int64_t from = moment_read(rows->v[i][ELIGIBLE], p->now);
		int64_t to = moment_read(rows->v[i][START], p->now);

		if (from && to && to <= p->now)
			waits[n++] = (struct awaited_start){
				rows->v[i][START], to > from ? to - from : 0};
	}
	return n;
}

/* So many of one day, the shortest first. */
static void add_day(struct page *p, size_t *cap,
	const struct awaited_start *waits, size_t n)
{
	char **row = rows_add(&p->waits, cap, &p->arena);

	row[DAY] = arena_strndup(&p->arena, waits->start, strlen("2026-11-22"));
	row[STARTED] = arena_printf(&p->arena, "%zu", n);
	row[HALF] = arena_printf(
		&p->arena, "%lld", (long long)waits[(n - 1) / 2].seconds);
	row[MOST] = arena_printf(
		&p->arena, "%lld", (long long)waits[(n * 9 - 1) / 10].seconds);
}

void waits_make(struct page *p)
{
	size_t n_rows = p->answers[ASK_WAITS].rows.n, n, cap = 0;
	struct awaited_start *waits =
		arena_array(&p->arena, n_rows + 1, sizeof(*waits));

	rows_make(&p->waits, "day,started,half,nine_tenths", &p->arena);
	n = read_waits(p, waits);
	if (n)
		qsort(waits, n, sizeof(*waits), compare);
	for (size_t i = 0, from = 0; i < n; i++)
		if (i + 1 == n || strncmp(waits[i].start, waits[i + 1].start,
					  strlen("2026-11-22")) != 0) {
			add_day(p, &cap, waits + from, i + 1 - from);
			from = i + 1;
		}
}
