/*
 * The store at another time (db/past/past.h). A store lives through a year of
 * chance: jobs start and end, shares change, usage is set and reset,
 * associations come and go. What it showed on the way is what the past must
 * show afterwards. Chance is seeded.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/jobstate.h"
#include "common/table/qos.h"
#include "db/past/past.h"
#include "db/store/query.h"
#include "db/usage/usage.h"
#include "db/view/shares.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/store_fixture.h"

enum { HOUR = 3600, DAY = 86400, T0 = 1760000000 };
enum { NORMAL = 1 }; /* the QOS that every store has */
enum { USERS = 6, STEPS = 120, OPEN = 8 };

/* What the store showed at one moment. */
struct shown {
	int64_t at;
	struct shares shares;
	struct usage_list qos;
};

struct fixture {
	struct store_fixture t;
	int64_t now;
	int64_t lab, users[USERS];
	bool gone[USERS];
	struct job open[OPEN];
	bool running[OPEN];
	uint32_t next_id;
	struct shown shown[STEPS];
};

/* Running jobs may be added up in another order; else it is the same to the bit. */
static void near(const struct shown *shown, const char *what, long double got,
	long double want)
{
	if (!(fabsl(got - want) <= 1e-15L * (1 + fabsl(want))))
		fail_msg("%s at %lld is %.21Lg, was %.21Lg", what,
			(long long)shown->at, got, want);
}

/* `column` of the association. */
static void set(struct fixture *f, const char *column, int64_t key, int64_t to)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
		"UPDATE assoc SET %s = %lld WHERE key = %lld", column,
		(long long)to, (long long)key);
	ok(&f->t, store_exec(&f->t.store, sql));
}

static void add_everybody(struct fixture *f)
{
	ok(&f->t, store_begin(&f->t.store));
	f->lab = add_assoc(&f->t, "root", "lab", "");
	add_users(&f->t, "root", f->users, 0, 2);
	add_users(&f->t, "lab", f->users, 2, USERS);
	ok(&f->t, store_commit(&f->t.store, "add"));
}

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){.now = T0, .next_id = 1};
	seed = 8128;
	store_fixture_open(&f.t, T0);
	f.t.policy.dampening = 1;
	add_everybody(&f);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	store_fixture_close(&f->t);
	return 0;
}

/* ---- a life --------------------------------------------------------------*/

static void start_job(struct fixture *f, int slot)
{
	static struct tres_count cpus[] = {{TRES_CPU, 4}};
	static const struct tres_list alloc = {cpus, 1, 1};
	struct job *job = &f->open[slot];
	uint32_t who = chance(USERS);

	if (f->gone[who])
		return;
	job_init(job);
	job->cluster = f->t.cluster;
	job->id = f->next_id++;
	job->submit = job->eligible = f->now - chance(HOUR);
	job->start = f->now;
	job->state = JOB_RUNNING;
	job->assoc = f->users[who];
	job->qos = chance(4) ? NORMAL : 0;
	job->billing = 1 + chance(100) / 4.0;
	job->usage_factor = chance(3) / 2.0;
	job->tres_alloc = alloc;
	job->wall_limit = 60 * (1 + chance(2000));
	f->running[slot] = true;
	save_job(&f->t, job);
}

static void end_job(struct fixture *f, int slot)
{
	f->open[slot].end = f->now;
	f->open[slot].state = JOB_COMPLETED;
	f->running[slot] = false;
	save_job(&f->t, &f->open[slot]);
}

static void remove_user(struct fixture *f, uint32_t who)
{
	if (f->gone[who] || who < 2)
		return;
	f->gone[who] = true;
	ok(&f->t, usage_hand_up(
			  &f->t.store, &f->t.policy, f->users[who], f->lab));
	set(f, "deleted", f->users[who], 1);
}

static void change(struct fixture *f)
{
	uint32_t who = chance(USERS), what = chance(8);

	ok(&f->t, store_begin(&f->t.store));
	if (what < 4)
		set(f, "shares", chance(3) ? f->users[who] : f->lab,
			1 + chance(9));
	else if (what == 4 && !f->gone[who])
		ok(&f->t, usage_set_raw(&f->t.store, &f->t.policy,
				  f->users[who], chance(100000)));
	else if (what == 5 && !f->gone[who])
		ok(&f->t, usage_reset(&f->t.store, &f->t.policy, &f->users[who],
				  1));
	else if (what == 6 && !chance(4))
		remove_user(f, who);
	else if (what == 7 && !chance(3))
		ok(&f->t, usage_set_qos(&f->t.store, &f->t.policy, NORMAL,
				  chance(2) ? chance(100000) : 0));
	ok(&f->t, store_commit(&f->t.store, "change"));
}

static void live(struct fixture *f)
{
	for (int i = 0; i < STEPS; i++) {
		int slot = (int)chance(OPEN);

		f->now += 1 + chance(2 * DAY);
		f->t.store.now = f->now;
		if (!f->running[slot])
			start_job(f, slot);
		else
			end_job(f, slot);
		if (!chance(3))
			change(f);
		f->shown[i].at = f->now;
		ok(&f->t, shares_load(&f->t.store, &f->t.policy, "t", f->now, 0,
				  &f->t.arena, &f->shown[i].shares));
		ok(&f->t,
			usage_read_qos(&f->t.store, &f->t.policy, f->t.cluster,
				f->now, true, &f->t.arena, &f->shown[i].qos));
	}
}

/* ---- what it was ---------------------------------------------------------*/

static void check_sums(const struct shown *shown)
{
	const struct shares *s = &shown->shares;

	for (uint32_t i = 0; i < s->n; i++) {
		long double below = s->tree.usage_own[i];

		for (uint32_t j = 1; j < s->n; j++)
			if (s->tree.parent[j] == i)
				below += s->tree.usage_raw[j];
		near(shown, "the sum below", s->tree.usage_raw[i], below);
	}
}

static void check_qos(
	struct fixture *f, struct past *past, const struct shown *shown)
{
	const struct usage *was = usage_of(&shown->qos, NORMAL), *is;
	struct usage_list list;

	ok(&f->t, usage_read_qos(past->store, &f->t.policy, f->t.cluster,
			  shown->at, past->details, &f->t.arena, &list));
	is = usage_of(&list, NORMAL);
	near(shown, "usage of the QOS", is->raw, was->raw);
	if (!past->details)
		return;
	near(shown, "wall of the QOS", is->wall, was->wall);
	for (size_t i = 0; i < was->n_tres && i < is->n_tres; i++) {
		near(shown, "a TRES of the QOS", is->tres[i].seconds,
			was->tres[i].seconds);
		near(shown, "what runs under the QOS", is->tres[i].run_seconds,
			was->tres[i].run_seconds);
	}
}

static void check(struct fixture *f, struct past *past,
	const struct shown *shown, int64_t skew)
{
	const struct shares *was = &shown->shares;
	struct shares is;

	ok(&f->t, past_move(past, shown->at + skew));
	ok(&f->t, shares_load(past->store, &f->t.policy, "t", shown->at, 0,
			  &f->t.arena, &is));
	assert_int_equal(is.n, was->n);
	for (uint32_t i = 0; i < is.n; i++) {
		assert_int_equal(is.v[i].key, was->v[i].key);
		assert_int_equal(
			is.tree.shares_raw[i], was->tree.shares_raw[i]);
		near(shown, "usage", is.usage_raw[i], was->usage_raw[i]);
		near(shown, "usage of the factor", is.tree.usage_raw[i],
			was->tree.usage_raw[i]);
	}
	check_sums(shown);
	if (!skew)
		check_qos(f, past, shown);
}

static void every_moment_comes_back(void **state)
{
	struct fixture *f = *state;

	live(f);
	for (int i = 0; i < STEPS; i += 7) {
		struct past past;

		ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, true,
				  false));
		check(f, &past, &f->shown[i], 0);
		past_close(&past);
	}
}

static void steps_forward_are_jumps(void **state)
{
	struct fixture *f = *state;
	struct past past;

	live(f);
	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, false, true));
	for (int i = 0; i < STEPS; i++)
		check(f, &past, &f->shown[i], 0);
	past_close(&past);
}

static void same_amount(long double is, long double was)
{
	assert_true(is >= was && is <= was);
}

static void same_past(struct fixture *f, struct store *a, struct store *b,
	int64_t at)
{
	struct shares is, was;
	struct usage_list qos_is, qos_was;

	ok(&f->t, shares_load(a, &f->t.policy, "t", at, 0, &f->t.arena, &is));
	ok(&f->t, shares_load(b, &f->t.policy, "t", at, 0, &f->t.arena, &was));
	ok(&f->t, usage_read_qos(a, &f->t.policy, f->t.cluster, at, false,
			  &f->t.arena, &qos_is));
	ok(&f->t, usage_read_qos(b, &f->t.policy, f->t.cluster, at, false,
			  &f->t.arena, &qos_was));
	assert_int_equal(is.n, was.n);
	for (uint32_t i = 0; i < is.n; i++)
		same_amount(is.tree.usage_raw[i], was.tree.usage_raw[i]);
	same_amount(usage_of(&qos_is, NORMAL)->raw,
		usage_of(&qos_was, NORMAL)->raw);
}

/* A job that ends now, and then QOS normal has these flags. */
static void day_with(struct fixture *f, int i, int flags)
{
	char sql[64];
	bool was_still;

	f->now += DAY;
	f->t.store.now = f->now;
	start_job(f, 0);
	f->now += HOUR;
	f->t.store.now = f->now;
	if (f->running[0])
		end_job(f, 0);
	snprintf(sql, sizeof(sql), "UPDATE qos SET flags = %d WHERE id = %d",
		flags, NORMAL);
	ok(&f->t, store_begin(&f->t.store));
	ok(&f->t, usage_is_still(&f->t.store, NORMAL, &was_still));
	ok(&f->t, store_exec(&f->t.store, sql));
	ok(&f->t, usage_settle_qos(&f->t.store, &f->t.policy, NORMAL, was_still));
	ok(&f->t, store_commit(&f->t.store, "change"));
	f->shown[i].at = f->now;
}

/* What was looked up does not outlive a change: a QOS begins and ceases to decay
 * between moments, with no change of an association that would look anew. */
static void a_qos_ceases_to_decay(void **state)
{
	enum { DAYS = 24 };
	struct fixture *f = *state;
	struct past past;

	for (int i = 0; i < DAYS; i++)
		day_with(f, i, i / 4 % 2 ? QOS_NO_DECAY : 0);
	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, false, false));
	for (int i = 0; i < DAYS; i++) {
		struct past anew;

		ok(&f->t, past_open(&anew, &f->t.store, &f->t.policy, false,
				  false));
		ok(&f->t, past_move(&past, f->shown[i].at));
		ok(&f->t, past_move(&anew, f->shown[i].at));
		same_past(f, past.store, anew.store, f->shown[i].at);
		past_close(&anew);
	}
	past_close(&past);
}

/* Made anew from log and records, the present is the present. */
static void anew_is_the_same(void **state)
{
	struct fixture *f = *state;
	struct past past;

	live(f);
	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, true, true));
	check(f, &past, &f->shown[STEPS - 1], 0);
	past_close(&past);
}

/* Running jobs stop at their limits, the rest fades. */
static void the_future_is_bounded(void **state)
{
	struct fixture *f = *state;
	struct past past;
	struct shares is;
	int64_t at;
	long double want = 0;

	live(f);
	at = f->now + 400 * DAY;
	for (int i = 0; i < OPEN; i++)
		if (f->running[i])
			end_job(f, i);
	f->t.policy.half_life = 0;
	/* Whoever is drawn may be gone. */
	for (int tries = 0; !f->running[0] && tries < 100; tries++)
		start_job(f, 0);
	assert_true(f->running[0]);
	want = (long double)f->open[0].wall_limit * 60 * f->open[0].billing *
	       f->open[0].usage_factor;
	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, true, false));
	ok(&f->t, past_move(&past, f->now));
	ok(&f->t, shares_load(past.store, &f->t.policy, "t", f->now, 0,
			  &f->t.arena, &is));
	want += is.usage_raw[0];
	ok(&f->t, past_move(&past, at));
	ok(&f->t, shares_load(past.store, &f->t.policy, "t", at, 0,
			  &f->t.arena, &is));
	assert_true(fabsl(is.usage_raw[0] - want) < 1e-6L * (1 + want));
	ok(&f->t, past_move(&past, INT64_MAX / 4));
	past_close(&past);
}

/* Before the log everybody stands as created. */
static void before_the_log(void **state)
{
	struct fixture *f = *state;
	struct past past;
	struct shares is;

	live(f);
	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, true, false));
	ok(&f->t, past_move(&past, T0 - DAY));
	ok(&f->t, shares_load(past.store, &f->t.policy, "t", T0 - DAY, 0,
			  &f->t.arena, &is));
	assert_int_equal(is.n, 3 + USERS);
	for (uint32_t i = 1; i < is.n; i++)
		assert_int_equal(is.tree.shares_raw[i], 1);
	check(f, &past, &f->shown[STEPS / 2], 0);
	past_close(&past);
}

/* ---- one jump, or many steps ---------------------------------------------*/

enum { MOST_TEXT = 1 << 18 };

/* All that is kept of usage at that time, to the last bit: reached from `from`. */
static char *amounts(struct fixture *f, int64_t at, int64_t from)
{
	char *text = arena_alloc(&f->t.arena, MOST_TEXT);
	struct past past;
	struct query q;
	size_t n = 0;

	ok(&f->t, past_open(&past, &f->t.store, &f->t.policy, true, false));
	ok(&f->t, past_move(&past, from));
	ok(&f->t, past_move(&past, at));
	ok(&f->t, query_open_text(&q, past.store,
			  "SELECT owner, life, at, hex(sums) FROM usage_sum"
			  " UNION ALL SELECT owner, life, at, raw FROM usage"
			  " ORDER BY 1, 2, 3, 4"));
	while (query_row(&q)) {
		n += (size_t)snprintf(text + n, MOST_TEXT - n,
			"%lld of %lld to %lld: %s\n", (long long)query_int(&q, 0),
			(long long)query_int(&q, 1),
			(long long)query_int(&q, 2), query_text(&q, 3));
		assert_true(n < MOST_TEXT);
	}
	ok(&f->t, query_close(&q));
	past_close(&past);
	return text;
}

/* The first line that differs is told. */
static void same_amounts(const char *got, const char *want, int64_t at)
{
	const char *a = got, *b = want;

	if (!strcmp(a, b))
		return;
	while (*a && *a == *b)
		a++, b++;
	while (a > got && a[-1] != '\n')
		a--, b--;
	fail_msg("at %lld: %.*s, not %.*s", (long long)at,
		(int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

/* A jump to a time shows what going there through all that happened shows. */
static void look_around(struct fixture *f, int times)
{
	while (times--) {
		int64_t from = chance(20) ? T0 + 1 + chance((uint32_t)(
							   f->now - T0 - 1))
					  : T0 - 1 - chance(DAY);
		int64_t at = from + (chance(3) ? 0 : chance(9 * DAY));
		const char *jump;

		at = smaller(at, f->now - 1);
		if (at < from)
			continue;
		jump = amounts(f, at, at);
		same_amounts(amounts(f, at, from), jump, at);
		same_amounts(amounts(f, at, T0 - DAY), jump, at);
	}
}

static void jumps_are_steps(void **state)
{
	struct fixture *f = *state;

	live(f);
	look_around(f, 15);
}

/* A job that is over long since is recorded now. */
static void record_late(struct fixture *f)
{
	struct job job = f->open[0];

	job.key = 0;
	job.id = f->next_id++;
	job.assoc = f->users[chance(USERS)];
	job.qos = chance(2) ? NORMAL : 0;
	job.start = T0 + 1 + chance((uint32_t)(f->now - T0 - 1));
	job.end = smaller(f->now, job.start + 1 + chance(20 * DAY));
	job.submit = job.eligible = job.start;
	job.state = JOB_COMPLETED;
	save_job(&f->t, &job);
}

/* The record of a job is corrected. */
static void correct(struct fixture *f)
{
	struct job job;
	uint32_t user = chance(2); /* who are never gone */

	if (job_find(&f->t.store, f->t.cluster, 1 + chance(f->next_id - 1), 0,
		    &f->t.arena, &job) <= 0 ||
		!job.end)
		return;
	switch (chance(5)) {
	case 0:
		job.start -= 1000;
		break;
	case 1:
		job.end = larger(job.start + 1, job.end - 20);
		break;
	case 2:
		job.billing *= 2;
		break;
	case 3:
		job.qos = job.qos ? 0 : NORMAL;
		break;
	default:
		job.assoc = f->users[user];
	}
	save_job(&f->t, &job);
}

static void corrections_count(void **state)
{
	struct fixture *f = *state;

	live(f);
	for (int i = 0; i < 30; i++) {
		look_around(f, 1);
		if (chance(3))
			correct(f);
		else
			record_late(f);
	}
}

/* A half-life that another takes the place of, and resets. */
static void other_rules_count(void **state)
{
	struct fixture *f = *state;

	live(f);
	for (int i = 0; i < 8; i++) {
		look_around(f, 2);
		f->t.policy.half_life = DAY * (1 + chance(20));
		f->t.policy.reset = i % 2 ? RESET_MONTHLY : RESET_NONE;
		if (i % 3)
			ok(&f->t,
				usage_settle_policy(&f->t.store, &f->t.policy));
		f->t.store.now = ++f->now;
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

RUN_TESTS(NULL, NULL,
	TEST(every_moment_comes_back),
	TEST(steps_forward_are_jumps),
	TEST(a_qos_ceases_to_decay),
	TEST(anew_is_the_same),
	TEST(the_future_is_bounded),
	TEST(before_the_log),
	TEST(jumps_are_steps),
	TEST(corrections_count),
	TEST(other_rules_count))
