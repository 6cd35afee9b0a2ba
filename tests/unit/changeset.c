/*
 * Changesets as the log keeps them (db/store/changeset.h): what is packed comes
 * back, what an older store has is read, and what is damaged is no crash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/memory.h"
#include "db/history/past_log.h"
#include "db/store/changeset.h"
#include "db/store/query.h"
#include "tests/unit/store_fixture.h"

static void round_trip(const void *blob, int size, int most)
{
	struct err err = {0};
	int packed, whole;
	void *kept = changeset_pack(blob, size, &packed);
	void *back = changeset_unpack(kept, packed, &whole, &err);

	assert_true(packed <= most);
	assert_non_null(back);
	assert_int_equal(whole, size);
	assert_memory_equal(back, blob, (size_t)size);
	free(kept);
	free(back);
}

static void test_comes_back(void **state)
{
	unsigned char *blob = memory_zeroed(1, 1 << 20);

	(void)state;
	round_trip("", 0, 0);
	round_trip("T", 1, 1);
	round_trip("Tabc", 4, 4);
	for (int i = 0; i < 1 << 20; i++)
		blob[i] = (unsigned char)(i / 64 % 251);
	round_trip(blob, 1 << 20, 1 << 16);
	free(blob);
}

static void test_older_stores(void **state)
{
	static const char plain[] = "T\x03\x01\x00\x00 as SQLite made it";
	struct err err = {0};
	int whole;
	void *back = changeset_unpack(plain, sizeof(plain), &whole, &err);

	(void)state;
	assert_int_equal(whole, sizeof(plain));
	assert_memory_equal(back, plain, sizeof(plain));
	free(back);
}

/* Each byte of one made another, and each length: an error, or the right
 * length. */
static void test_damaged(void **state)
{
	unsigned char blob[600];
	unsigned char *kept, *copy;
	struct err err = {0};
	int packed, whole;

	(void)state;
	for (size_t i = 0; i < sizeof(blob); i++)
		blob[i] = (unsigned char)(i % 7);
	kept = changeset_pack(blob, sizeof(blob), &packed);
	assert_int_equal(kept[0], 'Z');
	for (int i = 1; i < packed; i++) {
		void *back;

		copy = memory_zeroed(1, (size_t)packed);
		memcpy(copy, kept, (size_t)packed);
		copy[i] ^= 0x5a;
		back = changeset_unpack(copy, packed, &whole, &err);
		assert_true(!back || whole == sizeof(blob));
		free(back);
		free(copy);
		copy = memory_zeroed(1, (size_t)i);
		memcpy(copy, kept, (size_t)i);
		assert_null(changeset_unpack(copy, i, &whole, &err));
		assert_non_null(strstr(err.text, "damaged"));
		free(copy);
	}
	free(kept);
}

static int count(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	(void)table, (void)op, (void)iter;
	++*(int *)arg;
	return 0;
}

/* A changeset that ends in the middle of a row is not one with fewer rows. */
static void test_cut(void **state)
{
	struct store_fixture f;
	struct change change = {0};
	int rows = 0;

	(void)state;
	store_fixture_open(&f, 1760000000);
	ok(&f, store_begin(&f.store));
	ok(&f, store_exec(&f.store,
		       "UPDATE assoc SET shares = 7; UPDATE qos SET priority = 7"));
	ok(&f, store_changeset(&f.store, &change.blob, &change.size));
	ok(&f, change_each(&f.store, &change, count, &rows));
	assert_in_range(rows, 2, 100);
	change.size--;
	assert_int_equal(change_each(&f.store, &change, count, &rows), -1);
	assert_non_null(strstr(f.store.err->text, "cannot be read"));
	store_changeset_free(change.blob);
	store_rollback(&f.store);
	store_fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_older_stores),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
