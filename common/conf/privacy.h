/*
 * Whose rows a caller may see under PrivateData (spec/priority.md 6.2 and 7.2,
 * spec/reporting.md): root, SlurmUser, operators and administrators all of
 * them; others their own and those of accounts they coordinate. Pure;
 * db/entity/privacy.h says who the caller is.
 */
#ifndef BURSAR_PRIVACY_H
#define BURSAR_PRIVACY_H

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"

/* What keeps names of others private. */
enum {
	PRIVATE_NAMES = PRIVATE_ACCOUNTS | PRIVATE_JOBS | PRIVATE_RESERVATIONS |
			PRIVATE_USAGE | PRIVATE_USERS,
};

struct privacy {
	bool on; /* false: all may be seen */
	const char *caller;
	struct strv coordinated; /* accounts */
	struct strv_set accounts; /* the same, in any case */
};

/* Users whose view is restricted. The list must outlive it. */
void privacy_restrict(struct privacy *, const char *caller,
	const struct strv *coordinated, struct arena *);

bool privacy_allows(
	const struct privacy *, const char *user, const char *account);

/* Appends the words of a message that are not in what the caller typed, nor the
 * caller's own name and accounts: names among them are of others. */
void privacy_foreign_words(const struct privacy *, const char *text,
	const char *typed, struct arena *, struct strv *words);

#endif
