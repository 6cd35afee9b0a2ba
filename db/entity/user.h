/*
 * User records (Slurm's src/plugins/accounting_storage/mysql/as_mysql_user.c).
 *
 * Functions that return int: 0, or -1 with store->err set, unless they say
 * otherwise. Results are in the arena. Functions that write expect
 * store_begin() to have been called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/table/fields.h"
#include "common/table/member.h"
#include "db/store/store.h"

enum admin_level {
	ADMIN_NOT_SET = 0,
	ADMIN_NONE = 1,
	ADMIN_OPERATOR = 2,
	ADMIN_ADMINISTRATOR = 3,
};

struct user {
	const char *name;
	uint32_t admin_level;
	const char *admin_text;
	/* On the first of the condition's clusters that has one, or "": */
	const char *default_account;
	const char *default_qos; /* of that association, own or inherited */
	uint32_t default_qos_id; /* 0: none */
	const char *default_wckey;
	struct strv coordinators; /* accounts; only with_coordinators */
	bool deleted;
	int64_t created;
	/* Only set, never loaded. */
	const char *new_name;
	double raw_usage;
};

struct user_list {
	struct user *v;
	size_t n, cap;
};

/* Which users. An empty list means any. Defaults count on `clusters`. */
struct user_cond {
	struct strv names, default_accounts, default_wckeys, clusters;
	uint32_t admin_level; /* 0: any */
	bool with_deleted;
	bool with_coordinators;
	/* In the order in which a slurmctld is told of them: by command, of one
	 * command the last first. */
	bool as_told;
};

/* "root(0)"; a user that the machine does not know stays as it is. */
const char *user_with_number(const char *name, struct arena *);

/* The members of struct user that are stored, printed or set. */
extern const struct members user_members;

/* The row of user_members for a member of struct user. */
#define user_attr(member)                                                      \
	member_at(&user_members, offsetof(struct user, member))

/* "Not Set", "None", "Operator", "Administrator". */
const char *admin_level_text(uint32_t level);

/* The level of None, Operator, Administrator or SuperUser, abbreviated to two
 * letters or more; ADMIN_NONE for "Not Set", ADMIN_NOT_SET for another word. */
uint32_t admin_level_parse(const char *text);

/* Users in order of their names, unless the condition says otherwise. */
int user_list(struct store *, const struct user_cond *, struct arena *,
	struct user_list *);

/* Is there a user of that name (case is ignored) that is not deleted? 1, 0,
 * -1. */
int user_exists(struct store *, const char *name);
/* As user_exists; with 1, *spelling is the name as the store spells it. */
int user_spelling(struct store *, const char *name, struct arena *,
	const char **spelling);

/*
 * The user that a typed name or uid means: a name of the store, of this machine
 * or of a job; else a uid of this machine or of a job that has not ended. 1:
 * *name is set, in the store's spelling; 0: unknown, *name is the text; -1.
 */
int user_meant(
	struct store *, const char *text, struct arena *, const char **name);

/* Is the text a gid (any number), or the name of a group of this machine or of
 * a job? 1, 0, -1. */
int group_exists(struct store *, const char *text);

/* Replaces each of `words` by the user name that it means (user_meant); unknown
 * ones move to `unknown`. */
int user_meant_list(struct store *, struct strv *words, struct arena *,
	struct strv *unknown);

/* Inserts the record; one of that name, deleted or not, is replaced and takes
 * this spelling. ADMIN_NOT_SET counts as ADMIN_NONE. */
int user_add(struct store *, const char *name, uint32_t admin_level);

/* How many deleted records there are, which would come back to life. */
int user_count_deleted(struct store *, int64_t *records);

/* Until when it holds follows lease_until (db/entity/lease.h). */
int user_set_admin_level(struct store *, const char *name, uint32_t level);

/* Renames the user in all tables: associations, wckeys, coordinators, leases,
 * jobs. */
int user_rename(struct store *, const char *old_name, const char *new_name);

/* Erases a record younger than a day that has no association, not even a
 * deleted one; marks others deleted. Coordinator rights and leases go. */
int user_remove(struct store *, const struct user *);

/* Marks all users but root and `but` deleted. */
int user_remove_all(struct store *, const char *but);

/* *account: that of the user's default association on the cluster, or "". */
int user_default_account(struct store *, const char *cluster, const char *user,
	struct arena *, const char **account);

/* Is the user in none of these groups of the machine? Where it knows none of them,
 * or not the user, nothing can be said: false. */
bool user_is_outside(const char *user, const struct strv *groups);
