/*
 * Coordinators of accounts: add, delete (Slurm's src/sacctmgr/user_functions.c,
 * sacctmgr_add_coord()).
 */
#include "db/change/operations.h"



/* clang-format off */
static const struct where_word where_words[] = {
	{"Accounts:2 Acct:4", WHERE_LIST, COND(assoc.accounts), GROUP_RECORD, "accounts", FROM_ACCOUNTS},
	{"Clusters:1", WHERE_LIST, COND(assoc.clusters), GROUP_NONE, "accepted, no effect: pairs hold everywhere", FROM_CLUSTERS},
	{"Names:1 Users:1", WHERE_LIST, COND(assoc.users), GROUP_RECORD, "users", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(assoc.users),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
};

static int check_names(struct session *s, const struct strv *names,
	int (*exists)(struct store *, const char *), const char *what)
{
	int bad = 0;

	for (size_t i = 0; i < names->n; i++) {
		int found = exists(s->store, names->v[i]);

		if (found < 0)
			return complain_err(s);
		if (found)
			continue;
		complain(s, " You specified a non-existent %s '%s'.", what,
			names->v[i]);
		bad = -1;
	}
	return bad;
}

/* Both lists are looked at, whatever the first holds. */
static int check_all_names(struct session *s, const struct assoc_cond *where)
{
	int bad = check_names(s, &where->accounts, account_exists, "account");

	return check_names(s, &where->users, user_exists, "user") || bad;
}

static bool may(struct session *s, const struct strv *accounts)
{
	struct strv own;

	if (is_operator(s))
		return true;
	own = coordinated(s);
	for (size_t i = 0; i < accounts->n; i++)
		if (!strv_has(&own, accounts->v[i]))
			return false;
	return accounts->n > 0;
}

/* ---- add -----------------------------------------------------------------*/

int op_add_coordinator(
	struct session *s, const char *account, const char *user)
{
	const struct strv accounts = STRV_ONE(account);

	if (!may(s, &accounts))
		return err_set(&s->err, ERR_DENIED,
			" Problem adding coordinator: Access/permission "
			"denied");
	return any_failed(
		coordinator_add(s->store, account, user) ||
		txn_add(s->store, TXN_ADD_ACCOUNT_COORDS, "", user,
			arena_printf(&s->arena, "acct='%s'", account)));
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	const struct request *r = arg;
	const struct strv *users = &r->where.assoc.users;
	const struct strv *accounts = &r->where.assoc.accounts;

	effect(s, (struct effect){VERB_ADD, EFFECT_BEGUN, ON_COORDINATOR,
		.names = *users,
		.accounts = *accounts});
	if (!may(s, accounts))
		return plan_not_added(
			s, "coordinator", "Access/permission denied");
	for (size_t a = 0; a < accounts->n; a++)
		for (size_t u = 0; u < users->n; u++)
			if (op_add_coordinator(
				    s, accounts->v[a], users->v[u]))
				return plan_failed(s);
	return PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	if (r->failed)
		return -1;
	if (!r->where.record_given)
		complain(s, " You need to specify conditions to to add the "
			    "coordinator.");
	else if (!r->where.assoc.users.n)
		complain(s, " You need to specify a user list here.");
	else if (!r->where.assoc.accounts.n)
		complain(s, " You need to specify an account list here.");
	if (!r->where.assoc.users.n || !r->where.assoc.accounts.n)
		return -1;
	if (check_all_names(s, &r->where.assoc))
		return -1;
	return change_run(s, plan_add, r);
}

/* ---- delete --------------------------------------------------------------*/

static enum plan_result plan_delete(struct session *s, void *arg)
{
	const struct request *r = arg;
	const struct strv *users = &r->where.assoc.users;
	const struct strv *accounts = &r->where.assoc.accounts;
	struct coordinator_list list;

	effect(s, (struct effect){VERB_DELETE, EFFECT_BEGUN, ON_COORDINATOR,
		.names = *users,
		.accounts = *accounts});
	if (coordinator_list(s->store, accounts, users, &s->arena, &list))
		return plan_failed(s);
	if (!list.n)
		return plan_nothing(s, VERB_DELETE, ON_COORDINATOR);
	if (!may(s, accounts))
		return plan_denied(s);
	for (size_t i = 0; i < list.n; i++) {
		const struct coordinator *c = &list.v[i];

		effect(s, (struct effect){VERB_DELETE, EFFECT_DONE,
			ON_COORDINATOR,
			.user = c->user,
			.account = c->account});
		if (coordinator_remove(s->store, c->account, c->user) ||
			txn_add(s->store, TXN_REMOVE_ACCOUNT_COORDS, "",
				arena_printf(&s->arena,
					"(user='%s') && (acct='%s')", c->user,
					c->account),
				""))
			return plan_failed(s);
	}
	return PLAN_CHANGED;
}

static int erase(struct session *s, struct request *r)
{
	if (r->failed)
		return -1;
	if (!r->where.assoc.users.n && !r->where.assoc.accounts.n)
		return complain(s, " You need to specify a user list or account list "
			"here.");
	if (check_all_names(s, &r->where.assoc))
		return -1;
	return change_run(s, plan_delete, r);
}

const struct changeable coordinator_changes = {
	.names = {[VERB_ADD] = "Coordinator:2",
		[VERB_DELETE] = "Coordinators:2"},
	.words = &vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_DELETE] = erase},
};
