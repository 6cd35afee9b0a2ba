/*
 * SVG: the plan, as the page of spage has it (cmd/spage/plan.js): a row for each
 * node, or for nodes with the same jobs, and a bar for each job; see svg.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "common/draw/svg_pen.h"

enum {
	TOP = 104,
	LEFT = 130,
	LANE = 17,
	GAP = 4,
	KEY = 12,
	MOST_LANES = 16,
	MOST_ROWS = 60,
	MOST_KEYS = 12,
};

/* A node, or several that have the same bars. */
struct plan_row {
	uint32_t node; /* the first */
	uint32_t *bars; /* indexes, by their begin */
	size_t n, nodes, lanes;
};

/* Whose bars have a colour: an account. */
struct plan_group {
	const char *name;
	size_t bars;
};

struct plan_drawing {
	const struct svg_plan *plan;
	struct plan_row *rows;
	size_t n_rows;
	struct plan_group *groups;
	size_t n_groups;
	struct arena *arena;
	FILE *out;
};

/* ---- rows ------------------------------------------------------------------*/

static void list_bars(struct plan_drawing *d)
{
	const struct svg_plan *plan = d->plan;
	struct plan_row *nodes = d->rows;

	for (size_t i = 0; i < plan->n_bars; i++)
		for (size_t k = 0; k < plan->bars[i].n; k++)
			nodes[plan->bars[i].nodes[k]].n++;
	for (size_t i = 0; i < plan->n_nodes; i++) {
		nodes[i].node = (uint32_t)i;
		nodes[i].nodes = 1;
		nodes[i].bars = arena_array(
			d->arena, nodes[i].n + 1, sizeof(*nodes[i].bars));
		nodes[i].n = 0;
	}
	for (size_t i = 0; i < plan->n_bars; i++)
		for (size_t k = 0; k < plan->bars[i].n; k++) {
			struct plan_row *row = &nodes[plan->bars[i].nodes[k]];

			row->bars[row->n++] = (uint32_t)i;
		}
}

static int compare_bars(const struct plan_row *a, const struct plan_row *b)
{
	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return memcmp(a->bars, b->bars, a->n * sizeof(*a->bars));
}

static int by_node(const void *a, const void *b)
{
	const struct plan_row *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static int by_bars(const void *a, const void *b)
{
	int order = compare_bars(a, b);

	return order ? order : by_node(a, b);
}

/* One row of those with the same bars, none of those without. */
static void fold(struct plan_drawing *d)
{
	size_t n = 0;

	if (d->n_rows)
		qsort(d->rows, d->n_rows, sizeof(*d->rows), by_bars);
	for (size_t i = 0; i < d->n_rows && d->rows[i].n; i++)
		if (n && !compare_bars(&d->rows[n - 1], &d->rows[i]))
			d->rows[n - 1].nodes++;
		else
			d->rows[n++] = d->rows[i];
	d->n_rows = n;
	if (n)
		qsort(d->rows, n, sizeof(*d->rows), by_node);
}

/* The first lane that is free at the bar's begin. */
static size_t lane_of(int64_t *ends, size_t *n, const struct svg_plan_bar *bar)
{
	size_t lane = 0;

	while (lane < *n && ends[lane] > bar->from)
		lane++;
	if (lane == *n && *n < MOST_LANES)
		(*n)++;
	if (lane < MOST_LANES)
		ends[lane] = bar->to;
	return lane;
}

static void count_lanes(struct plan_drawing *d, struct plan_row *row)
{
	int64_t ends[MOST_LANES];

	for (size_t i = 0; i < row->n; i++)
		lane_of(ends, &row->lanes, &d->plan->bars[row->bars[i]]);
}

/* ---- colours ---------------------------------------------------------------*/

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct plan_group *)a)->name,
		((const struct plan_group *)b)->name);
}

static int by_size(const void *a, const void *b)
{
	const struct plan_group *x = a, *y = b;

	if (x->bars != y->bars)
		return x->bars < y->bars ? 1 : -1;
	return by_name(a, b);
}

static void list_groups(struct plan_drawing *d)
{
	const struct svg_plan *plan = d->plan;
	size_t n = 0;

	d->groups = arena_array(d->arena, plan->n_bars + 1, sizeof(*d->groups));
	for (size_t i = 0; i < plan->n_bars; i++)
		d->groups[i] = (struct plan_group){plan->bars[i].group, 1};
	if (plan->n_bars)
		qsort(d->groups, plan->n_bars, sizeof(*d->groups), by_name);
	for (size_t i = 0; i < plan->n_bars; i++)
		if (n && !by_name(&d->groups[n - 1], &d->groups[i]))
			d->groups[n - 1].bars++;
		else
			d->groups[n++] = d->groups[i];
	if (n)
		qsort(d->groups, n, sizeof(*d->groups), by_size);
	d->n_groups = n;
}

/* ---- drawing ---------------------------------------------------------------*/

static double x_of(const struct svg_plan *plan, int64_t at)
{
	double span = (double)(plan->to - plan->from);

	return LEFT + (double)(at - plan->from) / (span > 0 ? span : 1) *
			      (PEN_WIDTH - LEFT - PEN_MARGIN);
}

static void draw_bar(const struct plan_drawing *d,
	const struct svg_plan_bar *bar, double y)
{
	const struct svg_plan *plan = d->plan;
	int64_t from = larger(bar->from, plan->from);
	int64_t to = smaller(bar->to, plan->to);
	double x = x_of(plan, from), width = x_of(plan, to) - x - 1;
	int colour = svg_colour(plan->book, bar->group);
	const char *name = pen_fit(bar->name, width - 8, d->arena);

	if (to <= from)
		return;
	pen_box(d->out, x, y, fmax(width, 2), LANE - 2,
		arena_printf(d->arena, "part%d line%d %s", colour, colour,
			bar->planned ? "planned" : "runs"),
		bar->tip);
	if (*name)
		pen_label(d->out, x + 4, y + 11.5,
			bar->planned ? "bar name" : "bar on", name);
}

static double draw_row(
	const struct plan_drawing *d, const struct plan_row *row, double y)
{
	const struct svg_plan *plan = d->plan;
	const char *node = plan->nodes[row->node];
	int64_t ends[MOST_LANES];
	size_t n = 0, hidden = 0;

	pen_rule(d->out, PEN_MARGIN, y - 2.5, PEN_WIDTH - PEN_MARGIN, y - 2.5,
		"grid");
	pen_label(d->out, PEN_MARGIN, y + 12, "name",
		row->nodes > 1 ? arena_printf(d->arena, "%s +%zu", node,
					 row->nodes - 1)
			       : node);
	for (size_t i = 0; i < row->n; i++) {
		const struct svg_plan_bar *bar = &plan->bars[row->bars[i]];
		size_t lane = lane_of(ends, &n, bar);

		if (lane < MOST_LANES)
			draw_bar(d, bar, y + (double)lane * LANE);
		else
			hidden++;
	}
	if (hidden)
		pen_label(d->out, PEN_MARGIN, y + 12 + LANE, "note",
			arena_printf(d->arena, "%zu more", hidden));
	return y + (double)row->lanes * LANE + GAP;
}

static void draw_times(const struct plan_drawing *d, double bottom)
{
	struct plot_ticks ticks;

	plot_time_ticks(&ticks, d->plan->from, d->plan->to, 9, d->arena);
	for (size_t i = 0; i < ticks.n; i++) {
		double x = x_of(d->plan, (int64_t)ticks.v[i].at);

		pen_rule(d->out, x, TOP - 8, x, bottom, "grid");
		pen_label(d->out, x, TOP - 12, "time", ticks.v[i].label);
	}
}

static void draw_keys(const struct plan_drawing *d)
{
	double x = PEN_MARGIN;

	for (size_t i = 0; i < d->n_groups && i < MOST_KEYS; i++) {
		double width = KEY + 20 + pen_text_width(d->groups[i].name);

		if (x + width > PEN_WIDTH - PEN_MARGIN)
			return;
		pen_box(d->out, x, 64, KEY, KEY,
			pen_part(svg_colour(d->plan->book, d->groups[i].name),
				d->arena),
			NULL);
		pen_label(d->out, x + KEY + 6, 74, "name", d->groups[i].name);
		x += width;
	}
}

static double height_of(const struct plan_drawing *d, size_t rows)
{
	double height = TOP;

	for (size_t i = 0; i < rows; i++)
		height += (double)d->rows[i].lanes * LANE + GAP;
	return height;
}

static const char *note_of(const struct plan_drawing *d, size_t shown)
{
	if (shown == d->n_rows)
		return d->plan->note;
	return arena_printf(d->arena, "%zu more rows of nodes. %s",
		d->n_rows - shown, d->plan->note);
}

void svg_draw_plan(const struct svg_plan *plan, FILE *out, struct arena *arena)
{
	static const char style[] =
		"<style>.planned { fill-opacity: .22 }\n"
		".bar { font-size: 11px }</style>\n";
	struct plan_drawing d = {.plan = plan, .out = out, .arena = arena,
		.n_rows = plan->n_nodes};
	double y = TOP, bottom;
	size_t shown;

	d.rows = arena_array(arena, plan->n_nodes + 1, sizeof(*d.rows));
	list_bars(&d);
	fold(&d);
	list_groups(&d);
	shown = d.n_rows < MOST_ROWS ? d.n_rows : MOST_ROWS;
	for (size_t i = 0; i < shown; i++)
		count_lanes(&d, &d.rows[i]);
	bottom = height_of(&d, shown);
	pen_begin(out, bottom + 30, plan->title, plan->subtitle);
	fputs(style, out);
	draw_keys(&d);
	draw_times(&d, bottom);
	for (size_t i = 0; i < shown; i++)
		y = draw_row(&d, &d.rows[i], y);
	pen_label(out, PEN_MARGIN, bottom + 16, "note", note_of(&d, shown));
	pen_end(out);
}
