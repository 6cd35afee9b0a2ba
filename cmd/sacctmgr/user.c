/*
 * `show user`, as a table or as a document (spec/sacctmgr.md 1.5, 3.16).
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
static int show_associations(struct listing *l, const struct user *user,
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
		listing_row(l, (const struct part[]){{&user_members, &seen},
				       {&assoc_members, row}});
	}
	return 0;
}

static int show_rows(struct listing *l, const struct user_list *users,
	const struct assoc_index *assocs, bool with_assoc)
{
	for (size_t i = 0; i < users->n; i++) {
		const struct user *user = &users->v[i];
		struct value_records own = assoc_index_find(assocs, user->name);

		if (!with_assoc || !own.n)
			listing_row(
				l, (const struct part[]){{&user_members, user},
					   {&assoc_members, NULL}});
		else if (show_associations(l, user, &own))
			return -1;
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

static int show_record(struct document *doc, const struct conds *where,
	const struct user *user, const struct assoc_index *assocs)
{
	struct user_record record = {
		.associations = assoc_index_find(assocs, user->name)};
	const struct part parts[] = {
		{&record_columns, &record}, {&user_members, user}};

	if ((where->with_coordinators && add_accounts(doc, user, &record)) ||
		(where->with_assoc && add_keys(doc, user, &record)))
		return -1;
	document_row(doc, parts, 2);
	return 0;
}

static int show_document(struct session *s, const struct conds *where,
	const struct user_list *users, const struct assoc_index *assocs)
{
	struct document doc;
	int rc = 0;

	document_open(&doc, s, document_key(s, program(s)->showing));
	for (size_t i = 0; !rc && i < users->n; i++)
		rc = show_record(&doc, where, &users->v[i], assocs);
	if (rc)
		complain_err(s);
	document_close(&doc);
	return rc;
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

static int show(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{&user_members, NULL}, {&assoc_members, NULL}};
	struct request r;
	struct user_cond cond;
	struct user_list users;
	struct assoc_list assocs = {0};
	struct assoc_index index;
	struct listing l;
	bool with_assoc;
	int rc;

	parse_words(s, &user_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed || user_refuse_wckeys(s, &r))
		return -1;
	r.where.with_assoc |= options(s)->with_assoc | settings_wanted(&r.where);
	r.where.assoc.with_deleted = r.where.with_deleted;
	settings_ask(&r.where);
	if (assoc_conds_unwanted(s, &r.where))
		return 0;
	with_assoc = r.where.with_assoc;
	r.where.assoc.only_defaults = !with_assoc;
	cond = user_cond_of(&r);
	if (!with_assoc)
		local_defaults(s, &cond);
	if (user_list(s->store, &cond, &s->arena, &users) ||
		((with_assoc || r.where.assoc_given) &&
			assoc_list(s->store, &r.where.assoc, &s->arena,
				&assocs)))
		return complain_err(s);
	if (private_users(s, &users) || private_assocs(s, &assocs))
		return -1;
	if (settings_wanted(&r.where))
		return show_settings(s, &r.where, &assocs, &users);
	assoc_index_make(&index, &assocs, true, &s->arena);
	if (with_assoc || r.where.assoc_given)
		see_defaults(&users, &index);
	if (!with_assoc)
		index.n = 0;
	if (document_wanted(s))
		return show_document(s, &r.where, &users, &index);
	listing_open(
		&l, s, &r.where.format, default_format(s, &r.where), parts, 2);
	rc = show_rows(&l, &users, &index, with_assoc);
	listing_close(&l);
	if (rc)
		complain_err(s);
	return rc;
}

const struct entity user_entity = {
	.names = "Users:1",
	.show = show,
	.changes = &user_changes,
	.vocabulary = &user_vocabulary,
	.add = &user_add_vocabulary,
	.columns = {&user_members, &assoc_members, &setting_columns},
	.document = "users",
	.help = "who runs jobs: users and their defaults",
};
