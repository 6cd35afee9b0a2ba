/*
 * Runs of the tasks of an array.
 */

#include "common/text/array_tasks.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void test_runs(void **state)
{
	static const struct {
		const char *list;
		struct task_run run;
		const char *rest;
	} cases[] = {
		{"12", {12, 12, 1}, ""},
		{"3-7,9", {3, 7, 1}, ",9"},
		{"0-20:5", {0, 20, 5}, ""},
		{"1-10:0", {1, 10, 0}, ""},
		{"1-4%2", {1, 4, 1}, "%2"},
		{"%2", {0, 0, 1}, "%2"},
		{"", {0, 0, 1}, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct task_run run;

		assert_string_equal(
			task_run_read(cases[i].list, &run), cases[i].rest);
		assert_int_equal(run.first, cases[i].run.first);
		assert_int_equal(run.last, cases[i].run.last);
		assert_int_equal(run.step, cases[i].run.step);
	}
}

static void test_valid(void **state)
{
	static const char *const right[] = {"", "0", "12", "1-10", "3-3", "1-10:3",
		"1,3,5-7", "1-10%2", "1-4,9%0", "0-4000000", "1-10:4000000"};
	static const char *const wrong[] = {"1-10:0", "1-10:-1", "1-10:", "1-",
		"-5", "5-1", "1:2", "1,,2", ",1", "1,", "1-10%", "1-10%x",
		"1-10%-1", "1%2,3", "%2", "x", "1x", "1 ", " 1", "+1", "1-+2",
		"1-10:3x", "[1-10]", "4000001", "0-4000001", "1-10:4000001",
		"99999999999999999999999", "1-99999999999999999999999", "1-2-3"};

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++)
		if (!array_tasks_valid(right[i]))
			fail_msg("'%s' is one", right[i]);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (array_tasks_valid(wrong[i]))
			fail_msg("'%s' is none", wrong[i]);
}

static void test_mask(void **state)
{
	static const struct {
		const char *mask, *list;
	} cases[] = {
		{"0xE", "1-3"},
		{"0x1", "0"},
		{"0x0000000000000000000000000000B", "0-1,3"},
		{"0xE%2", "1-3%2"},
		{"0x101010101", "0-32:8"},
		{"0x15", "0,2,4"},
		{"0x8421f", "0-4,9,14,19"},
		{"1-3", "1-3"},
		{"0x", "0x"},
		{"0x0", "0x0"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(array_tasks_of_mask(cases[i].mask, &arena),
			cases[i].list);
}

static void test_next(void **state)
{
	const char *list = "3-7:2,9,12x4%2";
	struct task_run run;

	assert_true(task_run_next(&list, &run));
	assert_int_equal(run.step, 2);
	assert_true(task_run_next(&list, &run));
	assert_int_equal(run.first, 9);
	assert_true(task_run_next(&list, &run));
	assert_int_equal(run.last, 12);
	assert_false(task_run_next(&list, &run));
	assert_string_equal(list, "x4%2");
	list = "1%2";
	assert_true(task_run_next(&list, &run));
	assert_false(task_run_next(&list, &run));
}

static void test_count(void **state)
{
	static const struct {
		const char *list;
		uint32_t n;
	} cases[] = {{"", 1}, {"12", 1}, {"1-4,7%2", 5}, {"0-20:5,30", 6},
		{"1-10,...", 10}, {"5-1", 1}, {"1-10:0", 1}, {"x", 1}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(
			array_tasks_count(cases[i].list), cases[i].n);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_runs),
	cmocka_unit_test(test_valid),
	cmocka_unit_test(test_mask),
	cmocka_unit_test(test_next),
	cmocka_unit_test(test_count))
