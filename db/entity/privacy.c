/*
 * Whose rows a caller may see; see privacy.h.
 */
#include "db/entity/privacy.h"

#include <strings.h>

#include "db/entity/account.h"
#include "db/entity/rights.h"
#include "db/entity/user.h"

int privacy_open(struct privacy *privacy, struct site *site, unsigned what,
	struct arena *arena)
{
	unsigned private = site->conf.private_data | site->dbd.private_data;

	*privacy = (struct privacy){.caller = site->caller.name};
	if (!(private & what) || rights_level(site, arena) >= ADMIN_OPERATOR)
		return 0;
	privacy->on = true;
	return coordinated_accounts(&site->store, privacy->caller, arena,
		&privacy->coordinated, NULL);
}

bool privacy_allows(
	const struct privacy *privacy, const char *user, const char *account)
{
	return !privacy->on || !strcasecmp(user, privacy->caller) ||
	       strv_has_nocase(&privacy->coordinated, account);
}
