/*
 * What became of jobs, day by day of the site's clock: how many started and how
 * long they had waited, how many ended and how, and who had how many CPU hours.
 */
#include <stdlib.h>
#include <string.h>

/* Hash tables live in the arena and go with it. */
#define uthash_malloc(size) arena_alloc(arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "cmd/spage/spage.h"
#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/base/select_kth.h"
#include "common/text/span.h"
#include "common/text/timespec.h"

enum { MOST_DAYS = 400, MOST_NAMES = 40 };

/* Of sacct. */
enum { ELIGIBLE, START, END, STATE, USER, ACCOUNT, CPUS };

struct day {
	int64_t from, to;
	int64_t *waits; /* seconds, of those that started */
	size_t n, cap;
	size_t ended, failed, timeout;
};

struct days {
	struct day v[MOST_DAYS];
	size_t n;
	struct arena *arena;
};

/* A user or account, and its CPU seconds of each day. */
struct consumer {
	const char *name;
	double *seconds, sum;
	UT_hash_handle hh;
};

/* ---- days ------------------------------------------------------------------*/

static void list_days(struct page *p, struct days *days)
{
	struct err err;
	time_t from;

	if (time_parse(p->start, (time_t)p->now, true, &from, &err))
		from = (time_t)p->now;
	for (int64_t at = span_floor(from, SPAN_DAY);
		at <= p->now && days->n < MOST_DAYS;) {
		int64_t next = span_next(at, SPAN_DAY);

		days->v[days->n++] = (struct day){.from = at, .to = next};
		at = next;
	}
}

/* The day with this moment; NULL: none. */
static struct day *day_of(struct days *days, int64_t when)
{
	size_t low = 0, high = days->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (days->v[middle].to <= when)
			low = middle + 1;
		else
			high = middle;
	}
	return low < days->n && days->v[low].from <= when ? &days->v[low]
							  : NULL;
}

static void count_start(struct days *days, int64_t from, int64_t start)
{
	struct day *day = day_of(days, start);

	if (from && day)
		*ARENA_PUSH(days->arena, day->waits, day->n, day->cap) =
			start > from ? start - from : 0;
}

static void count_end(struct days *days, int64_t end, const char *state)
{
	struct day *day = day_of(days, end);

	if (!day)
		return;
	day->ended++;
	day->timeout += !strcmp(state, "TIMEOUT");
	day->failed += !strcmp(state, "FAILED") ||
		       !strcmp(state, "NODE_FAIL") ||
		       !strcmp(state, "OUT_OF_MEMORY");
}

/* ---- who used what ---------------------------------------------------------*/

static struct consumer *consumer_of(
	struct consumer **all, const char *name, struct days *days)
{
	struct arena *arena = days->arena;
	struct consumer *found;

	HASH_FIND_STR(*all, name, found);
	if (found)
		return found;
	found = arena_alloc(arena, sizeof(*found));
	*found = (struct consumer){.name = name};
	found->seconds = arena_array(arena, MOST_DAYS, sizeof(double));
	HASH_ADD_KEYPTR(hh, *all, name, strlen(name), found);
	return found;
}

/* A run, cut at midnight. */
static void count_run(struct days *days, struct consumer *consumer,
	int64_t start, int64_t end, double cpus)
{
	int64_t first = days->n ? days->v[0].from : end;
	struct day *day = day_of(days, larger(start, first));

	for (; day && day < days->v + days->n && day->from < end; day++) {
		double seconds = cpus * (double)(smaller(end, day->to) -
						larger(start, day->from));

		consumer->seconds[day - days->v] += seconds;
		consumer->sum += seconds;
	}
}

static int compare(struct consumer *a, struct consumer *b)
{
	if (a->sum != b->sum)
		return a->sum < b->sum ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void write_consumer(struct page *p, size_t *cap, const char *kind,
	const struct consumer *c, size_t n)
{
	char **row = rows_add(&p->used, cap, &p->arena);
	const char *hours = "";

	for (size_t i = 0; i < n; i++)
		hours = arena_printf(&p->arena, "%s%s%.4g", hours,
			i ? " " : "", c->seconds[i] / 3600);
	row[0] = arena_strdup(&p->arena, kind);
	row[1] = arena_strdup(&p->arena, c->name);
	row[2] = arena_strdup(&p->arena, hours);
}

/* The largest, and all others as one without a name. */
static void write_consumers(struct page *p, size_t *cap, const char *kind,
	struct consumer *all, size_t n_days)
{
	double sums[MOST_DAYS] = {0};
	struct consumer others = {.name = "", .seconds = sums};
	size_t n = 0;

	HASH_SORT(all, compare);
	for (struct consumer *c = all; c; c = c->hh.next)
		if (n++ < MOST_NAMES) {
			write_consumer(p, cap, kind, c, n_days);
		} else {
			for (size_t i = 0; i < n_days; i++)
				others.seconds[i] += c->seconds[i];
		}
	if (n > MOST_NAMES)
		write_consumer(p, cap, kind, &others, n_days);
}

/* ---- all of it -------------------------------------------------------------*/

static void count_jobs(struct page *p, struct days *days)
{
	const struct rows *rows = &p->answers[ASK_PAST].rows;
	struct consumer *users = NULL, *accounts = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];
		int64_t start = moment_read(row[START], p->now);
		int64_t end = moment_read(row[END], p->now);
		double cpus = strtod(row[CPUS], NULL);

		if (end)
			count_end(days, end, row[STATE]);
		if (!start || start > p->now)
			continue;
		count_start(days, moment_read(row[ELIGIBLE], p->now), start);
		end = end && end < p->now ? end : p->now;
		count_run(days, consumer_of(&users, row[USER], days), start,
			end, cpus);
		count_run(days, consumer_of(&accounts, row[ACCOUNT], days),
			start, end, cpus);
	}
	write_consumers(p, &cap, "user", users, days->n);
	write_consumers(p, &cap, "account", accounts, days->n);
}

static char *part_of(struct arena *arena, const struct day *day, size_t tenths)
{
	size_t k = day->n ? (day->n * tenths - 1) / 10 : 0;

	if (!day->n)
		return arena_strdup(arena, "");
	return arena_printf(
		arena, "%lld", (long long)select_kth(day->waits, day->n, k));
}

static void write_day(struct page *p, size_t *cap, const struct day *day)
{
	struct arena *arena = &p->arena;
	char **row = rows_add(&p->days, cap, arena);
	size_t n = 0;

	row[n++] = time_format(arena, (time_t)day->from, "%Y-%m-%d",
		(time_t)p->now);
	row[n++] = arena_printf(arena, "%zu", day->n);
	row[n++] = part_of(arena, day, 5);
	row[n++] = part_of(arena, day, 9);
	row[n++] = arena_printf(arena, "%zu", day->ended);
	row[n++] = arena_printf(arena, "%zu", day->failed);
	row[n++] = arena_printf(arena, "%zu", day->timeout);
}

void days_make(struct page *p)
{
	struct days *days = arena_alloc(&p->arena, sizeof(*days));
	size_t cap = 0;

	days->n = 0;
	days->arena = &p->arena;
	rows_make(&p->days, "day,started,half,nine_tenths,ended,failed,timeout",
		&p->arena);
	rows_make(&p->used, "kind,name,cpu_hours", &p->arena);
	list_days(p, days);
	count_jobs(p, days);
	for (size_t i = 0; i < days->n; i++)
		write_day(p, &cap, &days->v[i]);
}
