/*
 * The schema, as numbered steps. A step is never edited once it has landed:
 * a change of the schema is one more row at the end of the table.
 */
#ifndef BURSAR_MIGRATIONS_H
#define BURSAR_MIGRATIONS_H

#include <stdbool.h>

struct migration {
	int version; /* user_version after the step */
	const char *const *sql; /* statements, up to NULL */
};

extern const struct migration migrations[]; /* ends with version 0 */

/* Is there a "CREATE TRIGGER NAME" or "CREATE VIEW NAME" in any step? */
bool schema_makes(const char *type, const char *name);

/* The version this program writes. */
int schema_version(void);

#endif
