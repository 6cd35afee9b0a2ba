/*
 * `show user`, as a table or as a document (Slurm's
 * src/sacctmgr/user_functions.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"
#include "db/change/user.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"

/* The default row on the cluster, or on any (""), among the rows. */
static const struct assoc *default_row(
	const struct value_records *rows, const char *cluster)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct assoc *row = rows->v[i];

		if (row->is_default &&
			(!*cluster || !strcmp(row->cluster, cluster)))
			return row;
	}
	return NULL;
}

/* Conditions on associations say which default is seen. */
static struct user defaults_among(
	const struct user *user, const struct value_records *rows)
{
	const struct assoc *row = default_row(rows, "");
	struct user seen = *user;

	seen.default_account = row ? row->account : "";
	seen.default_qos = "";
	seen.default_qos_id = 0;
	for (size_t i = 0; !*seen.default_qos && i < rows->n; i++) {
		row = rows->v[i];
		seen.default_qos = row->def_qos;
		seen.default_qos_id = *row->def_qos ? row->def_qos_id : 0;
	}
	return seen;
}

static int find_default_wckey(
	struct session *s, struct user *user, const char *cluster)
{
	struct wckey_cond cond = {0};
	struct wckey_list list;

	strv_push(&cond.users, &s->arena, user->name);
	strv_push(&cond.clusters, &s->arena, cluster);
	if (wckey_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i].is_default)
			user->default_wckey = list.v[i].name;
	return 0;
}

/* The defaults of each row's cluster; one without keeps those before. */
static int list_associations(struct listing *l, const struct user *user,
	const struct value_records *own)
{
	struct user seen = *user;
	const char *cluster = "";

	for (size_t i = 0; i < own->n; i++) {
		const struct assoc *row = own->v[i];
		const struct assoc *first = NULL;

		if (strcmp(row->cluster, cluster)) {
			cluster = row->cluster;
			first = default_row(own, cluster);
		}
		if (first)
			seen.default_account = first->account;
		if (first && *user->default_wckey &&
			find_default_wckey(l->session, &seen, cluster))
			return -1;
		seen.default_qos = row->def_qos;
		listing_row(l, NULL, &seen, row);
	}
	return 0;
}

static void see_defaults(
	struct user_list *users, const struct assoc_index *assocs)
{
	for (size_t i = 0; i < users->n; i++) {
		struct value_records own =
			assoc_index_find(assocs, users->v[i].name);

		users->v[i] = defaults_among(&users->v[i], &own);
	}
}

/* What a document holds inside a user. */
struct user_record {
	struct value_records associations, coordinators, wckeys;
};

#define R(path, member)                                                        \
	{                                                                      \
		.json = (path), .type = MEMBER_RECORDS,                        \
		.offset = offsetof(struct user_record, member)                 \
	}
static const struct member record_rows[] = {
	R("associations", associations),
	R("coordinators", coordinators),
	R("wckeys", wckeys),
};
static const struct members record_columns = MEMBERS(record_rows);
#undef R

static int add_accounts(struct document *doc, const struct user *user,
	struct user_record *record)
{
	struct strv accounts = {0}, direct = {0};

	if (coordinated_accounts(doc->session->store, user->name, &doc->scratch,
		    &accounts, &direct))
		return -1;
	record->coordinators =
		coordinator_rows(&accounts, &direct, &doc->scratch);
	return 0;
}

static int add_keys(struct document *doc, const struct user *user,
	struct user_record *record)
{
	struct wckey_cond cond = {0};
	struct wckey_list list;
	const void **v;

	strv_push(&cond.users, &doc->scratch, user->name);
	if (wckey_list(doc->session->store, &cond, &doc->scratch, &list))
		return -1;
	v = arena_array(&doc->scratch, list.n, sizeof(*v));
	for (size_t i = 0; i < list.n; i++)
		v[i] = &list.v[i];
	record->wckeys = (struct value_records){&wckey_members, v, list.n};
	return 0;
}

static int list_one(struct listing *l, const struct conds *where,
	const struct user *user, const struct assoc_index *assocs)
{
	struct user_record record = {
		.associations = assoc_index_find(assocs, user->name)};

	if (!document_wanted(l->session)) {
		if (where->with_assoc && record.associations.n)
			return list_associations(
				l, user, &record.associations);
		listing_row(l, NULL, user);
		return 0;
	}
	if ((where->with_coordinators &&
		    add_accounts(&l->document, user, &record)) ||
		(where->with_assoc && add_keys(&l->document, user, &record)))
		return -1;
	listing_row(l, &record, user);
	return 0;
}

static const char *default_format(struct session *s, const struct conds *where)
{
	return arena_printf(&s->arena, "U,DefaultA,%sAd%s%s",
		s->site.conf.track_wckey ? "DefaultW," : "",
		where->with_coordinators ? ",Coord" : "",
		where->with_assoc ? ",Cl,Acc,Part,Share,Priority,MaxJ,MaxN,"
				    "MaxCPUs,MaxS,MaxW,MaxCPUMins,QOS,"
				    "DefaultQOS"
				  : "");
}

/* Without associations the defaults seen are those of the local cluster. */
static void local_defaults(struct session *s, struct user_cond *cond)
{
	if (!cond->clusters.n && cluster_key(s->store, s->site.cluster) > 0)
		strv_push(&cond->clusters, &s->arena, s->site.cluster);
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct conds *where = &r->where;
	struct user_cond cond;
	struct user_list users;
	struct assoc_list assocs = {0};
	struct assoc_index index;

	if (user_refuse_wckeys(s, r))
		return -1;
	where->with_assoc |= settings_wanted(where) || options(s)->with_assoc;
	where->assoc.with_deleted = where->with_deleted;
	settings_ask(where);
	if (assoc_conds_unwanted(s, where))
		return 0;
	where->assoc.only_defaults = !where->with_assoc;
	cond = user_cond_of(r);
	if (!where->with_assoc)
		local_defaults(s, &cond);
	if (user_list(s->store, &cond, &s->arena, &users) ||
		((where->with_assoc || where->assoc_given) &&
			assoc_list(s->store, &where->assoc, &s->arena,
				&assocs)))
		return complain_err(s);
	if (private_users(s, &users) || private_assocs(s, &assocs))
		return -1;
	if (settings_wanted(where))
		return show_settings(s, where, &users, &assocs, NULL);
	assoc_index_make(&index, &assocs, true, &s->arena);
	if (where->with_assoc || where->assoc_given)
		see_defaults(&users, &index);
	if (!where->with_assoc)
		index.n = 0;
	if (document_wanted(s))
		l->format = NULL; /* no column is chosen in it */
	listing_open(l, default_format(s, where));
	for (size_t i = 0; i < users.n; i++)
		if (list_one(l, where, &users.v[i], &index))
			return complain_err(s);
	return 0;
}

const struct entity user_entity = {
	.names = "Users:1",
	.rows = rows,
	.changes = &user_changes,
	.columns = {&record_columns, &user_members, &assoc_members,
		&setting_columns},
	.document = "users",
	.help = "who runs jobs: users and their defaults",
};
