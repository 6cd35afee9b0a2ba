/* When jobs were suspended. */
#include "common/text/suspension.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

/* Of a run from 1000 to 2000. */
static int64_t part(const struct suspensions *all, int64_t from, int64_t until)
{
	return suspended_within(all, 1000, 2000, from, until);
}

static void intervals(void **state)
{
	struct suspension v[] = {{1100, 1200}, {1300, 1400}, {1900, 0}};
	struct suspensions all = {v, 3, 0};

	assert_int_equal(part(&all, 1000, 2000), 300);
	assert_int_equal(part(&all, 1000, 1100), 0);
	assert_int_equal(part(&all, 1150, 1350), 100);
	assert_int_equal(part(&all, 1200, 1300), 0);
	assert_int_equal(part(&all, 1950, 2000), 50);
	assert_int_equal(part(&all, 1500, 1500), 0);
}

/* Parts of what has no time add up to the whole. */
static void loose(void **state)
{
	struct suspensions all = {.loose = 77};
	int64_t sum = 0;

	for (int64_t from = 1000; from < 2000; from += 25)
		sum += part(&all, from, from + 25);
	assert_int_equal(sum, 77);
	assert_int_equal(part(&all, 1000, 2000), 77);
	assert_int_equal(suspended_within(&all, 1000, 1000, 1000, 1000), 0);
}

/* Nobody was suspended for longer than he ran. */
static void wrong_records(void **state)
{
	struct suspension v[] = {{900, 5000}, {1000, 1500}};
	struct suspensions all = {v, 2, 9000};

	assert_int_equal(part(&all, 1000, 2000), 1000);
	assert_int_equal(part(&all, 1200, 1300), 100);
}

static void copies(void **state)
{
	struct suspension v[] = {{1100, 1200}};
	struct suspensions all = {v, 1, 3}, copy;

	copy = suspensions_copy(&all, &arena);
	v[0].end = 1101;
	assert_int_equal(copy.n, 1);
	assert_int_equal(copy.v[0].end, 1200);
	assert_int_equal(copy.loose, 3);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(intervals),
	cmocka_unit_test(loose),
	cmocka_unit_test(wrong_records),
	cmocka_unit_test(copies))
