/*
 * AccountUtilizationByUser and AccountUtilizationByQOS: the tree of accounts,
 * totals first (Slurm's src/sreport/cluster_reports.c).
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/sreport/usage.h"
#include "common/cli/cli.h"

/* What rows add up: an account or a user in it, with QOS apart or not. */
struct sums {
	struct usage_cells cells; /* assoc: index + 1 */
	bool by_qos;
	bool users;
	struct privacy privacy;
};

static bool wants_qos(struct report_run *r, const struct usage_cell *cell)
{
	const struct strv *names = &r->cond.qos;

	return !names->n || strv_has_nocase(names, qos_text(r, cell->qos));
}

static bool wants_account(
	const struct report_run *r, const struct tree_usage *u, size_t index)
{
	if (!r->cond.accounts.n)
		return true;
	for (; index != NO_NODE; index = u->nodes[index].parent)
		if (is_account(&u->nodes[index]) &&
			strv_has_nocase(&r->cond.accounts,
				u->nodes[index].assoc.account))
			return true;
	return false;
}

static bool wants_node(struct report_run *r, const struct tree_usage *u,
	const struct sums *sums, size_t index)
{
	const struct rollup_assoc *a = &u->nodes[index].assoc;

	if (is_account(&u->nodes[index])) {
		if (r->cond.users.n && sums->users &&
			!strv_has(&r->cond.users, ""))
			return false;
	} else if (!strv_has_nocase(&r->cond.users, a->user) &&
		   (r->cond.users.n || !sums->users)) {
		return false;
	}
	return wants_account(r, u, index) &&
	       privacy_allows(&sums->privacy, a->user, a->account);
}

/* Users of an account with several partitions have one row. */
static size_t first_of_user(const struct tree_usage *u, size_t index)
{
	while (index && !is_account(&u->nodes[index]) &&
		u->nodes[index - 1].parent == u->nodes[index].parent &&
		!strcasecmp(u->nodes[index - 1].assoc.user,
			u->nodes[index].assoc.user))
		index--;
	return index;
}

static void add_cell(struct report_run *r, const struct tree_usage *u,
	struct sums *sums, const struct usage_cell *cell)
{
	size_t index = usage_index(u, cell->assoc);

	if (index == NO_NODE || !wants_qos(r, cell))
		return;
	for (index = first_of_user(u, index); index != NO_NODE;
		index = u->nodes[index].parent) {
		struct usage_cell *sum;

		if (!wants_node(r, u, sums, index))
			continue;
		sum = usage_cells_at(&sums->cells, (int64_t)index + 1,
			sums->by_qos ? cell->qos : 0, "");
		add_secs(&u->report, sum->secs, cell->secs);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct usage_cell *x = a, *y = b;

	if (x->assoc != y->assoc)
		return x->assoc < y->assoc ? -1 : 1;
	return x->qos < y->qos ? -1 : x->qos > y->qos;
}

/* Deeper than the nearest account above that has a row. */
static unsigned indent_of(
	const struct tree_usage *u, const unsigned *shown, size_t index)
{
	size_t parent = u->nodes[index].parent;

	return parent == NO_NODE ? 0 : shown[parent];
}

static void add_sum_rows(struct report_run *r, const struct tree_usage *u,
	const struct sums *sums, struct rows *rows)
{
	unsigned *shown =
		arena_array(&r->session->arena, u->n + 1, sizeof(*shown));

	for (size_t i = 0; i < sums->cells.n; i++) {
		const struct usage_cell *sum = &sums->cells.v[i];
		size_t index = (size_t)(sum->assoc - 1);
		const struct tree_node *node = &u->nodes[index];
		struct row row = {.account = node->assoc.account,
			.login = node->assoc.user,
			.qos = sums->by_qos ? qos_text(r, sum->qos) : "",
			.qos_id = sum->qos};

		if (r->cond.tree || r->session->options.svg)
			row.indent = indent_of(u, shown, index);
		if (is_account(node))
			shown[index] = row.indent + 1;
		add_rows(r, rows, u, &row, sum->secs);
	}
}

static void add_cluster(struct report_run *r,
	const struct report_cluster *cluster, struct sums *sums,
	struct widths *widths, struct rows *rows)
{
	struct tree_usage u;

	tree_usage_read(r, cluster, &u);
	if (usage_is_empty(&u))
		return;
	usage_cells_init(&sums->cells, u.report.n_tres, &r->session->arena);
	for (size_t i = 0; i < u.report.cells.n; i++)
		add_cell(r, &u, sums, &u.report.cells.v[i]);
	if (sums->cells.n)
		qsort(sums->cells.v, sums->cells.n, sizeof(*sums->cells.v),
			by_place);
	note_width(r, &u, sums->cells.n ? sums->cells.v[0].secs : NULL, widths);
	add_sum_rows(r, &u, sums, rows);
}

void report_assocs(struct report_run *r)
{
	bool qos = r->report->by == BY_QOS;
	struct sums sums = {.by_qos = qos || r->cond.with_qos,
		.users = !qos,
		.privacy = privacy_of(r, PRIVATE_USAGE)};
	struct widths widths = {0};
	struct rows rows = {0};

	choose_columns(r);
	for (size_t i = 0; i < r->clusters.n; i++)
		add_cluster(r, &r->clusters.v[i], &sums, &widths, &rows);
	if (r->federation)
		merge_rows(r, &rows, 0);
	set_widths(r, &widths);
	print_rows(r, &rows);
}
