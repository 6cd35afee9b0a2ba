/*
 * Associations in the store: reading with inheritance, adding, changing, moving
 * and removing rows (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_assoc.c).
 *
 * Functions that return int: 0, or -1 with store->err set, unless they say
 * otherwise. Functions that write expect store_begin() to have been called.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/assoc.h"
#include "db/store/store.h"

/* Which rows. An empty list means any; "" in a list matches rows without user,
 * partition ... */
struct assoc_cond {
	struct strv clusters, accounts, users, partitions, ids, parents;
	struct strv def_qos; /* ids as text; the row's own value */
	struct strv qos;     /* ids as text; the effective list */
	bool only_users, only_accounts;
	bool only_defaults;
	bool with_deleted;
	bool with_sub_accounts;
	bool without_limits;	  /* own values only (WOPLimits) */
	bool without_parent_info; /* own values, no parent's name (WOPInfo) */
	bool raw_qos; /* QOS lists with their signs (WithRawQOSLevel) */
};

struct assoc_list {
	struct assoc **v;
	size_t n, cap;
};

/* Rows in listing order (cluster, lineage), in the arena; values inherited and
 * texts filled unless the condition says otherwise. */
int assoc_list(struct store *, const struct assoc_cond *, struct arena *,
	struct assoc_list *);

/* Calls `each` with the rows of assoc_list, one after the other, in memory that
 * does not grow: a row is valid until `each` returns. When `each` returns
 * anything but 0 the walk ends and the result is -1. */
int assoc_each(struct store *, const struct assoc_cond *,
	int (*each)(void *arg, struct assoc *), void *arg);

/* A walk over the users' rows of chosen accounts: from open to close the store
 * is read in one state. Of the condition only without_limits,
 * without_parent_info and raw_qos count, and `qos` for assoc_walk_users. Close
 * frees the walk. */
struct assoc_walk;
struct assoc_walk *assoc_walk_open(struct store *, const struct assoc_cond *);
/* Calls `each`, as assoc_each does, with every user's row in the account. */
int assoc_walk_users(struct assoc_walk *, const struct assoc *account,
	int (*each)(void *arg, struct assoc *), void *arg);
/* The rows of one user in an account on a cluster, one for each partition. They
 * are in the arena; lists and texts that they inherit are valid only until the
 * next call with this walk. */
int assoc_walk_user(struct assoc_walk *, const char *cluster,
	const char *account, const char *user, struct arena *,
	struct assoc_list *);
void assoc_walk_close(struct assoc_walk *);

/* Adds the account names of the account rows in the list; rows of users are
 * passed over. */
void assoc_accounts(
	const struct assoc_list *, struct strv *accounts, struct arena *);

/* One row that is not deleted, with its own values alone, in the arena.
 * 1: found, 0: none, -1. */
int assoc_find(struct store *, const char *cluster, const char *account,
	const char *user, const char *partition, struct arena *,
	struct assoc **);
/* The row with that key, a deleted one too; otherwise as assoc_find. */
int assoc_by_key(
	struct store *, int64_t key, struct arena *, struct assoc **);
/* The same by its number in the cluster (key). */
int assoc_by_number(struct store *, int64_t cluster, uint32_t id,
	struct arena *, struct assoc **);

struct assoc_new {
	int64_t cluster; /* key */
	const char *cluster_name;
	const char *account, *user, *partition;
	const struct assoc *parent; /* NULL for the root account */
	bool is_default;
	bool is_only_default; /* no other row of the user is a default: callers
				 need no assoc_take_default() */
	uint32_t id; /* 0: looked up. Else the next free id of the cluster, from
			a caller who knows that there is no row of the same
			cluster, account, user and partition, not even a
			deleted one to revive */
	const struct settings *settings; /* or NULL */
};

/* How many deleted rows the cluster (key) has, and the largest id of any of its
 * rows. */
int assoc_count_deleted(
	struct store *, int64_t cluster, int64_t *rows, int64_t *last_id);

/* Inserts the row, or revives the deleted one with fresh values. Returns its
 * key, or -1; logs "Add Associations". */
int64_t assoc_add(struct store *, const struct assoc_new *);

/* Writes the settings to the row, except Parent. Until when they hold follows
 * lease_until (db/entity/lease.h). */
int assoc_update(struct store *, const struct assoc *, const struct settings *,
	struct arena *);

/* Gives the account row another parent, which is an account row; everything
 * below goes with it. */
int assoc_move(struct store *, const struct assoc *,
	const struct assoc *new_parent, struct arena *);

/* The account of the user's row with the lowest id on the cluster, of any
 * partition; when `account` is not empty, among rows of that account only.
 * 1: *first is set, in the arena; 0: the user has no such row; -1. */
int assoc_first_account(struct store *, const char *cluster, const char *user,
	const char *account, struct arena *, const char **first);

/* The default QOS of the row (key), its own or that of the nearest account above
 * that has one; 0: there is none. */
int assoc_nearest_default_qos(
	struct store *, int64_t key, int64_t *qos);

/* How many rows the user has on the cluster ("": on all), and how many of these
 * are default. */
int assoc_count_of_user(struct store *, const char *cluster, const char *user,
	size_t *rows, size_t *defaults);

/* Makes the user's rows in that account, and no others of the user, default on
 * the cluster; account "": none at all. */
int assoc_set_default(struct store *, const char *cluster, const char *user,
	const char *account);

/* A row of the user in the account has become default: the user's rows in other
 * accounts of the cluster no longer are. */
int assoc_take_default(struct store *, const char *cluster, const char *user,
	const char *account);

/* What it held goes, as in Slurm: nothing of it is left when it comes back. */
int assoc_mark_deleted(struct store *, const struct assoc *);

/* Erases the row when it is younger than a day and has neither jobs nor rows
 * below it, else marks it deleted; its leases go. Call usage_hand_up() first
 * (db/usage/usage.h). */
int assoc_remove(struct store *, const struct assoc *);

/* The settings for the transaction log, as Slurm writes them: "max_jobs=7,
 * shares=3"; in the arena. */
char *settings_text(const struct settings *, struct arena *);
