/*
 * The tables of what a load brings new (spec/sacctmgr.md 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/base/words.h"

static const char common_format[] =
	"Share,GrpTRESMins,GrpTRESRunMins,GrpTRES,GrpJ,GrpJobsA,GrpMEM,GrpN,"
	"GrpS,GrpW,MaxTRESMins,MaxTRES,MaxTRESPerN,MaxJ,MaxS,MaxN,MaxW,QOS,"
	"DefaultQOS";

void load_dashes(struct session *s, int n)
{
	for (int i = 0; i < n; i++)
		fputc('-', output(s));
	fputs("\n\n", output(s));
}

/* What the settings make of the row. */
static void apply(struct loading *l, struct assoc *shown,
	const struct settings *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		char *member = (char *)shown + one->attr->offset;

		switch (one->attr->set->type) {
		case ATTR_TRES:
			tres_list_apply((struct tres_list *)member,
				&l->s->arena, &one->tres);
			break;
		case ATTR_TEXT:
			if (one->attr != assoc_attr(parent_account))
				memcpy(member, &one->text, sizeof(one->text));
			break;
		case ATTR_QOS_LIST:
			shown->qos_text = load_sorted(l->s, &one->list);
			break;
		default:
			memcpy(member, &one->number, sizeof(one->number));
		}
	}
	if (qos_by_id(&l->s->store->qos, shown->def_qos_id))
		shown->def_qos =
			qos_by_id(&l->s->store->qos, shown->def_qos_id)->name;
}

void load_print_assocs(struct loading *l, const struct new_assoc *v, size_t n,
	const char *first)
{
	struct assoc blank, shown;
	struct listing list;

	assoc_init(&blank);
	blank.shares_raw = NO_VAL;
	listing_init(&list, l->s, &assoc_members);
	listing_open(&list,
		arena_printf(&l->s->arena, "%s,%s", first, common_format));
	for (size_t i = 0; i < n; i++) {
		shown = blank;
		shown.cluster = l->cluster;
		shown.account = v[i].account;
		shown.user = v[i].user;
		shown.partition = load_partition(&v[i]);
		if (v[i].parent)
			shown.parent_account = v[i].parent->row->account;
		apply(l, &shown, &v[i].options->set);
		listing_row(&list, &shown);
	}
	listing_close(&list);
	load_dashes(l->s, 62);
}

/* An account has no QOS of its own; the column stays blank. */
struct account_row {
	const char *name, *description, *organization;
};

#define A(field, member)                                                       \
	{                                                                      \
		HEAD_##field, .type = MEMBER_TEXT,                             \
			      .offset = offsetof(struct account_row, member)   \
	}
static const struct member account_row_rows[] = {
	A(NAME, name),
	A(DESCRIPTION, description),
	A(ORGANIZATION, organization),
};
static const struct members account_row_columns = MEMBERS(account_row_rows);

void load_print_accounts(struct loading *l)
{
	struct listing list;

	fputs("Accounts\n", output(l->s));
	listing_init(&list, l->s, &account_row_columns);
	listing_open(&list, "Name,Description,Organization,QOS");
	for (size_t i = 0; i < l->accounts.n; i++) {
		const struct new_account *a = &l->accounts.v[i];
		struct account_row row = {
			a->name, a->description, a->organization};

		listing_row(&list, &row);
	}
	listing_close(&list);
	load_dashes(l->s, 51);
}

struct told_user {
	const char *name, *default_account, *default_wckey, *admin;
	struct strv coordinators;
};

#define U(field, type_, member)                                                \
	{                                                                      \
		HEAD_##field, .json = NULL, .type = type_,                     \
			      .offset = offsetof(struct told_user, member)      \
	}
static const struct member told_user_rows[] = {
	U(NAME, MEMBER_TEXT, name),
	U(DEFAULT_ACCOUNT, MEMBER_TEXT, default_account),
	U(DEFAULT_WCKEY, MEMBER_TEXT, default_wckey),
	U(ADMIN_LEVEL, MEMBER_TEXT, admin),
	U(COORDINATORS, MEMBER_LIST, coordinators),
};
static const struct members told_user_columns = MEMBERS(told_user_rows);

void load_print_users(struct loading *l)
{
	struct listing list;

	fputs("Users\n", output(l->s));
	listing_init(&list, l->s, &told_user_columns);
	listing_open(&list, "Name,DefaultA,DefaultW,QOS,Admin,Coord");
	for (size_t i = 0; i < l->users.n; i++) {
		const struct new_user *u = &l->users.v[i];
		const char *wckey = u->options->default_wckey;
		const struct told_user row = {
			.name = u->name,
			.default_account = u->default_account,
			.default_wckey = wckey ? wckey : "",
			.admin = admin_level_text(load_admin_level(u)),
			.coordinators = u->options->coordinators,
		};

		listing_row(&list, &row);
	}
	listing_close(&list);
	load_dashes(l->s, 51);
}
