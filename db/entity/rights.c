#include "db/entity/rights.h"

#include "db/entity/user.h"

uint32_t rights_level(struct site *site, struct arena *arena)
{
	struct user_cond cond = {.names = STRV_ONE(site->caller.name)};
	struct user_list found = {0};

	if (site->caller.super)
		return ADMIN_ADMINISTRATOR;
	if (user_list(&site->store, &cond, arena, &found) || !found.n)
		return ADMIN_NONE;
	return found.v[0].admin_level;
}
