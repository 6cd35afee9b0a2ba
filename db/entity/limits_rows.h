/*
 * What associations and QOS have in common in the store: the columns that
 * settings change, and their lists of TRES, which are rows of another table.
 *
 * Functions that write expect store_begin() to have been called.
 */
#ifndef BURSAR_DB_LIMITS_ROWS_H
#define BURSAR_DB_LIMITS_ROWS_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/table/attr.h"
#include "common/text/tres.h"
#include "db/store/store.h"

/* Rows {owner, kind, tres, count}. */
struct tres_table {
	const char *select; /* kind, tres, count of :owner */
	const char *erase;  /* those of :owner and :kind */
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

/* Adds to the lists what the owner has, each by its kind. */
int tres_rows_read(struct store *, const struct tres_table *, int64_t owner,
	struct tres_list *lists, size_t n_kinds, struct arena *);

/* Writes the list as the setting of a list of TRES makes it; `lists` are those
 * of the owner, by kind, and stay as they are. */
int tres_rows_set(struct store *, const struct tres_table *, int64_t owner,
	const struct tres_list *lists, const struct setting *, struct arena *);

/* Writes the columns that the settings are about from the record. `sql` names
 * them as {columns = :columns}, and has :now and :key. */
int settings_write(struct store *, const char *sql, const struct settings *,
	const void *record, int64_t key, struct arena *);

#endif
