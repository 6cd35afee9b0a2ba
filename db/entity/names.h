/*
 * Names in the store, of a kind below STORED_NAMES: by their first letters for
 * completion, the nearest to a mistyped one for hints, and how many there are.
 * Functions that return int: 0, or -1 with store->err set, unless they say
 * otherwise.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/nearest.h"
#include "common/base/strv.h"
#include "common/table/complete.h"
#include "db/entity/site.h"
#include "db/store/store.h"

/* Offers the first names of the kind, at most 500, that begin with what is
 * typed (case ignored for users and resources) and are not deleted; none where
 * PrivateData hides them from the caller. */
int site_names(struct site *, enum value_source, struct completion *);

/* Does nearest->typed exist, case ignored? 1, 0, -1. When 0, all names were
 * tried and `nearest` holds the closest. */
int store_nearest(struct store *, enum value_source, struct nearest *);

/*
 * Calls `each` for those of the first 10 names that the store does not have,
 * with the kind ("account") and the closest known name. Does nothing where
 * PrivateData hides names of the kind from the caller. Only for hints: errors
 * are ignored.
 */
void site_missing(struct site *, enum value_source, const struct strv *names,
	void (*each)(const char *kind, const struct nearest *));

/* site_missing for one name. */
void site_missing_one(struct site *, enum value_source, const char *name,
	void (*each)(const char *kind, const struct nearest *));

/* How many names of the kind there are, deleted ones not counted. *assocs: how
 * many associations are of accounts (FROM_ACCOUNTS) or of users (FROM_USERS); 0
 * for other kinds. */
int store_count(struct store *, enum value_source, int64_t *records,
	int64_t *assocs);
