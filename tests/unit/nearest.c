/*
 * Which word was meant: slips of the fingers are found, other words are not.
 */
#include <string.h>

#include "common/base/nearest.h"
#include "tests/unit/unit.h"

static const char *nearest_of(const char *typed, const char *list)
{
	static struct nearest n;

	nearest_init(&n, typed, strlen(typed));
	nearest_list(&n, list);
	return nearest_found(&n);
}

static void finds(const char *typed, const char *list, const char *meant)
{
	const char *found = nearest_of(typed, list);

	assert_non_null(found);
	assert_string_equal(found, meant);
}

static void test_slips(void **state)
{
	finds("acount", "user,account,qos", "account");
	finds("accuont", "user,account,qos", "account");
	finds("usr", "user,account,qos", "user");
	finds("physcs", "chemistry,physics", "physics");
	finds("PHYSCS", "chemistry,Physics", "Physics");
	finds("asgrove", "ashgrove,birkett", "ashgrove");
	/* The beginning of a long word. */
	finds("admn", "None,Operator,Administrator", "Administrator");
	finds("usr", "Accounts,Users", "Users");
	/* A whole word goes before the beginning of another. */
	finds("jbos", "jobsizes,jobs", "jobs");
}

static void test_others(void **state)
{
	assert_null(nearest_of("nosuch", "user,account,qos,normal"));
	assert_null(nearest_of("x", "user,y"));
	/* Too short for the words it may begin, but no slip. */
	assert_null(nearest_of("node", "NodeCount,NodeNames"));
	assert_null(nearest_of("joe", "joanna"));
	assert_null(nearest_of("name;", "Name"));
	assert_null(nearest_of("", "user"));
	assert_null(nearest_of("lab", "law2,user"));
	assert_null(nearest_of("a-name-that-is-longer-than-any-word-may-ever-be-"
			       "here",
		"a-name-that-is-longer-than-any-word-may-ever-be-here"));
}

static void test_names(void **state)
{
	struct nearest n;

	nearest_init(&n, "acctt=x", 5);
	nearest_names(&n, "Users:1");
	nearest_names(&n, "Accounts:3 Acct:4");
	assert_string_equal(nearest_found(&n), "Acct");
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_slips),
	cmocka_unit_test(test_others),
	cmocka_unit_test(test_names))
