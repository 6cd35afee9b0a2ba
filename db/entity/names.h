/*
 * Names in the store: by their first letters for completion, the nearest to a
 * mistyped one for hints, and how many there are. Functions that return int: 0,
 * or -1 with store->err set, unless they say otherwise.
 */
#ifndef BURSAR_DB_NAMES_H
#define BURSAR_DB_NAMES_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/nearest.h"
#include "common/base/strv.h"
#include "db/entity/site.h"
#include "db/store/store.h"

enum name_kind {
	NAME_ACCOUNT,
	NAME_USER,
	NAME_CLUSTER,
	NAME_QOS,
	NAME_WCKEY,
	NAME_FEDERATION,
	NAME_RESOURCE,
	NAME_KINDS,
};

/* Adds the first `max` names that begin with `prefix` (case ignored for users
 * and resources) and are not deleted, in order. */
int store_names(struct store *, enum name_kind, const char *prefix, size_t max,
	struct arena *, struct strv *names);

/* Does nearest->typed exist, case ignored? 1, 0, -1. When 0, all names were
 * tried and `nearest` holds the closest. */
int store_nearest(struct store *, enum name_kind, struct nearest *);

/*
 * Calls `each` for those of the first 10 names that the store does not have,
 * with the kind ("account") and the closest known name. Does nothing where
 * PrivateData hides names of the kind from the caller. Only for hints: errors
 * are ignored.
 */
void site_missing(struct site *, enum name_kind, const struct strv *names,
	void (*each)(const char *kind, const struct nearest *));

/* site_missing for one name. */
void site_missing_one(struct site *, enum name_kind, const char *name,
	void (*each)(const char *kind, const struct nearest *));

/* How many names of the kind there are, deleted ones not counted. *assocs: how
 * many associations are of accounts (NAME_ACCOUNT) or of users (NAME_USER); 0
 * for other kinds. */
int store_count(struct store *, enum name_kind, int64_t *records,
	int64_t *assocs);

#endif
