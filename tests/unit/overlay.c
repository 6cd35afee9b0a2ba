/*
 * A store tried in memory: what is changed there is seen there and nowhere
 * else, whatever kind of journal the file has, and whoever writes meanwhile.
 */
#include <stdio.h>
#include <string.h>

#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000, JOBS = 3000 };

static int64_t number(struct store *store, const char *sql)
{
	struct query q;
	int64_t n = -1;

	assert_int_equal(query_open_text(&q, store, sql), 0);
	if (query_row(&q))
		n = query_int(&q, 0);
	assert_int_equal(query_close(&q), 0);
	return n;
}

static int64_t jobs(struct store *store)
{
	return number(store, "SELECT count(*) FROM job");
}

static void run(struct store_fixture *f, struct store *store, const char *sql)
{
	if (store_exec(store, sql))
		fail_msg("%s: %s", sql, store->err->text);
}

static void add_jobs(struct store_fixture *f, struct store *store, int from)
{
	char sql[400];

	snprintf(sql, sizeof(sql),
		"WITH RECURSIVE n(i) AS (SELECT %d UNION ALL"
		" SELECT i + 1 FROM n WHERE i < %d)"
		" INSERT INTO job (cluster, id, submit, user, end, modified)"
		" SELECT 1, i, 5, 'amy', 9, 9 FROM n",
		from, from + JOBS - 1);
	run(f, store, sql);
}

static const char intact[] =
	"SELECT count(*) FROM pragma_integrity_check"
	" WHERE integrity_check <> 'ok'";

/* Tries in `mode` what a what-if does, and more. */
static void tried(const char *mode)
{
	struct store_fixture f;
	struct store copy, other;
	char sql[64];

	store_fixture_open(&f, T0);
	snprintf(sql, sizeof(sql), "PRAGMA journal_mode = %s", mode);
	run(&f, &f.store, sql);
	add_jobs(&f, &f.store, 1);

	ok(&f, store_open_private(&copy, &f.store));
	assert_int_equal(jobs(&copy), JOBS);
	add_jobs(&f, &copy, JOBS + 1);
	run(&f, &copy, "DELETE FROM job WHERE id % 3 = 0");
	run(&f, &copy, "UPDATE cluster SET name = 'other'");
	assert_int_equal(jobs(&copy), 2 * JOBS - 2 * JOBS / 3);
	assert_int_equal(number(&copy, intact), 0);
	assert_int_equal(jobs(&f.store), JOBS);
	assert_int_equal(number(&f.store, "SELECT count(*) FROM cluster"
					  " WHERE name = 't'"),
		1);

	/* A rollback, and a copy of the copy's origin beside it. */
	ok(&f, store_begin(&copy));
	run(&f, &copy, "DELETE FROM job");
	assert_int_equal(jobs(&copy), 0);
	store_rollback(&copy);
	assert_int_equal(jobs(&copy), 2 * JOBS - 2 * JOBS / 3);
	ok(&f, store_open_private(&other, &f.store));
	assert_int_equal(jobs(&other), JOBS);
	run(&f, &other, "DELETE FROM job WHERE id > 7; VACUUM");
	assert_int_equal(jobs(&other), 7);
	assert_int_equal(number(&other, intact), 0);
	store_close(&other);
	store_close(&copy);

	assert_int_equal(jobs(&f.store), JOBS);
	assert_int_equal(number(&f.store, intact), 0);
	store_fixture_close(&f);
}

static void test_journal(void **state)
{
	tried("truncate");
}

static void test_log(void **state)
{
	tried("wal");
}

/* With a log nobody waits: what others write then is not seen, however much it
 * is, and whether or not it is checkpointed. */
static void test_others_write(void **state)
{
	struct store_fixture f;
	struct store copy;

	store_fixture_open(&f, T0);
	run(&f, &f.store, "PRAGMA journal_mode = wal");
	add_jobs(&f, &f.store, 1);
	ok(&f, store_open_private(&copy, &f.store));
	for (int i = 1; i < 4; i++) {
		add_jobs(&f, &f.store, i * JOBS + 1);
		run(&f, &f.store, "DELETE FROM job WHERE id % 2 = 0");
		run(&f, &f.store, "PRAGMA wal_checkpoint(PASSIVE)");
	}
	assert_int_equal(jobs(&copy), JOBS);
	assert_int_equal(number(&copy, intact), 0);
	store_close(&copy);

	/* Nothing in the log; then one that was begun anew. */
	run(&f, &f.store, "PRAGMA wal_checkpoint(TRUNCATE)");
	ok(&f, store_open_private(&copy, &f.store));
	assert_int_equal(jobs(&copy), jobs(&f.store));
	store_close(&copy);
	run(&f, &f.store, "DELETE FROM job WHERE id > 100");
	run(&f, &f.store, "PRAGMA wal_checkpoint(RESTART)");
	run(&f, &f.store, "DELETE FROM job WHERE id > 50");
	ok(&f, store_open_private(&copy, &f.store));
	assert_int_equal(jobs(&copy), jobs(&f.store));
	assert_int_equal(number(&copy, intact), 0);
	store_close(&copy);
	store_fixture_close(&f);
}

/* The end of the log that a crash left half written does not count. */
static void test_torn(void **state)
{
	struct store_fixture f;
	struct store copy;
	char log[STORE_FILE_SIZE + 8];
	FILE *file;

	store_fixture_open(&f, T0);
	run(&f, &f.store, "PRAGMA journal_mode = wal");
	add_jobs(&f, &f.store, 1);
	snprintf(log, sizeof(log), "%s-wal", f.path);
	file = fopen(log, "ab");
	assert_non_null(file);
	for (int i = 0; i < 40000; i++)
		fputc(i & 255, file);
	fclose(file);
	ok(&f, store_open_private(&copy, &f.store));
	assert_int_equal(jobs(&copy), JOBS);
	store_close(&copy);
	store_fixture_close(&f);
}

/* One who may only read tries things, too. */
static void test_read_only(void **state)
{
	struct store_fixture f;
	struct store reader, copy;
	struct store_options options = {.default_qos = "normal",
		.actor = "test",
		.now = T0,
		.mode = STORE_READ};

	store_fixture_open(&f, T0);
	run(&f, &f.store, "PRAGMA journal_mode = truncate");
	add_jobs(&f, &f.store, 1);
	options.path = f.path;
	ok(&f, store_open(&reader, &options, &f.err));
	reader.read_only = true;
	assert_int_equal(store_begin(&reader), -1);
	ok(&f, store_open_private(&copy, &reader));
	ok(&f, store_begin(&copy));
	run(&f, &copy, "DELETE FROM job");
	ok(&f, store_commit(&copy, "try"));
	assert_int_equal(jobs(&copy), 0);
	assert_int_equal(jobs(&reader), JOBS);
	store_close(&copy);
	store_close(&reader);
	store_fixture_close(&f);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_journal),
	cmocka_unit_test(test_log),
	cmocka_unit_test(test_others_write),
	cmocka_unit_test(test_torn),
	cmocka_unit_test(test_read_only))
