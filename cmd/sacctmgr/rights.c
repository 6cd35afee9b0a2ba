/*
 * Who may do what (spec/sacctmgr.md 5.9): the caller's admin level and the
 * accounts the caller coordinates.
 */
#include "cmd/sacctmgr/sacctmgr.h"

static uint32_t caller_level(struct session *s)
{
	struct user_cond cond = {0};
	struct user_list users;

	if (s->site.caller.super)
		return ADMIN_ADMINISTRATOR;
	strv_push(&cond.names, &s->arena, s->site.caller.name);
	if (user_list(s->store, &cond, &s->arena, &users) || !users.n)
		return ADMIN_NONE;
	return users.v[0].admin_level;
}

bool is_operator(struct session *s)
{
	return caller_level(s) >= ADMIN_OPERATOR;
}

bool is_administrator(struct session *s)
{
	return caller_level(s) == ADMIN_ADMINISTRATOR;
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
