/*
 * Associations in the store: reading with inheritance, adding, changing,
 * moving and removing rows (spec/sacctmgr.md 5.2 - 5.7).
 *
 * Functions that write expect store_begin() to have been called.
 */
#ifndef BURSAR_DB_ASSOC_H
#define BURSAR_DB_ASSOC_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/assoc.h"
#include "db/store/store.h"

/* Which rows. An empty list means any; a list with "" in it matches empty. */
struct assoc_cond {
	struct strv clusters, accounts, users, partitions, ids, parents;
	struct strv def_qos; /* ids as text; the row's own value */
	struct strv qos;     /* ids as text; the effective list */
	bool only_users, only_accounts;
	bool only_defaults;
	bool with_deleted;
	bool with_sub_accounts;
	bool without_limits;	  /* own values only (WOPLimits) */
	bool without_parent_info; /* WOPInfo */
	bool raw_qos;
};

struct assoc_list {
	struct assoc **v;
	size_t n, cap;
};

/* Rows in listing order (cluster, lineage), values inherited and texts filled
 * unless the condition says otherwise. */
int assoc_list(struct store *, const struct assoc_cond *, struct arena *,
	struct assoc_list *);

/* The same rows, one at a time, in memory that does not grow: `each` is called
 * for every one, which is gone when it returns. Another value than 0 of it ends
 * the walk, and is the result; else 0, or -1. */
int assoc_each(struct store *, const struct assoc_cond *,
	int (*each)(void *arg, struct assoc *), void *arg);

/* The same of the users of one account after the other, in one read of the store
 * from open to close. Conditions on rows do not count, only what is filled. */
struct assoc_walk;
struct assoc_walk *assoc_walk_open(struct store *, const struct assoc_cond *);
int assoc_walk_users(struct assoc_walk *, const struct assoc *account,
	int (*each)(void *arg, struct assoc *), void *arg);
/* Or the rows of one user in an account on a cluster, for any partitions: in the
 * arena, but for what they inherit, which is gone with the next call. */
int assoc_walk_user(struct assoc_walk *, const char *cluster,
	const char *account, const char *user, struct arena *,
	struct assoc_list *);
void assoc_walk_close(struct assoc_walk *);

/* Adds the name of each account among the rows, users' rows passed over. */
void assoc_accounts(
	const struct assoc_list *, struct strv *accounts, struct arena *);

/* One row with its own values; 0 when there is none, 1 when found, -1. */
int assoc_find(struct store *, const char *cluster, const char *account,
	const char *user, const char *partition, struct arena *,
	struct assoc **);
/* The same of the row with that key, a deleted one too. */
int assoc_by_key(
	struct store *, int64_t key, struct arena *, struct assoc **);

struct assoc_new {
	int64_t cluster; /* key */
	const char *cluster_name;
	const char *account, *user, *partition;
	const struct assoc *parent; /* NULL for the root account */
	bool is_default;
	bool is_only_default; /* the user has no other that was it */
	uint32_t id; /* the number that is next, where the store is known to
			have no row of that name, a deleted one neither; 0: it
			is looked for */
	const struct settings *settings; /* or NULL */
};

/* How many rows the cluster has, deleted ones too, and their largest number. */
int assoc_count(
	struct store *, int64_t cluster, int64_t *rows, int64_t *last_id);

/* Inserts the row, or revives the deleted one with fresh values. Gives its
 * key; logs "Add Associations". -1 on errors. */
int64_t assoc_add(struct store *, const struct assoc_new *);

/* Writes the settings to the row (not Parent). */
int assoc_update(struct store *, const struct assoc *, const struct settings *,
	struct arena *);

/* Hangs the account row (and all below it) under another account row. */
int assoc_move(struct store *, const struct assoc *,
	const struct assoc *new_parent, struct arena *);

/* The account of the user's oldest row on the cluster, of any partition; only
 * that account when it is not empty. 1, 0: the user has no such row, -1. */
int assoc_first_account(struct store *, const char *cluster, const char *user,
	const char *account, struct arena *, const char **first);

/* Does the row have a default QOS, its own or of an account above? 1, 0, -1. */
int assoc_has_default_qos(struct store *, int64_t key);

/* How many rows the user has on the cluster (empty: on all), and how many of
 * these are default. */
int assoc_count_of_user(struct store *, const char *cluster, const char *user,
	size_t *rows, size_t *defaults);

/* Makes all rows of the user in that account default on the cluster, no
 * others; an empty account: none. */
int assoc_set_default(struct store *, const char *cluster, const char *user,
	const char *account);

/* A row of the account has become the default: those of others no longer are. */
int assoc_take_default(struct store *, const char *cluster, const char *user,
	const char *account);

/* Erases the row when it is younger than a day and never had jobs, else marks
 * it deleted. Hand its usage to the parent first (db/usage/usage.h). */
int assoc_remove(struct store *, const struct assoc *);

/* Fragments for the log, as Slurm writes them: "max_jobs=7, shares=3". */
char *settings_text(const struct settings *, struct arena *);

#endif
