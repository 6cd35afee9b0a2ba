/*
 * The store of Bursar 0.1.0 that is kept (tests/older), without its rows.
 */
#pragma once

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { OLDER_VERSION = 16 };

static inline _Noreturn void older_fail(const char *what)
{
	fprintf(stderr, "the store of 0.1.0: %s\n", what);
	exit(2);
}

static inline void older_unpack(const char *path)
{
	static const char kept[] = "tests/older/0.1.0.db.gz";
	gzFile in = gzopen(kept, "rb");
	FILE *out = fopen(path, "wb");
	char part[16384];
	int n;

	if (!in || !out)
		older_fail(in ? path : kept);
	while ((n = gzread(in, part, sizeof(part))) > 0)
		fwrite(part, 1, (size_t)n, out);
	if (n || gzclose(in) != Z_OK || fclose(out))
		older_fail(kept);
}

/* One that takes each row as a statement, in sqlite3_exec. */
static inline int older_run_row(void *db, int n, char **row, char **names)
{
	(void)n;
	(void)names;
	return sqlite3_exec(db, row[0], NULL, NULL, NULL);
}

/* Made at `path`, and open. */
static inline sqlite3 *older_store(const char *path)
{
	sqlite3 *db;

	older_unpack(path);
	if (sqlite3_open(path, &db) != SQLITE_OK ||
		sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) ||
		sqlite3_exec(db,
			"SELECT printf('DELETE FROM %w', name) FROM sqlite_schema"
			" WHERE type = 'table'",
			older_run_row, db, NULL) != SQLITE_OK ||
		sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL))
		older_fail(sqlite3_errmsg(db));
	return db;
}
