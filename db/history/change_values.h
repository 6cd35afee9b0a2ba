/*
 * Columns of rows in the words of people. Internal to db/history/change*.c.
 */
#ifndef BURSAR_DB_CHANGE_VALUES_H
#define BURSAR_DB_CHANGE_VALUES_H

#include <stdbool.h>

#include "common/base/strv.h"
#include "db/store/store.h"

struct sqlite3_value;

/* For internal use: keys, times. */
bool change_is_quiet(const char *column);

/* Do rows of the table have more to tell of than their name? */
bool change_has_values(const char *table);

/* What people call it: "MaxJobs"; "" where the name of the row says it. */
const char *change_heading(const char *table, const char *column);

/* "none" for NULL. */
int change_value(struct store *, const char *table, const char *column,
	struct sqlite3_value *, struct arena *, const char **text);

/* Pushes "MaxJobs 3" of a row that comes or goes, unless it is as in any new row
 * of that name. */
int change_part(struct store *, const char *table, const char *column,
	struct sqlite3_value *, const char *name, struct arena *,
	struct strv *parts);

#endif
