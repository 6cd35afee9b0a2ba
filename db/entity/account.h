/*
 * Account records, one for each name in the store, and coordinators.
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

enum account_flag {
	ACCOUNT_USERS_ARE_COORDS = 1 << 0,
	ACCOUNT_NO_USERS_ARE_COORDS = 1 << 1, /* typed only, never stored:
						 clears UsersAreCoords */
};

struct account {
	const char *name, *description, *organization;
	uint32_t flags;
	const char *flags_text;
	bool deleted;
	int64_t created;
	struct strv coordinators; /* users; only with_coordinators */
	double raw_usage; /* only set, never loaded */
};

struct account_list {
	struct account *v;
	size_t n, cap;
};

/* Which accounts. An empty list means any. */
struct account_cond {
	struct strv names, descriptions, organizations;
	uint32_t flags; /* enum account_flag: accounts with UsersAreCoords, or
			   without */
	bool with_deleted;
	bool with_coordinators;
};

/* The members of struct account that are stored, printed or set. */
extern const struct members account_members;

/* The row of account_members for a member of struct account. */
#define account_attr(member)                                                   \
	member_at(&account_members, offsetof(struct account, member))

extern const struct flag_word account_flag_words[];

/* Accounts in order of their names, case ignored as in Slurm's database. */
int account_list(struct store *, const struct account_cond *, struct arena *,
	struct account_list *);

/* Is there an account of that name that is not deleted? 1, 0, -1. */
int account_exists(struct store *, const char *name);

/* Inserts the record; one of that name, deleted or not, is replaced. */
int account_add(struct store *, const char *name, const char *description,
	const char *organization, uint32_t flags);

/* Writes the settings to the record, except RawUsage. */
int account_update(
	struct store *, const struct account *, const struct settings *);

/* Erases a record younger than a day, marks an older one deleted; removes the
 * account's coordinators. */
int account_remove(struct store *, const struct account *);

/* Marks all accounts but root deleted, and removes all coordinators. */
int account_remove_all(struct store *);

/* Makes the user a coordinator of the account, or no longer one. No error if
 * that is already so. */
int coordinator_add(struct store *, const char *account, const char *user);
int coordinator_remove(struct store *, const char *account, const char *user);

struct coordinator {
	const char *account, *user;
};

struct coordinator_list {
	struct coordinator *v;
	size_t n, cap;
};

/* The stored pairs, in order of account and user; an empty list means any. */
int coordinator_list(struct store *, const struct strv *accounts,
	const struct strv *users, struct arena *, struct coordinator_list *);

/* Adds every account the user coordinates, in order: those of coordinator
 * pairs, those that the user is in while they have UsersAreCoords, and all
 * accounts below. `direct`, when not NULL, gets those of pairs alone. */
int coordinated_accounts(struct store *, const char *user, struct arena *,
	struct strv *accounts, struct strv *direct);

/* Adds every user who coordinates the account or one above it, in order.
 * `direct`, when not NULL, gets those of pairs with this account alone. */
int account_coordinators(struct store *, const char *account, struct arena *,
	struct strv *users, struct strv *direct);
