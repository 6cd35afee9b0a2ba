/*
 * Account records, one for each name in the store, and coordinators
 * (spec/sacctmgr.md 3.1, 3.4, 5.12).
 */
#ifndef BURSAR_ACCOUNT_H
#define BURSAR_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/attr.h"
#include "common/table/fields.h"
#include "common/table/member.h"
#include "db/store/store.h"

enum account_flag {
	ACCOUNT_USERS_ARE_COORDS = 1 << 0,
	ACCOUNT_NO_USERS_ARE_COORDS = 1 << 1, /* typed only: takes it away */
};

struct account {
	const char *name, *description, *organization;
	uint32_t flags;
	const char *flags_text;
	bool deleted;
	int64_t created;
	struct strv coordinators; /* users; filled on request */
	double raw_usage; /* only set, never loaded */
};

struct account_list {
	struct account *v;
	size_t n, cap;
};

struct account_cond {
	struct strv names, descriptions, organizations;
	uint32_t flags; /* all of these */
	bool with_deleted;
	bool with_coordinators;
};

/* What is stored of it, printed, and can be set. */
extern const struct members account_members;

/* The row that sets a member of struct account. */
#define account_attr(member)                                                   \
	member_at(&account_members, offsetof(struct account, member))

extern const struct flag_word account_flag_words[];

/* Accounts in order of their names, as the database of Slurm compares them. */
int account_list(struct store *, const struct account_cond *, struct arena *,
	struct account_list *);

/* 1: there is one (not deleted), 0: none, -1. */
int account_exists(struct store *, const char *name);

/* Inserts or revives the record. */
int account_add(struct store *, const char *name, const char *description,
	const char *organization, uint32_t flags);

/* Writes the settings (not RawUsage). */
int account_update(
	struct store *, const struct account *, const struct settings *);

/* Erases a young record, marks others; takes its coordinators away. */
int account_remove(struct store *, const struct account *);

/* Marks all deleted but root, and takes all coordinators away. */
int account_remove_all(struct store *);

/* Coordinator pairs. */
int coordinator_add(struct store *, const char *account, const char *user);
int coordinator_remove(struct store *, const char *account, const char *user);

struct coordinator {
	const char *account, *user;
};

struct coordinator_list {
	struct coordinator *v;
	size_t n, cap;
};

/* Pairs as stored; either list may be empty for any. */
int coordinator_list(struct store *, const struct strv *accounts,
	const struct strv *users, struct arena *, struct coordinator_list *);

/* Every account the user coordinates: named directly, by UsersAreCoords, and
 * all accounts below those. `direct`, when not NULL, gets the named ones. */
int coordinated_accounts(struct store *, const char *user, struct arena *,
	struct strv *accounts, struct strv *direct);

/* Every user who coordinates the account, directly or from above. */
int account_coordinators(struct store *, const char *account, struct arena *,
	struct strv *users, struct strv *direct);

#endif
