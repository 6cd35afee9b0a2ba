/*
 * Stores from before usage was a fold of facts (schema 17): amounts of each TRES,
 * true at a time, and when an association was last set, reset or handed up.
 */
#ifndef BURSAR_DB_USAGE_CONVERT_H
#define BURSAR_DB_USAGE_CONVERT_H

#include "db/store/store.h"

/* For store_when_migrated: makes facts and sums of what the old tables have, after
 * the step of that version. What an owner has used is what it was; what does not
 * follow from the records that are left is kept beside (table usage_kept). 0, or -1
 * with the store's error. */
int usage_convert(struct store *, int version);

#endif
