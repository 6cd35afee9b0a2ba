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
#include "common/base/bisect.h"
#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/base/select_kth.h"
#include "common/text/span.h"

enum { MOST_DAYS = 400, MOST_NAMES = 40 };

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
	for (int64_t at = span_floor(p->from, SPAN_DAY);
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

	BISECT(low, high, middle, days->v[middle].to <= when)
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
	day->failed += !strcmp(state, "FAILED") || !strcmp(state, "NODE_FAIL") ||
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
	*found = (struct consumer){.name = arena_strdup(arena, name)};
	found->seconds = arena_array(arena, MOST_DAYS, sizeof(double));
	HASH_ADD_KEYPTR(hh, *all, found->name, strlen(name), found);
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

static void write_consumer(struct page *p, const char *kind,
	const struct consumer *c, size_t n)
{
	struct json_object *name = json_object_new_string(c->name);
	const char *hours = "";

	for (size_t i = 0; i < n; i++)
		hours = arena_printf(&p->arena, "%s%s%.4g", hours,
			i ? "," : "", c->seconds[i] / 3600);
	strv_printf(&p->used, &p->arena,
		"{\"kind\":\"%s\",\"name\":%s,\"cpu_hours\":[%s]}", kind,
		record_json(name), hours);
	json_object_put(name);
}

/* The largest, and all others as one without a name. */
static void write_consumers(struct page *p, const char *kind,
	struct consumer *all, size_t n_days)
{
	double sums[MOST_DAYS] = {0};
	struct consumer others = {.name = "", .seconds = sums};
	size_t n = 0;

	HASH_SORT(all, compare);
	for (struct consumer *c = all; c; c = c->hh.next)
		if (n++ < MOST_NAMES) {
			write_consumer(p, kind, c, n_days);
		} else {
			for (size_t i = 0; i < n_days; i++)
				others.seconds[i] += c->seconds[i];
		}
	if (n > MOST_NAMES)
		write_consumer(p, kind, &others, n_days);
}

/* ---- all of it -------------------------------------------------------------*/

struct consumers {
	struct consumer *users, *accounts;
};

static void count_job(struct page *p, struct days *days,
	struct consumers *consumers, struct json_object *record)
{
	int64_t start = record_number(record, "start_time");
	int64_t end = record_number(record, "end_time");
	double cpus = (double)record_number(record, "alloc_cpus");

	if (end)
		count_end(days, end, record_text(record, "state"));
	if (!start || start > p->now)
		return;
	count_start(days, record_number(record, "eligible_time"), start);
	end = end && end < p->now ? end : p->now;
	count_run(days,
		consumer_of(&consumers->users, record_text(record, "user"), days),
		start, end, cpus);
	count_run(days,
		consumer_of(&consumers->accounts, record_text(record, "account"),
			days),
		start, end, cpus);
}

static void count_jobs(struct page *p, struct days *days)
{
	const struct strv *records = &p->answers[ASK_PAST].lines;
	struct consumers consumers = {0};

	for (size_t i = 0; i < records->n; i++) {
		struct json_object *record = json_tokener_parse(records->v[i]);

		count_job(p, days, &consumers, record);
		json_object_put(record);
	}
	write_consumers(p, "user", consumers.users, days->n);
	write_consumers(p, "account", consumers.accounts, days->n);
}

/* Seconds, as JSON. */
static const char *part_of(struct arena *arena, const struct day *day, size_t tenths)
{
	size_t k = day->n ? (day->n * tenths - 1) / 10 : 0;

	return day->n ? arena_printf(arena, "%lld",
				(long long)select_kth(day->waits, day->n, k))
		      : "null";
}

void days_make(struct page *p)
{
	struct days *days = arena_alloc(&p->arena, sizeof(*days));

	days->arena = &p->arena;
	list_days(p, days);
	count_jobs(p, days);
	for (size_t i = 0; i < days->n; i++) {
		const struct day *day = &days->v[i];

		strv_printf(&p->days, &p->arena,
			"{\"day_time\":%lld,\"started\":%zu,\"half\":%s,"
			"\"nine_tenths\":%s,\"ended\":%zu,\"failed\":%zu,"
			"\"timeout\":%zu}",
			(long long)day->from, day->n,
			part_of(&p->arena, day, 5), part_of(&p->arena, day, 9),
			day->ended, day->failed, day->timeout);
	}
}
