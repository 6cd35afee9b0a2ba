/*
 * What two stores have that is not the same, as a changeset; see store.h.
 * SQLite compares them row by row, by their keys.
 */
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

#include "common/base/arena.h"
#include "db/file/reason.h"
#include "db/store/query.h"
#include "db/store/store.h"

static int read_tables(struct store *store, struct strv *tables)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
		    " AND name NOT LIKE 'sqlite_%' ORDER BY rootpage"))
		return -1;
	while (query_row(&q))
		if (store_watches(query_text(&q, 0)))
			strv_push(tables, &store->arena,
				query_strdup(&q, 0, &store->arena));
	return query_close(&q);
}

static int compare(struct store *store, sqlite3_session *session,
	const struct strv *tables, void **blob, int *size)
{
	for (size_t i = 0; i < tables->n; i++) {
		int rc = sqlite3session_attach(session, tables->v[i]);

		if (rc == SQLITE_OK)
			rc = sqlite3session_diff(
				session, "other", tables->v[i], NULL);
		if (rc != SQLITE_OK)
			return reason_set(store->err, NULL, rc,
				"%s: stores cannot be compared: %s",
				store->path, tables->v[i]);
	}
	return sqlite3session_changeset(session, size, blob) == SQLITE_OK
		       ? 0
		       : store_fail(store, "stores cannot be compared");
}

int store_differences(
	struct store *from, struct store *to, void **blob, int *size)
{
	sqlite3_session *session;
	struct strv tables = {0};
	int rc;

	/* The file of the other, as a part of this connection. */
	if (store_run(to, "ATTACH :path AS other",
		    bind_text(":path", from->path)) ||
		read_tables(to, &tables))
		return -1;
	if (sqlite3session_create(to->db, "main", &session) != SQLITE_OK)
		return store_fail(to, "stores cannot be compared");
	rc = compare(to, session, &tables, blob, size);
	sqlite3session_delete(session);
	query_cache_release(to);
	return store_exec(to, "DETACH other") || rc ? -1 : 0;
}
