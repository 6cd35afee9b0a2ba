/*
 * The tables of what a load brings new (spec/sacctmgr.md 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include "common/base/words.h"

static const char common_format[] =
	"Share,GrpTRESMins,GrpTRESRunMins,GrpTRES,GrpJ,GrpJobsA,GrpMEM,GrpN,"
	"GrpS,GrpW,MaxTRESMins,MaxTRES,MaxTRESPerN,MaxJ,MaxS,MaxN,MaxW,QOS,"
	"DefaultQOS";

void load_dashes(struct session *s, int n)
{
	for (int i = 0; i < n; i++)
		fputc('-', s->out);
	fputs("\n\n", s->out);
}

void load_print_assocs(struct session *s, const struct new_assoc *v, size_t n,
	const char *first)
{
	struct part part = {assoc_columns, NULL};
	const struct strv none = {0};
	struct listing l;

	listing_open(&l, s, &none,
		arena_printf(&s->arena, "%s,%s", first, common_format), &part,
		1);
	for (size_t i = 0; i < n; i++) {
		part.row = &v[i].shown;
		listing_row(&l, &part);
	}
	listing_close(&l);
	load_dashes(s, 62);
}

/* An account has no QOS of its own; the column stays blank. */
struct account_row {
	const char *name, *description, *organization;
};

#define A(field, member)                                                       \
	{FIELD_##field, NULL, get_text, offsetof(struct account_row, member), 0}
static const struct column account_row_columns[] = {
	A(NAME, name),
	A(DESCRIPTION, description),
	A(ORGANIZATION, organization),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

void load_print_accounts(struct loading *l)
{
	struct part part = {account_row_columns, NULL};
	const struct strv none = {0};
	struct listing list;

	fputs("Accounts\n", l->s->out);
	listing_open(&list, l->s, &none, "Name,Description,Organization,QOS",
		&part, 1);
	for (size_t i = 0; i < l->accounts.n; i++) {
		const struct new_account *a = &l->accounts.v[i];
		struct account_row row = {
			a->name, a->description, a->organization};

		part.row = &row;
		listing_row(&list, &part);
	}
	listing_close(&list);
	load_dashes(l->s, 51);
}

#define U(field, getter, member)                                               \
	{FIELD_##field, NULL, getter, offsetof(struct new_user, member), 0}
static const struct column new_user_columns[] = {
	U(NAME, get_text, name),
	U(DEFAULT_ACCOUNT, get_text, default_account),
	U(DEFAULT_WCKEY, get_text, default_wckey),
	U(ADMIN_LEVEL, get_text, admin_text),
	U(COORDINATORS, get_list, coordinators),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

void load_print_users(struct loading *l)
{
	struct part part = {new_user_columns, NULL};
	const struct strv none = {0};
	struct listing list;

	fputs("Users\n", l->s->out);
	listing_open(&list, l->s, &none,
		"Name,DefaultA,DefaultW,QOS,Admin,Coord", &part, 1);
	for (size_t i = 0; i < l->users.n; i++) {
		part.row = &l->users.v[i];
		listing_row(&list, &part);
	}
	listing_close(&list);
	load_dashes(l->s, 51);
}
