/* Host lists: expanding, folding, and that the two undo each other. */
#include <stdlib.h>
#include <string.h>

#include "common/text/hostlist.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void test_expand(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"login", "login"},
		{"n[1-3]", "n1 n2 n3"},
		{"n[08-11]", "n08 n09 n10 n11"},
		{"n[8-11]", "n8 n9 n10 n11"},
		{"n[001-003,200],login", "n001 n002 n003 n200 login"},
		{"n[098-101]", "n098 n099 n100 n101"},
		{"n1,n1, n2\tn3\n", "n1 n1 n2 n3"},
		{",,n1,,", "n1"},
		{"r[1-2]n[1-2]", "r1n1 r1n2 r2n1 r2n2"},
		{"r[1-2]-ib", "r1-ib r2-ib"},
		{"lab[phys,chem2,3]", "labphys labchem2 lab3"},
		{"[1-2]", "1 2"},
		{"n[0]", "n0"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strv names = {0};
		struct err err = {0};

		assert_int_equal(
			hostlist_expand(cases[i][0], &arena, &names, &err), 0);
		assert_string_equal(
			strv_join(&names, " ", &arena), cases[i][1]);
	}
}

static void test_refused(void **state)
{
	static const char *const cases[] = {
		"n[1-3",
		"n1-3]",
		"n[[1]]",
		"n[]",
		"n[1,]",
		"n[,1]",
		"n[3-1]",
		"n[1-]",
		"n[-1]",
		"n[1--3]",
		"n[1-2-3]",
		"n[1x]",
		"n[a-c]",
		"n[1 2]",
		"n[0-1000000]",
		"n[1-1000][1-1001]",
		"n[1-99999999999999999999]",
		"n[1-18446744073709551616]",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strv names = {0};
		struct err err = {0};

		assert_int_equal(
			hostlist_expand(cases[i], &arena, &names, &err), -1);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err.text, cases[i]));
	}
}

static void test_sizes(void **state)
{
	struct strv names = {0};
	struct err err = {0};
	char name[300];

	assert_int_equal(
		hostlist_expand("n[1-1000][1-1000]", &arena, &names, &err), 0);
	assert_int_equal(names.n, 1000000);
	memset(name, 'x', sizeof(name));
	name[255] = '\0';
	assert_int_equal(hostlist_expand(name, &arena, &names, &err), 0);
	name[255] = 'x';
	name[256] = '\0';
	assert_int_equal(hostlist_expand(name, &arena, &names, &err), -1);
	arena_release(&arena);
}

static char *fold(const char *list)
{
	struct strv names = {0};
	struct err err;

	assert_int_equal(hostlist_expand(list, &arena, &names, &err), 0);
	return hostlist_fold(&names, &arena);
}

static void test_fold(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"login", "login"},
		{"n1", "n1"},
		{"n7,n2,n1,n3,n2", "n[1-3,7]"},
		{"n10,n9,n8", "n[8-10]"},
		{"n08,n09,n10", "n[08-10]"},
		{"n8,n09,n9,n10", "n[8-10,09]"},
		{"n08,n9", "n[08,9]"},
		{"n099,n100,n98", "n[98,099-100]"},
		{"n1,login,m2,m1", "login,m[1-2],n1"},
		{"n,n1,n2", "n,n[1-2]"},
		{"r1n1,r2n1,r1n2", "r1n[1-2],r2n1"},
		{"1,2,3", "[1-3]"},
		{"n1-ib,n2-ib", "n1-ib,n2-ib"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(fold(cases[i][0]), cases[i][1]);
}

static void random_names(struct strv *names)
{
	static const char *const odd[] = {
		"login", "n", "r1n1", "r2n01", "m1-x"};
	int n = rand() % 60;

	while (n--)
		*ARENA_PUSH(&arena, names->v, names->n, names->cap) =
			arena_printf(&arena, "n%0*d", rand() % 4, rand() % 130);
	strv_push(names, &arena, odd[rand() % 5]);
}

/* Folding and expanding gives back the same set. */
static void test_round_trip(void **state)
{
	srand(7);
	for (int round = 0; round < 2000; round++) {
		struct strv names = {0}, again = {0}, unique = {0};
		struct err err;
		char *text;

		random_names(&names);
		text = hostlist_fold(&names, &arena);
		assert_int_equal(
			hostlist_expand(text, &arena, &again, &err), 0);
		strv_split(&unique, &arena, strv_join(&names, ",", &arena));
		strv_sort(&unique);
		strv_sort(&again);
		assert_string_equal(strv_join(&again, ",", &arena),
			strv_join(&unique, ",", &arena));
		arena_reset(&arena);
	}
}

/* What is no host list has no names. */
static void test_names(void **state)
{
	struct strv wanted = {0};

	assert_int_equal(hostlist_names("n[1-3],m", &arena).n, 4);
	assert_int_equal(hostlist_names("n1,n[2", &arena).n, 0);
	assert_string_equal(hostlist_first("n[7-8]", &arena), "n7");
	assert_string_equal(hostlist_first("", &arena), "");
	assert_true(hostlist_meets("n[", &wanted, &arena));
	strv_push(&wanted, &arena, "n3");
	assert_true(hostlist_meets("n[1-3]", &wanted, &arena));
	assert_false(hostlist_meets("n[1-2]", &wanted, &arena));
	assert_false(hostlist_meets("", &wanted, &arena));
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_teardown(test_expand, teardown),
	cmocka_unit_test_teardown(test_refused, teardown),
	cmocka_unit_test_teardown(test_sizes, teardown),
	cmocka_unit_test_teardown(test_fold, teardown),
	cmocka_unit_test_teardown(test_names, teardown),
	cmocka_unit_test_teardown(test_round_trip, teardown))
