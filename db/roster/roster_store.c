/*
 * The roster of what the store has of a cluster.
 */
#include "db/roster/roster.h"

#include "common/base/numbers.h"
#include "db/store/query.h"

static void tell_members(struct session *s, struct entry *e, const void *record)
{
	const struct properties *properties = roster_properties(e->kind);

	for (size_t i = 0; i < properties->n; i++) {
		const struct property *f = &properties->v[i];
		const char *text = f->type == PROPERTY_MEMBER
					   ? property_text(s, f, record)
					   : NULL;

		if (f->member == qos_attr(description) && !text)
			text = ""; /* a new one has its name there */
		if (text)
			entry_set(e, f, text, &s->arena);
	}
}

static int load_cluster(struct session *s, struct roster *r)
{
	struct cluster_cond cond = {.names = STRV_ONE(r->cluster)};
	struct cluster_list list;
	struct entry *e;

	if (cluster_list(s->store, &cond, &s->arena, &list))
		return -1;
	if (!list.n)
		return r->all ? 0
			      : err_set(&s->err, ERR_USAGE,
					"there is no cluster '%s'", r->cluster);
	e = roster_add(s, r, ROSTER_CLUSTER, r->cluster, "", "");
	if (*list.v[0].classification_text)
		entry_set_of(e, PROPERTY_CLASSIFICATION,
			list.v[0].classification_text, &s->arena);
	return 0;
}

static int load_qos(struct session *s, struct roster *r)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	if (r->only)
		cond.names = r->only->qos;
	if (qos_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct entry *e = roster_add(
			s, r, ROSTER_QOS, list.v[i]->name, "", "");

		if (e)
			tell_members(s, e, list.v[i]);
	}
	return 0;
}

/* What the rows of a user say of the user: who it is, and the default. */
static void note_user(struct session *s, struct roster *r, struct entry *e,
	const struct assoc *row)
{
	struct entry *user = roster_user(s, r, e);

	if (row->is_default || !e->other)
		entry_set_of(user, PROPERTY_DEFAULT_ACCOUNT,
			row->is_default ? row->account : "", &s->arena);
}

static void tell_row(struct session *s, struct roster *r, struct assoc *row)
{
	struct entry *e = *row->user
		? roster_add(s, r, ROSTER_ROW, row->user, row->account,
			  row->partition)
		: roster_add(s, r, ROSTER_ACCOUNT, row->account, "", "");

	if (!e)
		return;
	e->row = row;
	tell_members(s, e, row);
	if (*row->user)
		note_user(s, r, e, row);
	else if (!assoc_is_root(row))
		entry_set_of(
			e, PROPERTY_PARENT, row->parent_account, &s->arena);
}

static int load_rows(struct session *s, struct roster *r)
{
	struct assoc_cond cond = {.without_limits = true,
		.raw_qos = true,
		.clusters = STRV_ONE(r->cluster)};
	struct assoc_list rows = {0};
	struct assoc *row;

	for (size_t i = 0; r->only && i < r->only->accounts.n; i++) {
		int found = assoc_find(s->store, r->cluster,
			r->only->accounts.v[i], "", "", &s->arena, &row);

		if (found < 0)
			return -1;
		if (found)
			tell_row(s, r, row);
	}
	if (r->only)
		cond.users = r->only->users;
	if ((!r->only || cond.users.n) &&
		assoc_list(s->store, &cond, &s->arena, &rows))
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		tell_row(s, r, rows.v[i]);
	return 0;
}

static int load_accounts(struct session *s, struct roster *r)
{
	struct account_cond cond = {0};
	struct account_list list;

	if (r->only)
		cond.names = r->only->accounts;
	if (account_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct account *a = &list.v[i];
		struct entry *e = roster_find(r, ROSTER_ACCOUNT, a->name);
		const char *flags =
			flags_text(account_flag_words, a->flags, &s->arena);

		if (!e && !r->all)
			continue;
		if (!e) {
			e = roster_add(s, r, ROSTER_ACCOUNT, a->name, "", "");
			e->abroad = true;
		}
		entry_set_of(e, PROPERTY_DESCRIPTION,
			roster_plain(s, a->description), &s->arena);
		entry_set_of(e, PROPERTY_ORGANIZATION,
			roster_plain(s, a->organization), &s->arena);
		entry_set_of(
			e, PROPERTY_FLAGS, *flags ? flags : NULL, &s->arena);
	}
	return 0;
}

/* One without an account on the cluster is only there to be compared. */
static struct entry *some_user(
	struct session *s, struct roster *r, const char *name)
{
	struct entry *e = roster_find(r, ROSTER_USER, name);

	return e ? e : roster_add(s, r, ROSTER_USER, name, "", "");
}

/* NULL: of all users. */
static int load_levels_of(struct session *s, struct roster *r, const char *name)
{
	static const char all[] = "SELECT name, admin_level FROM user"
				  " WHERE NOT deleted",
			  some[] = "SELECT name, admin_level FROM user"
				   " WHERE NOT deleted AND admin_level > 1",
			  one[] = "SELECT name, admin_level FROM user"
				  " WHERE NOT deleted AND name = :name";
	struct query q;

	if (query_open(&q, s->store, name ? one : r->all ? all : some))
		return -1;
	if (name)
		query_bind_text(&q, ":name", name);
	while (query_row(&q)) {
		struct entry *e = some_user(s, r, query_strdup(&q, 0, &s->arena));
		uint32_t level = (uint32_t)query_int(&q, 1);

		if (level > ADMIN_NONE)
			entry_set_of(e, PROPERTY_ADMIN_LEVEL,
				admin_level_text(level), &s->arena);
	}
	return query_close(&q);
}

static int load_levels(struct session *s, struct roster *r)
{
	if (!r->only)
		return load_levels_of(s, r, NULL);
	for (size_t i = 0; i < r->only->users.n; i++)
		if (load_levels_of(s, r, r->only->users.v[i]))
			return -1;
	return 0;
}

/* Adds a name to a list, which stays in order. */
static void tell_name(struct session *s, struct entry *e,
	enum property_type type, const char *name)
{
	entry_set_of(e, type, roster_united(s, name, entry_text(e, type)),
		&s->arena);
}

static int load_names(struct session *s, struct roster *r)
{
	const struct strv none = {0};
	struct wckey_cond cond = {.clusters = STRV_ONE(r->cluster)};
	struct coordinator_list coordinators = {0};
	struct wckey_list keys;
	struct entry *e;

	if (r->only)
		cond.users = r->only->users;
	if ((!r->only && coordinator_list(s->store, &none, &none, &s->arena,
				 &coordinators)) ||
		wckey_list(s->store, &cond, &s->arena, &keys))
		return -1;
	for (size_t i = 0; i < coordinators.n; i++) {
		e = some_user(s, r, coordinators.v[i].user);
		tell_name(
			s, e, PROPERTY_COORDINATOR, coordinators.v[i].account);
	}
	for (size_t i = 0; i < keys.n; i++) {
		e = some_user(s, r, keys.v[i].user);
		tell_name(s, e, PROPERTY_WCKEYS, keys.v[i].name);
		if (keys.v[i].is_default)
			entry_set_of(e, PROPERTY_DEFAULT_WCKEY, keys.v[i].name,
				&s->arena);
	}
	return 0;
}

int roster_load_users(struct session *s, struct roster *r)
{
	return load_levels(s, r) || load_names(s, r) ? -1 : 0;
}

static void has_all(struct roster *r)
{
	for (int kind = 0; kind < ROSTER_KINDS; kind++)
		r->has[kind] = true;
}

static int load(struct session *s, struct roster *r)
{
	has_all(r);
	return any_failed(load_cluster(s, r) || load_qos(s, r) ||
			  load_rows(s, r) || load_accounts(s, r) ||
			  roster_load_users(s, r));
}

int roster_load(struct session *s, const char *cluster, struct roster *r)
{
	*r = (struct roster){.cluster = cluster};
	return load(s, r);
}

int roster_load_all(struct session *s, const char *cluster, struct roster *r)
{
	*r = (struct roster){.cluster = cluster, .all = true};
	return load(s, r);
}

int roster_load_some(struct session *s, const char *cluster,
	const struct roster_names *only, struct roster *r)
{
	*r = (struct roster){
		.cluster = cluster, .all = !only->rows_alone, .only = only};
	has_all(r);
	return any_failed((only->qos.n && load_qos(s, r)) || load_rows(s, r) ||
			  (r->all && only->accounts.n && load_accounts(s, r)) ||
			  (r->all && only->users.n && roster_load_users(s, r)));
}
