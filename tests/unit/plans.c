/*
 * What the programs ask of a big store is answered from an index: no statement
 * reads the jobs of a cluster, or all there are, to find a few. Every statement
 * that a call ran is explained afterwards. (History has tests of its own.)
 */
#include <string.h>

#include <sqlite3.h>

#include "common/base/numbers.h"
#include "db/entity/user.h"
#include "db/rollup/rollup.h"
#include "db/job/accrue.h"
#include "db/job/noted.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000, DAY = 86400 };

struct fixture {
	struct store_fixture t;
	struct strv seen; /* statements */
};

static int note(unsigned event, void *arg, void *statement, void *text)
{
	struct fixture *f = arg;
	const char *sql = sqlite3_sql(statement);

	(void)event, (void)text;
	if (sql && !strv_has(&f->seen, sql))
		strv_push(
			&f->seen, &f->t.arena, arena_strdup(&f->t.arena, sql));
	return 0;
}

static void add_job(struct fixture *f, uint32_t id, int64_t start, int64_t end)
{
	struct job job;

	job_init(&job);
	job.cluster = f->t.cluster;
	job.id = id;
	job.user = "amy";
	job.account = "root";
	job.assoc = account_assoc(&f->t, "root")->key;
	job.submit = job.eligible = start - 5;
	job.start = end || id % 2 ? start : 0;
	job.end = end;
	ok(&f->t, job_save(&f->t.store, &f->t.policy, &job));
}

static int setup(void **state)
{
	static struct fixture f;

	store_fixture_open(&f.t, T0);
	for (uint32_t day = 1; day < 100; day++)
		add_job(&f, day, T0 - day * DAY, T0 - day * DAY + 3000);
	add_job(&f, 100, T0 - 500, 0);
	add_job(&f, 101, T0 - 500, 0);
	ok(&f.t, store_exec(
			 &f.t.store, "UPDATE qos SET max_jobs_accrue_pu = 1"));
	f.seen = (struct strv){0};
	sqlite3_trace_v2(f.t.store.db, SQLITE_TRACE_STMT, note, &f);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	store_fixture_close(&f->t);
	return 0;
}

static bool is_bad(const char *step)
{
	return !strcmp(step, "SCAN job") || !strcmp(step, "SCAN j") ||
	       (strstr(step, "sqlite_autoindex_job_1") &&
		       !strstr(step, "id=?")) ||
	       !strcmp(step, "SEARCH a USING INDEX sqlite_autoindex_assoc_1"
			     " (cluster=?)");
}

static void explain(struct fixture *f, const char *sql)
{
	struct query q;

	if (strncmp(sql, "SELECT", 6) && strncmp(sql, "DELETE", 6) &&
		strncmp(sql, "UPDATE", 6) && strncmp(sql, "INSERT", 6))
		return;
	ok(&f->t, query_open_text(&q, &f->t.store,
			  arena_printf(
				  &f->t.arena, "EXPLAIN QUERY PLAN %s", sql)));
	while (query_row(&q))
		if (is_bad(query_text(&q, 3)))
			fail_msg("%s\n%s", query_text(&q, 3), sql);
	ok(&f->t, query_close(&q));
}

/* `at_least`: so many statements had to do with jobs. */
static void all_found(struct fixture *f, size_t at_least)
{
	size_t n = 0;

	sqlite3_trace_v2(f->t.store.db, 0, NULL, NULL);
	for (size_t i = 0; i < f->seen.n; i++) {
		n += strstr(f->seen.v[i], "job") != NULL;
		explain(f, f->seen.v[i]);
	}
	assert_in_range(n, at_least, SIZE_MAX);
}

static int each(const struct job *job, void *arg)
{
	(void)job, (void)arg;
	return 0;
}

/* The first one looks at everything there is, once. */
static void test_rollup(void **state)
{
	struct fixture *f = *state;
	struct arena scratch;

	arena_init(&scratch);
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	add_job(f, 200, T0 - 50 * DAY, T0 - 50 * DAY + 9000);
	f->seen = (struct strv){0};
	ok(&f->t, rollup_update(&f->t.store, f->t.cluster, NULL));
	ok(&f->t, rollup_each_job(&f->t.store, f->t.cluster, T0 - 9 * DAY, T0,
			  &scratch, each, NULL));
	arena_release(&scratch);
	all_found(f, 3);
}

static void test_jobs(void **state)
{
	struct fixture *f = *state;
	struct job_cond cond = {.cluster = f->t.cluster, .open = true};
	struct job_list list;

	ok(&f->t, job_load(&f->t.store, &cond, &f->t.arena, &list));
	assert_int_equal(list.n, 2);
	cond = (struct job_cond){
		.cluster = f->t.cluster, .from = T0 - 3 * DAY, .until = T0};
	ok(&f->t, job_load(&f->t.store, &cond, &f->t.arena, &list));
	assert_int_equal(list.n, 5);
	strv_push(&cond.users, &f->t.arena, "amy");
	ok(&f->t, job_load(&f->t.store, &cond, &f->t.arena, &list));
	assert_int_equal(list.n, 5);
	all_found(f, 3);
}

static void test_waiting(void **state)
{
	struct fixture *f = *state;
	struct expected_list none = {0};
	struct accrue_times *times;

	ok(&f->t, accrue_load(
			  &f->t.store, f->t.cluster, T0, &f->t.arena, &times));
	ok(&f->t, store_begin_bulk(&f->t.store));
	ok(&f->t, expected_replace(&f->t.store, f->t.cluster, &none));
	ok(&f->t, store_commit_bulk(&f->t.store));
	all_found(f, 3);
}

static void test_users(void **state)
{
	struct fixture *f = *state;
	const char *name;

	assert_int_equal(
		user_meant(&f->t.store, "nobody-here", &f->t.arena, &name), 0);
	ok(&f->t, store_begin(&f->t.store));
	ok(&f->t, user_rename(&f->t.store, "amy", "ann"));
	store_rollback(&f->t.store);
	all_found(f, 2);
}

/* Of the rows of a cluster, those of one user. */
static void test_associations(void **state)
{
	struct fixture *f = *state;
	const char *first;

	assert_int_equal(assoc_first_account(&f->t.store, "t",
				 "nobody-here", "", &f->t.arena, &first),
		0);
	all_found(f, 0);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(test_rollup, setup, teardown),
	cmocka_unit_test_setup_teardown(test_jobs, setup, teardown),
	cmocka_unit_test_setup_teardown(test_waiting, setup, teardown),
	cmocka_unit_test_setup_teardown(test_users, setup, teardown),
	cmocka_unit_test_setup_teardown(
		test_associations, setup, teardown))
