/*
 * Usage in the store (db/usage/usage.h, db/job/job.h): the order in which runs arrive does not
 * matter, what is taken out is gone, running and finished jobs count alike, resets and removals
 * move what they should. Chance is seeded.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "db/store/query.h"
#include "db/usage/fold.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/store_fixture.h"

enum { HOUR = 3600, DAY = 86400, T0 = 1760000000, USERS = 5, RUNS = 200 };

struct fixture {
	struct store_fixture t;
	int64_t root;
	int64_t users[USERS];
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){0};
	seed = 4711;
	store_fixture_open(&f.t, T0);
	ok(&f.t, store_begin_bulk(&f.t.store));
	f.root = account_assoc(&f.t, "root")->key;
	add_users(&f.t, "root", f.users, 0, USERS);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	store_rollback(&f->t.store);
	store_fixture_close(&f->t);
	return 0;
}

/* ---- helpers ------------------------------------------------------------- */

static const struct tres_list alloc = {
	(struct tres_count[]){{TRES_CPU, 4}, {TRES_MEM, 1000}, {TRES_ENERGY, 7},
		{TRES_BILLING, 6}},
	4, 4};

static void chance_run(struct fixture *f, struct job *run)
{
	*run = (struct job){
		.cluster = f->t.cluster,
		.assoc = f->users[chance(USERS)],
		.billing = 1 + chance(1000) / 8.0,
		.usage_factor = chance(4) / 2.0,
		.tres_alloc = alloc,
		.start = T0 - 30 * DAY + (int64_t)chance(30 * DAY),
	};
	run->end = run->start + 1 + (int64_t)chance(2 * DAY);
}

/* Of the first user. */
static struct job a_run(struct fixture *f, int64_t start, int64_t end)
{
	return (struct job){
		.cluster = f->t.cluster,
		.assoc = f->users[0],
		.billing = 1,
		.usage_factor = 1,
		.tres_alloc = alloc,
		.start = start,
		.end = end,
	};
}

static uint32_t index_in(void *arg, int64_t key)
{
	const struct usage_list *list = arg;
	const struct usage *usage = usage_of(list, key);

	return usage->assoc ? (uint32_t)(usage - list->v) : UINT32_MAX;
}

/* Rows are filled with the same. */
static void check_rows(struct fixture *f, int64_t at, struct usage_list *list)
{
	struct usage_rows rows = {.n = (uint32_t)list->n,
		.find = index_in,
		.arg = list,
		.raw = arena_array(
			&f->t.arena, list->n, sizeof(*rows.raw))};

	ok(&f->t, usage_read_rows(&f->t.store, &f->t.policy, f->t.cluster, at,
			  &f->t.arena, &rows));
	for (size_t i = 0; i < list->n; i++) {
		assert_true(rows.raw[i] == list->v[i].raw);
		assert_true((rows.removed ? rows.removed[i] : 0) ==
			    list->v[i].removed);
	}
}

static struct usage_list read_at(struct fixture *f, int64_t at, bool details)
{
	struct usage_list list;

	ok(&f->t, usage_read(&f->t.store, &f->t.policy, f->t.cluster, at,
			  details, &f->t.arena, &list));
	if (!details)
		check_rows(f, at, &list);
	return list;
}

static long double raw_at(struct fixture *f, int64_t assoc, int64_t at)
{
	const struct usage_list list = read_at(f, at, false);

	return usage_of(&list, assoc)->raw;
}

/* To the last bit. */
static void same(long double got, long double want)
{
	if (got < want || got > want)
		fail_msg("%.21Lg is not %.21Lg", got, want);
}

static void near(long double got, long double want)
{
	if (!(fabsl(got - want) <= 1e-9L * (1 + fabsl(want))))
		fail_msg("%.12Lg is not %.12Lg", got, want);
}

static void add(struct fixture *f, const struct job *run, int sign)
{
	struct usage_bulk *bulk =
		usage_bulk_open(&f->t.store, &f->t.policy, NULL);

	ok(&f->t, usage_bulk_add(bulk, run, sign));
	ok(&f->t, usage_bulk_write(bulk));
	usage_bulk_close(bulk);
}

/* ---- runs ---------------------------------------------------------------- */

static void shuffle(struct job *runs, uint32_t n)
{
	while (n > 1) {
		uint32_t i = chance(n--);
		struct job run = runs[i];

		runs[i] = runs[n];
		runs[n] = run;
	}
}

static void nothing_is_kept(struct fixture *f)
{
	int64_t rows = -1;

	ok(&f->t, store_number(&f->t.store,
			  "SELECT (SELECT count(*) FROM usage)"
			  " + (SELECT count(*) FROM usage_sum)",
			  &rows));
	assert_int_equal(rows, 0);
}

/* Any order gives the sum of what each run is worth; another order the same. */
static void order(void **state)
{
	struct fixture *f = *state;
	struct job runs[RUNS];
	long double want[USERS] = {0}, got[USERS];
	int64_t at = T0 + 40 * DAY;

	for (int i = 0; i < RUNS; i++)
		chance_run(f, &runs[i]);
	shuffle(runs, RUNS);
	for (int i = 0; i < RUNS; i++) {
		add(f, &runs[i], 1);
		for (int u = 0; u < USERS; u++)
			if (f->users[u] == runs[i].assoc)
				want[u] += decay_integral(
					usage_rate(runs[i].billing,
						runs[i].usage_factor),
					runs[i].start, runs[i].end, at,
					f->t.policy.half_life);
	}
	for (int u = 0; u < USERS; u++) {
		got[u] = raw_at(f, f->users[u], at);
		near(got[u], want[u]);
	}
	for (int i = 0; i < RUNS; i++)
		add(f, &runs[i], -1);
	nothing_is_kept(f);
	shuffle(runs, RUNS);
	for (int i = 0; i < RUNS; i++)
		add(f, &runs[i], 1);
	for (int u = 0; u < USERS; u++)
		same(raw_at(f, f->users[u], at), got[u]);
}

/* What is taken out in another order leaves what was there before. */
static void take_out(void **state)
{
	struct fixture *f = *state;
	struct job first, runs[RUNS];
	int64_t at = T0 + 3 * DAY;
	long double before;

	chance_run(f, &first);
	first.usage_factor = 1;
	add(f, &first, 1);
	before = raw_at(f, first.assoc, at);
	for (int i = 0; i < RUNS; i++) {
		chance_run(f, &runs[i]);
		add(f, &runs[i], 1);
	}
	shuffle(runs, RUNS);
	for (int i = 0; i < RUNS; i++)
		add(f, &runs[i], -1);
	same(raw_at(f, first.assoc, at), before);
	add(f, &first, -1);
	nothing_is_kept(f);
}

static const struct usage_tres *tres_of(const struct usage *usage, uint32_t id)
{
	for (size_t i = 0; i < usage->n_tres; i++)
		if (usage->tres[i].id == id)
			return &usage->tres[i];
	return NULL;
}

/* Every TRES but energy counts; billing counts truncated. */
static void details(void **state)
{
	struct fixture *f = *state;
	struct job run = a_run(f, T0 - HOUR, T0);
	struct usage_list list;
	const struct usage *usage;

	run.billing = 6.5;
	run.usage_factor = 0.5;
	f->t.policy.half_life = 0;
	add(f, &run, 1);
	list = read_at(f, T0, true);
	usage = usage_of(&list, f->users[0]);
	near(usage->raw, 3600 * 3.25L);
	near(usage->wall, 1800);
	near(tres_of(usage, TRES_CPU)->seconds, 7200);
	near(tres_of(usage, TRES_BILLING)->seconds, 10800);
	assert_null(tres_of(usage, TRES_ENERGY));
	same(usage_of(&list, f->users[1])->raw, 0);
}

/* Usage of before the last scheduled reset is gone; NoDecay QOS keep theirs. */
static void scheduled_reset(void **state)
{
	struct fixture *f = *state;
	int64_t midnight = usage_reset_last(RESET_DAILY, T0, T0 + DAY);
	struct job run = a_run(f, midnight - HOUR, midnight + 2 * HOUR);
	struct usage_list list;

	run.qos = 1;
	f->t.policy.half_life = 0;
	f->t.policy.reset = RESET_DAILY;
	ok(&f->t, store_exec(&f->t.store, "UPDATE qos SET flags = 256"));
	add(f, &run, 1);
	near(raw_at(f, f->users[0], midnight + 2 * HOUR), 7200);
	same(raw_at(f, f->users[0], midnight + DAY), 0);
	ok(&f->t, usage_read_qos(&f->t.store, &f->t.policy, f->t.cluster,
			  midnight + DAY, false, &f->t.arena, &list));
	near(usage_of(&list, 1)->raw, 3 * HOUR);
}

/* Up to the end of a bucket that a reset ends, what was used in those before it
 * counts too, and what is handed up then. */
static void before_a_reset(void **state)
{
	struct fixture *f = *state;
	int64_t first = usage_reset_last(RESET_MONTHLY, T0, T0 + 40 * DAY);
	struct job early = a_run(f, first - 3 * DAY, first - 2 * DAY);
	struct job late = a_run(f, first - DAY / 2, first - DAY / 2 + 60);

	f->t.policy.half_life = 0;
	f->t.policy.reset = RESET_MONTHLY;
	add(f, &early, 1);
	add(f, &late, 1);
	same(raw_at(f, f->users[0], first - HOUR), DAY + 60);
	same(raw_at(f, f->users[0], first - 1), DAY + 60);
	same(raw_at(f, f->users[0], first), 0);
	f->t.store.now = first - HOUR;
	ok(&f->t,
		usage_hand_up(&f->t.store, &f->t.policy, f->users[0], f->root));
	same(raw_at(f, f->root, first - HOUR), DAY + 60);
	same(raw_at(f, f->root, first), 0);
}

/* The resets of a policy that another took the place of have been. */
static void resets_once(void **state)
{
	struct fixture *f = *state;
	int64_t midnight = usage_reset_last(RESET_DAILY, T0, T0 + DAY);
	struct job run = a_run(f, T0, midnight + 2 * HOUR);
	char sql[128];

	snprintf(sql, sizeof(sql),
		"INSERT INTO decay (since, half_life, reset)"
		" VALUES (0, 0, %d), (%lld, 0, %d)",
		RESET_DAILY, (long long)midnight + HOUR, RESET_NONE);
	ok(&f->t, store_exec(&f->t.store, sql));
	f->t.policy.half_life = 0;
	f->t.policy.reset = RESET_NONE;
	add(f, &run, 1);
	same(raw_at(f, f->users[0], midnight + DAY), 2 * HOUR);
}

/* ---- many runs ----------------------------------------------------------- */

enum { MANY_TRES = 14 };

/* Half-lives that came and went, one of them far shorter than the others. */
static void short_half_life_once(struct fixture *f)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
		"INSERT INTO decay (since, half_life) VALUES (0, %d), (%d, %d),"
		" (%d, %d)",
		7 * DAY, T0 - 20 * DAY, HOUR, T0 - 18 * DAY, 3 * DAY);
	ok(&f->t, store_exec(&f->t.store, sql));
	f->t.policy.half_life = 3 * DAY;
}

static void chance_qos(struct job *run)
{
	run->qos = 1 + chance(2);
	run->part_qos = chance(3);
}

/* The second QOS has NoDecay. */
static void add_qos(struct fixture *f)
{
	ok(&f->t, store_exec(&f->t.store,
			  "INSERT INTO qos (id, name, description, flags,"
			  " created, modified)"
			  " VALUES (2, 'kept', '', 256, 0, 0)"));
}

/* Every seventh is taken out. */
static void remember(struct usage_bulk *bulk, struct fixture *f,
	const struct job *runs, size_t n)
{
	usage_bulk_begin(bulk);
	for (size_t i = 0; i < n; i++)
		ok(&f->t, usage_bulk_add(bulk, &runs[i], i % 7 ? 1 : -1));
	ok(&f->t, usage_bulk_write(bulk));
}

static void same_usage(struct usage_list *a, struct usage_list *b)
{
	assert_int_equal(a->n, b->n);
	assert_true(a->n > 0);
	for (size_t i = 0; i < a->n; i++) {
		same(a->v[i].raw, b->v[i].raw);
		same(a->v[i].wall, b->v[i].wall);
		assert_int_equal(a->v[i].n_tres, b->v[i].n_tres);
		for (size_t k = 0; k < a->v[i].n_tres; k++)
			same(a->v[i].tres[k].seconds, b->v[i].tres[k].seconds);
	}
}

static struct usage_list qos_at(struct fixture *f, int64_t at)
{
	struct usage_list list;

	ok(&f->t, usage_read_qos(&f->t.store, &f->t.policy, f->t.cluster, at,
			  true, &f->t.arena, &list));
	return list;
}

/* Summed up in memory, batch by batch, or written run by run: the same. */
static void bulk_is_one_by_one(struct fixture *f)
{
	static struct job runs[RUNS];
	struct tres_count counts[MANY_TRES];
	struct tres_list many = {counts, MANY_TRES, MANY_TRES};
	struct usage_bulk *bulk;
	struct usage_list assocs, qos, assocs_bulk, qos_bulk;
	int64_t at = T0 + 2 * DAY; /* all have ended */

	for (uint32_t i = 0; i < MANY_TRES; i++)
		counts[i] = (struct tres_count){
			i < 5 ? i + 1 : 996 + i, chance(50)};
	for (size_t i = 0; i < RUNS; i++) {
		chance_run(f, &runs[i]);
		chance_qos(&runs[i]);
		runs[i].tres_alloc = chance(5) ? alloc : many;
		add(f, &runs[i], i % 7 ? 1 : -1);
	}
	assocs = read_at(f, at, true);
	qos = qos_at(f, at);
	ok(&f->t, store_exec(&f->t.store,
			  "DELETE FROM usage; DELETE FROM usage_sum"));
	bulk = usage_bulk_open(&f->t.store, &f->t.policy, NULL);
	remember(bulk, f, runs, 63);
	remember(bulk, f, runs + 63, RUNS - 63);
	usage_bulk_close(bulk);
	assocs_bulk = read_at(f, at, true);
	qos_bulk = qos_at(f, at);
	same_usage(&assocs_bulk, &assocs);
	same_usage(&qos_bulk, &qos);
}

/* The earlier one first or last. */
static void early_or_late(void **state)
{
	struct fixture *f = *state;
	struct tres_count counts[MANY_TRES];
	struct job late = a_run(f, T0 - HOUR, T0),
		   early = a_run(f, T0 - DAY, T0 - DAY / 2);
	struct usage_list one, other;

	for (uint32_t i = 0; i < MANY_TRES; i++)
		counts[i] = (struct tres_count){1001 + i, 10};
	late.tres_alloc = early.tres_alloc =
		(struct tres_list){counts, MANY_TRES, MANY_TRES};
	f->t.policy.reset = RESET_DAILY;
	add(f, &late, 1);
	add(f, &early, 1);
	one = read_at(f, T0, true);
	ok(&f->t, store_exec(&f->t.store,
			  "DELETE FROM usage; DELETE FROM usage_sum"));
	add(f, &early, 1);
	add(f, &late, 1);
	other = read_at(f, T0, true);
	same_usage(&one, &other);
}

static void bulk(void **state)
{
	add_qos(*state);
	bulk_is_one_by_one(*state);
}

static void bulk_half_lives(void **state)
{
	add_qos(*state);
	short_half_life_once(*state);
	bulk_is_one_by_one(*state);
}

static void bulk_no_decay(void **state)
{
	struct fixture *f = *state;

	add_qos(f);
	f->t.policy.half_life = 0;
	bulk_is_one_by_one(f);
}

static void bulk_resets(void **state)
{
	struct fixture *f = *state;

	add_qos(f);
	f->t.policy.reset = RESET_WEEKLY;
	bulk_is_one_by_one(f);
	ok(&f->t, store_exec(&f->t.store, "DELETE FROM decay;"
					  "DELETE FROM usage;"
					  "DELETE FROM usage_sum"));
	short_half_life_once(f);
	f->t.policy.reset = RESET_DAILY;
	bulk_is_one_by_one(f);
}

/* ---- jobs ---------------------------------------------------------------- */

static struct job a_job(struct fixture *f, uint32_t id)
{
	struct job job;

	job_init(&job);
	job.cluster = f->t.cluster;
	job.id = id;
	job.submit = T0 - DAY;
	job.user = "u0";
	job.account = "root";
	job.assoc = f->users[0];
	job.qos = 1;
	job.billing = 6.5;
	job.tres_alloc = alloc;
	job.wall_limit = 48 * 60;
	job.start = T0 - DAY;
	job.state = JOB_RUNNING;
	return job;
}

static void save(struct fixture *f, struct job *job)
{
	ok(&f->t, job_save(&f->t.store, &f->t.policy, job));
}

/* A job counts while it runs as it does when it has ended. */
static void running(void **state)
{
	struct fixture *f = *state;
	struct job job = a_job(f, 7);
	struct usage_list list;
	long double want;

	save(f, &job);
	want = decay_integral(6.5L, T0 - DAY, T0, T0, 7 * DAY);
	list = read_at(f, T0, true);
	near(usage_of(&list, f->users[0])->raw, want);
	near(tres_of(usage_of(&list, f->users[0]), TRES_CPU)->run_seconds,
		4.0L * DAY);
	job.end = T0;
	job.state = JOB_COMPLETED;
	save(f, &job);
	list = read_at(f, T0, true);
	near(usage_of(&list, f->users[0])->raw, want);
	near(tres_of(usage_of(&list, f->users[0]), TRES_CPU)->run_seconds, 0);
}

/* A half-life that changes counts from then on. */
static void new_half_life(void **state)
{
	struct fixture *f = *state;
	struct job job = a_job(f, 7), late = a_job(f, 8);
	long double value;

	f->t.policy.half_life = DAY;
	job.billing = 1;
	job.end = T0;
	save(f, &job);
	value = raw_at(f, f->users[0], T0 + DAY);
	near(value, decay_integral(1, T0 - DAY, T0, T0 + DAY, DAY));
	f->t.store.now = T0 + DAY;
	f->t.policy.half_life = 10 * DAY;
	same(raw_at(f, f->users[0], T0 + DAY), value);
	late.start = T0;
	late.end = T0 + 1;
	late.billing = 0;
	save(f, &late); /* notes it */
	near(raw_at(f, f->users[0], T0 + DAY), value);
	near(raw_at(f, f->users[0], T0 + 11 * DAY), value / 2);
	job.assoc = f->users[1];
	save(f, &job);
	same(raw_at(f, f->users[0], T0 + 11 * DAY), 0);
}

static void recorded_again(void **state)
{
	struct fixture *f = *state;
	struct job job = a_job(f, 7), found;
	long double once;
	int64_t key;

	job.end = T0;
	save(f, &job);
	key = job.key;
	once = raw_at(f, f->users[0], T0);
	for (int i = 0; i < 3; i++)
		save(f, &job);
	assert_int_equal(job.key, key);
	assert_true(raw_at(f, f->users[0], T0) == once);
	job.assoc = f->users[1];
	job.billing = 13;
	save(f, &job);
	same(raw_at(f, f->users[0], T0), 0);
	near(raw_at(f, f->users[1], T0), 2 * once);
	assert_int_equal(
		job_find(&f->t.store, f->t.cluster, 7, 0, &f->t.arena, &found),
		1);
	assert_int_equal(found.assoc, f->users[1]);
	assert_int_equal(found.time_limit, NO_VAL);
	assert_int_equal(found.tres_alloc.n, alloc.n);
}

/* Jobs by number, by array and by task of an array. */
static void by_number(void **state)
{
	struct fixture *f = *state;
	struct job_ref refs[] = {{3, NO_VAL}, {5, 6}, {8, 3}};
	struct job_cond cond = {.ids = refs, .n_ids = 3};
	struct job_list list;

	for (uint32_t id = 1; id <= 8; id++) {
		struct job job = a_job(f, id);

		if (id >= 5) {
			job.array_job = 5;
			job.array_task = id;
		}
		save(f, &job);
	}
	ok(&f->t, job_load(&f->t.store, &cond, &f->t.arena, &list));
	assert_int_equal(list.n, 2);
	assert_int_equal(list.v[0].id, 3);
	assert_int_equal(list.v[1].id, 6);
	refs[0].id = 5;
	ok(&f->t, job_load(&f->t.store, &cond, &f->t.arena, &list));
	assert_int_equal(list.n, 4);
}

/* ---- resets -------------------------------------------------------------- */

static void set_raw(void **state)
{
	struct fixture *f = *state;
	struct job done = a_job(f, 1), runs = a_job(f, 2), late = a_job(f, 3);

	f->t.policy.half_life = 0;
	done.end = T0 - HOUR;
	late.end = late.start + HOUR;
	save(f, &done);
	save(f, &runs);
	ok(&f->t, usage_set_raw(&f->t.store, &f->t.policy, f->users[0], 1000));
	near(raw_at(f, f->users[0], T0), 1000);
	near(raw_at(f, f->users[0], T0 + 10), 1065);
	save(f, &late); /* was not known before */
	near(raw_at(f, f->users[0], T0), 1000 + 6.5L * HOUR);
	done.end = T0 - 2 * HOUR; /* was: its correction moves nothing */
	save(f, &done);
	near(raw_at(f, f->users[0], T0), 1000 + 6.5L * HOUR);
	runs.end = T0 + 20;
	save(f, &runs);
	near(raw_at(f, f->users[0], T0 + 20), 1000 + 6.5L * HOUR + 130);
}

static void reset(void **state)
{
	struct fixture *f = *state;
	struct usage_list list;

	f->t.policy.half_life = 0;
	for (int u = 0; u < 3; u++)
		ok(&f->t, usage_set_raw(
				  &f->t.store, &f->t.policy, f->users[u], 100));
	ok(&f->t, usage_reset(&f->t.store, &f->t.policy, f->users, 2));
	list = read_at(f, T0 + 299, false);
	for (int u = 0; u < 3; u++) {
		near(usage_of(&list, f->users[u])->raw, u < 2 ? 0 : 100);
		near(usage_of(&list, f->users[u])->removed, u < 2 ? 100 : 0);
	}
	list = read_at(f, T0 + 300, false);
	near(usage_of(&list, f->users[0])->removed, 0);
	ok(&f->t, usage_reset(&f->t.store, &f->t.policy, f->users, 1));
	ok(&f->t, usage_set_raw(&f->t.store, &f->t.policy, f->users[1], 5));
	list = read_at(f, T0, false);
	near(usage_of(&list, f->users[0])->removed, 100);
	near(usage_of(&list, f->users[1])->removed, 0);
	near(usage_of(&list, f->users[1])->raw, 5);
}

static void set_qos(void **state)
{
	struct fixture *f = *state;
	struct job job = a_job(f, 1);
	struct usage_list list;

	f->t.policy.half_life = 0;
	save(f, &job);
	ok(&f->t, usage_set_qos(&f->t.store, &f->t.policy, 1, 50));
	ok(&f->t, usage_read_qos(&f->t.store, &f->t.policy, f->t.cluster,
			  T0 + 2, false, &f->t.arena, &list));
	near(usage_of(&list, 1)->raw, 50 + 13);
	job.end = f->t.store.now = T0 + 2;
	save(f, &job);
	ok(&f->t, usage_set_qos(&f->t.store, &f->t.policy, 1, 0));
	ok(&f->t, usage_read_qos(&f->t.store, &f->t.policy, f->t.cluster,
			  T0 + 2, true, &f->t.arena, &list));
	same(usage_of(&list, 1)->raw, 0);
	assert_int_equal(usage_of(&list, 1)->n_tres, 0);
}

/* Usage of one who leaves stays above, running jobs' too. */
static void hand_up(void **state)
{
	struct fixture *f = *state;
	struct job done = a_job(f, 1), runs = a_job(f, 2);
	long double all;

	done.end = T0 - HOUR;
	save(f, &done);
	save(f, &runs);
	all = raw_at(f, f->users[0], T0 + DAY);
	ok(&f->t,
		usage_hand_up(&f->t.store, &f->t.policy, f->users[0], f->root));
	ok(&f->t, store_exec(&f->t.store,
			  "UPDATE assoc SET deleted = 1 WHERE user = 'u0'"));
	near(raw_at(f, f->root, T0 + DAY), all);
	same(raw_at(f, f->users[0], T0 + DAY), 0);
	done.assoc = runs.assoc = f->users[1];
	save(f, &done);
	save(f, &runs);
	same(raw_at(f, f->root, T0 + DAY), 0);
	same(raw_at(f, f->users[1], T0 + DAY), all);
}

/* With the clock behind: what a run of one who is gone used after that is of
 * the first above that stays, however many are gone between. */
static void gone_one_below_the_other(void **state)
{
	struct fixture *f = *state;
	struct store *store = &f->t.store;
	int64_t a = add_assoc(&f->t, "root", "a", "");
	int64_t b = add_assoc(&f->t, "a", "b", "");
	int64_t user = add_assoc(&f->t, "b", "b", "x");
	struct job run = a_job(f, 1);
	struct usage_list was, is;

	f->t.policy.half_life = 5 * HOUR;
	run.assoc = user;
	run.billing = 7.7;
	run.start = T0 - 10 * HOUR;
	run.end = T0;
	save(f, &run);
	store->now = T0 - 5 * HOUR;
	ok(&f->t, usage_hand_up(store, &f->t.policy, user, b));
	ok(&f->t, usage_hand_up(store, &f->t.policy, b, a));
	ok(&f->t, usage_hand_up(store, &f->t.policy, a, f->root));
	was = read_at(f, T0 + DAY, true);
	ok(&f->t, usage_fold(store, &f->t.policy, false, INT64_MIN, INT64_MAX));
	is = read_at(f, T0 + DAY, true);
	assert_true(usage_of(&was, f->root)->raw > 0);
	assert_true(
		usage_of(&was, f->root)->raw == usage_of(&is, f->root)->raw);
	assert_true(
		usage_of(&was, f->root)->wall == usage_of(&is, f->root)->wall);
	for (size_t i = 0; i < is.n; i++)
		assert_true(is.v[i].assoc == f->root || is.v[i].raw == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(order),
		TEST(take_out),
		TEST(details),
		TEST(scheduled_reset),
		TEST(before_a_reset),
		TEST(resets_once),
		TEST(early_or_late),
		TEST(bulk),
		TEST(bulk_half_lives),
		TEST(bulk_no_decay),
		TEST(bulk_resets),
		TEST(running),
		TEST(new_half_life),
		TEST(recorded_again),
		TEST(by_number),
		TEST(set_raw),
		TEST(reset),
		TEST(set_qos),
		TEST(hand_up),
		TEST(gone_one_below_the_other),
	};

	return cmocka_run_group_tests_name("usage", tests, NULL, NULL);
}
