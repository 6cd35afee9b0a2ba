/*
 * Usage made anew (db/past/rebuild.h). A store lives through a year of chance: jobs
 * come in order, late, or twice; usage is set and reset, associations come, go
 * and come back, half-lives and flags of QOS change. What was kept on the way
 * is what a rebuild finds, however the amounts were scrambled. Chance is
 * seeded.
 */
#include <string.h>

#include "common/base/numbers.h"
#include "common/table/qos.h"
#include "common/text/jobstate.h"
#include "db/past/rebuild.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/store_fixture.h"

enum { HOUR = 3600, DAY = 86400, T0 = 1760000000 };
enum { USERS = 6, STEPS = 150, OPEN = 8, DONE = 40, LIVES = 6 };
enum { QOS = 3 };

struct fixture {
	struct store_fixture t;
	int64_t now;
	int64_t lab, users[USERS];
	bool gone[USERS], was_gone[USERS];
	uint32_t qos[QOS];
	struct job open[OPEN], done[DONE];
	bool running[OPEN];
	uint32_t n_done, next_id;
	double set; /* the last RawUsage= */
	uint32_t from; /* the seed */
};

/* `sql` has the parameters :a and :b. */
static void run_sql(struct fixture *f, const char *sql, int64_t a, int64_t b)
{
	struct query q;

	ok(&f->t, query_open(&q, &f->t.store, sql));
	query_bind_int(&q, ":a", a);
	query_bind_int(&q, ":b", b);
	ok(&f->t, query_run(&q));
}

/* ---- who there is --------------------------------------------------------*/

/* The last one is without decay. */
static void add_qos(struct fixture *f, uint32_t i)
{
	run_sql(f,
		"INSERT INTO qos (id, name, description, created, modified,"
		" flags) VALUES (:a, 'q' || :a, '', 0, 0, nullif(:b, 0))",
		f->qos[i], i + 1 == QOS ? QOS_NO_DECAY : 0);
}

static void add_everybody(struct fixture *f)
{
	ok(&f->t, store_begin(&f->t.store));
	f->lab = add_assoc(&f->t, "root", "lab", "");
	add_users(&f->t, "root", f->users, 0, 2);
	add_users(&f->t, "lab", f->users, 2, USERS);
	for (uint32_t i = 0; i < QOS; i++) {
		f->qos[i] = 100 + i;
		add_qos(f, i);
	}
	ok(&f->t, store_commit(&f->t.store, "add"));
}

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){.now = T0, .next_id = 1};
	store_fixture_open(&f.t, T0);
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

/* ---- jobs ----------------------------------------------------------------*/

static void make_job(struct fixture *f, struct job *job, int64_t start)
{
	static struct tres_count counts[] = {{TRES_CPU, 4}, {TRES_MEM, 2000}};
	static const struct tres_list alloc = {counts, 2, 2};

	job_init(job);
	job->cluster = f->t.cluster;
	job->id = f->next_id++;
	job->submit = job->eligible = start - chance(HOUR);
	job->start = start;
	job->state = JOB_RUNNING;
	job->assoc = f->users[chance(USERS)];
	job->qos = chance(4) ? f->qos[chance(QOS)] : 0;
	job->part_qos = chance(3) ? 0 : f->qos[chance(QOS)];
	job->billing = 1 + chance(100) / 4.0;
	job->usage_factor = chance(3) / 2.0;
	job->tres_alloc = alloc;
	job->wall_limit = 60 * (1 + chance(2000));
}

static bool is_flipping(const struct fixture *f, const struct job *job)
{
	return job->qos == f->qos[0] || job->part_qos == f->qos[0];
}

static bool is_gone(const struct fixture *f, const struct job *job)
{
	for (uint32_t i = 0; i < USERS; i++)
		if (job->assoc == f->users[i])
			return f->gone[i];
	return false;
}

/* Whose usage went elsewhere since, or faded otherwise, cannot be taken back
 * exactly. */
static bool is_plain(const struct fixture *f, const struct job *job)
{
	for (uint32_t i = 0; i < USERS; i++)
		if (job->assoc == f->users[i] && f->was_gone[i])
			return false;
	return !is_flipping(f, job);
}

static void keep_done(struct fixture *f, const struct job *job)
{
	f->done[f->n_done++ % DONE] = *job;
}

static void next_job(struct fixture *f, uint32_t slot)
{
	struct job *job = &f->open[slot];

	if (!f->running[slot]) {
		make_job(f, job, f->now);
		if (is_gone(f, job))
			return;
	} else {
		job->end = f->now;
		job->state = JOB_COMPLETED;
		keep_done(f, job);
	}
	f->running[slot] = !f->running[slot];
	save_job(&f->t, job);
}

/* It is over long since. */
static void late_job(struct fixture *f)
{
	struct job job;

	make_job(f, &job, f->now - DAY - (int64_t)chance(60 * DAY));
	job.end = job.start + 1 + (int64_t)chance(DAY);
	job.state = JOB_COMPLETED;
	if (is_gone(f, &job) || is_flipping(f, &job))
		return;
	if (is_plain(f, &job))
		keep_done(f, &job);
	save_job(&f->t, &job);
}

static void correct_job(struct fixture *f)
{
	struct job *job;

	if (!f->n_done)
		return;
	job = &f->done[chance(f->n_done < DONE ? f->n_done : DONE)];
	if (!is_plain(f, job))
		return;
	if (chance(2))
		job->billing = 1 + chance(100);
	else
		job->end = job->start + 1 + chance(2 * DAY);
	save_job(&f->t, job);
}

/* ---- changes -------------------------------------------------------------*/

static void come_or_go(struct fixture *f, uint32_t who)
{
	for (uint32_t i = 0; i < OPEN; i++)
		if (f->running[i] && f->open[i].assoc == f->users[who])
			return;
	if (who < 2)
		return;
	f->was_gone[who] = true;
	if (!f->gone[who])
		ok(&f->t, usage_hand_up(&f->t.store, &f->t.policy,
				  f->users[who], f->lab));
	else
		ok(&f->t, usage_revive(&f->t.store, f->users[who]));
	f->gone[who] = !f->gone[who];
	run_sql(f, "UPDATE assoc SET deleted = :a WHERE key = :b", f->gone[who],
		f->users[who]);
}

static void flip_flag(struct fixture *f, uint32_t qos)
{
	bool was_still;

	ok(&f->t, usage_is_still(&f->t.store, qos, &was_still));
	run_sql(f,
		"UPDATE qos SET flags = iif(flags = :b, NULL, :b)"
		" WHERE id = :a",
		qos, QOS_NO_DECAY);
	ok(&f->t, usage_settle_qos(&f->t.store, &f->t.policy, qos, was_still));
}

static void reset_lab(struct fixture *f)
{
	int64_t keys[USERS + 1] = {f->lab};
	size_t n = 1;

	for (uint32_t i = 2; i < USERS; i++)
		if (!f->gone[i])
			keys[n++] = f->users[i];
	ok(&f->t, usage_reset(&f->t.store, &f->t.policy, keys, n));
}

static void set_raw(struct fixture *f, uint32_t who)
{
	if (chance(2))
		f->set = chance(100000);
	if (!f->gone[who])
		ok(&f->t, usage_set_raw(&f->t.store, &f->t.policy,
				  f->users[who], f->set));
	else
		ok(&f->t, usage_set_raw(
				  &f->t.store, &f->t.policy, f->lab, f->set));
}

static void change(struct fixture *f)
{
	uint32_t who = chance(USERS), qos = f->qos[chance(QOS)];

	ok(&f->t, store_begin(&f->t.store));
	switch (chance(7)) {
	case 0:
		set_raw(f, who);
		break;
	case 1:
		if (!f->gone[who])
			ok(&f->t, usage_reset(&f->t.store, &f->t.policy,
					  &f->users[who], 1));
		break;
	case 2:
		come_or_go(f, who);
		break;
	case 3:
		ok(&f->t, usage_set_qos(&f->t.store, &f->t.policy, qos,
				  chance(2) ? chance(100000) : 0));
		break;
	case 4:
		flip_flag(f, f->qos[0]);
		break;
	case 5:
		reset_lab(f);
		break;
	default:
		run_sql(f, "UPDATE assoc SET shares = :a WHERE key = :b",
			1 + chance(9), f->lab);
	}
	ok(&f->t, store_commit(&f->t.store, "change"));
}

static void live(struct fixture *f)
{
	for (int i = 0; i < STEPS; i++) {
		f->now += 1 + chance(2 * DAY);
		f->t.store.now = f->now;
		if (!chance(25))
			f->t.policy.half_life = (chance(4)) * 5 * DAY;
		next_job(f, chance(OPEN));
		if (!chance(4))
			late_job(f);
		if (!chance(4))
			correct_job(f);
		if (!chance(3))
			change(f);
	}
	ok(&f->t, usage_settle_policy(&f->t.store, &f->t.policy));
}

/* ---- what it should be ---------------------------------------------------*/

/* All that is kept of usage, to the last bit; whether `last` is early does not
 * matter. In the arena. */
static const char *kept(struct fixture *f)
{
	struct strv rows = {0};

	ok(&f->t, store_all_words(&f->t.store,
			  "SELECT printf('%d %d %d %d %s', owner, life, begin,"
			  " at, hex(sums)) FROM usage_sum UNION ALL"
			  " SELECT printf('%d %d %d %d %d %!.20g', owner, life,"
			  " begin, at, still, raw) FROM usage",
			  &rows, &f->t.arena));
	return strv_join(&rows, "\n", &f->t.arena);
}

/* The first line that differs is told. */
static void same_kept(struct fixture *f, const char *before)
{
	const char *now = kept(f), *a = now, *b = before;

	if (!strcmp(a, b))
		return;
	while (*a && *a == *b)
		a++, b++;
	while (a > now && a[-1] != '\n')
		a--, b--;
	fail_msg("seed %u: %.*s, not %.*s", f->from, (int)strcspn(a, "\n"), a,
		(int)strcspn(b, "\n"), b);
}

static struct rebuild_list rebuild_all(struct fixture *f)
{
	struct rebuild_list list;

	ok(&f->t, store_begin(&f->t.store));
	ok(&f->t, rebuild_usage(&f->t.store, &f->t.policy, &f->t.cluster, 1,
			  &f->t.arena, &list));
	ok(&f->t, store_commit(&f->t.store, REBUILD_COMMAND));
	return list;
}

static void nothing_to_rebuild(struct fixture *f)
{
	const struct rebuild_list list = rebuild_all(f);

	if (list.n)
		fail_msg("seed %u: %s %s, TRES %d: %.12Lg is %.12Lg", f->from,
			list.v[0].qos ? list.v[0].qos : list.v[0].account,
			list.v[0].user, list.v[0].tres, list.v[0].was,
			list.v[0].is);
}

static void kept_is_rebuilt(void **state)
{
	struct fixture *f = *state;
	const char *before;

	for (int i = 0; i < LIVES; i++) {
		f->from = seed = 271828 + (uint32_t)i;
		live(f);
		before = kept(f);
		nothing_to_rebuild(f);
		same_kept(f, before);
	}
}

static void scramble(struct fixture *f)
{
	ok(&f->t, store_begin_bulk(&f->t.store));
	ok(&f->t, store_exec(&f->t.store,
			  "UPDATE usage SET raw = raw * 3 + 5000"
			  " WHERE owner % 2;"
			  "DELETE FROM usage WHERE owner > 0 AND NOT owner % 3;"
			  "DELETE FROM usage_sum WHERE NOT (at / 604800) % 5;"
			  "INSERT OR IGNORE INTO usage_sum"
			  " SELECT key, 0, 1760000000, 1759000000,"
			  " x'0002000000000000F03F' FROM assoc;"
			  "UPDATE usage SET at = at - 1000 WHERE owner < 0"));
	ok(&f->t, store_commit_bulk(&f->t.store));
}

static void scrambled_comes_back(void **state)
{
	struct fixture *f = *state;
	const char *before;

	f->from = seed = 314159;
	live(f);
	before = kept(f);
	scramble(f);
	assert_true(rebuild_all(f).n > 0);
	same_kept(f, before);
	nothing_to_rebuild(f);
	live(f);
	before = kept(f);
	nothing_to_rebuild(f);
	same_kept(f, before);
}

/* Counters that start over do so here too. */
static void periods(void **state)
{
	struct fixture *f = *state;

	f->from = seed = 1618;
	f->t.policy.reset = RESET_MONTHLY;
	live(f);
	nothing_to_rebuild(f);
	scramble(f);
	assert_true(rebuild_all(f).n > 0);
	nothing_to_rebuild(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

RUN_TESTS(NULL, NULL,
	TEST(kept_is_rebuilt),
	TEST(scrambled_comes_back),
	TEST(periods))
