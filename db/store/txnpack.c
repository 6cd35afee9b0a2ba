/*
 * Packed entries of the transaction log, and the table-valued function that
 * reads them; see txnpack.h. An entry is its action as digits, its cluster, name
 * and info, each with a NUL behind it; what is kept is compressed as changesets
 * are.
 */
#include "db/store/txnpack.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/store/changeset.h"
#include "db/store/query.h"

enum { MOST = 1000 }; /* entries of a pack */
enum { ACTION, CLUSTER, NAME, INFO, FIELDS };

/* ---- writing -------------------------------------------------------------*/

static void put(struct txn_pending *p, const char *text)
{
	memory_append(&p->v, &p->size, &p->cap, text, strlen(text) + 1);
}

/* The entries that wait, as one row of a table or as many. */
static int write(struct store *store, const char *sql, const void *v, int size)
{
	struct query q;

	if (query_open_apart(&q, store, sql))
		return -1;
	query_bind_int(&q, ":first", store->pending.first);
	query_bind_int(&q, ":change", store->change);
	query_bind_int(&q, ":time", store->now);
	query_bind_text(&q, ":actor", store->actor);
	query_bind_blob(&q, ":entries", v, size);
	return query_run(&q);
}

static int write_pack(struct store *store)
{
	struct txn_pending *p = &store->pending;
	int size, rc;
	void *kept = changeset_pack(p->v, (int)p->size, &size);

	rc = write(store,
		"INSERT INTO txn_pack (first, change, time, actor, entries)"
		" VALUES (:first, :change, :time, :actor, :entries)",
		kept, size);
	free(kept);
	p->first += p->n;
	p->n = 0;
	p->size = 0;
	return rc;
}

int txnpack_add(struct store *store, enum txn_action action,
	const char *cluster, const char *name, const char *info)
{
	struct txn_pending *p = &store->pending;
	char digits[16];

	if (!p->first &&
		store_number(store, "SELECT coalesce(max(id), 0) + 1 FROM txn",
			&p->first))
		return -1;
	if (p->n == MOST && write_pack(store))
		return -1;
	snprintf(digits, sizeof(digits), "%d", (int)action);
	put(p, digits);
	put(p, cluster);
	put(p, name);
	put(p, info);
	p->n++;
	return 0;
}

int txnpack_end(struct store *store)
{
	struct txn_pending *p = &store->pending;
	int rc = 0;

	if (p->n)
		rc = write(store,
			"INSERT INTO txn (id, change, time, action, actor,"
			"  cluster, name, info)"
			" SELECT :first + number, :change, :time, action,"
			"  :actor, cluster, name, info"
			" FROM txn_entries(:entries)",
			p->v, (int)p->size);
	txnpack_drop(store);
	return rc;
}

void txnpack_drop(struct store *store)
{
	free(store->pending.v);
	store->pending = (struct txn_pending){0};
}

int txnpack_unfold(struct store *store, int64_t before)
{
	if (store_run(store,
		    "INSERT INTO txn (id, change, time, action, actor, cluster,"
		    "  name, info)"
		    " SELECT p.first + e.number, p.change, p.time, e.action,"
		    "  p.actor, e.cluster, e.name, e.info"
		    " FROM txn_pack p, txn_entries(p.entries) e"
		    " WHERE :before = 0 OR p.time < :before",
		    bind_int(":before", before)))
		return -1;
	return store_run(store,
		"DELETE FROM txn_pack WHERE :before = 0 OR time < :before",
		bind_int(":before", before));
}

/* ---- reading -------------------------------------------------------------*/

/* Columns of the function's table; the last is what it is given. */
static const char columns[] =
	"CREATE TABLE x (action INTEGER, cluster TEXT, name TEXT, info TEXT,"
	" number INTEGER, entries HIDDEN)";
enum { NUMBER = FIELDS, ENTRIES };

struct txn_cursor {
	sqlite3_vtab_cursor base; /* first: SQLite knows this part */
	char *v;		  /* unpacked */
	const char *at, *end;	  /* of what has not been read */
	const char *fields[FIELDS];
	sqlite3_int64 number;
	bool over;
};

static int entries_connect(sqlite3 *db, void *context, int argc,
	const char *const *argv, sqlite3_vtab **made, char **why)
{
	int rc = sqlite3_declare_vtab(db, columns);

	(void)context, (void)argc, (void)argv, (void)why;
	if (rc != SQLITE_OK)
		return rc;
	*made = calloc(1, sizeof(**made));
	return *made ? SQLITE_OK : SQLITE_NOMEM;
}

static int entries_disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

/* It can only be read with something given. */
static int entries_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = MOST;
	info->estimatedRows = MOST;
	for (int i = 0; i < info->nConstraint; i++) {
		if (info->aConstraint[i].iColumn != ENTRIES ||
			info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		if (!info->aConstraint[i].usable)
			return SQLITE_CONSTRAINT;
		info->aConstraintUsage[i].argvIndex = 1;
		info->aConstraintUsage[i].omit = 1;
	}
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct txn_cursor *cursor = calloc(1, sizeof(*cursor));

	(void)table;
	if (!cursor)
		return SQLITE_NOMEM;
	*made = &cursor->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct txn_cursor *cursor = (struct txn_cursor *)base;

	free(cursor->v);
	free(cursor);
	return SQLITE_OK;
}

static int read_entry(struct txn_cursor *cursor)
{
	cursor->over = cursor->at == cursor->end;
	for (int i = 0; i < FIELDS && !cursor->over; i++) {
		const char *nul = memchr(cursor->at, '\0',
			(size_t)(cursor->end - cursor->at));

		if (!nul)
			return SQLITE_CORRUPT_VTAB; /* in words: reason.c */
		cursor->fields[i] = cursor->at;
		cursor->at = nul + 1;
	}
	return SQLITE_OK;
}

static int cursor_first(sqlite3_vtab_cursor *base, int plan, const char *text,
	int argc, sqlite3_value **argv)
{
	struct txn_cursor *cursor = (struct txn_cursor *)base;
	struct err err = {0};
	const void *blob;
	int size;

	(void)plan, (void)text;
	free(cursor->v);
	cursor->v = NULL;
	cursor->at = cursor->end = NULL;
	cursor->number = 0;
	if (argc == 1) {
		blob = sqlite3_value_blob(argv[0]);
		size = sqlite3_value_bytes(argv[0]);
		cursor->v = changeset_unpack(blob ? blob : "", size, &size, &err);
		if (!cursor->v)
			return SQLITE_CORRUPT_VTAB;
		cursor->at = cursor->v;
		cursor->end = cursor->at + size;
	}
	return read_entry(cursor);
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct txn_cursor *cursor = (struct txn_cursor *)base;

	cursor->number++;
	return read_entry(cursor);
}

static int cursor_at_end(sqlite3_vtab_cursor *base)
{
	return ((struct txn_cursor *)base)->over;
}

static int cursor_key(sqlite3_vtab_cursor *base, sqlite3_int64 *key)
{
	*key = ((struct txn_cursor *)base)->number;
	return SQLITE_OK;
}

static int cursor_column(
	sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	const struct txn_cursor *cursor = (const struct txn_cursor *)base;

	if (column == ACTION)
		sqlite3_result_int64(
			out, strtol(cursor->fields[ACTION], NULL, 10));
	else if (column < FIELDS)
		sqlite3_result_text(
			out, cursor->fields[column], -1, SQLITE_STATIC);
	else if (column == NUMBER)
		sqlite3_result_int64(out, cursor->number);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = entries_connect, /* no xCreate: it is just there */
	.xBestIndex = entries_plan,
	.xDisconnect = entries_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_first,
	.xNext = cursor_next,
	.xEof = cursor_at_end,
	.xColumn = cursor_column,
	.xRowid = cursor_key,
};

int txnpack_open(struct store *store)
{
	if (sqlite3_create_module(store->db, "txn_entries", &module, NULL) !=
		SQLITE_OK)
		return store_fail(store, "the log cannot be read");
	return 0;
}
