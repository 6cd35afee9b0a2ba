/*
 * Associations: `show association`, and what account, user and cluster share
 * when they change association rows (spec/sacctmgr.md 3.0, 3.2, 5.5, 5.6).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/private.h"
#include "common/cli.h"
#include "common/numbers.h"
#include "common/timespec.h"

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
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = where_words,
	.where_more = assoc_where_words,
	.bare = offsetof(struct conds, assoc.ids),
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
	struct field_choice choice;

	if (format->n)
		chosen = *format;
	else
		strv_split(&chosen, &s->arena, defaults);
	for (size_t i = 0; i < chosen.n; i++) {
		const char *name = chosen.v[i];
		bool account = !strchr(name, '%') &&
			field_choose(sacctmgr_fields, FIELD_COUNT_ALL, name,
				&choice) == 0 &&
			choice.field == FIELD_ACCOUNT;

		strv_push(&wide, &s->arena, account ? "Account%-20" : name);
	}
	return wide;
}

/* Where names are data, blanks before them would be too. */
static bool is_data(const struct session *s)
{
	return s->opt.form != JSON_NONE || s->opt.mode == TABLE_CSV;
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
	struct part part = {assoc_columns, NULL};
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
	if (assoc_list(s->store, &r.where.assoc, &s->arena, &list)) {
		complain_err(s);
		return -1;
	}
	if (private_assocs(s, &list))
		return -1;
	show_rows(s, &r, &list);
	return 0;
}

const struct entity assoc_entity = {
	.names = {[VERB_SHOW] = "Associations:2"},
	.run = {[VERB_SHOW] = show},
	.vocabulary = &vocabulary,
	.columns = {assoc_columns},
	.document = "associations",
	.help = "one row for each account and each user in an account",
};

/* ---- echo and report -----------------------------------------------------*/

static const char *echo_tres(struct session *s, const struct setting *set)
{
	struct strv texts = {0};

	for (size_t i = 0; i < set->tres.n; i++) {
		const struct tres_edit *edit = &set->tres.v[i];
		const struct tres *tres = tres_by_id(&s->store->tres, edit->id);
		struct tres_list one = {0};
		const char *sign = edit->op == TRES_OP_ADD   ? "+"
				   : edit->op == TRES_OP_SUB ? "-"
							     : "";
		const char *text;

		tres_list_set(&one, &s->arena, edit->id, edit->count);
		text = tres_list_format(
			&one, &s->store->tres, TRES_NONE_WORD, &s->arena);
		if (*sign)
			text = arena_printf(&s->arena, "%s%s%s",
				tres_full_name(tres, &s->arena), sign,
				strchr(text, '='));
		strv_push(&texts, &s->arena, text);
	}
	strv_sort(&texts);
	return strv_join(&texts, ",", &s->arena);
}

static const char *echo_list(struct session *s, const struct setting *set)
{
	struct strv sorted = {0};

	for (size_t i = 0; i < set->list.n; i++)
		strv_push(&sorted, &s->arena, set->list.v[i]);
	strv_sort(&sorted);
	return strv_join(&sorted, ",", &s->arena);
}

static const char *echo_words(struct session *s, const struct setting *set)
{
	char *text = arena_strdup(&s->arena,
		flags_text(set->attr->flags, set->number, &s->arena));

	if (set->attr->type == ATTR_CHOICE)
		for (char *c = text; *c; c++)
			*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
	return text;
}

/* The text behind a label; NULL: no line. */
static const char *echo_text(struct session *s, const struct setting *set)
{
	const struct qos_name *qos;

	switch (set->attr->type) {
	case ATTR_TRES:
		return echo_tres(s, set);
	case ATTR_QOS_LIST:
	case ATTR_LIST:
		return echo_list(s, set);
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		return set->text;
	case ATTR_FLAGS:
		return set->number == INFINITE ? NULL : echo_words(s, set);
	case ATTR_CHOICE:
		return set->number ? echo_words(s, set) : NULL;
	case ATTR_REAL:
		return set->real == (double)INFINITE
			? set->attr->none
			: arena_printf(&s->arena, "%.4f", set->real);
	case ATTR_QOS:
		qos = qos_by_id(&s->store->qos, set->number);
		return qos ? qos->name : "(null)";
	default:
		break;
	}
	if (set->number == INFINITE)
		return set->attr->none;
	if (set->attr->type == ATTR_MINUTES)
		return duration_format(
			&s->arena, (uint64_t)set->number * 60);
	if (set->attr->type == ATTR_SECONDS)
		return duration_format(&s->arena, set->number);
	if (set->attr->type == ATTR_SHARES && set->number == SHARES_PARENT)
		return "parent";
	return arena_printf(&s->arena, "%u", set->number);
}

void echo_settings(struct session *s, const struct attr *attrs, size_t n,
	const struct settings *settings)
{
	for (size_t i = 0; i < n; i++) {
		const struct setting *set = settings_find(settings, &attrs[i]);
		const char *text =
			set && attrs[i].echo ? echo_text(s, set) : NULL;

		if (text)
			fprintf(s->out, "%s%s\n", attrs[i].echo, text);
	}
}

struct settings assoc_settings(
	struct session *s, const struct settings *all)
{
	struct settings part = {0};

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].attr >= assoc_attrs &&
			all->v[i].attr < assoc_attrs + ASSOC_ATTRS)
			*ARENA_PUSH(&s->arena, part.v, part.n, part.cap) =
				all->v[i];
	return part;
}

void report_assoc(
	struct session *s, const struct assoc *assoc, bool of_parent)
{
	fprintf(s->out, "  C = %-10s ", assoc->cluster);
	if (*assoc->user) {
		fprintf(s->out, "A = %-20s U = %-9s", assoc->account,
			assoc->user);
		if (*assoc->partition)
			fprintf(s->out, " P = %s", assoc->partition);
	} else if (!of_parent) {
		fprintf(s->out, "A = %-20s", assoc->account);
	} else if (*assoc->parent_account) {
		fprintf(s->out, "A = %s of %s", assoc->account,
			assoc->parent_account);
	} else {
		fprintf(s->out, "A = %s", assoc->account);
	}
	fputc('\n', s->out);
}

int chosen_clusters(
	struct session *s, const struct strv *given, struct strv *clusters)
{
	for (size_t i = 0; i < given->n; i++)
		if (*given->v[i])
			strv_push(clusters, &s->arena, given->v[i]);
	if (clusters->n)
		return 0;
	return cluster_names(s->store, &s->arena, clusters);
}

/* ---- modify --------------------------------------------------------------*/

struct modify {
	struct request *request;
	const char *heading;
	const struct assoc_list *all; /* every row of the clusters concerned */
	bool own; /* the caller's own rows */
};

static bool is_own(const struct assoc *assoc, const struct attr *attr)
{
	uint32_t number;

	memcpy(&number, (const char *)assoc + attr->offset, sizeof(number));
	return number != INFINITE && number != NO_VAL;
}

/* Would a change of this setting on the parent show in the child? */
static bool child_feels(const struct assoc *child, const struct setting *set)
{
	if (set->attr->type == ATTR_QOS_LIST) {
		for (size_t i = 0; i < child->own_qos.n; i++)
			if (child->own_qos.v[i].sign == '=')
				return false;
		return true;
	}
	if (!set->attr->inherited)
		return false;
	return set->attr->type == ATTR_TRES || !is_own(child, set->attr);
}

static bool feels_any(
	const struct assoc *child, const struct settings *settings, bool moved)
{
	if (moved)
		return true;
	for (size_t i = 0; i < settings->n; i++)
		if (child_feels(child, &settings->v[i]))
			return true;
	return false;
}

/* The settings that still reach below a child that keeps its own values. */
static struct settings felt(struct session *s, const struct assoc *child,
	const struct settings *settings)
{
	struct settings rest = {0};

	for (size_t i = 0; i < settings->n; i++)
		if (child_feels(child, &settings->v[i]))
			*ARENA_PUSH(&s->arena, rest.v, rest.n, rest.cap) =
				settings->v[i];
	return rest;
}

/* Lines for all rows below that take the new values over. */
static void report_children(struct session *s, const struct modify *m,
	const struct assoc *parent, const struct settings *settings, bool moved)
{
	for (size_t i = 0; i < m->all->n; i++) {
		const struct assoc *child = m->all->v[i];
		struct settings rest;

		if (child->parent_key != parent->key ||
			!feels_any(child, settings, moved))
			continue;
		report_assoc(s, child, false);
		if (*child->user)
			continue;
		rest = felt(s, child, settings);
		report_children(s, m, child, &rest, moved);
	}
}

static int find_parent(struct session *s, const struct assoc *assoc,
	const char *name, struct assoc **parent)
{
	return assoc_find(s->store, assoc->cluster, name, "", "", &s->arena,
		parent);
}

/* 1: moved, 0: said why not, 2: it is there already, -1. */
static int move(struct session *s, const struct assoc *assoc, const char *name)
{
	struct assoc *parent;
	int found;

	if (assoc_is_root(assoc))
		return 1;
	found = find_parent(s, assoc, name, &parent);
	if (found < 0)
		return -1;
	if (!found) {
		fprintf(s->out,
			"  Parent account %s doesn't exist on cluster %s\n",
			name, assoc->cluster);
		return 0;
	}
	if (!strncmp(parent->lineage, assoc->lineage, strlen(assoc->lineage))) {
		fprintf(s->out,
			"  Requested parent account %s is a child of %s on "
			"cluster %s. Please re-parent %s before using it as a "
			"parent.\n",
			name, assoc->account, assoc->cluster, name);
		return 0;
	}
	if (!strcmp(assoc->parent_account, name))
		return 2;
	return assoc_move(s->store, assoc, parent, &s->arena) ? -1 : 1;
}

/* A coordinator may change what is below the account, not the account. */
static bool may_modify(struct session *s, const struct assoc *assoc)
{
	if (is_operator(s))
		return true;
	return is_coordinator(s,
		*assoc->user ? assoc->account : assoc->parent_account);
}

static bool raises(const struct assoc *parent, const struct setting *set)
{
	uint32_t above;

	if (set->attr->type == ATTR_TRES) {
		const struct tres_list *list =
			&parent->tres[set->attr->tres_kind];

		for (size_t i = 0; i < set->tres.n; i++) {
			uint64_t limit =
				tres_list_get(list, set->tres.v[i].id);

			if (limit != NO_VAL64 &&
				set->tres.v[i].count > limit)
				return true;
		}
		return false;
	}
	if (!set->attr->column || (set->attr->type != ATTR_UINT &&
					  set->attr->type != ATTR_MINUTES))
		return false;
	memcpy(&above, (const char *)parent + set->attr->offset,
		sizeof(above));
	return above != INFINITE && above != NO_VAL && set->number > above;
}

/* The row of the account above, with inherited values. */
static int parent_values(
	struct session *s, const struct assoc *assoc, const struct assoc **row)
{
	struct assoc_cond cond = {0};
	struct assoc_list list;

	*row = NULL;
	strv_push(&cond.clusters, &s->arena, assoc->cluster);
	strv_push(&cond.accounts, &s->arena,
		*assoc->user ? assoc->account : assoc->parent_account);
	strv_push(&cond.users, &s->arena, "");
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	if (list.n)
		*row = list.v[0];
	return 0;
}

/* Coordinators may not lift a limit above the parent's. */
static int check_coordinator(struct session *s, const struct assoc *assoc,
	const struct settings *settings)
{
	const struct assoc *parent;

	if (is_operator(s))
		return 0;
	if (parent_values(s, assoc, &parent))
		return -1;
	for (size_t i = 0; parent && i < settings->n; i++)
		if (raises(parent, &settings->v[i]))
			return err_set(&s->err, ERR_DENIED,
				"Coordinators can not increase job limits "
				"beyond the parent ones");
	return 0;
}

/* A row whose default QOS is not among those it may use. */
static bool lost_default_qos(const struct assoc *assoc)
{
	return *assoc->def_qos && !assoc_has_qos(assoc, assoc->def_qos_id);
}

static int check_default_qos(struct session *s, const struct modify *m,
	const struct assoc_list *rows)
{
	const struct settings *set = &m->request->set;
	struct assoc_cond cond = {0};
	struct assoc_list list;
	bool any = false;

	if (!settings_find(set, &assoc_attrs[ASSOC_ATTR_QOS]) &&
		!settings_find(set, &assoc_attrs[ASSOC_ATTR_DEFAULT_QOS]))
		return 0;
	for (size_t i = 0; i < rows->n; i++) {
		strv_split(&cond.clusters, &s->arena, rows->v[i]->cluster);
		strv_split(&cond.accounts, &s->arena, rows->v[i]->account);
		if (*rows->v[i]->user)
			strv_split(&cond.users, &s->arena, rows->v[i]->user);
	}
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (!lost_default_qos(list.v[i]))
			continue;
		if (!any) {
			fputs(m->heading, s->out);
			cli_error("\n These associations don't have access to "
				  "their default qos.\n Please give them "
				  "access before they the default can be set "
				  "to this.");
		}
		any = true;
		fprintf(stderr, "  DefQOS = %-10s C = %-10s A = %-20s",
			list.v[i]->def_qos, list.v[i]->cluster,
			list.v[i]->account);
		if (*list.v[i]->user)
			fprintf(stderr, " U = %-9s", list.v[i]->user);
		fputc('\n', stderr);
	}
	if (!any)
		return 0;
	fputc('\n', stderr);
	complain_request(s,
		"This request would make it so some associations would not "
		"have access to their default qos.");
	return -1;
}

/* One selected row: moved, changed, and reported with all it touches. */
static int modify_row(struct session *s, struct modify *m,
	const struct assoc *assoc, bool *touched)
{
	const struct settings *set = &m->request->set;
	const struct setting *parent =
		settings_find(set, &assoc_attrs[ASSOC_ATTR_PARENT]);
	bool moved = false;

	if (check_coordinator(s, assoc, set))
		return -1;
	if (parent && !*assoc->user) {
		int rc = move(s, assoc, parent->text);

		if (rc < 0)
			return -1;
		if (rc == 2)
			return 0;
		*touched = true;
		if (rc == 0)
			return 0;
		moved = true;
	}
	if (assoc_update(s->store, assoc, set, &s->arena))
		return -1;
	report_assoc(s, assoc, true);
	*touched = true;
	if (!*assoc->user)
		report_children(s, m, assoc, set, moved);
	return 0;
}

static int log_modified(struct session *s, const struct assoc_list *list,
	const struct settings *set)
{
	char *where = "";
	char *info = settings_text(set, &s->arena);

	if (!*info)
		return 0;
	for (size_t i = 0; i < list->n; i++)
		where = arena_printf(&s->arena, "%s%sid_assoc=%u", where,
			*where ? " || " : "(", list->v[i]->id);
	return txn_add(s->store, TXN_MODIFY_ASSOCS,
		list->n ? list->v[0]->cluster : "",
		arena_printf(&s->arena, "%s)", where), info);
}

/* Rows as they are now, own values only, for what they inherit or not. */
static int load_own(struct session *s, const struct strv *clusters,
	struct assoc_list *all)
{
	struct assoc_cond cond = {.without_limits = true};

	cond.clusters = *clusters;
	return assoc_list(s->store, &cond, &s->arena, all);
}

/* Do children have to be looked at for the report? */
static bool reaches_children(const struct modify *m)
{
	const struct assoc_cond *where = &m->request->where.assoc;

	if (where->only_users)
		return false;
	for (size_t i = 0; i < m->request->set.n; i++) {
		const struct attr *attr = m->request->set.v[i].attr;

		if (attr->inherited || attr->type == ATTR_QOS_LIST ||
			attr == &assoc_attrs[ASSOC_ATTR_PARENT])
			return true;
	}
	return false;
}

static int select_rows(struct session *s, struct modify *m,
	struct assoc_list *rows, struct assoc_list *all)
{
	struct assoc_cond cond = m->request->where.assoc;

	*all = (struct assoc_list){0};
	cond.without_limits = !cond.qos.n;
	if (assoc_list(s->store, &cond, &s->arena, rows))
		return -1;
	if (!reaches_children(m) || !rows->n)
		return 0;
	return load_own(s, &m->request->where.assoc.clusters, all);
}

/* Own values of a row found with inheritance. */
static int own_values(
	struct session *s, const struct assoc *row, struct assoc **own)
{
	return assoc_find(s->store, row->cluster, row->account, row->user,
			row->partition, &s->arena, own) == 1
		? 0
		: -1;
}

static enum plan_result refuse(struct session *s, const struct modify *m)
{
	if (!*s->err.text)
		return PLAN_FAILED;
	fputs(m->heading, s->out);
	complain_err(s);
	if (s->err.kind == ERR_DENIED)
		complain_request(s, s->err.text);
	return PLAN_FAILED;
}

/* A user who is nothing but a user may change an own default QOS, no more:
 * the other settings fall away. True when nothing is left. */
static bool only_self(struct session *s, struct modify *m)
{
	struct settings *set = &m->request->set;
	const struct strv *users = &m->request->where.assoc.users;
	size_t kept = 0;

	if (is_operator(s) || is_any_coordinator(s) || users->n != 1 ||
		strcasecmp(users->v[0], s->site.caller.name))
		return false;
	for (size_t i = 0; i < set->n; i++)
		if (set->v[i].attr == &assoc_attrs[ASSOC_ATTR_DEFAULT_QOS])
			set->v[kept++] = set->v[i];
	set->n = kept;
	m->own = true;
	return !kept;
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	struct modify *m = arg;
	struct assoc_list rows, all;
	bool touched = false;
	char *report = NULL;
	FILE *out = s->out;
	size_t size = 0;

	*s->err.text = '\0';
	if (only_self(s, m)) {
		fprintf(s->out, "%s  Nothing modified\n", m->heading);
		return PLAN_FAILED;
	}
	if (select_rows(s, m, &rows, &all))
		return refuse(s, m);
	for (size_t i = 0; i < rows.n; i++)
		if (!m->own && !may_modify(s, rows.v[i])) {
			fputs(m->heading, s->out);
			complain_denied(s);
			return PLAN_FAILED;
		}
	m->all = &all;
	s->out = open_memstream(&report, &size);
	for (size_t i = 0; i < rows.n && !*s->err.text; i++) {
		struct assoc *own;

		if (own_values(s, rows.v[i], &own) == 0)
			modify_row(s, m, own, &touched);
	}
	fclose(s->out);
	s->out = out;
	if (*s->err.text) {
		free(report);
		return refuse(s, m);
	}
	if (check_default_qos(s, m, &rows)) {
		free(report);
		return refuse(s, m);
	}
	fprintf(s->out, "%s%s", m->heading,
		touched ? report : "  Nothing modified\n");
	free(report);
	if (!touched)
		return PLAN_FAILED;
	return log_modified(s, &rows, &m->request->set) ? PLAN_FAILED
							: PLAN_CHANGED;
}

int modify_assocs(struct session *s, struct request *r, const char *heading)
{
	struct modify m = {.request = r, .heading = heading};

	return change_run(s, plan_modify, &m);
}
