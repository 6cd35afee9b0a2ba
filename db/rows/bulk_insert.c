/*
 * Rows that are only added, by the thousand; see bulk_insert.h. A changeset of
 * SQLite has an inserted row as the operation and its values, numbers with the
 * highest byte first, after the table's name with its columns.
 */
#include "db/rows/bulk_insert.h"

#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/store/changeset.h"
#include "db/rows/members.h"
#include "db/store/query.h"
#include "db/rows/rowtable.h"
#include "db/store/store.h"

enum { TABLE = 'T', PIECE = 1 << 16 };

struct bulk_table {
	const struct bulk_kind *kind;
	struct row_table rows; /* those that wait */
	const char *insert_one;
	const void **records;	       /* of row_table */
	char *memory;		       /* of `most` records */
	struct arena texts;	       /* of those that wait */
	const char *insert;	       /* the statement */
	const struct member **columns; /* of the table, in its order; NULL:
					  no member, its values are none */
	int n_columns;
	struct changeset_packing *packing; /* of what was written; or NULL */
	char *piece;			   /* of the changeset, not packed */
	size_t size, cap;
};

_Static_assert((int)BULK_TABLES <= (int)MOST_ADDED, "parts");

bool bulk_insert_is_on(const struct store *store)
{
	return store->bulk_insert && store->bulk_insert->on;
}

static size_t parts_of(
	const struct store *store, struct changeset_packing *parts[MOST_ADDED])
{
	size_t n = 0;

	for (int i = 0; i < BULK_TABLES; i++) {
		const struct bulk_table *table = store->bulk_insert->tables[i];

		if (table && table->packing)
			parts[n++] = table->packing;
	}
	return n;
}

static bool any(const struct store *store)
{
	struct changeset_packing *parts[MOST_ADDED];

	return store->bulk_insert->waiting || parts_of(store, parts);
}

static void drop(struct store *store)
{
	for (int i = 0; i < BULK_TABLES; i++) {
		struct bulk_table *table = store->bulk_insert->tables[i];

		if (!table)
			continue;
		table->rows.n_rows = 0;
		changeset_pack_drop(table->packing);
		table->packing = NULL;
		free(table->piece);
		table->piece = NULL;
		table->size = table->cap = 0;
		arena_release(&table->texts);
	}
	store->bulk_insert->waiting = 0;
	store->bulk_insert->next_key = 0;
	if (store->bulk_insert->on)
		store_check_foreign_keys(store, true);
	store->bulk_insert->on = store->packs = false;
}

static int write_waiting(struct store *store);

static struct bulk_insert *bulk_insert_of(struct store *store)
{
	static const struct store_added calls = {
		.write = write_waiting,
		.parts = parts_of,
		.any = any,
		.drop = drop,
	};

	if (!store->bulk_insert) {
		store->bulk_insert =
			arena_alloc(&store->arena, sizeof(*store->bulk_insert));
		store->added = &calls;
	}
	return store->bulk_insert;
}

int bulk_insert_begin(struct store *store)
{
	if (store_check_foreign_keys(store, false))
		return -1;
	bulk_insert_of(store)->on = store->packs = true;
	return 0;
}

int bulk_insert_end(struct store *store)
{
	if (write_waiting(store))
		return -1;
	store->bulk_insert->on = store->packs = false;
	return store_check_foreign_keys(store, true);
}

/* ---- the table -----------------------------------------------------------*/

static int find_columns(struct store *store, struct bulk_table *table)
{
	struct arena *arena = &store->arena;
	struct query q;

	if (query_open_text(&q, store,
		    arena_printf(arena, "SELECT * FROM %s", table->kind->name)))
		return -1;
	table->n_columns = query_columns(&q);
	table->columns = arena_array(
		arena, (size_t)table->n_columns, sizeof(*table->columns));
	for (int i = 0; i < table->n_columns; i++)
		table->columns[i] = members_by_column(
			&table->rows.members, sqlite3_column_name(q.stmt, i));
	return query_close(&q);
}

static struct bulk_table *table_of(
	struct store *store, const struct bulk_kind *kind)
{
	struct arena *arena = &store->arena;
	struct bulk_insert *bulk = bulk_insert_of(store);
	struct bulk_table *table = bulk->tables[kind->which];

	if (table)
		return table;
	table = arena_alloc(arena, sizeof(*table));
	table->kind = kind;
	table->rows.members = members_columns(kind->own, kind->rest, arena);
	table->insert_one = arena_printf(arena,
		"INSERT INTO %s ({columns}) VALUES ({:columns})%s", kind->name,
		kind->again ? kind->again : "");
	bulk->tables[kind->which] = table;
	return table;
}

/* For rows that wait. */
static int open_table(struct store *store, struct bulk_table *table)
{
	const struct bulk_kind *kind = table->kind;
	struct arena *arena = &store->arena;

	if (table->insert)
		return 0;
	table->records = arena_array(arena, kind->most, sizeof(void *));
	table->memory = arena_array(arena, kind->most, kind->size);
	if (find_columns(store, table) ||
		row_table_open(store,
			arena_printf(arena, "bulk_%s", kind->name),
			&table->rows))
		return -1;
	/* What is refused ends the change: there is nothing to go back to. */
	table->insert =
		members_sql(arena_printf(arena,
				    "INSERT OR ROLLBACK INTO %s ({columns})"
				    " SELECT {columns} FROM bulk_%s",
				    kind->name, kind->name),
			&table->rows.members, arena);
	return 0;
}

/* ---- the format ----------------------------------------------------------*/

static unsigned char *room(struct bulk_table *t, size_t size)
{
	while (t->cap - t->size < size) {
		t->cap = t->cap ? t->cap * 2 : (size_t)2 * PIECE;
		t->piece = memory_resize(t->piece, 1, t->cap);
	}
	t->size += size;
	return (unsigned char *)t->piece + t->size - size;
}

static void put_byte(struct bulk_table *t, int byte)
{
	*room(t, 1) = (unsigned char)byte;
}

static void put_64(struct bulk_table *t, uint64_t value)
{
	unsigned char *at = room(t, 8);

	for (int i = 0; i < 8; i++)
		at[i] = (unsigned char)(value >> (56 - 8 * i));
}

/* Seven bits a byte, the highest first; lengths have no more than 31. */
static void put_length(struct bulk_table *t, size_t length)
{
	for (int shift = 28; shift > 0; shift -= 7)
		if (length >> shift)
			put_byte(t, 0x80 | (int)(length >> shift & 0x7f));
	put_byte(t, (int)(length & 0x7f));
}

static void put_text(struct bulk_table *t, const char *text)
{
	size_t size = strlen(text);

	put_byte(t, SQLITE_TEXT);
	put_length(t, size);
	memcpy(room(t, size), text, size);
}

static void put_list(struct bulk_table *t, const struct tres_list *list)
{
	SCRATCH_ARENA(arena);

	put_text(t, tres_pack(list, &arena));
}

static void put_value(struct bulk_table *t, const struct stored_value *value)
{
	uint64_t bits;

	switch (value->kind) {
	case STORED_NULL:
		put_byte(t, SQLITE_NULL);
		break;
	case STORED_INT:
		put_byte(t, SQLITE_INTEGER);
		put_64(t, (uint64_t)value->number);
		break;
	case STORED_REAL:
		memcpy(&bits, &value->real, sizeof(bits));
		put_byte(t, SQLITE_FLOAT);
		put_64(t, bits);
		break;
	case STORED_TEXT:
		put_text(t, value->text);
		break;
	case STORED_LIST:
		put_list(t, value->list);
		break;
	}
}

/* The first column is the key, of either table. */
static void put_table(struct bulk_table *t)
{
	size_t size = strlen(t->kind->name) + 1;

	put_byte(t, TABLE);
	put_length(t, (size_t)t->n_columns);
	for (int i = 0; i < t->n_columns; i++)
		put_byte(t, i == 0);
	memcpy(room(t, size), t->kind->name, size);
}

static void put_row(struct bulk_table *t, const void *record)
{
	struct stored_value value;

	put_byte(t, SQLITE_INSERT);
	put_byte(t, 0); /* not by a trigger */
	for (int i = 0; i < t->n_columns; i++) {
		value.kind = STORED_NULL;
		if (t->columns[i])
			member_stored(t->columns[i], record, &value);
		put_value(t, &value);
	}
}

static void flush_piece(struct bulk_table *t)
{
	changeset_pack_piece(t->packing, t->piece, t->size);
	t->size = 0;
}

static void put_rows(struct bulk_table *t)
{
	if (!t->packing) {
		t->packing = changeset_pack_begin();
		put_table(t);
	}
	for (size_t i = 0; i < t->rows.n_rows; i++) {
		put_row(t, t->rows.rows[i]);
		if (t->size >= PIECE)
			flush_piece(t);
	}
	flush_piece(t);
}

/* ---- rows that wait ------------------------------------------------------*/

static int compare_records(const void *a, const void *b, void *context)
{
	const struct bulk_kind *kind = context;

	return kind->compare(*(void *const *)a, *(void *const *)b);
}

static int run_insert(struct store *store, const struct bulk_table *t)
{
	struct query q;
	int rc;

	if (query_open_apart(&q, store, t->insert))
		return -1;
	if (store->session)
		sqlite3session_enable(store->session, 0);
	rc = query_run(&q);
	if (store->session)
		sqlite3session_enable(store->session, 1);
	return rc;
}

static int write_rows(struct store *store, struct bulk_table *t)
{
	int rc;

	if (!t || !t->rows.n_rows)
		return 0;
	if (t->kind->compare)
		qsort_r(t->records, t->rows.n_rows, sizeof(*t->records),
			compare_records, (void *)(uintptr_t)t->kind);
	rc = run_insert(store, t);
	if (!rc && store->session)
		put_rows(t);
	store->bulk_insert->waiting -= t->rows.n_rows;
	t->rows.n_rows = 0;
	arena_reset(&t->texts);
	return rc;
}

static int write_waiting(struct store *store)
{
	for (int i = 0; i < BULK_TABLES && store->bulk_insert->waiting; i++)
		if (write_rows(store, store->bulk_insert->tables[i]))
			return -1;
	return 0;
}

static void keep_texts(struct bulk_table *t, char *record)
{
	for (int i = 0; i < t->n_columns; i++) {
		const struct member *m = t->columns[i];
		const char *text;

		if (!m || m->type != MEMBER_TEXT)
			continue;
		memcpy(&text, record + m->offset, sizeof(text));
		if (*text)
			text = arena_strdup(&t->texts, text);
		memcpy(record + m->offset, &text, sizeof(text));
	}
}

int bulk_insert_add(
	struct store *store, const struct bulk_kind *kind, const void *record)
{
	struct bulk_table *t = table_of(store, kind);
	char *kept;

	if (!store->bulk_insert->on)
		return members_write(
			store, &t->rows.members, record, t->insert_one, NULL);
	if (open_table(store, t))
		return -1;
	if (t->rows.n_rows == kind->most && write_rows(store, t))
		return -1;
	kept = t->memory + t->rows.n_rows * kind->size;
	memcpy(kept, record, kind->size);
	keep_texts(t, kept);
	t->records[t->rows.n_rows++] = kept;
	t->rows.rows = (void *const *)t->records;
	store->bulk_insert->waiting++;
	return 0;
}
