#include "db/file/pages.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { TRIES = 1000, WAIT_MS = 20 };

int pages_copy(sqlite3 *to, sqlite3 *from)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
	int rc = b ? sqlite3_backup_step(b, -1) : sqlite3_errcode(to);

	/* Others hold it: a reader of the log, for a moment. */
	for (int i = 0; b && (rc == SQLITE_BUSY || rc == SQLITE_LOCKED) &&
		i < TRIES;
		i++) {
		sqlite3_sleep(WAIT_MS);
		rc = sqlite3_backup_step(b, -1);
	}
	sqlite3_backup_finish(b);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* A store of an older version has no such table: not one of these files. */
int pages_unmark(sqlite3 *copy)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(copy,
		"SELECT 1 FROM sqlite_schema WHERE name = 'replica'", -1, &stmt,
		NULL);
	bool found = rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW;

	sqlite3_finalize(stmt);
	if (rc != SQLITE_OK || !found)
		return rc;
	return sqlite3_exec(copy, "DELETE FROM replica", NULL, NULL, NULL);
}

int pages_write(const char *path, sqlite3 *from, bool unmark)
{
	sqlite3 *to = NULL;
	int rc = sqlite3_open_v2(path, &to,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			SQLITE_OPEN_NOMUTEX,
		NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(to,
			"PRAGMA journal_mode = off; PRAGMA synchronous = off",
			NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = pages_copy(to, from);
	if (rc == SQLITE_OK && unmark)
		rc = pages_unmark(to);
	sqlite3_close(to);
	return rc;
}
