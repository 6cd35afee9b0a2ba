/*
 * Problems: accounts without users, users without accounts (Slurm's
 * src/sacctmgr/problem_functions.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cli/cli.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Tree:4", WHERE_SWITCH, COND(tree), GROUP_NONE, "accepted, no effect", FROM_NOTHING},
	{"Ids:1 Problems:2", WHERE_LIST, COND(ids), GROUP_RECORD, "accepted, no effect", FROM_NOTHING},
	{"Accounts:2 Acct:4", WHERE_LIST, COND(assoc.accounts), GROUP_RECORD, "accounts", FROM_ACCOUNTS},
	{"Clusters:1", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "clusters", FROM_CLUSTERS},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Partitions:4", WHERE_LIST, COND(assoc.partitions), GROUP_RECORD, "partitions", FROM_PARTITIONS},
	{"Users:1", WHERE_LIST, COND(assoc.users), GROUP_RECORD, "users", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

struct problem {
	const char *cluster, *account, *user, *text;
};

#define P(field, member) {HEAD_##field, .type = MEMBER_TEXT, .offset = offsetof(struct problem, member)}
static const struct member problem_rows[] = {
	P(CLUSTER, cluster),
	P(ACCOUNT, account),
	P(USER, user),
	P(PROBLEM, text),
};
static const struct members problem_columns = MEMBERS(problem_rows);
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(ids),
	.bare_group = GROUP_RECORD,
};

/* What the associations say. */
struct found {
	struct session *session;
	struct listing *listing;
	const struct conds *where;
	struct assoc_list rows;
	struct strv_set accounts, users; /* with a row */
	struct strv_set used; /* "cluster account" with a user of its own */
};

static void print_problem(struct found *f, const char *cluster,
	const char *account, const char *user, const char *text)
{
	const struct problem problem = {cluster, account, user, text};

	listing_row(f->listing, &problem);
}

static const char *pair(struct found *f, const struct assoc *row)
{
	return arena_printf(
		&f->session->arena, "%s %s", row->cluster, row->account);
}

static int read_rows(struct found *f)
{
	struct arena *arena = &f->session->arena;
	const struct assoc_cond cond = {
		.clusters = f->where->assoc.clusters,
		.without_limits = true,
		.without_parent_info = true,
	};
	struct strv accounts = {0}, users = {0}, used = {0};

	if (assoc_list(f->session->store, &cond, arena, &f->rows))
		return -1;
	for (size_t i = 0; i < f->rows.n; i++) {
		const struct assoc *row = f->rows.v[i];

		strv_push(&accounts, arena, row->account);
		if (!*row->user)
			continue;
		strv_push(&users, arena, row->user);
		strv_push(&used, arena, pair(f, row));
	}
	strv_set_init(&f->accounts, &accounts, false, arena);
	strv_set_init(&f->users, &users, true, arena);
	strv_set_init(&f->used, &used, false, arena);
	return 0;
}

static int accounts_without_rows(struct found *f)
{
	struct session *s = f->session;
	const struct account_cond cond = {.names = f->where->assoc.accounts};
	struct account_list list;

	if (account_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (!strv_set_has(&f->accounts, list.v[i].name))
			print_problem(f, "", list.v[i].name, "",
				"Account has no Associations");
	return 0;
}

/* Cluster by cluster, by account name. */
static int by_name(const void *a, const void *b)
{
	const struct assoc *const *x = a, *const *y = b;
	int order = strcmp((*x)->cluster, (*y)->cluster);

	return order ? order : strcasecmp((*x)->account, (*y)->account);
}

static void accounts_without_users(struct found *f)
{
	const struct assoc_cond *cond = &f->where->assoc;

	if (cond->users.n || cond->partitions.n)
		return;
	if (f->rows.n)
		qsort(f->rows.v, f->rows.n, sizeof(*f->rows.v), by_name);
	for (size_t i = 0; i < f->rows.n; i++) {
		const struct assoc *row = f->rows.v[i];

		if (*row->user || strv_set_has(&f->used, pair(f, row)) ||
			(cond->accounts.n &&
				!strv_has(&cond->accounts, row->account)))
			continue;
		print_problem(f, row->cluster, row->account, "",
			"Account has no users");
	}
}

static int users_without(struct found *f)
{
	struct session *s = f->session;
	const struct user_cond cond = {.names = f->where->assoc.users};
	struct user_list list;

	if (user_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const char *name = list.v[i].name;

		if (!getpwnam(name))
			print_problem(
				f, "", "", name, "User does not have a uid");
		else if (!strv_set_has(&f->users, name))
			print_problem(
				f, "", "", name, "User has no Associations");
	}
	return 0;
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct found f = {.session = s, .listing = l, .where = &r->where};
	const char *unknown;

	if (!is_operator(s)) {
		cli_error("Access/permission denied");
		return complain_request(s, "Access/permission denied");
	}
	if (cluster_unknown(s->store, &r->where.assoc.clusters, &unknown))
		return complain_err(s);
	if (unknown) {
		cli_error("Cluster %s is unknown", unknown);
		return -1;
	}
	if (read_rows(&f))
		return complain_err(s);
	listing_open(l, "Cluster,Account,User,Problem");
	if (accounts_without_rows(&f))
		return complain_err(s);
	accounts_without_users(&f);
	return users_without(&f) ? complain_err(s) : 0;
}

const struct entity problem_entity = {
	.names = "Problems:1",
	.rows = rows,
	.vocabulary = &vocabulary,
	.columns = {&problem_columns},
	.help = "accounts without users, users without accounts or uid",
};
