#include "db/store/query.h"

#include <sqlite3.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/table/member.h"
#include "db/store/store.h"

/* Statements by the address of their text, which literals have one of each,
 * and by the members that fill its braces. */
struct statement_key {
	const char *sql;
	const struct members *members; /* NULL: none */
};

struct cached_stmt {
	struct statement_key key;
	const char *text;
	sqlite3_stmt *stmt;
	bool busy;
	int *places; /* query_places() */
	UT_hash_handle hh;
};

static int prepare(struct query *query, const char *sql, unsigned flags)
{
	struct store *store = query->store;

	if (sqlite3_prepare_v3(store->db, sql, -1, flags, &query->stmt, NULL) !=
		SQLITE_OK)
		return store_fail(store, "the store cannot be read");
	return 0;
}

static int open_cached(struct query *query, struct store *store,
	struct statement_key key, query_maker *make)
{
	struct cached_stmt *entry;
	const char *text = key.sql;

	*query = (struct query){.store = store};
	HASH_FIND(hh, store->cache, &key, sizeof(key), entry);
	if (entry && !entry->busy) {
		entry->busy = true;
		query->entry = entry;
		query->stmt = entry->stmt;
		return 0;
	}
	if (entry)
		return prepare(query, entry->text, 0);
	if (key.members)
		text = make(key.sql, key.members, &store->arena);
	if (prepare(query, text, SQLITE_PREPARE_PERSISTENT))
		return -1;
	entry = arena_alloc(&store->arena, sizeof(*entry));
	entry->key = key;
	entry->text = text;
	entry->stmt = query->stmt;
	entry->busy = true;
	query->entry = entry;
	HASH_ADD(hh, store->cache, key, sizeof(key), entry);
	return 0;
}

int query_open_apart(struct query *query, struct store *store, const char *sql)
{
	return open_cached(
		query, store, (struct statement_key){sql, NULL}, NULL);
}

/* Rows that wait are to be seen. */
static int write_added(struct store *store)
{
	return store->added ? store->added->write(store) : 0;
}

int query_open(struct query *query, struct store *store, const char *sql)
{
	return write_added(store) ? -1 : query_open_apart(query, store, sql);
}

int query_open_made(struct query *query, struct store *store, const char *sql,
	const struct members *members, query_maker *make)
{
	if (write_added(store))
		return -1;
	return open_cached(
		query, store, (struct statement_key){sql, members}, make);
}

int *query_places(struct query *query, const struct members *members)
{
	struct cached_stmt *entry = query->entry;

	if (!entry || entry->key.members != members)
		return NULL;
	if (!entry->places)
		entry->places = arena_array(&query->store->arena, members->n,
			sizeof(*entry->places));
	return entry->places;
}

int query_open_text(struct query *query, struct store *store, const char *sql)
{
	*query = (struct query){.store = store};
	return write_added(store) ? -1 : prepare(query, sql, 0);
}

int query_open_kept(struct query *query, struct store *store, const char *sql)
{
	*query = (struct query){.store = store};
	if (write_added(store))
		return -1;
	return prepare(query, sql, SQLITE_PREPARE_PERSISTENT);
}

void query_put_int(struct query *query, int parameter, int64_t value)
{
	sqlite3_bind_int64(query->stmt, parameter, value);
}

int query_run_kept(struct query *query)
{
	int before = sqlite3_total_changes(query->store->db);
	bool failed;

	while (query_row(query))
		;
	failed = query->failed;
	query->failed = false;
	sqlite3_reset(query->stmt);
	if (failed)
		return -1;
	return sqlite3_total_changes(query->store->db) - before;
}

int query_run_changes(struct query *query)
{
	return query_run_kept(query) < 0 ? -1
					 : sqlite3_changes(query->store->db);
}

void query_cache_release(struct store *store)
{
	struct cached_stmt *entry, *next;

	HASH_ITER(hh, store->cache, entry, next)
		sqlite3_finalize(entry->stmt);
	HASH_CLEAR(hh, store->cache);
}

static int parameter(struct query *query, const char *name)
{
	int i = sqlite3_bind_parameter_index(query->stmt, name);

	if (!i)
		BUG("no parameter %s in: %s", name, sqlite3_sql(query->stmt));
	return i;
}

/* Without memory to copy a value into, the parameter would stay NULL, and the
 * statement would look for something else. */
static void bound(struct query *query, int rc)
{
	if (rc == SQLITE_OK || query->failed)
		return;
	store_fail(query->store, "a value cannot be handed over");
	query->failed = true;
}

void query_bind_int(struct query *query, const char *name, int64_t value)
{
	sqlite3_bind_int64(query->stmt, parameter(query, name), value);
}

void query_bind_real(struct query *query, const char *name, double value)
{
	sqlite3_bind_double(query->stmt, parameter(query, name), value);
}

void query_put_text(struct query *query, int parameter, const char *value)
{
	bound(query, sqlite3_bind_text(query->stmt, parameter, value, -1,
			     SQLITE_TRANSIENT));
}

void query_put_value(
	struct query *query, int parameter, const struct sqlite3_value *value)
{
	bound(query, sqlite3_bind_value(query->stmt, parameter, value));
}

void query_bind_text(struct query *query, const char *name, const char *value)
{
	query_put_text(query, parameter(query, name), value);
}

void query_bind_null(struct query *query, const char *name)
{
	sqlite3_bind_null(query->stmt, parameter(query, name));
}

void query_bind_blob(
	struct query *query, const char *name, const void *blob, int size)
{
	bound(query, sqlite3_bind_blob(query->stmt, parameter(query, name),
			     blob, size, SQLITE_TRANSIENT));
}

void query_bind_limit(struct query *query, const char *name, uint32_t value)
{
	if (value == NO_VAL || value == INFINITE)
		query_bind_null(query, name);
	else
		query_bind_int(query, name, value);
}

int query_bind_words(struct query *query, int first, const struct strv *words)
{
	for (size_t i = 0; i < words->n; i++)
		query_put_text(query, first + (int)i, words->v[i]);
	return first + (int)words->n;
}

bool query_row(struct query *query)
{
	int rc;

	if (query->failed)
		return false;
	rc = sqlite3_step(query->stmt);
	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE) {
		store_fail(query->store, "the store refused");
		query->failed = true;
	}
	return false;
}

int64_t query_int(struct query *query, int column)
{
	return sqlite3_column_int64(query->stmt, column);
}

static int64_t within(int64_t value, int64_t most)
{
	if (value > most)
		return most;
	return value < -most ? -most : value;
}

int64_t query_time(struct query *query, int column)
{
	return within(query_int(query, column), TIME_MOST);
}

int64_t query_amount(struct query *query, int column)
{
	return within(query_int(query, column), AMOUNT_MOST);
}

double query_real(struct query *query, int column)
{
	return sqlite3_column_double(query->stmt, column);
}

int query_columns(struct query *q)
{
	return sqlite3_column_count(q->stmt);
}

bool query_is_null(struct query *query, int column)
{
	return sqlite3_column_type(query->stmt, column) == SQLITE_NULL;
}

uint32_t query_limit(struct query *query, int column)
{
	return query_is_null(query, column) ? INFINITE
					    : (uint32_t)query_int(query, column);
}

/* SQLite hands out NULL for no value and where there was no memory for one. */
static void check_missing(struct query *query)
{
	if (sqlite3_errcode(query->store->db) != SQLITE_NOMEM || query->failed)
		return;
	store_fail(query->store, "the store cannot be read");
	query->failed = true;
}

const char *query_text(struct query *query, int column)
{
	const unsigned char *text = sqlite3_column_text(query->stmt, column);

	if (!text)
		check_missing(query);
	return text ? (const char *)text : "";
}

struct sqlite3_value *query_value(struct query *query, int column)
{
	return sqlite3_column_value(query->stmt, column);
}

const char *query_value_text(struct sqlite3_value *value)
{
	bool is_null = sqlite3_value_type(value) == SQLITE_NULL;
	const unsigned char *text = sqlite3_value_text(value);

	if (!text && !is_null)
		BUG("no memory");
	return text ? (const char *)text : "";
}

char *query_strdup(struct query *query, int column, struct arena *arena)
{
	return arena_strdup(arena, query_text(query, column));
}

const void *query_blob(struct query *query, int column, int *size)
{
	const void *blob = sqlite3_column_blob(query->stmt, column);

	if (!blob)
		check_missing(query);
	*size = blob ? sqlite3_column_bytes(query->stmt, column) : 0;
	return blob;
}

int query_close(struct query *query)
{
	if (query->entry) {
		sqlite3_reset(query->stmt);
		sqlite3_clear_bindings(query->stmt);
		query->entry->busy = false;
	} else {
		sqlite3_finalize(query->stmt);
	}
	return query->failed ? -1 : 0;
}

int query_number(struct query *query, int64_t *number)
{
	if (query_row(query))
		*number = query_int(query, 0);
	return query_close(query);
}

int store_number(struct store *store, const char *sql, int64_t *number)
{
	struct query q;

	return query_open(&q, store, sql) ? -1 : query_number(&q, number);
}

int query_found(struct query *query)
{
	bool found = query_row(query);

	return query_close(query) ? -1 : found;
}

int query_run(struct query *query)
{
	while (query_row(query))
		;
	return query_close(query);
}

void query_bind(struct query *query, const struct bind *binds)
{
	for (const struct bind *b = binds; b && b->name; b++)
		switch (b->kind) {
		case BIND_INT:
			query_bind_int(query, b->name, b->number);
			break;
		case BIND_REAL:
			query_bind_real(query, b->name, b->real);
			break;
		case BIND_TEXT:
			query_bind_text(query, b->name, b->text);
			break;
		case BIND_LIMIT:
			query_bind_limit(query, b->name, (uint32_t)b->number);
			break;
		}
}

static int open_bound(struct query *query, struct store *store,
	const char *sql, const struct bind *binds)
{
	if (query_open(query, store, sql))
		return -1;
	query_bind(query, binds);
	return 0;
}

int query_do_run(
	struct store *store, const char *sql, const struct bind *binds)
{
	struct query q;

	return open_bound(&q, store, sql, binds) ? -1 : query_run(&q);
}

int query_do_has(
	struct store *store, const char *sql, const struct bind *binds)
{
	struct query q;
	bool found;

	if (open_bound(&q, store, sql, binds))
		return -1;
	if (sqlite3_stmt_readonly(q.stmt))
		return query_found(&q);
	found = query_row(&q);
	return query_run(&q) ? -1 : found;
}

int query_do_ask(struct store *store, const char *sql, int64_t *number,
	const struct bind *binds)
{
	struct query q;

	return open_bound(&q, store, sql, binds) ? -1
						  : query_number(&q, number);
}

int query_do_text(struct store *store, const char *sql, const char **text,
	struct arena *arena, const struct bind *binds)
{
	struct query q;
	bool found;

	if (open_bound(&q, store, sql, binds))
		return -1;
	found = query_row(&q);
	if (found)
		*text = query_strdup(&q, 0, arena);
	return query_close(&q) ? -1 : found;
}

int query_do_words(struct store *store, const char *sql, struct strv *words,
	struct arena *arena, const struct bind *binds)
{
	struct query q;

	if (open_bound(&q, store, sql, binds))
		return -1;
	while (query_row(&q))
		strv_push(words, arena, query_text(&q, 0));
	return query_close(&q);
}

int store_exec(struct store *store, const char *sql)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(store, "the store refused");
	return 0;
}

char *sql_marks(size_t n, struct arena *arena)
{
	char *marks = arena_alloc(arena, n * 3 + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(marks + i * 3, i + 1 < n ? "?, " : "?", i + 1 < n ? 3 : 1);
	return marks;
}
