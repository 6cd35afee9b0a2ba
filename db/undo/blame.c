#include "db/undo/blame.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/undo_log.h"
#include "db/store/query.h"
#include "db/store/txn.h"

#define uthash_malloc(size) arena_alloc(search->arena, (size))
#define uthash_free(memory, size) ((void)(memory))
#include <uthash.h>

/* All that is asked about one row, or about the rows of one list whose keys
 * begin like this. */
struct row_asked {
	const char *name; /* "assoc 5" */
	struct blame **v;
	size_t n, cap;
	UT_hash_handle hh;
};

struct traced_table {
	const char *name;
	struct strv columns;
	UT_hash_handle hh;
};

struct blame_search {
	struct store *store;
	struct arena *arena, scratch;
	struct row_asked *asked;
	struct traced_table *tables;
	size_t open; /* not found yet */
	struct logged_change change;
	const char *actor, *command;
	int64_t *reversing;
	size_t n_reversing, cap_reversing;
};

static void ask(struct blame_search *search, struct blame *blame)
{
	char *name = arena_printf(
		search->arena, "%s %s", blame->table, blame->key);
	struct row_asked *asked;

	HASH_FIND_STR(search->asked, name, asked);
	if (!asked) {
		asked = arena_alloc(search->arena, sizeof(*asked));
		asked->name = name;
		HASH_ADD_KEYPTR(hh, search->asked, asked->name,
			strlen(asked->name), asked);
	}
	*ARENA_PUSH(search->arena, asked->v, asked->n, asked->cap) = blame;
	search->open++;
}

/* The names of the table's columns, in their order. */
static int table_of(struct blame_search *search, const char *name,
	const struct traced_table **found)
{
	struct traced_table *table;
	struct query q;

	HASH_FIND_STR(search->tables, name, table);
	*found = table;
	if (table)
		return 0;
	if (query_open(&q, search->store,
		    "SELECT name FROM pragma_table_info(:table)"))
		return -1;
	table = arena_alloc(search->arena, sizeof(*table));
	table->name = arena_strdup(search->arena, name);
	query_bind_text(&q, ":table", name);
	while (query_row(&q))
		strv_push(&table->columns, search->arena,
			query_strdup(&q, 0, search->arena));
	HASH_ADD_KEYPTR(
		hh, search->tables, table->name, strlen(table->name), table);
	*found = table;
	return query_close(&q);
}

/* Does the operation set the column? A row that is new, or comes back, has
 * all of its values from there. */
static bool sets(const struct traced_table *table, const char *column, int op,
	sqlite3_changeset_iter *iter)
{
	if (!column || op != SQLITE_UPDATE)
		return true;
	for (size_t i = 0; i < table->columns.n; i++) {
		const char *name = table->columns.v[i];

		if (!op_new(iter, (int)i))
			continue;
		if (!strcmp(name, column) || !strcmp(name, "deleted"))
			return true;
	}
	return false;
}

static void settle(struct blame_search *search, const struct row_asked *asked,
	const struct traced_table *table, int op, sqlite3_changeset_iter *iter)
{
	for (size_t i = 0; i < asked->n; i++) {
		struct blame *blame = asked->v[i];

		if (blame->change || !sets(table, blame->column, op, iter))
			continue;
		blame->change = search->change.id;
		blame->time = search->change.time;
		blame->actor = search->actor;
		blame->command = search->command;
		search->open--;
	}
}

/* The row, and the list that it is part of: by its whole key, and by what
 * that begins with. */
static int look(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct blame_search *search = arg;
	const struct traced_table *known;
	unsigned char *is_key;
	char *name = arena_strdup(&search->scratch, table);
	int columns;

	if (table_of(search, table, &known))
		return -1;
	sqlite3changeset_pk(iter, &is_key, &columns);
	for (int i = 0; i < columns; i++) {
		sqlite3_value *value =
			is_key[i] ? op_key_value(iter, op, i) : NULL;
		struct row_asked *asked;

		if (!value)
			continue;
		name = arena_printf(&search->scratch, "%s %s", name,
			query_value_text(value));
		HASH_FIND_STR(search->asked, name, asked);
		if (asked)
			settle(search, asked, known, op, iter);
	}
	arena_reset(&search->scratch);
	return search->open ? 0 : 1;
}

/* Undo and redo themselves, ascending. */
static int read_reversing(struct blame_search *search)
{
	struct query q;

	if (query_open(&q, search->store,
		    "SELECT DISTINCT change FROM txn WHERE action IN"
		    " (:undo, :redo) AND change NOT NULL ORDER BY change"))
		return -1;
	query_bind_int(&q, ":undo", TXN_UNDO);
	query_bind_int(&q, ":redo", TXN_REDO);
	while (query_row(&q))
		*ARENA_PUSH(search->arena, search->reversing,
			search->n_reversing, search->cap_reversing) =
			query_int(&q, 0);
	return query_close(&q);
}

static int by_id(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* 1: it counts, 0: it does not, -1. */
static int counts(struct blame_search *search)
{
	struct query q;
	int found;

	if (search->n_reversing &&
		bsearch(&search->change.id, search->reversing,
			search->n_reversing, sizeof(int64_t), by_id))
		return 0;
	if (query_open(&q, search->store,
		    "SELECT actor, command FROM change WHERE id = :id"
		    " AND undone IS NULL"))
		return -1;
	query_bind_int(&q, ":id", search->change.id);
	found = query_row(&q);
	if (found) {
		search->actor = query_strdup(&q, 0, search->arena);
		search->command = query_strdup(&q, 1, search->arena);
	}
	return query_close(&q) ? -1 : found;
}

static int go_through(struct blame_search *search)
{
	int64_t id = INT64_MAX;
	int found = 0;

	if (search->open && read_reversing(search))
		return -1;
	while (search->open && (found = change_next(search->store, id, true,
					&search->change)) > 0) {
		int status = counts(search);

		if (status > 0)
			status = change_each(
				search->store, &search->change, look, search);
		free(search->change.blob);
		if (status < 0)
			return -1;
		id = search->change.id;
	}
	return found < 0 ? -1 : 0;
}

int blame_find(
	struct store *store, struct arena *arena, struct blame *v, size_t n)
{
	struct blame_search search = {.store = store, .arena = arena};
	int status;

	for (size_t i = 0; i < n; i++) {
		v[i].change = v[i].time = 0;
		v[i].actor = v[i].command = "";
		if (v[i].table)
			ask(&search, &v[i]);
	}
	status = go_through(&search);
	arena_release(&search.scratch);
	return status;
}
