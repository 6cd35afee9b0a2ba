/*
 * A virtual table over structs; see rowtable.h. It is read from the first row
 * to the last, nothing else.
 */
#include "db/rows/rowtable.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/memory.h"
#include "db/rows/members.h"

enum { PACKED = 512 };

struct row_vtab {
	sqlite3_vtab base; /* first: SQLite knows this part */
	struct row_table *source;
};

struct row_cursor {
	sqlite3_vtab_cursor base; /* first */
	const struct row_table *source;
	size_t at;
	char *packed; /* PACKED bytes for each member: its list as text */
};

/* CREATE TABLE x (cluster, id, ...); the caller's to free. */
static char *declaration(const struct row_table *source)
{
	char *text = NULL;
	size_t size;
	FILE *f = memory_stream(&text, &size);

	fputs("CREATE TABLE x", f);
	for (size_t i = 0; i < source->members.n; i++)
		fprintf(f, "%s%s", i ? ", " : " (",
			source->members.v[i].column);
	fputs(")", f);
	fclose(f);
	return text;
}

static int table_connect(sqlite3 *db, void *context, int argc,
	const char *const *argv, sqlite3_vtab **made, char **why)
{
	struct row_table *source = context;
	char *sql = declaration(source);
	struct row_vtab *table;
	int rc;

	(void)argc, (void)argv, (void)why;
	rc = sqlite3_declare_vtab(db, sql);
	free(sql);
	if (rc != SQLITE_OK)
		return rc;
	table = calloc(1, sizeof(*table));
	if (!table)
		return SQLITE_NOMEM;
	table->source = source;
	*made = &table->base;
	return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int table_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = 1000;
	info->estimatedRows = 1000;
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct row_cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	cursor->source = ((struct row_vtab *)table)->source;
	cursor->packed = malloc(cursor->source->members.n * PACKED);
	if (!cursor->packed) {
		free(cursor);
		return SQLITE_NOMEM;
	}
	*made = &cursor->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct row_cursor *cursor = (struct row_cursor *)base;

	free(cursor->packed);
	free(cursor);
	return SQLITE_OK;
}

static int cursor_first(sqlite3_vtab_cursor *base, int plan, const char *text,
	int argc, sqlite3_value **argv)
{
	(void)plan, (void)text, (void)argc, (void)argv;
	((struct row_cursor *)base)->at = 0;
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	((struct row_cursor *)base)->at++;
	return SQLITE_OK;
}

static int cursor_at_end(sqlite3_vtab_cursor *base)
{
	const struct row_cursor *cursor = (const struct row_cursor *)base;

	return cursor->at >= cursor->source->n_rows;
}

static int cursor_key(sqlite3_vtab_cursor *base, sqlite3_int64 *key)
{
	*key = (sqlite3_int64)((struct row_cursor *)base)->at;
	return SQLITE_OK;
}

/* The text stays until the next row. */
static void give_list(sqlite3_context *out, const struct row_cursor *cursor,
	int column, const struct tres_list *list)
{
	char *text = cursor->packed + (size_t)column * PACKED;
	SCRATCH_ARENA(arena);

	if (tres_pack_into(list, text, PACKED)) {
		sqlite3_result_text(out, text, -1, SQLITE_STATIC);
		return;
	}
	sqlite3_result_text(out, tres_pack(list, &arena), -1, SQLITE_TRANSIENT);
}

static int cursor_column(
	sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	const struct row_cursor *cursor = (const struct row_cursor *)base;
	const struct row_table *source = cursor->source;
	struct stored_value value;

	member_stored(
		&source->members.v[column], source->rows[cursor->at], &value);
	switch (value.kind) {
	case STORED_NULL:
		break;
	case STORED_INT:
		sqlite3_result_int64(out, value.number);
		break;
	case STORED_REAL:
		sqlite3_result_double(out, value.real);
		break;
	case STORED_TEXT:
		sqlite3_result_text(out, value.text, -1, SQLITE_STATIC);
		break;
	case STORED_LIST:
		give_list(out, cursor, column, value.list);
		break;
	}
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = table_connect, /* no xCreate: it is just there */
	.xBestIndex = table_plan,
	.xDisconnect = table_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_first,
	.xNext = cursor_next,
	.xEof = cursor_at_end,
	.xColumn = cursor_column,
	.xRowid = cursor_key,
};

int row_table_open(
	struct store *store, const char *name, struct row_table *source)
{
	if (sqlite3_create_module(store->db, name, &module, source) !=
		SQLITE_OK)
		return store_fail(store, "rows cannot be given to it");
	return 0;
}
