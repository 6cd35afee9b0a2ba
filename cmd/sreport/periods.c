/*
 * cluster Utilization as a picture: a column for every period of the window, a
 * panel for every cluster and TRES.
 */
#include "cmd/sreport/picture.h"
#include "common/cli/cli.h"
#include "common/draw/svg.h"

enum { MOST_PANELS = 12, MOST_COLUMNS = 400, DAY = 86400 };

/* From the bottom. */
static const struct svg_part kinds[] = {
	{"allocated", 0},
	{"planned", 5},
	{"down", 1},
	{"planned down", 4},
	{"idle", SVG_NEUTRAL},
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct {
	const char *every;
	enum span span;
} steps[] = {
	{"an hour a column", SPAN_HOUR},
	{"a day a column", SPAN_DAY},
	{"a month a column", SPAN_MONTH},
};

/* The finest step that leaves columns to be seen. */
static int choose_step(const struct report_run *r)
{
	int64_t length = r->end - r->start;

	if (length <= MOST_COLUMNS / 2 * (int64_t)SPAN_HOUR_MOST)
		return 0;
	return length <= MOST_COLUMNS * (int64_t)DAY ? 1 : 2;
}

static void fill(
	const struct rollup_report *report, uint32_t tres, double parts[KINDS])
{
	for (size_t i = 0; i < report->n_tres; i++) {
		const struct cluster_usage *c = &report->cluster[i];

		if (report->tres[i] != tres)
			continue;
		parts[0] = (double)c->alloc;
		parts[1] = (double)c->plan;
		parts[2] = (double)c->down;
		parts[3] = (double)c->pdown;
		parts[4] = (double)c->idle;
	}
}

/* The columns of each TRES get that of one period. */
static void add_period(struct report_run *r, struct svg_column **columns,
	size_t index, struct svg_column column,
	const struct rollup_report *report)
{
	for (size_t i = 0; i < r->n_tres; i++) {
		double *parts =
			arena_array(&r->session->arena, KINDS, sizeof(*parts));

		fill(report, r->tres[i].id, parts);
		column.parts = parts;
		columns[i][index] = column;
	}
}

static size_t count_periods(const struct report_run *r, enum span span)
{
	size_t n = 0;

	for (int64_t at = r->start; at < r->end;
		at = span_next(span_floor(at, span), span))
		n++;
	return n;
}

static void read_periods(struct report_run *r, int64_t cluster, enum span span,
	struct svg_column **columns)
{
	struct store *store = &r->session->site.store;
	struct arena arena;
	size_t index = 0;
	int64_t to;

	arena_init(&arena);
	for (int64_t at = r->start; at < r->end; at = to) {
		struct rollup_report report;

		to = span_next(span_floor(at, span), span);
		to = to < r->end ? to : r->end;
		arena_reset(&arena);
		if (rollup_load(store, cluster, at, to, &arena, &report))
			cli_die(&r->session->err);
		add_period(r, columns, index++,
			(struct svg_column){.from = at, .to = to}, &report);
	}
	arena_release(&arena);
}

static const char *panel_title(const struct report_run *r,
	const struct report_cluster *cluster, const char *tres)
{
	if (r->clusters.n == 1)
		return tres;
	return arena_printf(&r->session->arena, "%s: %s", cluster->name, tres);
}

/* A panel for each TRES, as many as there is room for; gives how many. */
static size_t add_cluster(struct report_run *r,
	const struct report_cluster *cluster, enum span span,
	struct svg_column_panel *panels, size_t room)
{
	struct arena *arena = &r->session->arena;
	struct svg_column **columns =
		arena_array(arena, r->n_tres, sizeof(struct svg_column *));
	size_t periods = count_periods(r, span), i;

	for (i = 0; i < r->n_tres; i++)
		columns[i] =
			arena_array(arena, periods, sizeof(struct svg_column));
	read_periods(r, cluster->key, span, columns);
	for (i = 0; i < r->n_tres && i < room; i++)
		panels[i] = (struct svg_column_panel){
			.title = panel_title(r, cluster, r->tres[i].name),
			.columns = columns[i],
			.n = periods,
		};
	return i;
}

void draw_periods(FILE *out, struct report_run *r, const char *title)
{
	const int step = choose_step(r);
	struct svg_column_panel panels[MOST_PANELS] = {0};
	struct svg_columns picture = {
		.title = title,
		.subtitle = picture_subtitle(r, steps[step].every),
		.from = r->start,
		.to = r->end,
		.parts = kinds,
		.n_parts = KINDS,
		.panels = panels,
	};

	for (size_t i = 0; i < r->clusters.n; i++)
		picture.n_panels += add_cluster(r, &r->clusters.v[i],
			steps[step].span, &panels[picture.n_panels],
			MOST_PANELS - picture.n_panels);
	svg_draw_columns(&picture, out, &r->session->arena);
}
