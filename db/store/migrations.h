/*
 * The schema, as numbered steps. A step is never edited once it has landed:
 * a change of the schema is one more row at the end of the table.
 */
#ifndef BURSAR_MIGRATIONS_H
#define BURSAR_MIGRATIONS_H

struct migration {
	int version; /* user_version after the step */
	const char *const *sql; /* statements, up to NULL */
};

extern const struct migration migrations[]; /* ends with version 0 */

/* The schema at which the last step arrives: statements, up to NULL. Made from
 * the steps by the build (tools/finished-schema.c). */
extern const char *const finished_schema[];

/* The views and triggers that there are after any of the steps, up to NULL:
 * "view name". Made in the same way. */
extern const char *const schema_views_and_triggers[];

/* Makes the lists of what steps used (in_ave ...) of the columns that they had up to
 * 21, where these have them: in older archives, too. */
extern const char step_lists[];

/* The version this program writes. */
int schema_version(void);

#endif
