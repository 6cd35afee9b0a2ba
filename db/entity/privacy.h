/*
 * Whose rows a caller may see under PrivateData (spec/priority.md 6.2 and 7.2,
 * spec/reporting.md): root, SlurmUser, operators and administrators all of
 * them; others their own and those of accounts they coordinate.
 */
#ifndef BURSAR_DB_PRIVACY_H
#define BURSAR_DB_PRIVACY_H

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/entity/site.h"

/* What keeps names of others private. */
enum {
	PRIVATE_NAMES = PRIVATE_ACCOUNTS | PRIVATE_JOBS | PRIVATE_RESERVATIONS |
			PRIVATE_USAGE | PRIVATE_USERS,
};

struct privacy {
	bool on; /* false: all may be seen */
	const char *caller;
	struct strv coordinated; /* accounts */
};

/*
 * `what`: PRIVATE_JOBS, PRIVATE_USAGE, ...; private is what slurm.conf or
 * slurmdbd.conf says so of. To be asked of the store as it is, not of a copy
 * at another time. Memory is the arena's. -1 with the store's error.
 */
int privacy_open(
	struct privacy *, struct site *, unsigned what, struct arena *);

bool privacy_allows(
	const struct privacy *, const char *user, const char *account);

/* Is there the name of a user, account, wckey or reservation in the text that
 * the caller must not see and that is not in what was typed? For errors. */
bool privacy_hides_text(const struct privacy *, struct store *,
	const char *text, const char *typed, struct arena *);

#endif
