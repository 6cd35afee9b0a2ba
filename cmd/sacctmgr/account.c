/*
 * Accounts as they are shown; what changes them is db/change/account.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"
#include "common/cli/cli.h"

/* An account with its associations, for `withassoc`. */
static void show_rows(struct listing *l, const struct account_list *accounts,
	const struct assoc_index *assocs)
{
	for (size_t i = 0; i < accounts->n; i++) {
		const struct account *account = &accounts->v[i];
		struct value_records own =
			assoc_index_find(assocs, account->name);

		listing_row_assocs(
			l, &(struct part){&account_members, account}, &own);
	}
}

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

static int show_record(struct document *doc, const struct account *account,
	const struct assoc_index *assocs, bool with_coordinators)
{
	struct account_record record = {
		.associations = assoc_index_find(assocs, account->name)};
	const struct part parts[] = {
		{&record_columns, &record}, {&account_members, account}};
	struct strv users = {0}, direct = {0};

	if (with_coordinators &&
		account_coordinators(doc->session->store, account->name,
			&doc->scratch, &users, &direct))
		return -1;
	record.coordinators = coordinator_rows(&users, &direct, &doc->scratch);
	document_row(doc, parts, 2);
	return 0;
}

static int show_document(struct session *s, const struct request *r,
	const struct account_list *accounts, const struct assoc_index *assocs)
{
	struct document doc;
	int rc = 0;

	document_open(&doc, s, document_key(s, program(s)->showing));
	for (size_t i = 0; !rc && i < accounts->n; i++)
		rc = show_record(&doc, &accounts->v[i], assocs,
			r->where.with_coordinators);
	if (rc)
		complain_err(s);
	document_close(&doc);
	return rc;
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

static int show(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{&account_members, NULL}, {&assoc_members, NULL}};
	struct request r;
	struct account_cond cond;
	struct account_list accounts;
	struct assoc_list assocs = {0};
	struct assoc_index index;
	struct listing l;

	parse_words(s, &account_vocabulary, PARSE_WHERE, false, words, n, &r);
	r.where.with_assoc |= options(s)->with_assoc | settings_wanted(&r.where);
	r.where.assoc.with_deleted = r.where.with_deleted;
	settings_ask(&r.where);
	if (r.failed || account_cond_of(s, &r, &cond))
		return -1;
	if (assoc_conds_unwanted(s, &r.where))
		return 0;
	if (account_list(s->store, &cond, &s->arena, &accounts) ||
		(r.where.with_assoc && assoc_list(s->store, &r.where.assoc,
					       &s->arena, &assocs)))
		return complain_err(s);
	if (private_accounts(s, &accounts) || private_assocs(s, &assocs))
		return -1;
	if (settings_wanted(&r.where))
		return show_settings(s, &r.where, &assocs, NULL);
	assoc_index_make(&index, &assocs, false, &s->arena);
	if (document_wanted(s))
		return show_document(s, &r, &accounts, &index);
	listing_open(
		&l, s, &r.where.format, default_format(s, &r.where), parts, 2);
	show_rows(&l, &accounts, &index);
	listing_close(&l);
	return 0;
}

const struct entity account_entity = {
	.names = "Accounts:2 Acct:4",
	.show = show,
	.changes = &account_changes,
	.vocabulary = &account_vocabulary,
	.columns = {&account_members, &assoc_members, &setting_columns},
	.document = "accounts",
	.help = "who pays: accounts and their limits",
};
