#include "db/file/pages.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/base/notice.h"

enum { OPERATIONS = 100000 }; /* some milliseconds */

static int tick(void *unused)
{
	(void)unused;
	progress_wait();
	return 0;
}

void pages_show_wait(sqlite3 *db)
{
	sqlite3_progress_handler(db, OPERATIONS, tick, NULL);
}

enum { PAGES = 64, TRIES = 1000, WAIT_MS = 20 };

/* Others may hold it: a reader of the log, for a moment. */
static int copy_pages(sqlite3_backup *b)
{
	int rc, tries = 0;

	for (;;) {
		rc = sqlite3_backup_step(b, PAGES);
		if (rc == SQLITE_OK)
			progress("copying the store",
				sqlite3_backup_pagecount(b) -
					sqlite3_backup_remaining(b),
				sqlite3_backup_pagecount(b));
		else if ((rc == SQLITE_BUSY || rc == SQLITE_LOCKED) &&
			 ++tries < TRIES)
			sqlite3_sleep(WAIT_MS);
		else
			break;
	}
	progress_end();
	return rc;
}

int pages_copy(sqlite3 *to, sqlite3 *from)
{
	/* As of one moment, whoever writes meanwhile. */
	bool begins = sqlite3_get_autocommit(from);
	int rc = begins ? sqlite3_exec(from,
				  "BEGIN; SELECT 1 FROM sqlite_schema", NULL,
				  NULL, NULL)
			: SQLITE_OK;
	sqlite3_backup *b = rc == SQLITE_OK ? sqlite3_backup_init(to, "main",
						      from, "main")
					    : NULL;

	if (b)
		rc = copy_pages(b);
	else if (rc == SQLITE_OK)
		rc = sqlite3_errcode(to);
	sqlite3_backup_finish(b);
	if (begins)
		sqlite3_exec(from, "COMMIT", NULL, NULL, NULL);
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
