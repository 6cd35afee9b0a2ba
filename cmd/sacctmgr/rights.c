/*
 * Who may do what (spec/sacctmgr.md 5.9): the caller's admin level and the
 * accounts the caller coordinates.
 */
#include "cmd/sacctmgr/sacctmgr.h"
#include "db/entity/rights.h"

bool is_operator(struct session *s)
{
	return rights_level(&s->site, &s->arena) >= ADMIN_OPERATOR;
}

bool is_administrator(struct session *s)
{
	return rights_level(&s->site, &s->arena) == ADMIN_ADMINISTRATOR;
}

static void coordinated(struct session *s, struct strv *accounts)
{
	if (s->site.dbd.disable_coord)
		return;
	if (coordinated_accounts(s->store, s->site.caller.name, &s->arena,
		    accounts, NULL))
		complain_err(s);
}

bool is_coordinator(struct session *s, const char *account)
{
	struct strv accounts = {0};

	coordinated(s, &accounts);
	return strv_has(&accounts, account);
}

bool is_any_coordinator(struct session *s)
{
	struct strv accounts = {0};

	coordinated(s, &accounts);
	return accounts.n > 0;
}
