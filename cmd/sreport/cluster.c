/*
 * cluster Utilization: what became of every TRES-second of a cluster (Slurm's
 * src/sreport/cluster_reports.c).
 */
#include "cmd/sreport/sreport.h"

/* Without a capacity of its own (energy) all of it was reported. */
static int64_t possible(const struct report_run *r, const struct cluster_usage *c)
{
	return c->count ? usage_product((uint64_t)c->count, r->end - r->start)
			: cluster_usage_reported(c);
}

static void fill(struct row *row, const struct cluster_usage *c)
{
	const int64_t amounts[AMOUNTS] = {
		[AMOUNT_ALLOCATED] = c->alloc,
		[AMOUNT_DOWN] = c->down,
		[AMOUNT_PLANNED_DOWN] = c->pdown,
		[AMOUNT_IDLE] = c->idle,
		[AMOUNT_PLANNED] = c->plan,
		[AMOUNT_OVER] = c->over,
		[AMOUNT_REPORTED] = cluster_usage_reported(c),
	};

	for (size_t i = 0; i < AMOUNTS; i++) {
		row->amounts[i] = amounts[i];
		row->whole[i] = cluster_usage_reported(c);
	}
}

static void add_tres_row(struct report_run *r, const char *cluster,
	const struct report_tres *tres, const struct rollup_report *report,
	struct rows *rows)
{
	for (size_t i = 0; i < report->n_tres; i++) {
		const struct cluster_usage *c = &report->cluster[i];
		struct row *row;

		if (report->tres[i] != tres->id || (!c->count && !c->alloc))
			continue;
		row = ARENA_PUSH(
			&r->session->arena, rows->v, rows->n, rows->cap);
		*row = (struct row){.cluster = cluster,
			.tres = tres->name,
			.count = c->count};
		fill(row, c);
		row->whole[AMOUNT_REPORTED] = possible(r, c);
	}
}

static void add_energy(struct rows *rows, size_t from, int64_t joules)
{
	for (size_t i = from; i < rows->n; i++)
		rows->v[i].amounts[AMOUNT_ENERGY] =
			rows->v[i].whole[AMOUNT_ENERGY] = joules;
}

static void add_cluster(struct report_run *r, const char *name,
	const struct rollup_report *report, struct rows *rows)
{
	size_t before = rows->n;

	for (size_t i = 0; i < r->n_tres; i++)
		add_tres_row(r, name, &r->tres[i], report, rows);
	for (size_t i = 0; i < report->n_tres; i++)
		if (report->tres[i] == TRES_ENERGY)
			add_energy(rows, before, report->cluster[i].alloc);
}

/* In a federation capacities add up, too. */
static void merge(struct rollup_report *sum, const struct rollup_report *more)
{
	for (size_t i = 0; i < sum->n_tres; i++) {
		int64_t count = usage_sum(
			sum->cluster[i].count, more->cluster[i].count);

		cluster_usage_add(&sum->cluster[i], &more->cluster[i]);
		sum->cluster[i].count = count;
	}
}

/* Energy is as wide as what was allocated would need. */
static void set_widths(struct report_run *r, const struct rows *rows)
{
	for (int a = AMOUNT_ENERGY; a <= AMOUNT_REPORTED; a++) {
		int like = a == AMOUNT_ENERGY ? AMOUNT_ALLOCATED : a;
		int64_t most = 0;

		for (size_t i = 0; i < rows->n; i++)
			if (rows->v[i].amounts[like] > most)
				most = rows->v[i].amounts[like];
		widen(r, (enum amount)a, most);
	}
}

void report_cluster(struct report_run *r)
{
	struct rollup_report sum = {0};
	struct rows rows = {0};

	choose_columns(r);
	for (size_t i = 0; i < r->clusters.n; i++) {
		struct rollup_report report;

		load_usage(r, &r->clusters.v[i], &report);
		if (!report.registered)
			continue;
		if (!r->federation)
			add_cluster(r, r->clusters.v[i].name, &report, &rows);
		else if (sum.cluster)
			merge(&sum, &report);
		else
			sum = report;
	}
	if (sum.cluster)
		add_cluster(r,
			arena_printf(
				&r->session->arena, "FED:%s", r->federation),
			&sum, &rows);
	set_widths(r, &rows);
	print_rows(r, &rows);
}
