/*
 * Purges in the log; see log_parts.h. Each replica keeps its own roll-ups, but
 * those of purged records can no longer be computed: with a purge, the roll-ups
 * of the purging host replace those of all.
 */
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "db/shared/shared_parts.h"
#include "db/store/query.h"

static const char *const tables[] = {
	"rollup", "rollup_cluster", "rollup_dirty", "rollup_state"};

enum { TABLES = sizeof(tables) / sizeof(*tables) };

/* The same table, empty, in the database `none`. */
static int make_empty(struct store *store, const char *table)
{
	static const char create[] = "CREATE TABLE ";
	char sql[2000] = "";
	struct query q;

	if (query_open(&q, store,
		    "SELECT sql FROM main.sqlite_schema WHERE name = :name"))
		return -1;
	query_bind_text(&q, ":name", table);
	if (query_row(&q))
		snprintf(sql, sizeof(sql), "CREATE TABLE IF NOT EXISTS none.%s",
			query_text(&q, 0) + strlen(create));
	if (query_close(&q))
		return -1;
	return store_exec(store, sql);
}

/* All their rows, as added to nothing. */
int purge_rollups(struct store *store, sqlite3_session *session)
{
	sqlite3_exec(
		store->db, "ATTACH ':memory:' AS none", NULL, NULL, NULL);
	for (size_t i = 0; i < TABLES; i++)
		if (make_empty(store, tables[i]) ||
			sqlite3session_attach(session, tables[i]) !=
				SQLITE_OK ||
			sqlite3session_diff(session, "none", tables[i],
				NULL) != SQLITE_OK)
			return store_fail(
				store, "roll-ups cannot be recorded");
	return 0;
}

void purge_ended(struct store *store)
{
	sqlite3_exec(store->db, "DETACH none", NULL, NULL, NULL);
}

int purge_forget(struct store *store)
{
	for (size_t i = 0; i < TABLES; i++) {
		char sql[64];

		snprintf(sql, sizeof(sql), "DELETE FROM %s", tables[i]);
		if (store_exec(store, sql))
			return -1;
	}
	return 0;
}
