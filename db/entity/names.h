/*
 * Names in the store by their first letters, for completion.
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

/* Adds the first `max` names that begin with `prefix` (case ignored for users and
 * resources)
 * and are not deleted, in order. */
int store_names(struct store *, enum name_kind, const char *prefix, size_t max,
	struct arena *, struct strv *names);

/* Does the name exist? 1, 0, or -1; 0 only after all names were tried. */
int store_nearest(struct store *, enum name_kind, struct nearest *);

/*
 * Calls `each` for every name of the list that the store does not have, with
 * what kind of name it is and the closest known one. Accounts and users that
 * PrivateData hides from the caller are left out. Only for hints: errors are
 * ignored.
 */
void site_missing(struct site *, enum name_kind, const struct strv *names,
	void (*each)(const char *kind, const struct nearest *));

/* The same of one name. */
void site_missing_one(struct site *, enum name_kind, const char *name,
	void (*each)(const char *kind, const struct nearest *));

/* How many there are, and how many associations of them. */
int store_count(struct store *, enum name_kind, int64_t *records,
	int64_t *assocs);

#endif
