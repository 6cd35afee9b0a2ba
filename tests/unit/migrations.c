/*
 * Stores of older versions become like a new one, with all they hold.
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
#include "tests/unit/older_store.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000 };

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

/* A store of 0.1.0 with one job. `more`: what happened to it since. */
static void make_old(const char *path, const char *more)
{
	sqlite3 *db = older_store(path);

	run(db, "INSERT INTO cluster (id, name, created, modified)"
		" VALUES (1, 't', 5, 5)");
	run(db, "INSERT INTO job (cluster, id, submit, user, end, modified)"
		" VALUES (1, 7, 5, 'amy', 9, 9)");
	run(db, more);
	sqlite3_close(db);
}

/* Without comments and white space: a column that was added is written after the
 * others. */
static char *bare(const char *sql, struct arena *arena)
{
	char *text = arena_strdup(arena, sql), *to = text;

	for (; *sql; sql++) {
		if (!strncmp(sql, "--", 2))
			sql += strcspn(sql, "\n");
		if (!strchr(" \n", *sql))
			*to++ = *sql;
	}
	*to = '\0';
	return text;
}

/* Name and text of all there is. */
static char *schema_of(struct store_fixture *f)
{
	struct strv lines = {0};
	struct query q;

	ok(f, query_open(&q, &f->store,
		      "SELECT type || ' ' || name || ' ' || coalesce(sql, '')"
		      " FROM sqlite_schema ORDER BY type, name"));
	while (query_row(&q))
		strv_push(&lines, &f->arena, bare(query_text(&q, 0), &f->arena));
	ok(f, query_close(&q));
	return strv_join(&lines, "\n", &f->arena);
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
	const char *more)
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
	make_old(f.path, more);
	assert_int_equal(stat(f.path, &before), 0);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	assert_string_equal(schema_of(&f), expected);
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
	const char *more)
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
	make_old(f.path, more);
	options.path = f.path;
	ok(&f, store_open(&f.store, &options, &f.err));
	assert_string_equal(schema_of(&f), expected);
	assert_int_equal(number(&f, "PRAGMA user_version"), schema_version());
	assert_int_equal(number(&f, "SELECT count(*) FROM job"
				    " WHERE id = 7 AND user = 'amy'"),
		1);
	assert_int_equal(number(&f, "SELECT count(*) FROM meta"
				    " WHERE key GLOB 'index*'"),
		0);
	assert_int_equal(number(&f, "SELECT count(*) FROM rollup"), 0);
	store_fixture_close(&f);
}

/* What made 0.1.0 of a store before it, or one between 0.1.0 and 0.2.0, is not there
 * or there already. */
static const char *const stores[] = {
	"",
	"DROP TABLE txn_pack; DROP TABLE lease; DROP TABLE node;"
	"DROP TRIGGER suspension_end; DROP INDEX assoc_tree;"
	"DROP INDEX assoc_grp_wall; DROP INDEX job_assoc; DROP INDEX job_end;"
	"CREATE INDEX assoc_lineage ON assoc (cluster, lineage);"
	"CREATE INDEX job_assoc ON job (assoc);"
	"CREATE INDEX job_end ON job (cluster, end, eligible);"
	"ALTER TABLE rollup_state DROP COLUMN kept;"
	"INSERT INTO rollup VALUES (1, 0, 3600, 0, 0, '', '1=5');"
	"ALTER TABLE job DROP COLUMN mem_on; ALTER TABLE job DROP COLUMN cpus_on;"
	"PRAGMA user_version = 5",
	"ALTER TABLE step ADD COLUMN max_gpu INTEGER;"
	"ALTER TABLE decay ADD COLUMN reset INTEGER;"
	"DROP TABLE rollup_past; CREATE VIEW jobs AS SELECT key FROM job;"
	"PRAGMA user_version = 17",
};

static void test_older_are_read(void **state)
{
	struct store_fixture fresh;
	char *expected;

	store_fixture_open(&fresh, T0);
	expected = schema_of(&fresh);
	usage_convert_when_migrated(&fresh.policy);
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		is_read(&fresh, expected, stores[i]);
	store_fixture_close(&fresh);
}

static void test_older_become_as_new(void **state)
{
	struct store_fixture fresh;
	char *expected;

	store_fixture_open(&fresh, T0);
	expected = schema_of(&fresh);
	usage_convert_when_migrated(&fresh.policy);
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		becomes(&fresh, expected, stores[i]);
	store_fixture_close(&fresh);
}

/* A log with a step that no release has (db/shared/take.c). */
static void test_between_is_refused(void **state)
{
	struct store_fixture f = {0};
	sqlite3 *old;

	arena_init(&f.arena);
	store_file_make(f.path);
	make_old(f.path, "");
	assert_int_equal(sqlite3_open(f.path, &old), SQLITE_OK);
	f.store = (struct store){.db = old, .path = f.path, .err = &f.err};
	assert_int_equal(schema_migrate(&f.store, 18), -1);
	assert_non_null(strstr(f.err.text, "version 18"));
	ok(&f, schema_migrate(&f.store, 16));
	query_cache_release(&f.store);
	sqlite3_close(old);
	store_file_remove(f.path);
	arena_release(&f.arena);
}

/* An import had dropped indexes and was killed. */
static void test_without_indexes(void **state)
{
	struct store_fixture fresh;

	store_fixture_open(&fresh, T0);
	usage_convert_when_migrated(&fresh.policy);
	becomes(&fresh, schema_of(&fresh),
		"INSERT INTO meta SELECT 'index ' || name, sql"
		" FROM sqlite_schema WHERE name IN"
		" ('job_submit', 'job_user', 'job_account', 'job_assoc',"
		"  'job_end');"
		"DROP INDEX job_submit; DROP INDEX job_user;"
		"DROP INDEX job_account; DROP INDEX job_assoc;"
		"DROP INDEX job_end;"
		"INSERT INTO meta VALUES ('job indexes dropped', 5);"
		"PRAGMA user_version = 5");
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
	make_old(f.path, rows);
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

	(void)left;
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
		"ALTER TABLE step ADD COLUMN max_gpu INTEGER;"
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
	const struct policy policy = {.half_life = 604800};
	struct store_fixture f = {0};

	arena_init(&f.arena);
	store_file_make(f.path);
	usage_convert_when_migrated(&policy);
	make_old(f.path, steps);
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

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_lists_of_steps),
	cmocka_unit_test(test_older_become_as_new),
	cmocka_unit_test(test_older_are_read),
	cmocka_unit_test(test_between_is_refused),
	cmocka_unit_test(test_without_indexes),
	cmocka_unit_test(test_usage_is_converted),
	cmocka_unit_test(test_what_runs_is_converted),
	cmocka_unit_test(test_conversion_is_shown))
