#include "db/store/undo_log.h"

#include <string.h>

#include "common/base/words.h"
#include "db/store/query.h"

/* Those of jobs, steps and usage are computed again. */
static int wanted_table(void *context, const char *table)
{
	static const char *const anew[] = {
		"job", "step", "usage", "usage_sum", "usage_kept",
		/* of older stores */
		"assoc_usage", "assoc_usage_reset", "qos_usage"};

	(void)context;
	for (size_t i = 0; i < sizeof(anew) / sizeof(*anew); i++)
		if (!strcmp(table, anew[i]))
			return false;
	return true;
}

/* The log is right where the rows are not as it expects. */
static int on_conflict(void *context, int kind, sqlite3_changeset_iter *iter)
{
	(void)context;
	(void)iter;
	if (kind == SQLITE_CHANGESET_DATA || kind == SQLITE_CHANGESET_CONFLICT)
		return SQLITE_CHANGESET_REPLACE;
	return SQLITE_CHANGESET_OMIT;
}

static int apply(struct store *store, void *blob, int size)
{
	/* No savepoint around all of it: each row would be slower than the one
	 * before. */
	if (sqlite3changeset_apply_v2(store->db, size, blob, wanted_table,
		    on_conflict, NULL, NULL, NULL,
		    SQLITE_CHANGESETAPPLY_NOSAVEPOINT) != SQLITE_OK)
		return store_fail(store, "the log cannot be followed");
	return 0;
}

int change_apply(struct store *store, const struct logged_change *change)
{
	return apply(store, change->blob, change->size);
}

int change_unapply(struct store *store, const struct logged_change *change)
{
	void *inverse = NULL;
	int size = 0, status;

	if (sqlite3changeset_invert(
		    change->size, change->blob, &size, &inverse) != SQLITE_OK)
		return store_fail(store, "the log cannot be undone");
	status = apply(store, inverse, size);
	sqlite3_free(inverse);
	return status;
}

int change_next(struct store *store, int64_t id, bool back,
	struct logged_change *change)
{
	struct query q;
	const void *blob;
	int found, size;

	if (query_open(&q, store,
		    back ? "SELECT id, time, changeset"
			   " FROM change WHERE id < :id ORDER BY id DESC LIMIT "
			   "1"
			 : "SELECT id, time, changeset"
			   " FROM change WHERE id > :id ORDER BY id LIMIT 1"))
		return -1;
	query_bind_int(&q, ":id", id);
	found = query_row(&q);
	if (found) {
		change->id = query_int(&q, 0);
		if (back ? change->id >= id : change->id <= id) {
			query_close(&q);
			return err_set(store->err, ERR_STORE,
				"%s is damaged: its log of changes is out of "
				"order (sacctmgr check)",
				store->path);
		}
		change->time = query_int(&q, 1);
		blob = query_blob(&q, 2, &size);
		change->blob = changeset_unpack(
			blob, size, &change->size, store->err);
		if (!change->blob) {
			query_close(&q);
			return -1;
		}
	}
	return query_close(&q) ? -1 : found;
}

int change_first_time(struct store *store, int64_t *time)
{
	*time = INT64_MAX;
	return store_number(
		store, "SELECT time FROM change ORDER BY time LIMIT 1", time);
}

int change_each(struct store *store, const struct logged_change *change,
	changeset_reader *each, void *arg)
{
	return changeset_each(store, change->blob, change->size, each, arg);
}

int change_each_of(struct store *store, const struct logged_change *change,
	const char *tables, changeset_reader *each, void *arg)
{
	const unsigned char *blob = change->blob;
	size_t size = (size_t)change->size, at = 0;
	int rc = 0;

	while (!rc && at < size) {
		const char *table;
		size_t n = changeset_table(blob + at, size - at, &table);

		if (!n) /* SQLite says what is wrong with the rest */
			n = size - at;
		else if (!words_have(tables, table, strlen(table))) {
			at += n;
			continue;
		}
		rc = changeset_each(store, blob + at, (int)n, each, arg);
		at += n;
	}
	return rc;
}
