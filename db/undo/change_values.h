/*
 * Columns of changed rows as people read them: their names and values. Internal
 * to db/undo.
 */
#ifndef BURSAR_DB_CHANGE_VALUES_H
#define BURSAR_DB_CHANGE_VALUES_H

#include <stdbool.h>

#include "common/base/strv.h"
#include "db/store/store.h"

struct sqlite3_value;

/* Is the column for internal use (keys, times) and not shown? */
bool change_is_quiet(const char *column);

/* Do rows of the table have values to be shown beside their name? */
bool change_has_values(const char *table);

/* What people call the column: "MaxJobs"; "" where the name of the row says
 * it. */
const char *change_heading(const char *table, const char *column);

/* The same of rows of that kind in the table, a list of TRES of associations
 * ("MaxTRES") or QOS. NULL: none, or another table. */
const char *change_list(const char *table, int64_t kind);

/* *text: the value as it is printed, in the arena; "none" for NULL. Names of
 * accounts and QOS are looked up in the store. 0, or -1 with its error. */
int change_value(struct store *, const char *table, const char *column,
	struct sqlite3_value *, struct arena *, const char **text);

/* Adds "MaxJobs 3", for a row that is added or removed, to `parts`, unless the
 * value is the one of any new row; `name`: of the row, which is the usual text
 * of some columns. 0, or -1 with the store's error. */
int change_part(struct store *, const char *table, const char *column,
	struct sqlite3_value *, const char *name, struct arena *,
	struct strv *parts);

#endif
