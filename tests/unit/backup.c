/* A backup is looked through without memory to spare: an error, and no lie. */
#include "db/archive/backup.h"

#include "tests/unit/unit.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/store_fixture.h"

static void a_sound_one_is_not_called_damaged(void **state)
{
	struct store_fixture t;
	long refused = 0;
	struct err err;
	bool again;
	int status;

	store_fixture_open(&t, 1767225600);
	store_close(&t.store);
	do {
		err = (struct err){0};
		no_memory_from(++refused);
		status = backup_check("/nowhere", t.path, &err);
		again = no_memory_end();
		if (status && !strstr(err.text, "not enough memory"))
			fail_msg("request %ld: %s", refused, err.text);
	} while (again);
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

	no_memory_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
