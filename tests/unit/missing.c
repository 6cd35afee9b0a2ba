/*
 * What is not there, or not any more, is refused in words: another program may
 * have taken it away since it was looked up.
 */
#include <string.h>

#include "db/undo/undo.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000 };

static int setup(void **state)
{
	static struct store_fixture t;

	store_fixture_open(&t, T0);
	*state = &t;
	return 0;
}

static void test_cluster(void **state)
{
	struct store_fixture *t = *state;

	ok(t, store_begin(&t->store));
	assert_int_equal(cluster_remove(&t->store, "none", &t->arena), -1);
	assert_string_equal(t->err.text, "there is no cluster 'none'");
	assert_int_equal(t->err.kind, ERR_USAGE);
}

static void no_rows(
	void *arg, const struct logged *logged, const struct strv *rows)
{
}

static int64_t last_change(struct store_fixture *t)
{
	struct query q;
	int64_t id = 0;

	ok(t, query_open(&q, &t->store, "SELECT max(id) FROM change"));
	ok(t, query_number(&q, &id));
	return id;
}

static void make_change(struct store_fixture *t, const char *account)
{
	ok(t, store_begin(&t->store));
	add_assoc(t, "root", account, "");
	ok(t, store_commit(&t->store, account));
}

/* The next one in the log is not taken for it. */
static void test_change(void **state)
{
	struct store_fixture *t = *state;
	struct logged gone = {.actor = "test", .command = "a"};
	const struct logged_list list = {&gone, 1, 1};

	make_change(t, "a");
	gone.id = last_change(t);
	make_change(t, "b");
	ok(t, store_begin(&t->store));
	ok(t, store_exec(&t->store, "DELETE FROM txn; DELETE FROM change"
				    " WHERE command = 'a'"));
	for (int left = 1; left >= 0; left--) {
		t->err = (struct err){0};
		assert_int_equal(undo_run(&t->store, &t->policy, &list, false,
					 &t->arena, no_rows, NULL), -1);
		assert_non_null(strstr(t->err.text, "is no longer in the log"));
		ok(t, store_exec(&t->store, "DELETE FROM change"));
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(
		test_cluster, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(
		test_change, setup, store_fixture_teardown))
