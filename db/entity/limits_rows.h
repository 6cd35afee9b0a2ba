/*
 * What associations and QOS have in common in the store: the columns that
 * settings change, and their lists of TRES, which are rows of another table.
 *
 * Functions return 0, or -1 with store->err set. Functions that write expect
 * store_begin() to have been called.
 */
#ifndef BURSAR_DB_LIMITS_ROWS_H
#define BURSAR_DB_LIMITS_ROWS_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/attr.h"
#include "common/text/tres.h"
#include "db/store/store.h"

/* The SQL of a table with rows {owner, kind, tres, count}. */
struct tres_table {
	const char *select; /* kind, tres, count of :owner */
	const char *erase;  /* the rows of :owner and :kind */
	const char *insert; /* :owner, :kind, :tres, :count */
};

#define TRES_TABLE(name, owner)                                                \
	{                                                                      \
		"SELECT kind, tres, count FROM " name " WHERE " owner          \
		" = :owner ORDER BY kind, tres",                               \
			"DELETE FROM " name " WHERE " owner                    \
			" = :owner AND kind = :kind",                          \
			"INSERT INTO " name " (" owner ", kind, tres, count)"  \
			" VALUES (:owner, :kind, :tres, :count)"               \
	}

/* Adds the owner's rows to the lists: lists[kind], of n_kinds; in the arena. */
int tres_rows_read(struct store *, const struct tres_table *, int64_t owner,
	struct tres_list *lists, size_t n_kinds, struct arena *);

/* Writes the owner's list of one kind as the setting changes it. `lists`, by
 * kind, are the owner's before it, and stay as they are. */
int tres_rows_set(struct store *, const struct tres_table *, int64_t owner,
	const struct tres_list *lists, const struct setting *, struct arena *);

/* Writes the record's values of those members that the settings are about and
 * that are columns. `sql` names the columns as {columns = :columns}, and has
 * :now and :key. */
int settings_write(struct store *, const char *sql, const struct settings *,
	const void *record, int64_t key, struct arena *);

#endif
