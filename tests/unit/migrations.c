/*
 * A new store is made from the schema at which the steps arrive; stores of every
 * older version become like a new one, with all they hold.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "common/base/notice.h"
#include "common/base/stopwatch.h"
#include "db/store/migrations.h"
#include "db/past/rebuild.h"
#include "db/store/query.h"
#include "db/usage/convert.h"
#include "db/usage/usage.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000 };

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static void set_version(sqlite3 *db, int version)
{
	char pragma[64];

	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", version);
	run(db, pragma);
}

/* A file as the program of that version made it, with one job. `more`: what
 * happened to it since. */
static void make_old(const char *path, int version, const char *more)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (const struct migration *m = migrations; m->version <= version; m++)
		for (const char *const *sql = m->sql; sql && *sql; sql++)
			run(db, *sql);
	set_version(db, version);
	run(db, "PRAGMA application_id = 1114796914");
	run(db, "INSERT INTO cluster (id, name, created, modified)"
		" VALUES (1, 't', 5, 5)");
	run(db, "INSERT INTO job (cluster, id, submit, user, end, modified)"
		" VALUES (1, 7, 5, 'amy', 9, 9)");
	run(db, more);
	sqlite3_close(db);
}

/* Name and text of all there is. */
static char *schema(struct store_fixture *f)
{
	struct strv lines = {0};
	struct query q;

	ok(f, query_open(&q, &f->store,
		      "SELECT type || ' ' || name || ' ' || coalesce(sql, '')"
		      " FROM sqlite_schema ORDER BY type, name"));
	while (query_row(&q))
		strv_push(&lines, &f->arena,
			arena_strdup(&f->arena, query_text(&q, 0)));
	ok(f, query_close(&q));
	return strv_join(&lines, "\n", &f->arena);
}

/* Appends the first column of each row. */
static void push_rows(
	sqlite3 *db, const char *sql, struct strv *lines, struct arena *arena)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	while (sqlite3_step(stmt) == SQLITE_ROW)
		strv_push(lines, arena,
			arena_strdup(arena,
				(const char *)sqlite3_column_text(stmt, 0)));
	assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
}

/* The text of all that the schema has, and all rows of all tables. */
static char *contents(sqlite3 *db, struct arena *arena)
{
	struct strv lines = {0}, queries = {0};

	push_rows(db,
		"SELECT type || ' ' || name || ' ' || tbl_name || ' '"
		" || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name",
		&lines, arena);
	push_rows(db, "PRAGMA user_version", &lines, arena);
	push_rows(db,
		"SELECT printf('SELECT %Q || '': '' || %s FROM \"%w\"', s.name,"
		"  (SELECT group_concat(printf('quote(\"%w\")', c.name),"
		"    ' || '', '' || ') FROM pragma_table_info(s.name) c), s.name)"
		" FROM sqlite_schema s WHERE type = 'table' ORDER BY s.name",
		&queries, arena);
	for (size_t i = 0; i < queries.n; i++)
		push_rows(db, queries.v[i], &lines, arena);
	return strv_join(&lines, "\n", arena);
}

/* A new store, which nothing was put into, is what the steps make of an empty
 * file; what makes one differ from the other is seen. */
static void test_new_is_as_migrated(void **state)
{
	static const char *const changes[] = {
		"CREATE INDEX more ON job (name)",
		"DROP TRIGGER suspension_end",
		"DROP INDEX assoc_tree",
		"ALTER TABLE job ADD COLUMN more TEXT",
		"PRAGMA user_version = 1",
		"INSERT INTO meta VALUES ('a', 1)",
		"UPDATE meta SET value = 2",
	};
	struct store_fixture f = {0};
	const struct store_options options = {.path = f.path,
		.cluster = "t",
		.actor = "test",
		.now = T0,
		.mode = STORE_CREATE};
	char *expected;
	sqlite3 *db;

	arena_init(&f.arena);
	store_file_make(f.path);
	ok(&f, store_open(&f.store, &options, &f.err));
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (const struct migration *m = migrations; m->sql; m++)
		for (const char *const *sql = m->sql; *sql; sql++)
			run(db, *sql);
	set_version(db, schema_version());
	expected = contents(db, &f.arena);
	assert_string_equal(contents(f.store.db, &f.arena), expected);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		char *before = contents(db, &f.arena);

		run(db, changes[i]);
		assert_string_not_equal(contents(db, &f.arena), before);
	}
	sqlite3_close(db);
	store_fixture_close(&f);
}

static int64_t number(struct store_fixture *f, const char *sql)
{
	struct query q;
	int64_t n = -1;

	ok(f, query_open(&q, &f->store, sql));
	if (query_row(&q))
		n = query_int(&q, 0);
	ok(f, query_close(&q));
	return n;
}

/* An older file that is only looked at is read as what it would become, and
 * stays as it is; so does one that is tried things on. */
static void is_read(const struct store_fixture *fresh, const char *expected,
	int version)
{
	struct store_options options = {.path = NULL,
		.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.now = T0,
		.mode = STORE_READ,
		.fill = initial_fill};
	struct store_fixture f = {.policy = fresh->policy};
	struct stat before, after;

	arena_init(&f.arena);
	store_file_make(f.path);
	make_old(f.path, version, "");
	assert_int_equal(stat(f.path, &before), 0);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	assert_string_equal(schema(&f), expected);
	assert_int_equal(number(&f, "SELECT count(*) FROM job"
				    " WHERE id = 7 AND user = 'amy'"),
		1);
	assert_int_equal(store_begin(&f.store), -1);
	assert_non_null(strstr(f.err.text, "older version"));
	assert_int_equal(stat(f.path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	store_fixture_close(&f);
}

/* Opened by this program it is as `fresh` is. */
static void becomes(const struct store_fixture *fresh, const char *expected,
	int version, const char *more)
{
	struct store_options options = {.path = NULL,
		.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.now = T0,
		.mode = STORE_CREATE,
		.need_write = true,
		.fill = initial_fill};
	struct store_fixture f = {.policy = fresh->policy};

	arena_init(&f.arena);
	store_file_make(f.path);
	make_old(f.path, version, more);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	assert_string_equal(schema(&f), expected);
	assert_int_equal(number(&f, "PRAGMA user_version"), schema_version());
	assert_int_equal(number(&f, "SELECT count(*) FROM job"
				    " WHERE id = 7 AND user = 'amy'"),
		1);
	assert_int_equal(number(&f, "SELECT count(*) FROM meta"
				    " WHERE key GLOB 'index*'"),
		0);
	store_fixture_close(&f);
}

static void test_every_version_is_read(void **state)
{
	struct store_fixture fresh;
	char *expected;

	store_fixture_open(&fresh, T0);
	expected = schema(&fresh);
	for (int version = 1; version < schema_version(); version++)
		is_read(&fresh, expected, version);
	store_fixture_close(&fresh);
}

static void test_every_version(void **state)
{
	struct store_fixture fresh;
	char *expected;

	store_fixture_open(&fresh, T0);
	expected = schema(&fresh);
	for (int version = 1; version < schema_version(); version++)
		becomes(&fresh, expected, version, "");
	store_fixture_close(&fresh);
}

/* An import had dropped indexes and was killed. */
static void test_without_indexes(void **state)
{
	struct store_fixture fresh;

	store_fixture_open(&fresh, T0);
	becomes(&fresh, schema(&fresh), 5,
		"INSERT INTO meta SELECT 'index ' || name, sql"
		" FROM sqlite_schema WHERE name IN"
		" ('job_submit', 'job_user', 'job_account', 'job_assoc',"
		"  'job_end');"
		"DROP INDEX job_submit; DROP INDEX job_user;"
		"DROP INDEX job_account; DROP INDEX job_assoc;"
		"DROP INDEX job_end;"
		"INSERT INTO meta VALUES ('job indexes dropped', 5)");
	store_fixture_close(&fresh);
}

/* An association, and what it used two days ago. */
#define HAS_USED                                                               \
	"INSERT INTO decay VALUES (0, 604800);"                                \
	"INSERT INTO assoc (key, cluster, id, account, lineage, created,"      \
	"  modified) VALUES (9, 1, 9, 'lab', '/lab/', 5, 5);"                  \
	"INSERT INTO assoc_usage VALUES (9, 0, 3600, 1760000000 - 172800);"

/* What it has used, of a store with these rows, under a reset period. Where nobody
 * can know better, a rebuild finds nothing. */
static double converted(enum usage_reset reset, const char *rows)
{
	const struct policy policy = {.half_life = 604800, .reset = reset};
	struct store_options options = {.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.now = T0,
		.mode = STORE_WRITE,
		.need_write = true};
	struct rebuild_list rebuilt = {0};
	struct store_fixture f = {.policy = policy};
	struct usage_list list;
	int64_t cluster = 1;
	double seconds;

	arena_init(&f.arena);
	store_file_make(f.path);
	make_old(f.path, 17, rows);
	usage_convert_when_migrated(&policy);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	ok(&f, usage_read(&f.store, &policy, 1, T0, false, &f.arena, &list));
	seconds = (double)usage_of(&list, 9)->raw;
	ok(&f, store_begin(&f.store));
	ok(&f, rebuild_usage(&f.store, &policy, &cluster, 1, &f.arena, &rebuilt));
	store_rollback(&f.store);
	assert_int_equal(rebuilt.n, 0);
	store_fixture_close(&f);
	return seconds;
}

static void test_usage_is_converted(void **state)
{
	assert_float_equal(converted(RESET_NONE, HAS_USED), 2953.207, 0.001);
	assert_float_equal(converted(RESET_DAILY, HAS_USED), 0, 0);
}

/* One job has ended; one began an hour ago. */
#define HAS_RUN                                                                \
	"INSERT INTO job (cluster, id, submit, user, start, end, assoc,"       \
	"  billing, modified) VALUES (1, 8, 5, 'amy', 5, 1759900000, 9, 1, 9)," \
	"  (1, 9, 5, 'amy', 1759996400, NULL, 9, 1, 9)"

/* What ended before has been forgotten. */
static void test_what_runs_is_converted(void **state)
{
	assert_float_equal(converted(RESET_NONE,
				   HAS_USED "DELETE FROM assoc_usage;" HAS_RUN),
		3592.584, 0.001);
}

/* Instead of the one of the library: whoever looks has waited long enough. */
int64_t stopwatch_usec(void)
{
	static int64_t now;

	return now += 1000000;
}

static char told[200];

static void tell(const char *what, int64_t done, int64_t all, int64_t left)
{
	const size_t n = strlen(told);

	if (what)
		snprintf(told + n, sizeof(told) - n, "%s %d of %d, ", what,
			(int)done, (int)all);
	else
		snprintf(told + n, sizeof(told) - n, "over; ");
}

/* One run of three jobs; by the conversion, and by the rebuild after it. */
static void test_conversion_is_shown(void **state)
{
	progress_to(tell, 500000);
	converted(RESET_NONE, HAS_USED HAS_RUN);
	progress_to(NULL, 0);
	assert_string_equal(told,
		"counting usage 1 of 3, over; counting usage 1 of 3, over; ");
}

/* What a step used had a column for each of a few TRES up to 21. */
static void test_lists_of_steps(void **state)
{
	static const char steps[] =
		"INSERT INTO tres (id, type, name, created) VALUES"
		" (1004, 'gres', 'gpuutil', 5);"
		"INSERT INTO step (job, id, nodelist, nodes, tasks, user_usec,"
		" sys_usec, max_rss, ave_rss, tot_rss, max_vmem, ave_vmem,"
		" max_read, ave_read, max_write, ave_write, max_pages, ave_pages,"
		" min_cpu, ave_cpu, max_rss_node, min_cpu_node, max_rss_task,"
		" min_cpu_task, max_gpu) VALUES"
		" (1, 0, 'n[07-12]', 6, 4, 7000000, 1500000, 50, 40, 160, 70, 60,"
		" 9, 8, 11, 10, 3, 2, 1200, 2100, 'n09', 'n12', 1, 3, 87),"
		" (1, 1, 'n7', 1, 1, 0, 0, 5, NULL, NULL, NULL, NULL, NULL, NULL,"
		" NULL, NULL, NULL, NULL, NULL, NULL, 'n7', '', NULL, NULL, NULL),"
		" (1, 2, 'n7,x3', 2, 1, 5, 5, NULL, NULL, NULL, NULL, NULL, NULL,"
		" NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x3', '', NULL, NULL,"
		" NULL);";
	static const struct {
		int step;
		const char *column, *text;
	} lists[] = {
		{0, "in_ave", "1=2100,2=40,6=8,7=60,8=2"},
		{0, "in_max", "2=50,6=9,7=70,8=3,1004=87"},
		{0, "in_max_node", "2=2"},
		{0, "in_max_task", "2=1"},
		{0, "in_min", "1=1200"},
		{0, "in_min_node", "1=5"},
		{0, "in_min_task", "1=3"},
		{0, "in_tot", "1=8500,2=160,6=32,7=240,8=8"},
		{0, "out_ave", "6=10"},
		{0, "out_max", "6=11"},
		{1, "in_max", "2=5"},
		{1, "in_max_node", "2=0"},
		{1, "in_tot", ""},
		{2, "in_max", ""},
	};
	struct store_options options = {.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.now = T0,
		.mode = STORE_WRITE,
		.need_write = true};
	struct store_fixture f = {0};

	arena_init(&f.arena);
	store_file_make(f.path);
	make_old(f.path, 20, steps);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct query q;

		ok(&f, query_open(&q, &f.store,
			       arena_printf(&f.arena,
				       "SELECT %s FROM step WHERE id = %d",
				       lists[i].column, lists[i].step)));
		assert_true(query_row(&q));
		assert_string_equal(query_text(&q, 0), lists[i].text);
		ok(&f, query_close(&q));
	}
	store_fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists_of_steps),
		cmocka_unit_test(test_new_is_as_migrated),
		cmocka_unit_test(test_every_version),
		cmocka_unit_test(test_every_version_is_read),
		cmocka_unit_test(test_without_indexes),
		cmocka_unit_test(test_usage_is_converted),
		cmocka_unit_test(test_what_runs_is_converted),
		cmocka_unit_test(test_conversion_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
