/*
 * User records (spec/sacctmgr.md 3.16, 5.3, 5.4).
 */
#ifndef BURSAR_USER_H
#define BURSAR_USER_H

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
	const char *default_account; /* on the cluster asked about, or "" */
	const char *default_qos;
	uint32_t default_qos_id; /* 0: none */
	const char *default_wckey;
	struct strv coordinators; /* accounts; filled on request */
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

struct user_cond {
	struct strv names, default_accounts, default_wckeys, clusters;
	uint32_t admin_level; /* 0: any */
	bool with_deleted;
	bool with_coordinators;
};

/* What is stored of it, printed, and can be set. */
extern const struct members user_members;

/* The row that sets a member of struct user. */
#define user_attr(member)                                                      \
	member_at(&user_members, offsetof(struct user, member))

const char *admin_level_text(uint32_t level);

/* None, Operator, Administrator, two letters of them or more; ADMIN_NOT_SET for
 * another word. */
uint32_t admin_level_parse(const char *text);

/* Users in order of their names. */
int user_list(struct store *, const struct user_cond *, struct arena *,
	struct user_list *);

/* Users with an administrator level or, on the cluster, a default wckey: few. Of
 * others the default account says all. */
int user_special(struct store *, const char *cluster, struct arena *,
	struct strv *names);

/* 1: there is one, 0: none, -1. */
int user_exists(struct store *, const char *name);
/* The same, and how the store spells the name (case is ignored). */
int user_spelling(struct store *, const char *name, struct arena *,
	char **spelling);

/*
 * The user meant by a typed name or uid: of the machine, of the store, of a job
 * or, by uid, of a pending or running job. 1: `name` is set, in the arena; 0:
 * unknown, and `name` is the text; -1.
 */
int user_meant(
	struct store *, const char *text, struct arena *, const char **name);

/* 1: a group of the machine or, by name, of a job; 0: none; -1. */
int group_exists(struct store *, const char *text);

/* Each of `words` becomes the user name it means; unknown ones move to
 * `unknown`. */
int user_meant_list(struct store *, struct strv *words, struct arena *,
	struct strv *unknown);

int user_add(struct store *, const char *name, uint32_t admin_level);

/* How many there are, deleted ones too. */
int user_count(struct store *, int64_t *records);
int user_set_admin_level(struct store *, const char *name, uint32_t level);

/* Renames the user everywhere. */
int user_rename(struct store *, const char *old_name, const char *new_name);

/* Erases a young record that no association uses, marks others deleted; takes
 * coordinator rights away. */
int user_remove(struct store *, const struct user *);

/* Marks all deleted but root and the user `but`. */
int user_remove_all(struct store *, const char *but);

/* The account of the user's default association on the cluster, or "". */
int user_default_account(struct store *, const char *cluster, const char *user,
	struct arena *, const char **account);

#endif
