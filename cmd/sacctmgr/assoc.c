/*
 * Associations: they are shown here, and changed by way of account, user and
 * cluster (spec/sacctmgr.md 3.2).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"

/* clang-format off */
#define W(member) offsetof(struct conds, member)
static const struct where_word where_words[] = {
	{"Tree:4", WHERE_SWITCH, W(tree), GROUP_NONE, "indent accounts below their parent"},
	{"OnlyDefaults:2", WHERE_SWITCH, W(assoc.only_defaults), GROUP_NONE, "only default associations of users"},
	{"WithDeleted:5", WHERE_SWITCH, W(assoc.with_deleted), GROUP_NONE, "deleted rows too"},
	{"WithRawQOSLevel:5", WHERE_SWITCH, W(assoc.raw_qos), GROUP_NONE, "QOS lists with their signs"},
	{"WithSubAccounts:5", WHERE_SWITCH, W(assoc.with_sub_accounts), GROUP_NONE, "the accounts and all below them"},
	{"WOPInfo:4", WHERE_SWITCH, W(assoc.without_parent_info), GROUP_NONE, "no parent names, no inheritance"},
	{"WOPLimits:4 WOLimits:3", WHERE_SWITCH, W(assoc.without_limits), GROUP_NONE, "only what the row itself holds"},
	SETTING_WHERE_WORDS,
	JOB_WHERE_WORDS,
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words, assoc_where_words},
	.bare = offsetof(struct conds, assoc.ids),
	.bare_kind = WHERE_IDS,
	.bare_group = GROUP_ASSOC,
};

/* ---- show ----------------------------------------------------------------*/

/* An account that was printed, and how deep. */
struct printed {
	const char *account;
	int depth;
};

struct tree {
	struct printed *v;
	size_t n, cap;
	const char *cluster;
};

/* The account with the blanks that show its depth: one more than what stands
 * above it, if that was printed already. */
static const char *indent(
	struct tree *tree, const struct assoc *assoc, struct arena *arena)
{
	const char *above =
		*assoc->user ? assoc->account : assoc->parent_account;
	int depth = 0;

	if (!tree->cluster || strcmp(tree->cluster, assoc->cluster)) {
		tree->n = 0;
		tree->cluster = assoc->cluster;
	}
	for (size_t i = 0; i < tree->n; i++)
		if (!strcmp(tree->v[i].account, above))
			depth = tree->v[i].depth + 1;
	if (!*assoc->user)
		*ARENA_PUSH(arena, tree->v, tree->n, tree->cap) =
			(struct printed){assoc->account, depth};
	return arena_printf(arena, "%*s%s", depth, "", assoc->account);
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

static void show_rows(struct session *s, const struct request *r,
	const struct assoc_list *list)
{
	static const char all[] =
		"Cluster,Account,User,Part,Share,Priority,GrpJ,GrpTRES,GrpS,"
		"GrpWall,GrpTRESMins,MaxJ,MaxTRES,MaxTRESPerN,MaxS,MaxW,"
		"MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins";
	const char *defaults = r->where.assoc.without_limits
				       ? "Cluster,Account,User,Part"
				       : all;
	struct part part = {&assoc_members, NULL};
	struct strv format = r->where.format;
	struct tree tree = {0};
	bool indented = r->where.tree && !is_data(s);
	struct listing l;

	if (indented)
		format = tree_format(s, &format, defaults);
	listing_open(&l, s, &format, defaults, &part, 1);
	for (size_t i = 0; i < list->n; i++) {
		struct assoc row = *list->v[i];

		if (indented)
			row.account = indent(&tree, list->v[i], &s->arena);
		part.row = &row;
		listing_row(&l, &part);
	}
	listing_close(&l);
}

static int show(struct session *s, char **words, int n)
{
	struct request r;
	struct assoc_list list;

	parse_words(s, &vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	settings_ask(&r.where);
	if (assoc_list(s->store, &r.where.assoc, &s->arena, &list)) {
		complain_err(s);
		return -1;
	}
	if (private_assocs(s, &list))
		return -1;
	if (settings_wanted(&r.where))
		return show_settings(s, &r.where, &list, NULL);
	show_rows(s, &r, &list);
	return 0;
}

const struct entity assoc_entity = {
	.names = "Associations:2",
	.show = show,
	.vocabulary = &vocabulary,
	.columns = {&assoc_members, &setting_columns},
	.document = "associations",
	.help = "one row for each account and each user in an account",
};
