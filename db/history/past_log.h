/*
 * The log of changes as changesets of SQLite: reading, following and undoing
 * them. Internal to db/history/past*.c.
 */
#ifndef BURSAR_DB_PAST_LOG_H
#define BURSAR_DB_PAST_LOG_H

#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/store/store.h"

/* One change of the log, its changeset owned by the caller (free). */
struct change {
	int64_t id, time;
	void *blob;
	int size;
	bool rebuild; /* of usage, see REBUILD_COMMAND */
};

/* The change next to `id`: 1, 0 when there is none, -1. */
int change_next(struct store *, int64_t id, bool back, struct change *);

/* When the log begins; INT64_MAX: it is empty. */
int change_first_time(struct store *, int64_t *time);

/* Is the table in the log? Others are computed again. */
bool change_has_table(const char *table);

int change_apply(struct store *, const struct change *);
int change_unapply(struct store *, const struct change *);

/* Calls `each` with every operation of the change until it returns not 0. */
int change_each(struct store *, const struct change *,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* Those of some tables alone ("assoc qos"): the others are not even read. */
int change_each_of(struct store *, const struct change *, const char *tables,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* The same for a changeset that is not in the log. */
int changeset_each(struct store *, const void *blob, int size,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* The value of a column before or after; NULL when the change does not say. */
sqlite3_value *op_old(sqlite3_changeset_iter *, int column);
sqlite3_value *op_new(sqlite3_changeset_iter *, int column);

/* A column of the primary key; as a number. */
sqlite3_value *op_key_value(sqlite3_changeset_iter *, int op, int column);
int64_t op_key(sqlite3_changeset_iter *, int op, int column);

#endif
