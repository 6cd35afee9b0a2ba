/*
 * Wckeys, the workload keys of users (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_wckey.c).
 *
 * Functions return 0, or -1 with store->err set, unless they say otherwise.
 * Functions that write expect store_begin() to have been called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/member.h"
#include "db/store/store.h"

struct wckey {
	int64_t key;
	uint32_t id;
	const char *name, *cluster, *user;
	const char *shown; /* the name as listings print it */
	bool is_default;
	bool deleted;
	int64_t created;
};

struct wckey_list {
	struct wckey *v;
	size_t n, cap;
};

/* Which wckeys. An empty list means any. */
struct wckey_cond {
	struct strv names, clusters, users, ids;
	bool with_deleted;
};

/* The members of struct wckey that are stored or printed. */
extern const struct members wckey_members;

/* Wckeys in order of cluster, name and user, in the arena. */
int wckey_list(struct store *, const struct wckey_cond *, struct arena *,
	struct wckey_list *);

/* Adds a wckey of the user on the cluster, or revives a deleted one; as a
 * default it takes the place of the user's earlier default there. 1: added, 0:
 * was there already and stays as it is, -1. */
int wckey_add(struct store *, const char *cluster, const char *name,
	const char *user, bool is_default);

/* Makes it the only default of its user on its cluster. */
int wckey_make_default(struct store *, const struct wckey *);

/* The user has none there. 1: had one, 0, -1. */
int wckey_no_default(struct store *, const char *cluster, const char *user);

/* Erases a record younger than a day, marks an older one deleted; the same of
 * all of a user. */
int wckey_remove(struct store *, const struct wckey *);
int wckey_remove_of(struct store *, const char *user, struct arena *);
