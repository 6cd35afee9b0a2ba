/*
 * Who the caller is to PrivateData, and what the store knows as names
 * (common/conf/privacy.h).
 */
#ifndef BURSAR_DB_PRIVACY_H
#define BURSAR_DB_PRIVACY_H

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/conf/privacy.h"
#include "db/entity/site.h"

/*
 * `what`: PRIVATE_JOBS, PRIVATE_USAGE, ...; private is what slurm.conf or
 * slurmdbd.conf says so of. To be asked of the store as it is, not of a copy
 * at another time. Memory is the arena's. -1 with the store's error.
 */
int privacy_open(
	struct privacy *, struct site *, unsigned what, struct arena *);

/* Is there the name of a user, account, wckey or reservation in the text that
 * the caller must not see and that is not in what was typed? For errors. */
bool privacy_hides_text(const struct privacy *, struct store *,
	const char *text, const char *typed, struct arena *);

#endif
