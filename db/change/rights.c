/*
 * Rights (Slurm's src/plugins/accounting_storage/common/common_as.c,
 * is_user_min_admin_level()): the caller's admin level and the accounts the
 * caller coordinates.
 */
#include "db/change/change.h"
#include "db/entity/privacy.h"

/* A plan asks for each record that it changes, and looks it up once. */
static uint32_t level_of(struct session *s)
{
	if (s->done_elsewhere)
		return ADMIN_ADMINISTRATOR;
	if (!s->planning || !s->level)
		s->level = rights_level(&s->site, &s->arena);
	return s->level;
}

bool is_operator(struct session *s)
{
	return level_of(s) >= ADMIN_OPERATOR;
}

bool is_administrator(struct session *s)
{
	return level_of(s) == ADMIN_ADMINISTRATOR;
}

struct strv coordinated(struct session *s)
{
	struct strv accounts = {0};

	if (!s->site.dbd.disable_coord &&
		coordinated_accounts(s->store, s->site.caller.name, &s->arena,
			&accounts, NULL))
		complain_err(s);
	return accounts;
}

bool is_coordinator(struct session *s, const char *account)
{
	const struct strv accounts = coordinated(s);

	return strv_has(&accounts, account);
}

/* The row whose list of QOS counts: the account's for who coordinates it, else
 * the caller's own in it. */
static const struct assoc *row_that_gives(
	struct session *s, const char *cluster, const char *account)
{
	const char *user =
		is_coordinator(s, account) ? "" : s->site.caller.name;
	struct assoc_cond cond = {
		.clusters = STRV_ONE(cluster), .accounts = STRV_ONE(account)};
	struct assoc_list rows;

	strv_push(&cond.users, &s->arena, user);
	if (assoc_list(s->store, &cond, &s->arena, &rows) || !rows.n)
		return NULL;
	return rows.v[0];
}

bool may_give_qos(struct session *s, const char *cluster, const char *account,
	const struct settings *settings)
{
	const struct setting *set =
		settings_find(settings, assoc_attr(own_qos));
	const struct assoc *row;

	if (!set)
		return true;
	row = row_that_gives(s, cluster, account);
	for (size_t i = 0; i < set->list.n; i++) {
		const struct qos_name *qos =
			qos_by_name(&s->store->qos, set->list.v[i]);

		if (!row || !qos || !assoc_has_qos(row, qos->id))
			return false;
	}
	return true;
}

bool private_hides(struct session *s, unsigned what)
{
	unsigned hidden = s->site.conf.private_data | s->site.dbd.private_data;

	return (hidden & what) && !is_operator(s);
}
