/*
 * SVG: a Gantt chart of processors; see svg.h.
 */
#include <math.h>

#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "common/draw/svg_pen.h"

enum {
	TOP = 92,
	LEFT = 74,
	LEGEND = 150, /* at least */
	WIDEST = 320,
	PANEL = 250,
	GAP = 56,
	BOTTOM = 46,
	KEY = 12,
	LETTERS = 11, /* height of a name */
};

/* What has no colour of its own must not look idle. */
static const char style[] =
	"<style>.neutral { fill: #b4bcc6 }\n"
	"@media (prefers-color-scheme: dark) { .neutral { fill: #4d5661 } }\n"
	"</style>\n";

static double panel_top(size_t i)
{
	return TOP + (double)i * (PANEL + GAP);
}

static double legend(const struct svg_gantt *g)
{
	double width = LEGEND;

	for (size_t i = 0; i < g->n_parts; i++)
		width = fmax(width, 45 + pen_text_width(g->parts[i].name));
	return fmin(width, WIDEST);
}

static double x_of(const struct svg_gantt *g, int64_t at)
{
	double span = (double)(g->to - g->from);

	return LEFT + (double)(at - g->from) / (span > 0 ? span : 1) *
			      (PEN_WIDTH - LEFT - legend(g));
}

static void draw_axes(
	const struct svg_gantt *g, double top, FILE *out, struct arena *arena)
{
	double bottom = top + PANEL;
	struct plot_ticks ticks;

	plot_number_ticks(&ticks, g->high, 5, arena);
	for (size_t i = 0; i < ticks.n && ticks.v[i].at <= g->high; i++) {
		double y = bottom - PANEL * ticks.v[i].at / g->high;

		pen_rule(out, LEFT, y, PEN_WIDTH - legend(g), y,
			i ? "grid" : "axis");
		pen_label(out, LEFT - 8, y + 4, "number",
			plot_number(ticks.v[i].at, arena));
	}
	plot_time_ticks(&ticks, g->from, g->to, 8, arena);
	for (size_t i = 0; i < ticks.n; i++) {
		double x = LEFT + (ticks.v[i].at - (double)g->from) /
					  (double)(g->to - g->from) *
					  (PEN_WIDTH - LEFT - legend(g));

		pen_rule(out, x, bottom, x, bottom + 4, "axis");
		pen_label(out, x, bottom + 18, "time", ticks.v[i].label);
	}
}

static void draw_name(const struct svg_held *held, double x, double width,
	double y, double height, FILE *out)
{
	double room = pen_text_width(held->name);

	if (height < LETTERS + 2 || room + 4 > width)
		return;
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"time %s\">",
		x + width / 2, y + height / 2 + 4,
		held->colour < 0 ? "onneutral" : "on");
	pen_text(out, held->name);
	fputs("</text>\n", out);
}

static void draw_held(const struct svg_gantt *g, const struct svg_held *held,
	double top, FILE *out, struct arena *arena)
{
	int64_t from = held->from > g->from ? held->from : g->from;
	int64_t to = held->to < g->to ? held->to : g->to;
	double x = x_of(g, from), width = x_of(g, to) - x;
	double y = top + PANEL - PANEL * held->high / g->high;
	double height = PANEL * (held->high - held->low) / g->high;
	const char *class = pen_part(held->colour, arena);

	if (from >= to)
		return;
	if (g->apart)
		class = arena_printf(arena, "%s tile", class);
	pen_box(out, x, y, width, height, class, held->tip);
	if (held->name)
		draw_name(held, x, width, y, height, out);
}

static void draw_legend(
	const struct svg_gantt *g, FILE *out, struct arena *arena)
{
	double x = PEN_WIDTH - legend(g) + 18;

	for (size_t i = 0; i < g->n_parts; i++) {
		double y = TOP + 4 + 20 * (double)i;

		pen_box(out, x, y, KEY, KEY,
			pen_part(g->parts[i].colour, arena), NULL);
		pen_label(out, x + 19, y + 10, "name",
			pen_fit(g->parts[i].name, legend(g) - 40, arena));
	}
}

void svg_draw_gantt(const struct svg_gantt *g, FILE *out, struct arena *arena)
{
	pen_begin(out, panel_top(g->n_panels) - GAP + BOTTOM, g->title,
		g->subtitle);
	fputs(style, out);
	for (size_t i = 0; i < g->n_panels; i++) {
		const struct svg_gantt_panel *panel = &g->panels[i];
		double top = panel_top(i);

		pen_label(out, LEFT, top - 10, "panel", panel->title);
		draw_axes(g, top, out, arena);
		for (size_t k = 0; k < panel->n; k++)
			draw_held(g, &panel->held[k], top, out, arena);
	}
	draw_legend(g, out, arena);
	pen_end(out);
}
