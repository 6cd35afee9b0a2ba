/*
 * `show user`, as a table or as a document (spec/sacctmgr.md 1.5, 3.16).
 */
#include "cmd/sacctmgr/user.h"

#include "cmd/sacctmgr/private.h"

static void show_rows(struct listing *l, const struct user_list *users,
	const struct assoc_index *assocs)
{
	for (size_t i = 0; i < users->n; i++) {
		const struct user *user = &users->v[i];
		struct value_rows own = assoc_index_find(assocs, user->name);

		listing_row_assocs(l, &(struct part){user_columns, user}, &own);
	}
}

/* What a document holds inside a user. */
struct user_record {
	struct value_rows associations, coordinators, wckeys;
};

#define R(path, member)                                                        \
	{FIELD_NONE, path, get_rows, offsetof(struct user_record, member), 0}
static const struct column record_columns[] = {
	R("associations", associations),
	R("coordinators", coordinators),
	R("wckeys", wckeys),
	{FIELD_NONE, NULL, NULL, 0, 0},
};
#undef R

static int add_accounts(struct document *doc, const struct user *user,
	struct user_record *record)
{
	struct strv accounts = {0}, direct = {0};

	if (coordinated_accounts(doc->session->store, user->name,
		    &doc->scratch, &accounts, &direct))
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
	record->wckeys = (struct value_rows){wckey_columns, v, list.n};
	return 0;
}

static int show_record(struct document *doc, const struct conds *where,
	const struct user *user, const struct assoc_index *assocs)
{
	struct user_record record = {
		.associations = assoc_index_find(assocs, user->name)};
	const struct part parts[] = {
		{record_columns, &record}, {user_columns, user}};

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

	document_open(&doc, s, document_key(s, s->showing));
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
		where->with_assoc ? ",Cl,Acc,Part,Share,Priority,MaxJ,MaxN,"
				    "MaxCPUs,MaxS,MaxW,MaxCPUMins,QOS,"
				    "DefaultQOS"
				  : "",
		where->with_coordinators ? ",Coord" : "");
}

int user_show_command(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{user_columns, NULL}, {assoc_columns, NULL}};
	struct request r;
	struct user_cond cond;
	struct user_list users;
	struct assoc_list assocs = {0};
	struct assoc_index index;
	struct listing l;

	parse_words(s, &user_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	r.where.with_assoc |= s->opt.with_assoc;
	r.where.assoc.with_deleted = r.where.with_deleted;
	if (assoc_conds_unwanted(s, &r.where))
		return 0;
	cond = user_cond_of(&r);
	if (user_list(s->store, &cond, &s->arena, &users) ||
		(r.where.with_assoc && assoc_list(s->store, &r.where.assoc,
					       &s->arena, &assocs))) {
		complain_err(s);
		return -1;
	}
	if (private_users(s, &users) || private_assocs(s, &assocs))
		return -1;
	assoc_index_make(&index, &assocs, true, &s->arena);
	if (document_wanted(s))
		return show_document(s, &r.where, &users, &index);
	listing_open(&l, s, &r.where.format, default_format(s, &r.where), parts,
		2);
	show_rows(&l, &users, &index);
	listing_close(&l);
	return 0;
}
