/* A backup is looked through without memory to spare: an error, and no lie. */
#include "db/history/backup.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

/* SQLite's own memory: one request of it finds none. */
static sqlite3_mem_methods memory;
static long requests, refuse_at;

static bool is_refused(void)
{
	return ++requests == refuse_at;
}

static void *get(int size)
{
	return is_refused() ? NULL : memory.xMalloc(size);
}

static void *resize(void *old, int size)
{
	return is_refused() ? NULL : memory.xRealloc(old, size);
}

/* Before anything of SQLite is used. */
static void stand_between(void)
{
	sqlite3_mem_methods ours;

	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory), SQLITE_OK);
	ours = memory;
	ours.xMalloc = get;
	ours.xRealloc = resize;
	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_MALLOC, &ours), SQLITE_OK);
	assert_int_equal(
		sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

static void a_sound_one_is_not_called_damaged(void **state)
{
	struct store_fixture t;
	long refused = 0;
	struct err err;
	int status;

	(void)state;
	store_fixture_open(&t, 1767225600);
	store_close(&t.store);
	do {
		err = (struct err){0};
		requests = 0;
		refuse_at = ++refused;
		status = backup_check("/nowhere", t.path, &err);
		refuse_at = 0;
		if (status && !strstr(err.text, "out of memory"))
			fail_msg("request %ld: %s", refused, err.text);
	} while (requests >= refused);
	assert_int_equal(status, 0);
	assert_true(refused > 100);
	store_file_remove(t.path);
	arena_release(&t.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_one_is_not_called_damaged),
	};

	stand_between();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
