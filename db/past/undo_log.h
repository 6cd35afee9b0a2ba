/*
 * The undo log (table `change`) as changesets of SQLite: reading,
 * applying and undoing them. For db/past, db/undo and db/whatif. Functions that
 * return int: 0, or -1 with the store's error, unless they say otherwise.
 */
#ifndef BURSAR_DB_UNDO_LOG_H
#define BURSAR_DB_UNDO_LOG_H

#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/store/store.h"

/* One change of the undo log. */
struct logged_change {
	int64_t id, time;
	void *blob; /* its changeset; the caller frees it (free) */
	int size;   /* bytes */
};

/* The change with the next larger id or, with `back`, smaller one. 1: found,
 * 0: none, -1. */
int change_next(struct store *, int64_t id, bool back, struct logged_change *);

/* *time: of the earliest change of the undo log; INT64_MAX: it is empty. */
int change_first_time(struct store *, int64_t *time);

/* Do change_apply and change_unapply change the table? Not those of jobs, steps
 * and usage: they are computed again. */
bool change_has_table(const char *table);

/* Carries out the change in the store, or takes it back. Rows that are not as
 * it expects are overwritten, missing ones are passed over. */
int change_apply(struct store *, const struct logged_change *);
int change_unapply(struct store *, const struct logged_change *);

/* Calls `each` with every operation of the change (`op`: SQLITE_INSERT, _UPDATE
 * or _DELETE) until it returns anything but 0, and returns that; else 0, or
 * -1. */
int change_each(struct store *, const struct logged_change *,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* As change_each, for the operations on some tables ("assoc qos"); others are
 * not even read. */
int change_each_of(struct store *, const struct logged_change *,
	const char *tables,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* As change_each, for a changeset that is not in the undo log. */
int changeset_each(struct store *, const void *blob, int size,
	int (*each)(
		void *arg, const char *table, int op, sqlite3_changeset_iter *),
	void *arg);

/* The number of a column in changesets, where others may have come behind it;
 * -1: the table has none of that name; -2: the store's error. */
int op_column(struct store *, const char *table, const char *column);

/* Does the operation take the row away, or mark it as deleted? `deleted`: the
 * number of that column. */
bool op_is_removal(sqlite3_changeset_iter *, int op, int deleted);

/* The value of a column (counted from 0) before or after the operation; NULL
 * where the changeset does not have it, such as a column that an update leaves
 * alone. Valid until `each` returns. */
sqlite3_value *op_old(sqlite3_changeset_iter *, int column);
sqlite3_value *op_new(sqlite3_changeset_iter *, int column);

/* A column of the primary key of the row: its value, and as a number. */
sqlite3_value *op_key_value(sqlite3_changeset_iter *, int op, int column);
int64_t op_key(sqlite3_changeset_iter *, int op, int column);

#endif
