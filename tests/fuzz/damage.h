/*
 * Rows of a store with values that nobody would write, and bytes of its file.
 * The input is a list of: kind, table, column, row, length, so many bytes.
 */
#pragma once

#include "tests/fuzz/program.h"

enum { DAMAGE_INT, DAMAGE_TEXT, DAMAGE_REAL, DAMAGE_NULL, DAMAGE_BLOB,
	DAMAGE_DELETE, DAMAGE_FILE, DAMAGES };

struct damage {
	uint8_t kind, table, column, row;
	const uint8_t *bytes;
	uint8_t n;
};

static int64_t damage_number(const struct damage *d)
{
	uint64_t number = 0;

	for (int i = 0; i < 8; i++)
		number = number << 8 | (i < d->n ? d->bytes[i] : 0);
	return (int64_t)number;
}

static char *damage_ask(sqlite3 *db, const char *format, const char *name, int n)
{
	char *sql = sqlite3_mprintf(format, name, n), *found = NULL;
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
		sqlite3_step(stmt) == SQLITE_ROW)
		found = sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return found;
}

static void damage_bind(sqlite3_stmt *stmt, const struct damage *d)
{
	int64_t number = damage_number(d);
	double real;

	memcpy(&real, &number, sizeof(real));
	if (d->kind == DAMAGE_INT)
		sqlite3_bind_int64(stmt, 1, number);
	else if (d->kind == DAMAGE_TEXT)
		sqlite3_bind_text(stmt, 1, (const char *)d->bytes, d->n,
			SQLITE_STATIC);
	else if (d->kind == DAMAGE_REAL)
		sqlite3_bind_double(stmt, 1, real);
	else if (d->kind == DAMAGE_BLOB)
		sqlite3_bind_blob(stmt, 1, d->bytes, d->n, SQLITE_STATIC);
}

static void damage_row(sqlite3 *db, const struct damage *d)
{
	char *table = damage_ask(db,
		"SELECT name FROM sqlite_schema WHERE type = 'table' AND "
		"name <> %Q ORDER BY name LIMIT 1 OFFSET %d", "sqlite_stat1",
		d->table % 36);
	char *column = table ? damage_ask(db,
		"SELECT name FROM pragma_table_info(%Q) ORDER BY abs(cid - %d)"
		" LIMIT 1", table, d->column % 100) : NULL;
	const char *value = d->kind == DAMAGE_DELETE
		? "DELETE FROM \"%w\" WHERE \"%w\" = (SELECT \"%w\" FROM \"%w\""
		  " LIMIT 1 OFFSET %d)"
		: "UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1 WHERE \"%w\" IS"
		  " (SELECT \"%w\" FROM \"%s\" LIMIT 1 OFFSET %d)";
	char *sql = NULL;
	sqlite3_stmt *stmt = NULL;

	if (column)
		sql = d->kind == DAMAGE_DELETE
			? sqlite3_mprintf(value, table, column, column, table,
				  d->row % 16)
			: sqlite3_mprintf(value, table, column, column, column,
				  table, d->row % 16);
	if (sql && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
		if (d->kind != DAMAGE_DELETE)
			damage_bind(stmt, d);
		sqlite3_step(stmt);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	sqlite3_free(column);
	sqlite3_free(table);
}

static void damage_file(const struct damage *d)
{
	int fd = open(fuzzed.store, O_RDWR | O_CLOEXEC);
	off_t at = (off_t)(d->table << 16 | d->column << 8 | d->row);

	CHECK(fd >= 0);
	if ((size_t)at + d->n <= fuzzed.base_size)
		CHECK(pwrite(fd, d->bytes, d->n, at) == d->n);
	close(fd);
}

static bool damage_next(
	const uint8_t **data, size_t *size, struct damage *d)
{
	if (*size < 5)
		return false;
	*d = (struct damage){.kind = (*data)[0] % DAMAGES,
		.table = (*data)[1],
		.column = (*data)[2],
		.row = (*data)[3],
		.n = (*data)[4],
		.bytes = *data + 5};
	if (d->n > *size - 5)
		d->n = (uint8_t)(*size - 5);
	*data += 5 + d->n;
	*size -= 5u + d->n;
	return true;
}

/* A fresh store with the damage of the input: first that of rows. */
static void damage_store(const uint8_t *data, size_t size)
{
	const uint8_t *from = data;
	size_t left = size;
	struct damage d;
	sqlite3 *db;

	fuzz_fresh_store();
	CHECK(!sqlite3_open(fuzzed.store, &db));
	sqlite3_exec(db, "PRAGMA synchronous = off; PRAGMA foreign_keys = off;"
			 "PRAGMA ignore_check_constraints = on; BEGIN",
		NULL, NULL, NULL);
	while (damage_next(&from, &left, &d))
		if (d.kind != DAMAGE_FILE)
			damage_row(db, &d);
	sqlite3_exec(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL,
		NULL);
	sqlite3_close(db);
	while (damage_next(&data, &size, &d))
		if (d.kind == DAMAGE_FILE)
			damage_file(&d);
}
