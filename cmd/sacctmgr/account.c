/*
 * Accounts as they are shown; what changes them is db/change/account.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"

/* What a document holds inside an account. */
struct account_record {
	struct value_records associations, coordinators;
};

#define R(path, member)                                                        \
	{                                                                      \
		.json = (path), .type = MEMBER_RECORDS,                        \
		.offset = offsetof(struct account_record, member)              \
	}
static const struct member record_rows[] = {
	R("associations", associations),
	R("coordinators", coordinators),
};
static const struct members record_columns = MEMBERS(record_rows);
#undef R

static int list_one(struct listing *l, const struct conds *where,
	const struct account *account, const struct assoc_index *assocs)
{
	struct arena *scratch = &l->document.scratch;
	struct account_record record = {
		.associations = assoc_index_find(assocs, account->name)};
	const struct value_records *own = &record.associations;
	struct strv users = {0}, direct = {0};

	if (!document_wanted(l->session)) {
		for (size_t i = 0; i < own->n; i++)
			listing_row(l, NULL, account, own->v[i]);
		if (!own->n)
			listing_row(l, NULL, account);
		return 0;
	}
	if (where->with_coordinators &&
		account_coordinators(l->session->store, account->name, scratch,
			&users, &direct))
		return -1;
	record.coordinators = coordinator_rows(&users, &direct, scratch);
	listing_row(l, &record, account);
	return 0;
}

static const char *default_format(struct session *s, const struct conds *where)
{
	return arena_printf(&s->arena, "%s%s%s", "Acc,Des,O",
		where->with_assoc ? ",Cl,ParentN,U,Share,Priority,GrpJ,GrpN,"
				    "GrpCPUs,GrpMEM,GrpS,GrpWall,GrpCPUMins,"
				    "MaxJ,MaxN,MaxCPUs,MaxS,MaxW,MaxCPUMins,"
				    "QOS,DefaultQOS"
				  : "",
		where->with_coordinators ? ",Coord" : "");
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct conds *where = &r->where;
	struct account_cond cond;
	struct account_list accounts;
	struct assoc_list assocs = {0};
	struct assoc_index index;

	where->with_assoc |= settings_wanted(where) || options(s)->with_assoc;
	where->assoc.with_deleted = where->with_deleted;
	settings_ask(where);
	if (account_cond_of(s, r, &cond))
		return -1;
	if (assoc_conds_unwanted(s, where))
		return 0;
	if (account_list(s->store, &cond, &s->arena, &accounts) ||
		(where->with_assoc && assoc_list(s->store, &where->assoc,
					      &s->arena, &assocs)))
		return complain_err(s);
	if (private_accounts(s, &accounts) || private_assocs(s, &assocs))
		return -1;
	if (settings_wanted(where))
		return show_settings(s, where, NULL, &assocs, NULL);
	assoc_index_make(&index, &assocs, false, &s->arena);
	if (document_wanted(s))
		l->format = NULL; /* no column is chosen in it */
	listing_open(l, default_format(s, where));
	for (size_t i = 0; i < accounts.n; i++)
		if (list_one(l, where, &accounts.v[i], &index))
			return complain_err(s);
	return 0;
}

const struct entity account_entity = {
	.names = "Accounts:2 Acct:4",
	.rows = rows,
	.changes = &account_changes,
	.columns = {&record_columns, &account_members, &assoc_members,
		&setting_columns},
	.document = "accounts",
	.help = "who pays: accounts and their limits",
};
