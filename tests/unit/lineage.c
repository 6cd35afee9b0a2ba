/* An association's names and its lineage tell each other. */
#include <string.h>

#include "common/table/assoc.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void there_and_back(const char *above, const char *account,
	const char *user, const char *partition)
{
	const char *lineage =
		assoc_lineage(&arena, above, account, user, partition);
	const char *found = account, *names[2];

	if (!*user)
		found = "";
	assoc_lineage_names(lineage, &arena, &found, &names[0],
		&names[1]);
	assert_string_equal(found, account);
	assert_string_equal(names[0], user);
	assert_string_equal(names[1], partition);
}

static void test_there_and_back(void **state)
{
	static const char *const odd[] = {"a", "a/b", "/", "%", "%2F", "0-ann",
		"0", "0-", "100%", "a.b@c", "%30-x", "ä"};

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		there_and_back("/", odd[i], "", "");
		there_and_back("/x/y/", odd[i], "", "");
		there_and_back("/x/", "x", odd[i], "");
		there_and_back("/x/", "x", odd[i], odd[i]);
	}
}

RUN_TESTS(NULL, teardown,
	cmocka_unit_test(test_there_and_back))
