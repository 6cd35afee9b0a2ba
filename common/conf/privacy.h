/*
 * Decides which rows a caller may see under PrivateData (slurm.conf(5),
 * slurmdbd.conf(5)): root, SlurmUser, operators and administrators see all
 * rows; other users see their own and those of accounts they coordinate. Pure;
 * db/entity/privacy.h finds out who the caller is.
 */
#pragma once

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"

/* The flags of PrivateData under which names of other users and accounts are
 * hidden. */
enum {
	PRIVATE_NAMES = PRIVATE_ACCOUNTS | PRIVATE_JOBS | PRIVATE_RESERVATIONS |
			PRIVATE_USAGE | PRIVATE_USERS,
};

struct privacy {
	bool on; /* false: the caller may see everything */
	const char *caller; /* user name */
	struct strv coordinated; /* accounts that the caller coordinates */
	struct strv_set accounts; /* index of these, ignoring case */
};

/* Restricts the view to the rows of `caller` and of the accounts `coordinated`.
 * Name and list are not copied and must outlive the struct. */
void privacy_restrict(struct privacy *, const char *caller,
	const struct strv *coordinated, struct arena *);

/* May the caller see a row of this user and account (any case)? */
bool privacy_allows(
	const struct privacy *, const char *user, const char *account);

/* Appends those words of the message `text` that are neither in what the caller
 * typed nor the caller's own name or coordinated accounts: any names among them
 * are names of others. */
void privacy_foreign_words(const struct privacy *, const char *text,
	const char *typed, struct arena *, struct strv *words);
