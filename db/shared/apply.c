/*
 * One entry of the log into the replica; see log_parts.h.
 *
 * The triggers that mark roll-ups as stale fire, since roll-ups are each
 * replica's own; those that would write rows which the entry has already do not
 * (table `replica`, applying).
 */
#include "db/store/changeset.h"

#include <stdlib.h>
#include <string.h>

#include "db/shared/shared_parts.h"
#include "db/store/query.h"

struct shared_applying {
	struct shared_log *log;
	struct store *store;
	struct arena arena;
	struct strv knotted; /* tables whose rows take values of each other */
	bool untied;
};

int entry_damaged(
	struct shared_log *log, const struct shared_entry *e, const char *why)
{
	return err_set(log->link.err, ERR_SYSTEM,
		"entry %lld of the log in %s is damaged (%s): " MENDED_BY,
		(long long)e->number, link_place(&log->link), why);
}

/* ---- rows that differ from what the entry expects ------------------------*/

/* The state of a replica made from the log alone is correct, so a conflict means
 * that the entry's own replica was changed past the log. Every host resolves it
 * in the same way: the new values of the entry win. */
static int take_what_fits(struct shared_log *log, int kind)
{
	log->fits = false;
	return kind == SQLITE_CHANGESET_DATA ||
			       kind == SQLITE_CHANGESET_CONFLICT
		       ? SQLITE_CHANGESET_REPLACE
		       : SQLITE_CHANGESET_OMIT;
}

static int on_conflict(void *arg, int kind, sqlite3_changeset_iter *at)
{
	struct shared_applying *a = arg;
	struct shared_log *log = a->log;
	const char *table = "?";
	int columns, what, indirect;

	sqlite3changeset_op(at, &table, &columns, &what, &indirect);
	if (kind == SQLITE_CHANGESET_CONSTRAINT && !a->untied) {
		if (!strv_has(&a->knotted, table))
			strv_push(&a->knotted, &a->arena,
				arena_strdup(&a->arena, table));
		return SQLITE_CHANGESET_OMIT;
	}
	if (log->fresh)
		return take_what_fits(log, kind);
	replica_spoil(log,
		"a row of %s is not what it was where entry %lld was made (%d)",
		table, (long long)log->mark.position + 1, kind);
	return SQLITE_CHANGESET_ABORT;
}

static void note_unfit(struct shared_log *log, const struct shared_entry *e)
{
	snprintf(log->altered_host, sizeof(log->altered_host), "%s", e->host);
	log->unfit = true;
	log->unfit_text = arena_printf(log->arena,
		"entry %lld of the log in %s (%s: %s) does not fit the store: "
		"the replica of %s was changed past the log; all hosts take in "
		"what fits, %s makes its replica again: look at the change",
		(long long)e->number, link_place(&log->link), e->actor,
		e->command, e->host, e->host);
}

/* ---- rows that take unique values of each other --------------------------*/

/*
 * Where two associations exchange their numbers neither row can be the first to
 * change. All rows of such a table that change are removed, and added as they
 * come to be: adding what was removed, and then the entry, are one changeset.
 */

/* Such tables have a number as their key. */
static int remove_row(
	void *arg, const char *table, int op, sqlite3_changeset_iter *at)
{
	struct shared_applying *a = arg;
	unsigned char *key;
	char *sql;
	int n, i = 0, rc;

	if (op != SQLITE_UPDATE || !strv_has(&a->knotted, table))
		return 0;
	sqlite3changeset_pk(at, &key, &n);
	while (!key[i])
		i++;
	sql = sqlite3_mprintf("DELETE FROM \"%w\" WHERE rowid = %lld", table,
		(long long)op_key(at, op, i));
	rc = store_exec(a->store, sql);
	sqlite3_free(sql);
	return rc;
}

/* Of these tables alone: what triggers mark in others stays marked. */
static int record_removed(struct shared_applying *a, sqlite3_session **session)
{
	int rc = sqlite3session_create(a->store->db, "main", session);

	for (size_t i = 0; rc == SQLITE_OK && i < a->knotted.n; i++)
		rc = sqlite3session_attach(*session, a->knotted.v[i]);
	return rc == SQLITE_OK ? 0 : -1;
}

/* The entry as one that adds the rows which this removes. */
static int untie(struct shared_applying *a, void *blob, int size, void **untied,
	int *untied_size)
{
	void *removed = NULL, *added = NULL;
	sqlite3_session *session = NULL;
	int n, m, rc;

	rc = record_removed(a, &session) ||
	     changeset_each(a->store, blob, size, remove_row, a) ||
	     sqlite3session_changeset(session, &n, &removed) != SQLITE_OK ||
	     sqlite3changeset_invert(n, removed, &m, &added) != SQLITE_OK ||
	     sqlite3changeset_concat(m, added, size, blob, untied_size,
		     untied) != SQLITE_OK;
	if (session)
		sqlite3session_delete(session);
	sqlite3_free(removed);
	sqlite3_free(added);
	return rc ? -1 : 0;
}

static int apply_rows(struct shared_applying *a, void *blob, int size)
{
	return sqlite3changeset_apply_v2(a->store->db, size, blob, NULL,
		on_conflict, a, NULL, NULL, SQLITE_CHANGESETAPPLY_NOSAVEPOINT);
}

static int apply_untied(struct shared_applying *a, void *blob, int size)
{
	void *untied = NULL;
	int n, rc;

	a->untied = true;
	if (store_exec(a->store, "ROLLBACK TO entry") ||
		untie(a, blob, size, &untied, &n))
		rc = SQLITE_ERROR;
	else
		rc = apply_rows(a, untied, n);
	sqlite3_free(untied);
	return rc;
}

/* ---- an entry ------------------------------------------------------------*/

static int apply_blob(
	struct shared_log *log, struct store *store, void *blob, int size)
{
	struct shared_applying a = {.log = log, .store = store};
	int rc;

	if (store_exec(store, "SAVEPOINT entry"))
		return SQLITE_ERROR;
	arena_init(&a.arena);
	rc = apply_rows(&a, blob, size);
	if (rc == SQLITE_OK && a.knotted.n)
		rc = apply_untied(&a, blob, size);
	arena_release(&a.arena);
	return rc == SQLITE_OK && store_exec(store, "RELEASE entry")
		       ? SQLITE_ERROR
		       : rc;
}

/* References were checked where the entry was made, and what goes with a row
 * that is removed is in it. */
int entry_apply(struct shared_log *log, struct store *store,
	const struct shared_entry *e)
{
	int size, references, rc;
	void *blob = changeset_unpack(e->data, (int)e->size, &size, store->err);

	if (!blob)
		return entry_damaged(log, e, "it cannot be unpacked");
	sqlite3_db_config(
		store->db, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &references);
	log->fits = true;
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	rc = apply_blob(log, store, blob, size);
	sqlite3_db_config(
		store->db, SQLITE_DBCONFIG_ENABLE_FKEY, references, NULL);
	if (!log->fits)
		state_forget(log);
	else if (rc == SQLITE_OK && state_change(log, store, blob, size))
		rc = SQLITE_ERROR;
	free(blob);
	if (rc == SQLITE_ABORT)
		return -1; /* the replica is spoiled */
	if (!log->fits)
		note_unfit(log, e);
	return rc == SQLITE_OK ? 0
			       : store_fail(store, "an entry of the log cannot "
						   "be taken in");
}

/* Nothing becomes stale by it. */
int entry_apply_purge(struct shared_log *log, struct store *store,
	const struct shared_entry *e)
{
	int rc;

	if (purge_forget(store) || store_triggers(store, false))
		return -1;
	rc = entry_apply(log, store, e);
	return store_triggers(store, true) || rc ? -1 : 0;
}
