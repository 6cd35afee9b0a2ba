/*
 * sshare --explain: why a user has the fair-share it has, level by level, and
 * what would raise it, in words for somebody who has never read the manual.
 * The claims are made by common/fair/explain.h.
 */
#include "cmd/sshare/sshare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"

/* One explanation being written. */
struct shares_telling {
	struct session *s;
	const struct shares *shares;
	const struct policy *policy;
	struct explain why;
	struct arena *arena;
};

static const struct fs_node *node_at(
	const struct shares_telling *t, uint32_t index)
{
	return &t->shares->nodes[index];
}

/* ---- names and numbers ---------------------------------------------------*/

static const char *name_of(const struct shares_telling *t, uint32_t index)
{
	const struct share *share = &t->shares->v[index];

	if (!*share->user)
		return share->account;
	if (!*share->partition)
		return share->user;
	return arena_printf(
		t->arena, "%s (partition %s)", share->user, share->partition);
}

static const char *level_fs_text(const struct shares_telling *t, uint32_t index)
{
	const struct fs_node *node = node_at(t, index);

	if (fs_is_marked(node) && !node->is_user)
		return "";
	if (fs_is_marked(node))
		return "first";
	if (isinf(node->level_fs))
		return "unused";
	if (node->level_fs >= 100000)
		return arena_printf(t->arena, "%.3Le", node->level_fs);
	return arena_printf(t->arena, "%.6Lf", node->level_fs);
}

/* The accounts on the user's own way are no secret from the user. */
static bool hidden(const struct shares_telling *t, uint32_t index)
{
	for (uint32_t i = t->why.user; i != FS_NO_PARENT;
		i = node_at(t, i)->parent)
		if (i == index)
			return false;
	return !sshare_may_see(&t->s->filter, &t->shares->v[index]);
}

/* One of those who compete on a level, as the caller may see it. */
struct rival {
	const char *name, *level_fs; /* level_fs: "" is not told */
};

static struct rival rival_at(const struct shares_telling *t, uint32_t index)
{
	if (hidden(t, index))
		return (struct rival){"(private)", ""};
	return (struct rival){name_of(t, index), level_fs_text(t, index)};
}

static const char *percent(const struct shares_telling *t, long double part)
{
	return arena_printf(t->arena, "%.2Lf %%", part * 100);
}

static const char *shares_text(const struct shares_telling *t, uint32_t index)
{
	const struct fs_node *node = node_at(t, index);

	if (fs_is_marked(node))
		return "parent";
	return arena_printf(t->arena, "%u of %llu", node->shares_raw,
		(unsigned long long)node->level);
}

/* ---- aligned columns -----------------------------------------------------*/

enum { MAX_CELLS = 9 };

/* Lines of cells, as wide as their widest; the first is to the left. */
struct cells {
	const char *(*v)[MAX_CELLS];
	size_t n, cap, columns;
};

static const char **cells_row(struct cells *lines, struct arena *arena)
{
	return *ARENA_PUSH(arena, lines->v, lines->n, lines->cap);
}

static int cells_width(const struct cells *lines, size_t column)
{
	size_t width = 0;

	for (size_t i = 0; i < lines->n; i++)
		if (strlen(lines->v[i][column]) > width)
			width = strlen(lines->v[i][column]);
	return (int)width;
}

static void cells_line(const struct cells *lines, const char *const *cells)
{
	size_t columns = lines->columns;

	while (columns > 1 && !*cells[columns - 1])
		columns--;
	printf("  %-*s", cells_width(lines, 0), cells[0]);
	for (size_t c = 1; c < columns; c++)
		printf("  %*s", cells_width(lines, c), cells[c]);
	putchar('\n');
}

static void cells_print(const struct cells *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		cells_line(lines, lines->v[i]);
}

/* ---- the levels ----------------------------------------------------------*/

static const char *real6(const struct shares_telling *t, long double number)
{
	return arena_printf(t->arena, "%.6Lf", number);
}

static void tree_row(const struct shares_telling *t,
	const struct explain_level *level, const char **cells)
{
	const struct fs_node *node = node_at(t, level->node);

	cells[1] = shares_text(t, level->node);
	cells[2] = fs_is_marked(node) ? "" : percent(t, node->shares_norm);
	cells[3] = percent(t, node->usage_efctv);
	cells[4] = level_fs_text(t, level->node);
	cells[5] = arena_printf(t->arena, "%s%u of %zu",
		level->equal ? "shared " : "", level->ahead + 1, level->n);
}

static void classic_row(const struct shares_telling *t,
	const struct explain_level *level, const char **cells)
{
	const struct fs_node *node = node_at(t, level->node);

	cells[1] = shares_text(t, level->node);
	cells[2] = real6(t, node->shares_norm);
	cells[3] = real6(t, node->usage_norm);
	cells[4] = real6(t, node->usage_efctv);
}

static void oblivious_row(const struct shares_telling *t,
	const struct explain_level *level, const char **cells)
{
	const struct fs_oblivious *o = &level->oblivious;

	classic_row(t, level, cells);
	cells[5] = o->applies ? real6(t, o->ratio_p) : "-";
	cells[6] = o->applies ? real6(t, o->ratio_l) : "-";
	cells[7] = o->applies ? real6(t, o->k) : "-";
}

static const struct style {
	const char *heads[MAX_CELLS];
	void (*row)(const struct shares_telling *, const struct explain_level *,
		const char **cells);
	const char *words;
} styles[] = {
	[FAIRSHARE_FAIR_TREE] = {{"level", "shares", "promised", "used",
					 "LevelFS", "place"},
		tree_row,
		"Fair Tree decides from the top down. On every level "
		"those go first who used\nleast of what they were "
		"promised, and all below them go before all below the\n"
		"next. LevelFS is promised / used: above 1 has had "
		"less than promised, below 1\nmore.\n"},
	[FAIRSHARE_CLASSIC] = {{"level", "shares", "S", "U", "UE"}, classic_row,
		"The classic formula. S is the part of the cluster "
		"that was promised: on each\nlevel shares / shares of "
		"the level, times S above. U is the part of all usage\n"
		"that was used. UE, what counts, lies between U and "
		"UE above:\n"
		"UE = U + (UE above - U) x shares / shares of the "
		"level; on top UE = U.\n"},
	[FAIRSHARE_DEPTH_OBLIVIOUS] = {{"level", "shares", "S", "U", "UE", "Rp",
					       "rl", "k"},
		oblivious_row,
		"The depth-oblivious formula. S is the part of the "
		"cluster that was promised:\non each level shares / "
		"shares of the level, times S above. U is the part of "
		"all\nusage that was used. UE, what counts, is Rp x "
		"rl^k x S: Rp = UE / S above,\nrl = U / S compared "
		"with that of the whole level, k damps where the two\n"
		"disagree. A dash: UE = U; with shares `parent`, that "
		"of the account.\n"},
};

static const struct style *style_of(const struct shares_telling *t)
{
	return &styles[t->policy->algorithm];
}

static void tell_levels(const struct shares_telling *t)
{
	const struct style *style = style_of(t);
	struct cells lines = {0};

	memcpy(cells_row(&lines, t->arena), style->heads, sizeof(style->heads));
	while (lines.columns < MAX_CELLS && style->heads[lines.columns])
		lines.columns++;
	for (size_t i = 0; i < t->why.n_levels; i++) {
		const struct explain_level *level = &t->why.levels[i];
		const char **cells = cells_row(&lines, t->arena);

		cells[0] = arena_printf(
			t->arena, "%*s%s", (int)i, "", name_of(t, level->node));
		style->row(t, level, cells);
	}
	cells_print(&lines);
	if (t->policy->algorithm == FAIRSHARE_FAIR_TREE &&
		fs_is_marked(node_at(t, t->why.user)))
		puts("\nUsers whose shares are `parent` go first on their "
		     "level, whatever they used.");
}

/* ---- who stands where (Fair Tree) ----------------------------------------*/

/* One competitor; begins a new line when the present one is full. */
static void tell_competitor(const struct shares_telling *t,
	const struct explain_level *level, size_t i, size_t *width)
{
	uint32_t index = level->order[i];
	bool own = index == level->node;
	struct rival rival = rival_at(t, index);
	const char *text = arena_printf(t->arena, "%s%s%s%s%s", own ? "[" : "",
		rival.name, *rival.level_fs ? " " : "", rival.level_fs,
		own ? "]" : "");

	if (i)
		*width += (size_t)printf(",");
	if (*width + strlen(text) + 2 > 79) {
		printf("\n     ");
		*width = 5;
	}
	*width += (size_t)printf(" %s", text);
}

/* The first two, the last, and the neighbours are named; the rest counted. */
static void tell_order(
	const struct shares_telling *t, const struct explain_level *level)
{
	uint32_t above = node_at(t, level->node)->fs_parent;
	size_t width = (size_t)printf("  below %s:", name_of(t, above));
	size_t own = 0, skipped = 0;

	while (level->order[own] != level->node)
		own++;
	for (size_t i = 0; i < level->n; i++) {
		if (i >= 2 && i + 1 < level->n &&
			(i + 2 < own || i > own + 1)) {
			skipped++;
			continue;
		}
		if (skipped)
			width += (size_t)printf(", %zu more", skipped);
		skipped = 0;
		tell_competitor(t, level, i, &width);
	}
	putchar('\n');
}

/* ---- the result ----------------------------------------------------------*/

static void tell_summary(const struct shares_telling *t)
{
	const struct explain *why = &t->why;
	const struct share *share = &t->shares->v[why->user];

	printf("%s in account %s%s%s: fair-share %.6f\n", share->user,
		share->account, *share->partition ? ", partition " : "",
		share->partition, node_at(t, why->user)->fairshare);
	if (!why->ahead)
		printf("None of the %u users has a higher one", why->users);
	else
		printf("%u of the %u users have a higher one", why->ahead,
			why->users);
	if (why->equal)
		printf(", %u other%s the same", why->equal,
			why->equal == 1 ? " has" : "s have");
	puts("; 1 is first in line.\n");
}

static void tell_tree_result(const struct shares_telling *t)
{
	const struct fs_node *node = node_at(t, t->why.user);

	puts("\nWho goes first (LevelFS behind the name):");
	for (size_t i = 0; i < t->why.n_levels; i++)
		tell_order(t, &t->why.levels[i]);
	printf("\nFair-share = place from the end / number of users = "
	       "%u / %u = %.6f\n",
		node->rank, t->why.users, node->fairshare);
}

static void tell_formula_result(const struct shares_telling *t)
{
	const struct fs_node *node = node_at(t, t->why.user);
	const struct fs_node *g =
		fs_is_marked(node) ? node_at(t, node->fs_parent) : node;

	if (g != node)
		printf("\nIts shares are those of %s (parent).",
			name_of(t, node->fs_parent));
	if (!(g->shares_norm > 0))
		printf("\nFair-share = 0, because no shares were promised\n");
	else if (t->policy->dampening == 1)
		printf("\nFair-share = 2^-(UE / S) = 2^-(%.6Lf / %.6f) = "
		       "%.6f\n",
			g->usage_efctv, g->shares_norm, node->fairshare);
	else
		printf("\nFair-share = 2^-(UE / S / FairShareDampeningFactor) "
		       "= 2^-(%.6Lf / %.6f / %u)\n           = %.6f\n",
			g->usage_efctv, g->shares_norm, t->policy->dampening,
			node->fairshare);
}

/* ---- what would raise it -------------------------------------------------*/

static const char *change_text(
	const struct shares_telling *t, const struct explain_change *change)
{
	const struct fs_node *node = node_at(t, change->node);
	const char *name = name_of(t, change->node);

	if (change->kind == EXPLAIN_LESS_USAGE)
		return arena_printf(t->arena, "half the usage of %s%s", name,
			node->is_user ? "" : " and all below");
	return arena_printf(t->arena, "%u shares instead of %u for %s",
		change->shares, node->shares_raw, name);
}

static void tell_changes(const struct shares_telling *t)
{
	double now = node_at(t, t->why.user)->fairshare;
	struct cells lines = {.columns = 4};

	puts("\nWhat one change would make of it, all else as it is:");
	for (size_t i = 0; i < t->why.n_changes; i++) {
		const struct explain_change *change = &t->why.changes[i];
		const char **cells = cells_row(&lines, t->arena);

		cells[0] = change_text(t, change);
		cells[1] = real6(t, change->fairshare);
		cells[2] = arena_printf(t->arena, "%+.6f",
			no_minus_zero(change->fairshare - now, 6));
		cells[3] = i == t->why.best ? "<- helps most" : "";
	}
	cells_print(&lines);
	if (t->why.best == t->why.n_changes)
		puts("None of these alone raises it.");
}

static void tell_decay(const struct shares_telling *t)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}};
	double half_life = t->policy->half_life;
	size_t unit = 0;

	while (unit < 2 && half_life < units[unit].seconds)
		unit++;
	if (t->policy->half_life)
		printf("Usage counts half after %g %s%s.\n",
			half_life / units[unit].seconds, units[unit].name,
			half_life == units[unit].seconds ? "" : "s");
	else
		puts("Usage does not decay (PriorityDecayHalfLife=0).");
}

static void tell(const struct shares_telling *t)
{
	tell_summary(t);
	puts(style_of(t)->words);
	tell_levels(t);
	if (t->policy->algorithm == FAIRSHARE_FAIR_TREE)
		tell_tree_result(t);
	else
		tell_formula_result(t);
	tell_changes(t);
	tell_decay(t);
}

/* ---- for machines --------------------------------------------------------*/

static void put_level_fs(struct json_object *record, const struct fs_node *node)
{
	const struct value level_fs = of_real((double)node->level_fs);

	json_put(record, "level_fs", &level_fs, NULL);
}

static struct json_object *level_record(
	const struct shares_telling *t, const struct explain_level *level)
{
	const struct fs_node *node = node_at(t, level->node);
	struct json_object *record = json_record();

	json_put_text(record, "name", name_of(t, level->node));
	json_put_int(record, "shares", node->shares_raw);
	json_put_int(record, "shares_of_level", (int64_t)node->level);
	json_put_real(record, "shares_normalized", node->shares_norm);
	json_put_real(record, "usage", (double)node->usage_raw);
	json_put_real(record, "effective_usage", (double)node->usage_efctv);
	if (t->policy->algorithm != FAIRSHARE_FAIR_TREE)
		return record;
	put_level_fs(record, node);
	json_put_int(record, "ahead", level->ahead);
	json_put_int(record, "equal", level->equal);
	json_append(record, "order", NULL);
	for (size_t i = 0; i < level->n; i++) {
		struct rival rival = rival_at(t, level->order[i]);
		struct json_object *other = json_record();

		json_put_text(other, "name", rival.name);
		if (*rival.level_fs)
			put_level_fs(other, node_at(t, level->order[i]));
		json_append(record, "order", other);
	}
	return record;
}

static struct json_object *change_record(const struct shares_telling *t,
	const struct explain_change *change, bool best)
{
	const struct value is_best = of_bool(best);
	struct json_object *record = json_record();

	json_put_text(record, "change",
		change->kind == EXPLAIN_LESS_USAGE ? "half_usage" : "shares");
	json_put_text(record, "name", name_of(t, change->node));
	if (change->kind == EXPLAIN_MORE_SHARES)
		json_put_int(record, "shares", change->shares);
	json_put_real(record, "fairshare", change->fairshare);
	json_put(record, "best", &is_best, NULL);
	return record;
}

static struct json_object *record_of(const struct shares_telling *t)
{
	static const char *const names[] = {
		"fair_tree", "classic", "depth_oblivious"};
	const struct share *share = &t->shares->v[t->why.user];
	struct json_object *record = json_record();
	struct cli_held held;

	json_put_text(record, "cluster", t->shares->cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	json_put_text(record, "algorithm", names[t->policy->algorithm]);
	json_put_real(record, "fairshare", node_at(t, t->why.user)->fairshare);
	json_put_int(record, "users", t->why.users);
	json_put_int(record, "ahead", t->why.ahead);
	json_put_int(record, "equal", t->why.equal);
	for (size_t i = 0; i < t->why.n_levels; i++)
		json_append(
			record, "levels", level_record(t, &t->why.levels[i]));
	json_append(record, "changes", NULL);
	for (size_t i = 0; i < t->why.n_changes; i++)
		json_append(record, "changes",
			change_record(t, &t->why.changes[i], i == t->why.best));
	cli_hold(&held);
	tell(t);
	json_put_text(record, "text", cli_held(&held));
	free(held.text);
	return record;
}

/* ---- all -----------------------------------------------------------------*/

static void explain_row(const struct row *row, void *arg)
{
	struct session *s = arg;
	struct shares_telling t = {.s = s,
		.shares = row->shares,
		.policy = s->policy,
		.arena = &s->scratch};

	if (!row->shares->nodes[row->index].is_user)
		return;
	explain_user(row->shares->nodes, row->shares->n, t.policy, row->index,
		&s->explained, t.arena, &t.why);
	if (s->options.form) {
		json_write(&s->doc, record_of(&t));
		s->told++;
		return;
	}
	if (s->told++)
		puts("");
	tell(&t);
}

int sshare_nobody(struct session *s)
{
	const char *who = "anybody";
	const struct strv *accounts = &s->filter.accounts;

	if (!s->filter.every_user)
		who = strv_join_some(&s->filter.users, ",", &s->scratch);
	if (accounts->n)
		cli_error("No association of %s in account %s itself: choose "
			  "users with -u, accounts with -A, "
			  "everybody with -a",
			who, strv_join_some(accounts, ",", &s->scratch));
	else
		cli_error("No association of %s here: choose users with -u, "
			  "accounts with -A, everybody with -a",
			who);
	return 1;
}

int sshare_explain(struct session *s, const struct strv *clusters)
{
	if (s->options.accounts.n && !s->options.users.n)
		s->filter.every_user = true;
	if (s->options.form)
		json_begin(&s->doc, stdout, s->options.form, "explanations");
	for (size_t i = 0; i < clusters->n; i++) {
		session_list(s, clusters->v[i], SHARES_NODES, explain_row);
		explain_memory_release(&s->explained);
	}
	if (s->options.form)
		cli_end_document(&s->doc, NULL);
	return s->told || s->options.form ? 0 : sshare_nobody(s);
}
