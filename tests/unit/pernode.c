/*
 * Amounts of each node: `10,1(x2)`.
 */

#include "common/text/pernode.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void test_there_and_back(void **state)
{
	static const struct {
		const char *text;
		bool memory;
		size_t n;
		uint64_t last;
		const char *written;
	} cases[] = {
		{"16", false, 1, 16, "16"},
		{"10,1(x2)", false, 3, 1, "10,1(x2)"},
		{"1,1,1,4", false, 4, 4, "1(x3),4"},
		{"0(x2)", false, 2, 0, "0(x2)"},
		{"16G,4g(x2)", true, 3, 4096, "16384,4096(x2)"},
		{"2048K", true, 1, 2, "2"},
		{"100M", true, 1, 100, "100"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pernode list;

		assert_int_equal(pernode_parse(cases[i].text, cases[i].memory,
					 &arena, &list),
			0);
		assert_int_equal(list.n, cases[i].n);
		assert_int_equal(list.v[list.n - 1], cases[i].last);
		assert_string_equal(
			pernode_text(&list, &arena), cases[i].written);
	}
}

static void test_no_lists(void **state)
{
	static const char *const bad[] = {"", ",", "4,", "4(x0)", "4(x2", "4(3)",
		"x", "-1", "4G", "4 ,2", "1(x2000000)", "99999999999"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pernode list;

		assert_int_equal(
			pernode_parse(bad[i], false, &arena, &list), -1);
	}
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(test_there_and_back),
	cmocka_unit_test(test_no_lists))
