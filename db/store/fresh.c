/*
 * Rows that are only added, as a changeset of SQLite has inserted rows: the
 * table's name with its columns, then for each row the operation and its values,
 * numbers with the highest byte first; see fresh.h.
 */
#include "db/store/fresh.h"

#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/store/query.h"
#include "db/store/store.h"

enum { TABLE = 'T', PIECE = 1 << 16 };

void fresh_begin(struct store *store)
{
	store->fresh.on = true;
}

void fresh_end(struct store *store)
{
	store->fresh.on = false;
}

bool fresh_any(const struct store *store)
{
	return store->fresh.last || store->fresh.users.n;
}

/* All associations are added so, or none: the keys have no gap. */
int fresh_run_assoc(struct query *q)
{
	struct store *store = q->store;
	struct fresh *fresh = &store->fresh;
	int64_t key;
	int rc;

	sqlite3session_enable(store->session, 0);
	rc = query_run(q);
	sqlite3session_enable(store->session, 1);
	key = store_last_key(store);
	if (!fresh->last)
		fresh->first = key;
	else if (!rc && key != fresh->last + 1)
		BUG("association %lld is added after %lld", (long long)key,
			(long long)fresh->last);
	fresh->last = key;
	return rc;
}

int fresh_run_user(struct query *q, const char *name)
{
	struct store *store = q->store;
	int rc;

	sqlite3session_enable(store->session, 0);
	rc = query_run(q);
	sqlite3session_enable(store->session, 1);
	strv_push(&store->fresh.users, &store->arena, name);
	return rc;
}

/* ---- the format ----------------------------------------------------------*/

struct writing {
	struct store *store;
	int (*each)(void *arg, const void *piece, size_t size);
	void *arg;
	unsigned char *v;
	size_t n, cap;
	bool begun; /* the table has been named */
};

static int flush(struct writing *w)
{
	int rc = w->n ? w->each(w->arg, w->v, w->n) : 0;

	w->n = 0;
	return rc;
}

static unsigned char *room(struct writing *w, size_t size)
{
	while (w->cap - w->n < size) {
		w->cap = w->cap ? w->cap * 2 : (size_t)2 * PIECE;
		w->v = memory_resize(w->v, 1, w->cap);
	}
	w->n += size;
	return w->v + w->n - size;
}

static void put_byte(struct writing *w, int byte)
{
	*room(w, 1) = (unsigned char)byte;
}

static void put_64(struct writing *w, uint64_t value)
{
	unsigned char *at = room(w, 8);

	for (int i = 0; i < 8; i++)
		at[i] = (unsigned char)(value >> (56 - 8 * i));
}

/* Seven bits a byte, the highest first; lengths have no more than 31. */
static void put_length(struct writing *w, int length)
{
	for (int shift = 28; shift > 0; shift -= 7)
		if (length >> shift)
			put_byte(w, 0x80 | (length >> shift & 0x7f));
	put_byte(w, length & 0x7f);
}

static void put_value(struct writing *w, struct sqlite3_value *value)
{
	int type = sqlite3_value_type(value), size;
	double real;
	uint64_t bits;

	put_byte(w, type);
	switch (type) {
	case SQLITE_INTEGER:
		put_64(w, (uint64_t)sqlite3_value_int64(value));
		break;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		memcpy(&bits, &real, sizeof(bits));
		put_64(w, bits);
		break;
	case SQLITE_TEXT:
	case SQLITE_BLOB:
		size = sqlite3_value_bytes(value);
		put_length(w, size);
		if (size)
			memcpy(room(w, (size_t)size),
				type == SQLITE_TEXT
					? (const void *)sqlite3_value_text(value)
					: sqlite3_value_blob(value),
				(size_t)size);
	}
}

/* The first column is the key, of either table. */
static void put_table(struct writing *w, const char *table, int columns)
{
	size_t size = strlen(table) + 1;

	put_byte(w, TABLE);
	put_length(w, columns);
	for (int i = 0; i < columns; i++)
		put_byte(w, i == 0);
	memcpy(room(w, size), table, size);
}

static int put_rows(struct writing *w, const char *table, struct query *q)
{
	int columns = sqlite3_column_count(q->stmt);

	if (!w->begun)
		put_table(w, table, columns);
	w->begun = true;
	while (query_row(q)) {
		put_byte(w, SQLITE_INSERT);
		put_byte(w, 0); /* not by a trigger */
		for (int i = 0; i < columns; i++)
			put_value(w, sqlite3_column_value(q->stmt, i));
		if (w->n >= PIECE && flush(w))
			return -1;
	}
	return 0;
}

static int put_users(struct writing *w)
{
	const struct strv *users = &w->store->fresh.users;

	w->begun = false;
	for (size_t i = 0; i < users->n; i++) {
		struct query q;
		int rc;

		if (query_open(&q, w->store,
			    "SELECT * FROM user WHERE name = :name"))
			return -1;
		query_bind_text(&q, ":name", users->v[i]);
		rc = put_rows(w, "user", &q);
		if (query_close(&q) || rc)
			return -1;
	}
	return flush(w);
}

static int put_assocs(struct writing *w)
{
	struct query q;
	int rc;

	w->begun = false;
	if (query_open(&q, w->store,
		    "SELECT * FROM assoc WHERE key BETWEEN :first AND :last"))
		return -1;
	query_bind_int(&q, ":first", w->store->fresh.first);
	query_bind_int(&q, ":last", w->store->fresh.last);
	rc = put_rows(w, "assoc", &q);
	return query_close(&q) || rc ? -1 : flush(w);
}

int fresh_each(struct store *store,
	int (*each)(void *arg, const void *piece, size_t size), void *arg)
{
	struct writing w = {.store = store, .each = each, .arg = arg};
	int rc = 0;

	if (store->fresh.users.n)
		rc = put_users(&w);
	if (!rc && store->fresh.last)
		rc = put_assocs(&w);
	free(w.v);
	return rc;
}
