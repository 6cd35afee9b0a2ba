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

#endif
