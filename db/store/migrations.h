/*
 * The schema: schema.sql, and the steps after it. A change of the schema is one more
 * step, a row at the end of `migrations` (migrations.c).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct store;

/* schema.sql; and what views and triggers it makes ("view jobs"), up to NULL. Both are
 * written by the build. */
extern const char schema[];
extern const char *const schema_views_and_triggers[];

/* Was there, in any version, such a view or trigger ("view jobs")? */
bool schema_knows(const char *view_or_trigger);

/* Makes the lists of what steps used (in_ave ...) of the columns that they had before
 * 0.2, where these have them: in older archives, too. */
extern const char step_lists[];

/* The version that this program writes (user_version). */
int schema_version(void);

/* In an open transaction: brings a store that is empty or of an older version to
 * version `to`; a newer one stays. 0, or -1 with the store's error. */
int schema_migrate(struct store *, int64_t to);

/* What brings along the usage of a store of before 0.2, within its migration: 0, or
 * -1 with the store's error. */
void schema_usage_conversion(int (*convert)(struct store *));
