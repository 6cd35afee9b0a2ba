/*
 * Whose rows a caller may see; see privacy.h.
 */
#include "db/entity/privacy.h"

#include <strings.h>

#include "db/entity/account.h"
#include "db/entity/user.h"

int privacy_open(struct privacy *privacy, struct site *site, unsigned what,
	struct arena *arena)
{
	unsigned private = site->conf.private_data | site->dbd.private_data;
	struct user_cond cond = {0};
	struct user_list found = {0};

	*privacy = (struct privacy){.caller = site->caller.name};
	if (!(private & what) || site->caller.super)
		return 0;
	strv_push(&cond.names, arena, privacy->caller);
	if (user_list(&site->store, &cond, arena, &found))
		return -1;
	privacy->on = !found.n || found.v[0].admin_level < ADMIN_OPERATOR;
	if (!privacy->on)
		return 0;
	return coordinated_accounts(&site->store, privacy->caller, arena,
		&privacy->coordinated, NULL);
}

bool privacy_allows(
	const struct privacy *privacy, const char *user, const char *account)
{
	return !privacy->on || !strcasecmp(user, privacy->caller) ||
	       strv_has_nocase(&privacy->coordinated, account);
}
