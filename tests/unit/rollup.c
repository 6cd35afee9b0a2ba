/*
 * Roll-ups (common/fair/rollup.h, db/rollup/rollup.h): the clamps, and that stored rows say what
 * the records say however late those come or change. Chance is seeded.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/rollup.h"
#include "db/entity/event.h"
#include "db/job/suspension.h"
#include "db/rollup/rollup.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/clock_grid.h"
#include "tests/unit/seeded.h"
#include "tests/unit/store_fixture.h"

enum {
	HOUR = 3600,
	DAY = 86400,
	T0 = 1761955200, /* 2025-11-01T00:00:00Z */
	USERS = 4,
	PAUSES = 5, /* of a job */
	JOBS = 150,
	EVENTS = 12,
	ROUNDS = 12,
	CPUS = 40,
};

#define LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

/* ---- pure --------------------------------------------------------------- */

static const uint32_t ids[] = {TRES_CPU, TRES_MEM, TRES_ENERGY};
enum { N_IDS = 3 };

static struct tres_list cpus_of(struct tres_count *count, uint64_t cpus)
{
	*count = (struct tres_count){TRES_CPU, cpus};
	return (struct tres_list){count, 1, 1};
}

static struct arena arena;
static struct rollup r;

/* Hours of which nothing is known but the capacity, and maybe not that. */
static void begin_hours(
	int64_t from, int64_t until, const struct rollup_event *capacity)
{
	arena_reset(&arena);
	rollup_init(&r, from, until, ids, N_IDS, &arena);
	if (capacity)
		rollup_add_event(&r, capacity);
}

static int release(void **state)
{
	arena_release(&arena);
	return 0;
}

/* The example at the end of 5.4. */
static void clamps(void **state)
{
	struct tres_count c[3];
	struct tres_list all = cpus_of(&c[0], 100), used = cpus_of(&c[1], 50);
	struct tres_list down = cpus_of(&c[2], 20);
	struct rollup_event capacity = {ROLLUP_CAPACITY, T0 - DAY, 0, &all};
	struct rollup_event broken = {ROLLUP_DOWN, T0, T0 + HOUR, &down};
	struct rollup_run run = {.start = T0,
		.end = T0 + HOUR / 2,
		.wckey = "",
		.reservation = "",
		.alloc = &used};
	struct rollup_run wait = {.eligible = T0 - HOUR,
		.wckey = "",
		.reservation = "",
		.cpus_req = 200,
		.alloc = &used};
	const struct cluster_usage *got;

	begin_hours(T0, T0 + HOUR, &capacity);
	rollup_add_event(&r, &broken);
	rollup_add_run(&r, &run);
	rollup_add_run(&r, &wait);
	rollup_finish(&r);
	got = &r.hours[0].cluster[0];
	assert_int_equal(r.n_hours, 1);
	assert_int_equal(got->count, 100);
	assert_int_equal(got->alloc, 90000);
	assert_int_equal(got->down, 72000);
	assert_int_equal(got->idle, 0);
	assert_int_equal(got->plan, 198000);
	assert_int_equal(got->over, 522000);
}

/* A suspended job holds its memory, not its CPUs. Of a total nobody knows the
 * time. */
static void suspension(void **state)
{
	struct tres_count c[2] = {{TRES_CPU, 10}, {TRES_MEM, 5}};
	struct tres_list all = {c, 2, 2};
	struct rollup_event capacity = {ROLLUP_CAPACITY, T0, 0, &all};
	struct suspension known[] = {{T0 + HOUR - 100, T0 + HOUR + 200}};
	struct rollup_run run = {.start = T0,
		.end = T0 + 2 * HOUR,
		.wckey = "",
		.reservation = "",
		.alloc = &all,
		.suspended = {known, 1, 72}};

	begin_hours(T0, T0 + 2 * HOUR, &capacity);
	rollup_add_run(&r, &run);
	rollup_finish(&r);
	assert_int_equal(r.hours[0].cluster[0].alloc, 10 * (HOUR - 100));
	assert_int_equal(r.hours[1].cluster[0].alloc, 10 * (HOUR - 200));
	assert_int_equal(r.hours[1].cluster[1].alloc, 5 * HOUR);
}

/* Energy is spread over the run and adds up to what was measured. */
static void energy(void **state)
{
	struct tres_count count = {TRES_ENERGY, 1000003};
	struct tres_list alloc = {&count, 1, 1};
	struct rollup_run run = {.start = T0 + 17,
		.end = T0 + 7 * HOUR + 1234,
		.assoc = 5,
		.wckey = "",
		.reservation = "",
		.alloc = &alloc};
	int64_t sum = 0;

	begin_hours(T0, T0 + DAY, NULL);
	rollup_add_run(&r, &run);
	rollup_finish(&r);
	for (size_t i = 0; i < r.n_hours; i++) {
		assert_int_equal(r.hours[i].cells.n, i < 8);
		if (i < 8)
			sum += r.hours[i].cells.v[0].secs[2];
	}
	assert_int_equal(sum, 1000003);
}

/* Jobs in a reservation do not count twice; what is left over is shared. */
static void reservations(void **state)
{
	struct tres_count c[3];
	struct tres_list all = cpus_of(&c[0], 100), kept = cpus_of(&c[1], 40);
	struct tres_list used = cpus_of(&c[2], 10);
	struct rollup_event capacity = {ROLLUP_CAPACITY, T0, 0, &all};
	struct rollup_heir heirs[] = {{7, 0}, {8, 3}};
	struct rollup_reservation resv = {.name = "class",
		.start = T0,
		.end = T0 + HOUR,
		.tres = &kept,
		.heirs = heirs,
		.n_heirs = 2};
	struct rollup_run run = {.start = T0,
		.end = T0 + HOUR,
		.assoc = 7,
		.wckey = "",
		.reservation = "class",
		.alloc = &used};

	begin_hours(T0, T0 + HOUR, &capacity);
	rollup_add_reservation(&r, &resv);
	rollup_add_run(&r, &run);
	rollup_finish(&r);
	assert_int_equal(r.hours[0].cluster[0].alloc, 40 * HOUR);
	assert_int_equal(r.hours[0].cluster[0].idle, 60 * HOUR);
	assert_int_equal(usage_cells_at(&r.hours[0].cells, 7, 0, "")->secs[0],
		25 * HOUR);
	assert_int_equal(usage_cells_at(&r.hours[0].cells, 8, 3, "")->secs[0],
		15 * HOUR);
}

static void huge_amounts(void **state)
{
	struct tres_count count;
	struct tres_list alloc = cpus_of(&count, UINT64_C(1) << 62);
	struct rollup_event capacity = {ROLLUP_CAPACITY, T0, 0, &alloc};
	struct rollup_run run = {
		.start = T0, .wckey = "", .reservation = "", .alloc = &alloc};

	begin_hours(T0, T0 + HOUR, &capacity);
	rollup_add_run(&r, &run);
	rollup_add_run(&r, &run);
	rollup_finish(&r);
	assert_int_equal(r.hours[0].cluster[0].alloc, INT64_MAX);
	assert_int_equal(r.hours[0].cluster[0].idle, 0);
}

/* An hour of half an hour, and the window rules of 4.9: Lord Howe Island, where
 * clocks are set from 2 to half past on October 5th, 2025. */
static void short_hour(void **state)
{
	int64_t begin = 1759591800; /* 2025-10-05T02:00 that was not: 02:30 */
	int64_t day = 1759584600, next = 1759669200; /* 2025-10-05, -06 */
	int64_t month = 1759239000;
	struct tres_count count;
	struct tres_list all = cpus_of(&count, 10);
	struct rollup_event capacity = {
		ROLLUP_CAPACITY, T0 - 99 * DAY, 0, &all};

	set_zone(LORD_HOWE);
	begin_hours(begin - HOUR, begin + HOUR, &capacity);
	rollup_finish(&r);
	assert_int_equal(r.n_hours, 3);
	assert_int_equal(r.hours[0].cluster[0].idle, 10 * HOUR);
	assert_int_equal(r.hours[1].start, begin);
	assert_int_equal(r.hours[1].cluster[0].idle, 10 * HOUR / 2);
	assert_int_equal(r.hours[2].cluster[0].idle, 10 * HOUR / 2);
	assert_int_equal(span_of_window(month, day, next), SPAN_DAY);
	assert_int_equal(span_of_window(day, next, next), SPAN_HOUR);
	assert_int_equal(span_of_window(month, next, next), SPAN_DAY);
	assert_int_equal(span_of_window(month, next, next - 1), SPAN_HOUR);
	assert_int_equal(span_of_window(month, begin, next), SPAN_HOUR);
	set_zone("UTC");
	assert_int_equal(
		span_of_window(T0, T0 + 30 * DAY, T0 + 90 * DAY), SPAN_MONTH);
}

/* ---- the store ---------------------------------------------------------- */

struct fixture {
	struct store_fixture t;
	int64_t users[USERS];
	struct job jobs[JOBS];
	struct tres_count counts[JOBS][2];
	struct pause {
		int64_t start, end;
	} pauses[JOBS][PAUSES];
	int n_pauses[JOBS];
	struct event events[EVENTS];
	struct tres_count event_counts[EVENTS];
};

static int64_t origin = T0; /* of all records */
static struct clock_grid grids[SPANS];

static void begin_zone(const char *name, int64_t from)
{
	set_zone(name);
	origin = from;
	clock_hours(&grids[SPAN_HOUR], from - DAY, from + 180 * DAY);
	clock_dates(&grids[SPAN_DAY], &grids[SPAN_HOUR], SPAN_DAY);
	clock_dates(&grids[SPAN_MONTH], &grids[SPAN_HOUR], SPAN_MONTH);
}

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){0};
	store_fixture_open(&f.t, T0);
	ok(&f.t, store_begin_bulk(&f.t.store));
	add_users(&f.t, "root", f.users, 0, USERS);
	ok(&f.t, store_commit_bulk(&f.t.store));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	store_fixture_close(&f->t);
	begin_zone("UTC", T0);
	return 0;
}

static int64_t some_time(void)
{
	return origin + (int64_t)chance(70 * DAY);
}

/* It is suspended, goes on, or its record is corrected: never was. */
static void change_pauses(struct fixture *f, int i)
{
	struct job *job = &f->jobs[i];
	int *n = &f->n_pauses[i];
	int64_t from = *n ? f->pauses[i][*n - 1].end : job->start;
	int64_t length = 1 + (int64_t)chance(9 * HOUR);

	if (!job->start || chance(9) == 0 || *n == PAUSES) {
		job->suspended = job->suspended_since = *n = 0;
	} else if (job->suspended_since) {
		f->pauses[i][(*n)++] = (struct pause){
			job->suspended_since, job->suspended_since + length};
		job->suspended += length;
		job->suspended_since = 0;
	} else if (chance(2)) {
		job->suspended_since = from + (int64_t)chance(9 * HOUR);
	}
}

/* A job somewhere in its life, or the same one somewhat later or corrected. */
static void change_job(struct fixture *f, int i)
{
	static const char *const wckeys[] = {"", "p", "*p", "q"};
	struct job *job = &f->jobs[i];

	if (!job->id) {
		job_init(job);
		job->id = (uint32_t)i + 1;
		job->cluster = f->t.cluster;
		job->submit = some_time();
		job->billing = 1;
	}
	job->assoc = f->users[chance(USERS)];
	job->wckey = wckeys[chance(4)];
	job->qos = chance(2);
	job->cpus_req = 1 + chance(20);
	job->eligible = chance(5) ? job->submit + chance(9 * HOUR) : 0;
	if (!chance(20))
		job->eligible = job->submit - chance(2 * DAY);
	job->start = job->end = 0;
	job->tres_alloc.n = 0;
	if (chance(4)) {
		job->start = job->submit + chance(20 * HOUR);
		if (!chance(20))
			job->start = job->submit - chance(DAY);
		f->counts[i][0] = (struct tres_count){TRES_CPU, 1 + chance(30)};
		f->counts[i][1] = (struct tres_count){TRES_MEM, chance(999)};
		job->tres_alloc = (struct tres_list){f->counts[i], 2, 2};
	}
	if (chance(5))
		job->end = (job->start ? job->start : job->submit) +
			   chance(chance(10) ? DAY : 40 * DAY);
	change_pauses(f, i);
}

static void change_event(struct fixture *f, int i)
{
	static const char *const states[] = {
		"DOWN", "DRAIN", "FUTURE", "MAINT"};
	struct event *event = &f->events[i];

	event_init(event);
	event->cluster = f->t.cluster;
	event->start = some_time();
	event->node = i < 2 ? "" : "n1";
	f->event_counts[i] =
		(struct tres_count){TRES_CPU, i < 2 ? CPUS : 1 + chance(CPUS)};
	event->tres = (struct tres_list){&f->event_counts[i], 1, 1};
	if (i < 2) {
		event->start = i ? some_time() - DAY : origin - DAY;
		ok(&f->t, event_add_cluster(&f->t.store, event));
		return;
	}
	event->state = states[chance(4)];
	event->end = chance(3) ? event->start + 1 + chance(DAY) : 0;
	ok(&f->t, event_add_node(&f->t.store, event));
}

static int64_t overlap(int64_t a, int64_t b, int64_t c, int64_t d)
{
	int64_t from = a > c ? a : c, to = b < d ? b : d;

	return to > from ? to - from : 0;
}

/* CPU seconds of a job between two moments. */
static int64_t plain_run(struct fixture *f, int i, int64_t from, int64_t until)
{
	const struct job *j = &f->jobs[i];
	int64_t end = j->end && j->end < until ? j->end : until;
	int64_t start = j->start > from ? j->start : from;
	int64_t seconds = overlap(from, until, start, end);

	if (!j->start)
		return 0;
	for (int p = 0; p < f->n_pauses[i]; p++)
		seconds -= overlap(
			start, end, f->pauses[i][p].start, f->pauses[i][p].end);
	if (j->suspended_since)
		seconds -= overlap(start, end, j->suspended_since, INT64_MAX);
	return (int64_t)f->counts[i][0].count * seconds;
}

/* What the CPUs of an hour came to, said once more in the plainest way. */
static struct cluster_usage plain_hour(struct fixture *f,
	const struct event_list *events, int64_t h, int64_t e)
{
	struct cluster_usage u = {0};
	int64_t total = 0, used;

	for (int i = 0; i < JOBS; i++) {
		const struct job *j = &f->jobs[i];
		int64_t end = j->end ? j->end : INT64_MAX;
		int64_t go = j->start ? j->start : end;

		u.alloc += plain_run(f, i, h, e);
		if (j->eligible)
			u.plan += (int64_t)j->cpus_req *
				  overlap(h, e, j->eligible, go);
	}
	for (size_t i = 0; i < events->n; i++) {
		const struct event *v = &events->v[i];
		int64_t amount =
			(int64_t)v->tres.v[0].count *
			overlap(h, e, v->start, v->end ? v->end : INT64_MAX);

		if (!*v->node)
			total += amount;
		else if (!strcmp(v->state, "FUTURE"))
			u.pdown += amount;
		else if (strcmp(v->state, "MAINT"))
			u.down += amount;
	}
	if (u.alloc > total)
		u.alloc = total;
	if (u.alloc + u.pdown > total)
		u.pdown = total - u.alloc;
	if (u.alloc + u.down + u.pdown > total)
		u.down = total - u.alloc - u.pdown;
	used = u.alloc + u.down + u.pdown;
	u.idle = total - used - u.plan;
	if (u.idle < 0) {
		u.plan += u.idle;
		u.over = -u.idle;
		u.idle = 0;
	}
	return u;
}

static struct cluster_usage plain_window(
	struct fixture *f, int64_t start, int64_t end)
{
	const struct clock_grid *hours = &grids[SPAN_HOUR];
	struct event_cond cond = {.cluster = f->t.cluster};
	struct cluster_usage sum = {0};
	struct event_list events;

	ok(&f->t, event_load(&f->t.store, &cond, &f->t.arena, &events));
	if (end > f->t.store.now)
		end = f->t.store.now;
	for (size_t i = 0; i < hours->n && hours->v[i] < end; i++) {
		int64_t next = hours->v[i + 1] < end ? hours->v[i + 1] : end;
		struct cluster_usage u;

		if (hours->v[i] < start)
			continue;
		u = plain_hour(f, &events, hours->v[i], next);
		cluster_usage_add(&sum, &u);
	}
	return sum;
}

static int64_t plain_user(struct fixture *f, int64_t assoc, uint32_t qos,
	const char *wckey, int64_t start, int64_t end)
{
	int64_t sum = 0;

	if (end > f->t.store.now)
		end = f->t.store.now;
	for (int i = 0; i < JOBS; i++) {
		const struct job *j = &f->jobs[i];

		if (!j->start || j->assoc != assoc || j->qos != qos ||
			strcmp(j->wckey + (*j->wckey == '*'), wckey))
			continue;
		sum += plain_run(f, i, start, end);
	}
	return sum;
}

static void same_cluster(
	const struct cluster_usage *got, const struct cluster_usage *want)
{
	assert_int_equal(got->alloc, want->alloc);
	assert_int_equal(got->down, want->down);
	assert_int_equal(got->pdown, want->pdown);
	assert_int_equal(got->idle, want->idle);
	assert_int_equal(got->plan, want->plan);
	assert_int_equal(got->over, want->over);
}

static void check_report(struct fixture *f, const struct rollup_report *report,
	int64_t start, int64_t end)
{
	struct cluster_usage want = plain_window(f, start, end);
	int64_t sum = 0, all = 0;

	assert_int_equal(report->tres[0], TRES_CPU);
	same_cluster(&report->cluster[0], &want);
	for (size_t i = 0; i < report->cells.n; i++) {
		const struct usage_cell *c = &report->cells.v[i];

		sum += c->secs[0];
		assert_int_equal(c->secs[0],
			plain_user(f, c->assoc, c->qos, c->wckey, start, end));
	}
	if (end > f->t.store.now)
		end = f->t.store.now;
	for (int i = 0; i < JOBS; i++)
		all += plain_run(f, i, start, end);
	assert_int_equal(sum, all);
}

static void check_window(struct fixture *f)
{
	const struct clock_grid *grid = &grids[chance(SPANS)];
	size_t first = chance((uint32_t)grid->n / 2);
	size_t length = 1 + chance(grid->n > 1000 && chance(2) ? 60 : 2);
	int64_t start = grid->v[first], end = grid->v[first + length];
	struct rollup_report report;

	ok(&f->t, rollup_load(&f->t.store, f->t.cluster, start, end,
			  &f->t.arena, &report));
	check_report(f, &report, start, end);
	ok(&f->t, rollup_compute(&f->t.store, f->t.cluster, start, end,
			  &f->t.arena, &report));
	check_report(f, &report, start, end);
}

static void change_jobs(struct fixture *f, int n)
{
	for (int i = 0; i < n; i++) {
		int which = (int)chance(JOBS);

		change_job(f, which);
		ok(&f->t, job_save(&f->t.store, &f->t.policy, &f->jobs[which]));
	}
}

static void change_some(struct fixture *f, int n)
{
	ok(&f->t, store_begin_bulk(&f->t.store));
	change_jobs(f, n);
	if (!chance(3))
		change_event(f, (int)chance(EVENTS));
	ok(&f->t, store_commit_bulk(&f->t.store));
}

static void begin_records(struct fixture *f, uint32_t number)
{
	seed = number;
	f->t.store.now = origin + 20 * DAY + chance(DAY);
	ok(&f->t, store_begin_bulk(&f->t.store));
	for (int i = 0; i < EVENTS; i++)
		change_event(f, i);
	for (int i = 0; i < JOBS; i++) {
		change_job(f, i);
		ok(&f->t, job_save(&f->t.store, &f->t.policy, &f->jobs[i]));
	}
	ok(&f->t, store_commit_bulk(&f->t.store));
}

/* Records come late, change, and time goes on; whether the rows are brought
 * up to date or what is stale is computed, the answer is that of the records.
 */
static void records(struct fixture *f, uint32_t number)
{
	begin_records(f, number);
	for (int round = 0; round < ROUNDS; round++) {
		check_window(f);
		if (chance(3))
			ok(&f->t,
				rollup_update(&f->t.store, f->t.cluster, NULL));
		check_window(f);
		check_window(f);
		change_some(f, 1 + (int)chance(20));
		f->t.store.now += chance(2) ? chance(7 * DAY) : chance(9000);
	}
}

static void late_records(void **state)
{
	records(*state, 4711);
}

static void late_records_again(void **state)
{
	records(*state, 815);
}

/* Zones of half and quarter hours, and clocks that are set by half an hour, on
 * and back, and by an hour. */
static void late_records_elsewhere(void **state)
{
	static const struct {
		const char *zone;
		int64_t from;
	} places[] = {
		{"America/New_York", T0},
		{LORD_HOWE, 1757894400}, /* 2025-09-15 */
		{LORD_HOWE, 1773100800}, /* 2026-03-10 */
		{"IST-5:30", T0}, {"<+0545>-5:45", T0},
		{"Africa/Monrovia", 61171200}, /* 1971-12-10 */
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		teardown(state);
		setup(state);
		begin_zone(places[i].zone, places[i].from);
		records(*state, 31337 + (uint32_t)i);
	}
}

/* The jobs as they are now, for later. */
static struct fixture *copy_jobs(const struct fixture *f)
{
	struct fixture *copy = malloc(sizeof(*copy));

	assert_non_null(copy);
	memcpy(copy, f, sizeof(*copy));
	for (int i = 0; i < JOBS; i++)
		copy->jobs[i].tres_alloc.v = copy->counts[i];
	return copy;
}

/* A window on one side of `kept`: a few hours near it, or days anywhere. */
static void check_side(struct fixture *f, struct fixture *then, int64_t kept)
{
	const struct clock_grid *grid = &grids[chance(2)];
	size_t first =
		grid == &grids[SPAN_HOUR]
			? (size_t)((kept - grid->v[0]) / HOUR) - 20 + chance(40)
			: chance((uint32_t)grid->n / 2);
	int64_t start = grid->v[first], end = grid->v[first + 1 + chance(10)];
	struct rollup_report report;

	if (start < kept && end > kept)
		return;
	ok(&f->t, rollup_load(&f->t.store, f->t.cluster, start, end,
			  &f->t.arena, &report));
	then->t = f->t; /* one store, open once */
	check_report(end <= kept ? then : f, &report, start, end);
	if (end <= kept)
		f->t = then->t;
}

/* What was rolled up of the time before purged records ended stays, whatever
 * becomes of the records; what comes after is that of the records. */
static void kept_for_good(void **state)
{
	struct fixture *f = *state, *then;
	int64_t kept = T0 + 9 * DAY + 5 * HOUR;

	begin_records(f, 2718);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	then = copy_jobs(f);
	ok(&f->t, store_begin_bulk(&f->t.store));
	ok(&f->t, rollup_keep(&f->t.store, f->t.cluster, kept - 1));
	ok(&f->t, store_commit_bulk(&f->t.store));
	for (int round = 0; round < ROUNDS; round++) {
		ok(&f->t, store_begin_bulk(&f->t.store));
		change_jobs(f, 1 + (int)chance(20));
		ok(&f->t, store_commit_bulk(&f->t.store));
		for (int i = 0; i < 4; i++)
			check_side(f, then, kept);
		if (chance(3))
			ok(&f->t,
				rollup_update(&f->t.store, f->t.cluster, NULL));
		for (int i = 0; i < 4; i++)
			check_side(f, then, kept);
		f->t.store.now += chance(9000);
	}
	free(then);
}

/* Another program has written since it was rolled up. */
static void kept_when_clean(void **state)
{
	struct fixture *f = *state;

	begin_records(f, 31);
	ok(&f->t, rollup_complete(&f->t.store, f->t.cluster));
	ok(&f->t, store_begin_bulk(&f->t.store));
	change_jobs(f, 20);
	assert_int_equal(
		rollup_keep(&f->t.store, f->t.cluster, T0 + 20 * DAY), -1);
	assert_non_null(strstr(f->t.err.text, "do it again"));
	store_rollback(&f->t.store);
	ok(&f->t, store_begin_bulk(&f->t.store));
	ok(&f->t, rollup_keep(&f->t.store, f->t.cluster, T0 + 20 * DAY));
	ok(&f->t, store_commit_bulk(&f->t.store));
}

struct told {
	int64_t from, at, until;
	int days;
};

static void note_day(int64_t from, int64_t at, int64_t until, void *arg)
{
	struct told *told = arg;

	assert_true(from <= at && at < until);
	assert_true(!told->days || (from == told->from && at > told->at &&
					   until == told->until));
	*told = (struct told){from, at, until, told->days + 1};
}

/* Who waits is told of every day, once. */
static void watched(void **state)
{
	struct fixture *f = *state;
	struct told told = {0};
	const struct rollup_watch watch = {note_day, &told};

	begin_records(f, 7);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, &watch));
	assert_true(told.until - told.at <= DAY);
	assert_true(told.days > 10);
	told.days = 0;
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, &watch));
	assert_int_equal(told.days, 0);
}

/* Rows made with one local calendar are not read with another, be it that of
 * the same hours, and are still good afterwards. */
static void other_calendar(void **state)
{
	static const char *const zones[] = {
		"UTC", LORD_HOWE, "IST-5:30", "Asia/Tokyo", "UTC"};
	struct fixture *f = *state;

	begin_records(f, 99);
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++) {
		begin_zone(zones[i], T0);
		ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
		for (int n = 0; n < 5; n++)
			check_window(f);
		change_some(f, 5);
		f->t.store.now += chance(3 * DAY);
	}
}

static int64_t count_rows(struct fixture *f, const char *sql)
{
	struct query q;
	int64_t n = 0;

	ok(&f->t, query_open_text(&q, &f->t.store, sql));
	if (query_row(&q))
		n = query_int(&q, 0);
	ok(&f->t, query_close(&q));
	return n;
}

/* A job that goes on as it was expected to makes nothing dirty. */
static void no_dirt(void **state)
{
	struct fixture *f = *state;
	static const char dirt[] = "SELECT count(*) FROM rollup_dirty";
	struct job *job = &f->jobs[0];

	begin_records(f, 5);
	job->submit = job->eligible = job->start = T0 + 5 * DAY;
	job->end = 0;
	f->counts[0][0] = (struct tres_count){TRES_CPU, 3};
	f->counts[0][1] = (struct tres_count){TRES_MEM, 3};
	job->tres_alloc = (struct tres_list){f->counts[0], 2, 2};
	job->id = 9999;
	save_job(&f->t, job);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	assert_int_equal(count_rows(f, dirt), 0);
	job->end = f->t.store.now;
	save_job(&f->t, job);
	assert_int_equal(count_rows(f, dirt), 0);
	job->end = T0 + 6 * DAY;
	save_job(&f->t, job);
	assert_int_equal(count_rows(f, dirt), 1);
}

/* A job that was suspended turns out to have ended days before. */
static void ended_before_pause(void **state)
{
	struct fixture *f = *state;
	struct job *job = f->jobs;

	begin_records(f, 5);
	while (job->submit > T0 + 8 * DAY)
		job++;
	f->n_pauses[job - f->jobs] = 0;
	f->counts[job - f->jobs][0] = (struct tres_count){TRES_CPU, 3};
	job->tres_alloc = (struct tres_list){f->counts[job - f->jobs], 1, 1};
	job->eligible = job->start = job->submit;
	job->end = job->suspended = 0;
	job->suspended_since = job->start + 7 * DAY;
	save_job(&f->t, job);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	job->end = job->start + DAY;
	job->suspended_since = 0;
	save_job(&f->t, job);
	for (int i = 0; i < 20; i++)
		check_window(f);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	for (int i = 0; i < 20; i++)
		check_window(f);
}

/* An import of many puts the triggers away as long as there are no roll-ups. */
static void pause_without_triggers(void **state)
{
	struct fixture *f = *state;
	const struct suspension pause = {T0 + 10, T0 + 20};

	begin_records(f, 5);
	ok(&f->t, store_begin_bulk(&f->t.store));
	ok(&f->t, store_triggers(&f->t.store, false));
	assert_int_equal(suspensions_put(&f->t.store, f->jobs[0].key, &pause,
				 1, 0),
		1);
	ok(&f->t, store_triggers(&f->t.store, true));
	store_rollback(&f->t.store);
}

#define STORED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clamps),
		cmocka_unit_test(suspension),
		cmocka_unit_test(energy),
		cmocka_unit_test(reservations),
		cmocka_unit_test(huge_amounts),
		cmocka_unit_test(short_hour),
		STORED(late_records),
		STORED(late_records_again),
		STORED(late_records_elsewhere),
		STORED(other_calendar),
		STORED(kept_for_good),
		STORED(kept_when_clean),
		STORED(watched),
		STORED(no_dirt),
		STORED(ended_before_pause),
		STORED(pause_without_triggers),
	};

	begin_zone("UTC", T0);
	return cmocka_run_group_tests(tests, NULL, release);
}
