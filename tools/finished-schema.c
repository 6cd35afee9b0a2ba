/*
 * Writes the schema that the migrations (db/store/migrations.c) arrive at, as
 * one list of statements in C: what a new store is made from; and the names of
 * the views and triggers that there were on the way. Run by the build; no part
 * of what is installed.
 *
 * The migrations stay the only place where the schema is written. Run one after
 * the other they alter the same tables again and again, and SQLite reads the
 * whole schema anew for each column that is added: ten times the work of making
 * the tables as they end up. A list kept by hand beside the migrations would
 * have to be edited with each of them; this one cannot be forgotten.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/migrations.h"

static _Noreturn void die(sqlite3 *db, const char *sql)
{
	fprintf(stderr, "finished-schema: %s: %s\n", sqlite3_errmsg(db), sql);
	exit(1);
}

/* One string in C, a line of it a line of SQL. */
static void print_statement(const char *sql)
{
	fputs("\t\"", stdout);
	for (; *sql; sql++)
		if (*sql == '\n')
			fputs("\\n\"\n\t\"", stdout);
		else
			printf(strchr("\"\\?", *sql) ? "\\%c" : "%c", *sql);
	puts("\",\n");
}

/* Hands the first column of each row to `each`. */
static void for_rows(
	sqlite3 *db, const char *sql, void (*each)(sqlite3 *, const char *text))
{
	sqlite3_stmt *stmt;
	int rc;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		die(db, sql);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		each(db, (const char *)sqlite3_column_text(stmt, 0));
	if (rc != SQLITE_DONE)
		die(db, sql);
	sqlite3_finalize(stmt);
}

static void run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(db, sql);
}

static void migrate(sqlite3 *db)
{
	run(db, "CREATE TEMP TABLE made (what UNIQUE)");
	for (const struct migration *m = migrations; m->sql; m++) {
		for (const char *const *sql = m->sql; *sql; sql++)
			run(db, *sql);
		run(db, "INSERT OR IGNORE INTO made"
			" SELECT type || ' ' || name FROM main.sqlite_schema"
			" WHERE type IN ('view', 'trigger')");
	}
}

static void print_row(sqlite3 *db, const char *sql)
{
	(void)db;
	print_statement(sql);
}

static _Noreturn void refuse_row(sqlite3 *db, const char *table)
{
	(void)db;
	fprintf(stderr,
		"finished-schema: the migrations leave rows in %s of an empty "
		"store: what a new one begins with belongs in initial_fill\n",
		table);
	exit(1);
}

static void look_for_rows(sqlite3 *db, const char *table)
{
	char *sql = sqlite3_mprintf("SELECT %Q FROM \"%w\"", table, table);

	for_rows(db, sql, refuse_row);
	sqlite3_free(sql);
}

int main(void)
{
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		die(db, ":memory:");
	migrate(db);
	puts("/* Made by tools/finished-schema.c from db/store/migrations.c. "
	     "*/\n"
	     "#include \"db/store/migrations.h\"\n\n"
	     "#include <stddef.h>\n\n"
	     "const char *const finished_schema[] = {");
	/* What an index or trigger is on, before it. */
	for_rows(db,
		"SELECT sql FROM main.sqlite_schema WHERE sql NOT NULL"
		" ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1"
		"  WHEN 'index' THEN 2 ELSE 3 END, rowid",
		print_row);
	for_rows(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'",
		look_for_rows);
	puts("\tNULL,\n};\n\n"
	     "const char *const schema_views_and_triggers[] = {");
	for_rows(db, "SELECT what FROM made ORDER BY rowid", print_row);
	puts("\tNULL,\n};");
	sqlite3_close(db);
	return fflush(stdout) || ferror(stdout);
}
