/*
 * Changesets as the log keeps them (db/store/changeset.h): what is packed comes
 * back, what an older store has is read, and what is damaged is no crash.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/entity/user.h"
#include "db/store/undo_log.h"
#include "db/rows/bulk_insert.h"
#include "db/store/changeset.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
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
	struct logged_change change = {0};
	int rows = 0;

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

/* Parts of pieces of all sizes, more than there is room for at first; they stay
 * as they are when they are joined. */
static void test_pieces(void **state)
{
	enum { ALL = 3 << 20, PARTS = 3 };
	struct changeset_packing *parts[PARTS];
	unsigned char *blob = memory_zeroed(1, ALL);
	uint32_t random = 1;
	struct err err = {0};
	int packed, whole;
	void *kept, *back;

	for (size_t i = 0; i < PARTS; i++)
		parts[i] = changeset_pack_begin();
	for (size_t i = 0; i < ALL; i++)
		blob[i] = (unsigned char)((random = random * 69069 + 1) >> 24);
	for (size_t at = 0, size = 0; at < ALL; at += size) {
		size = at % 7 ? at % 100000 : 1;
		size = size > ALL - at ? ALL - at : size ? size : 1;
		changeset_pack_piece(
			parts[at * PARTS / ALL], blob + at, size);
	}
	for (int again = 0; again < 2; again++) {
		kept = changeset_pack_join(parts, PARTS, &packed);
		back = changeset_unpack(kept, packed, &whole, &err);
		assert_non_null(back);
		assert_int_equal(whole, ALL);
		assert_memory_equal(back, blob, ALL);
		free(kept);
		free(back);
	}
	for (size_t i = 0; i < PARTS; i++)
		changeset_pack_drop(parts[i]);
	free(blob);
}

/* ---- tables --------------------------------------------------------------*/

static int count_of(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	(void)op, (void)iter;
	++((int *)arg)[strcmp(table, "assoc") ? strcmp(table, "qos") ? 2 : 1 : 0];
	return 0;
}

/* Rows that are added, changed and taken away; cut anywhere it is damaged, or
 * ends with a row. */
static void test_tables(void **state)
{
	struct store_fixture f;
	struct logged_change change = {0};
	int all[3] = {0}, some[3] = {0};
	size_t at = 0, n = 0;
	const char *table;

	store_fixture_open(&f, 1760000000);
	ok(&f, store_begin(&f.store));
	ok(&f, store_exec(&f.store,
		       "UPDATE assoc SET shares = 7; DELETE FROM assoc WHERE user <> '';"
		       "UPDATE qos SET priority = 7, grace_time = NULL;"
		       "INSERT INTO user VALUES ('new', 1, 2, 3, 0)"));
	ok(&f, store_changeset(&f.store, &change.blob, &change.size));
	ok(&f, change_each(&f.store, &change, count_of, all));
	ok(&f, change_each_of(&f.store, &change, "no qos assoc_tres", count_of, some));
	assert_true(all[0] >= 2 && all[1] && all[2]);
	assert_int_equal(some[0], 0);
	assert_int_equal(some[1], all[1]);
	assert_int_equal(some[2], 0);
	for (; at < (size_t)change.size; at += n)
		assert_true((n = changeset_table((unsigned char *)change.blob + at,
				     (size_t)change.size - at, &table)) > 0);
	assert_int_equal(at, change.size);
	for (size_t cut = 0; cut < (size_t)change.size; cut++)
		assert_true(changeset_table(change.blob, cut, &table) <= cut);
	change.size--;
	assert_int_equal(
		change_each_of(&f.store, &change, "none", count_of, some), -1);
	store_changeset_free(change.blob);
	store_rollback(&f.store);
	store_fixture_close(&f);
}

/* ---- rows that are only added --------------------------------------------*/

struct listed {
	struct arena *arena;
	struct strv rows;
};

static int list(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct listed *l = arg;
	struct strv values = {0};
	int columns, indirect;

	sqlite3changeset_op(iter, &table, &columns, &op, &indirect);
	strv_push(&values, l->arena,
		arena_printf(l->arena, "%s %d %d", table, op, indirect));
	for (int i = 0; i < columns; i++) {
		sqlite3_value *value = op_new(iter, i);

		strv_push(&values, l->arena,
			arena_printf(l->arena, "%d %s",
				sqlite3_value_type(value),
				query_value_text(value)));
	}
	strv_push(&l->rows, l->arena, strv_join(&values, "|", l->arena));
	return 0;
}

enum { USERS = 1700 }; /* more than are written at once, more than a piece */

static void put_users(struct store_fixture *f, bool fresh)
{
	struct assoc *root = account_assoc(f, "root");
	struct assoc_new new = {.cluster = f->cluster,
		.cluster_name = "t",
		.account = "root",
		.partition = "",
		.parent = root,
		.is_default = true};
	int64_t rows, last;

	ok(f, assoc_count_deleted(&f->store, f->cluster, &rows, &last));
	if (fresh)
		ok(f, bulk_insert_begin(&f->store));
	for (unsigned i = 0; i < USERS; i++) {
		/* A length of one byte, and of two. */
		new.user = arena_printf(&f->arena, "%0*u", i % 3 ? 9 : 150, i);
		if (fresh)
			new.id = (uint32_t)++last;
		ok(f, user_add(&f->store, new.user, 1));
		assert_true(assoc_add(&f->store, &new) > 0);
	}
	if (fresh)
		ok(f, bulk_insert_end(&f->store));
}

/* In the order of their texts. */
static void list_changes(struct store_fixture *f, struct strv *rows)
{
	struct logged_change change = {0};
	struct listed l = {.arena = &f->arena};

	ok(f, store_changeset(&f->store, &change.blob, &change.size));
	ok(f, change_each(&f->store, &change, list, &l));
	store_changeset_free(change.blob);
	strv_sort(&l.rows);
	*rows = l.rows;
}

static void test_bulk_insert(void **state)
{
	struct store_fixture f;
	struct strv heard = {0}, read = {0};

	store_fixture_open(&f, 1760000000);
	ok(&f, store_begin(&f.store));
	put_users(&f, false);
	list_changes(&f, &heard);
	store_rollback(&f.store);
	ok(&f, store_begin(&f.store));
	assert_false(store_changed(&f.store));
	put_users(&f, true);
	assert_true(store_changed(&f.store));
	list_changes(&f, &read);
	store_rollback(&f.store);
	assert_int_equal(heard.n, 2 * USERS);
	assert_int_equal(read.n, heard.n);
	for (size_t i = 0; i < heard.n; i++)
		assert_string_equal(read.v[i], heard.v[i]);
	store_fixture_close(&f);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_comes_back),
	cmocka_unit_test(test_older_stores),
	cmocka_unit_test(test_damaged),
	cmocka_unit_test(test_cut),
	cmocka_unit_test(test_pieces),
	cmocka_unit_test(test_tables),
	cmocka_unit_test(test_bulk_insert))
