/*
 * Counts what a program asks of SQLite, without a clock: loaded before it (LD_PRELOAD), this adds up
 * the virtual machine's steps and the rows walked by full scans of every statement when it is
 * finalized, and the pages read by each connection when it is closed, and appends one line to the
 * file GROWTH_LOG names at the end: steps, rows scanned, pages read. With GROWTH_EACH=1 each
 * statement has a line of its own, to find the one that grows.
 */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static long long steps, scanned, pages;

/* The functions this library hides. */
static int (*next_finalize)(sqlite3_stmt *);
static int (*next_close)(sqlite3 *);
static int (*next_close_v2)(sqlite3 *);

__attribute__((constructor)) static void find_next(void)
{
	/* as POSIX writes it: ISO C has no way from data to a function */
	*(void **)&next_finalize = dlsym(RTLD_NEXT, "sqlite3_finalize");
	*(void **)&next_close = dlsym(RTLD_NEXT, "sqlite3_close");
	*(void **)&next_close_v2 = dlsym(RTLD_NEXT, "sqlite3_close_v2");
}

static void report(const char *line)
{
	const char *path = getenv("GROWTH_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (!file)
		return;
	fputs(line, file);
	fclose(file);
}

int sqlite3_finalize(sqlite3_stmt *stmt)
{
	if (stmt) {
		int ran = sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 0);
		int rows = sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);

		steps += ran;
		scanned += rows;
		if (getenv("GROWTH_EACH")) {
			char line[4000];

			snprintf(line, sizeof(line), "%d %d %.3900s\n", ran, rows, sqlite3_sql(stmt));
			report(line);
		}
	}
	return next_finalize(stmt);
}

static void count_pages(sqlite3 *db)
{
	int now = 0, high;

	if (db && sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &now, &high, 0) == SQLITE_OK)
		pages += now;
}

int sqlite3_close(sqlite3 *db)
{
	count_pages(db);
	return next_close(db);
}

int sqlite3_close_v2(sqlite3 *db)
{
	count_pages(db);
	return next_close_v2(db);
}

__attribute__((destructor)) static void at_end(void)
{
	char line[100];

	snprintf(line, sizeof(line), "total %lld %lld %lld\n", steps, scanned, pages);
	report(line);
}
