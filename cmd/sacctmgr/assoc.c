/*
 * Associations: they are shown here, and changed by way of account, user and
 * cluster (Slurm's src/sacctmgr/association_functions.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Tree:4", WHERE_SWITCH, COND(tree), GROUP_NONE, "indent accounts below their parent", FROM_NOTHING},
	{"OnlyDefaults:2", WHERE_SWITCH, COND(assoc.only_defaults), GROUP_NONE, "only default associations of users", FROM_NOTHING},
	{"WithDeleted:5", WHERE_SWITCH, COND(assoc.with_deleted), GROUP_NONE, "deleted rows too", FROM_NOTHING},
	{"WithRawQOSLevel:5", WHERE_SWITCH, COND(assoc.raw_qos), GROUP_NONE, "QOS lists with their signs", FROM_NOTHING},
	{"WithSubAccounts:5", WHERE_SWITCH, COND(assoc.with_sub_accounts), GROUP_NONE, "the accounts and all below them", FROM_NOTHING},
	{"WOPInfo:4", WHERE_SWITCH, COND(assoc.without_parent_info), GROUP_NONE, "no parent names, no inheritance", FROM_NOTHING},
	{"WOPLimits:4 WOLimits:3", WHERE_SWITCH, COND(assoc.without_limits), GROUP_NONE, "only what the row itself holds", FROM_NOTHING},
	SETTING_WHERE_WORDS,
	JOB_WHERE_WORDS,
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words, assoc_where_words},
	.bare = COND(assoc.ids),
	.bare_kind = WHERE_IDS,
	.bare_group = GROUP_ASSOC,
};

/* ---- show ----------------------------------------------------------------*/

/* An account that was printed, and how deep. */
struct printed {
	const char *account, *lineage;
	int depth;
};

/* The printed accounts above the row at hand: rows come in order of lineages,
 * which begin with those above. */
struct printed_tree {
	struct printed *v;
	size_t n, cap;
	const char *cluster;
	struct arena text; /* of the row at hand */
};

static bool is_below(const struct assoc *assoc, const struct printed_tree *tree)
{
	const char *lineage = tree->v[tree->n - 1].lineage;

	return !strcmp(tree->cluster, assoc->cluster) &&
	       !strncmp(assoc->lineage, lineage, strlen(lineage));
}

/* The account with the blanks that show its depth: one more than its parent, if
 * that was printed already. */
static const char *indent(
	struct printed_tree *tree, const struct assoc *assoc, struct session *s)
{
	const char *above =
		*assoc->user ? assoc->account : assoc->parent_account;
	int depth = 0;

	while (tree->n && !is_below(assoc, tree))
		tree->n--;
	for (size_t i = 0; i < tree->n; i++)
		if (!strcmp(tree->v[i].account, above))
			depth = tree->v[i].depth + 1;
	if (!*assoc->user) {
		if (!tree->n)
			tree->cluster = arena_strdup(&s->arena, assoc->cluster);
		*ARENA_PUSH(&s->arena, tree->v, tree->n, tree->cap) =
			(struct printed){
				arena_strdup(&s->arena, assoc->account),
				arena_strdup(&s->arena, assoc->lineage), depth};
	}
	arena_reset(&tree->text);
	return arena_printf(&tree->text, "%*s%s", depth, "", assoc->account);
}

/* In a tree the account column is wide and left-justified, unless a width was
 * asked for. */
static struct strv tree_format(
	struct session *s, const struct strv *format, const char *defaults)
{
	struct strv chosen = {0}, wide = {0};
	int width;

	if (format->n)
		chosen = *format;
	else
		strv_split(&chosen, &s->arena, defaults);
	for (size_t i = 0; i < chosen.n; i++) {
		const char *name = chosen.v[i];
		const struct member *field =
			field_choose(&sacctmgr_fields, name, &width);
		bool account = !strchr(name, '%') && field &&
			       field_is(field, "ACCOUNT");

		strv_push(&wide, &s->arena, account ? "Account%-20" : name);
	}
	return wide;
}

/* Where names are data, blanks before them would be too. */
static bool is_data(const struct session *s)
{
	return options(s)->form != JSON_NONE || options(s)->mode == TABLE_CSV;
}

/* A listing while it grows. */
struct assoc_showing {
	struct listing *listing;
	const struct conds *where;
	struct privacy privacy;
	struct strv format; /* of a tree */
	struct printed_tree tree;
	bool indented;
};

static void open_listing(struct assoc_showing *to)
{
	static const char all[] =
		"Cluster,Account,User,Part,Share,Priority,GrpJ,GrpTRES,GrpS,"
		"GrpWall,GrpTRESMins,MaxJ,MaxTRES,MaxTRESPerN,MaxS,MaxW,"
		"MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins";
	struct session *s = to->listing->session;
	const char *defaults = to->where->assoc.without_limits
				       ? "Cluster,Account,User,Part"
				       : all;

	to->indented = to->where->tree && !is_data(s);
	if (to->indented) {
		to->format = tree_format(s, &to->where->format, defaults);
		to->listing->format = &to->format;
	}
	listing_open(to->listing, defaults);
}

/* Nothing is printed before the first row could be read. */
static int show_row(void *arg, struct assoc *row)
{
	struct assoc_showing *to = arg;
	struct assoc shown = *row;

	if (!privacy_allows(&to->privacy, row->user, row->account))
		return 0;
	if (!to->listing->open)
		open_listing(to);
	if (to->indented)
		shown.account =
			indent(&to->tree, row, to->listing->session);
	listing_row(to->listing, &shown);
	return 0;
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct assoc_showing to = {.listing = l, .where = &r->where};
	struct assoc_list list;

	settings_ask(&r->where);
	if (settings_wanted(&r->where)) {
		if (assoc_list(s->store, &r->where.assoc, &s->arena, &list))
			return complain_err(s);
		return private_assocs(s, &list)
			       ? -1
			       : show_settings(s, &r->where, NULL, &list, NULL);
	}
	if (private_ask(s, PRIVATE_USERS, &to.privacy))
		return -1;
	if (assoc_each(s->store, &r->where.assoc, show_row, &to))
		return complain_err(s);
	if (!l->open)
		open_listing(&to);
	arena_release(&to.tree.text);
	return 0;
}

const struct entity assoc_entity = {
	.names = "Associations:2",
	.rows = rows,
	.vocabulary = &vocabulary,
	.columns = {&assoc_members, &setting_columns},
	.document = "associations",
	.help = "one row for each account and each user in an account",
};
