/*
 * SVG: lines over time; see svg.h.
 */
#include "common/draw/svg.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/draw/svg_pen.h"

enum {
	LEFT = 74,
	LEGEND = 190,
	TOP = 84,
	PANEL = 210,
	GAP = 56,
	BOTTOM = 46,
};

/* A second round of the same colours is dashed. */
static const char *dashes(size_t i)
{
	return i < PEN_COLOURS ? "" : " stroke-dasharray=\"6 4\"";
}

/* ---- where things are ----------------------------------------------------*/

static double x_of(const struct svg_chart *chart, double at)
{
	double span = (double)(chart->to - chart->from);
	double width = PEN_WIDTH - LEFT - LEGEND;

	if (!(span > 0))
		return LEFT;
	return LEFT + (at - (double)chart->from) / span * width;
}

static double panel_top(size_t i)
{
	return TOP + (double)i * (PANEL + GAP);
}

static double y_of(size_t panel, double value, double high)
{
	return panel_top(panel) + PANEL * (1 - value / high);
}

static double height_of(const struct svg_chart *chart)
{
	return panel_top(chart->n_panels) - GAP + BOTTOM;
}

/* ---- panels --------------------------------------------------------------*/

static double highest(const struct svg_chart *chart, size_t panel)
{
	double most = chart->panels[panel].high;

	for (size_t i = 0;
		!(chart->panels[panel].high > 0) && i < chart->n_lines; i++) {
		double low, high;

		plot_range(&chart->lines[i].panels[panel], &low, &high);
		if (high > most)
			most = high;
	}
	return most;
}

/* Gives the top of the axis. */
static double draw_grid(const struct svg_chart *chart, size_t panel, FILE *out,
	struct arena *arena)
{
	double right = PEN_WIDTH - LEGEND, top;
	struct plot_ticks ticks;

	plot_number_ticks(&ticks, highest(chart, panel), 5, arena);
	top = ticks.v[ticks.n - 1].at;
	for (size_t i = 0; i < ticks.n; i++) {
		double y = y_of(panel, ticks.v[i].at, top);

		pen_rule(out, LEFT, y, right, y, i ? "grid" : "axis");
		pen_label(out, LEFT - 8, y + 4, "number", ticks.v[i].label);
	}
	plot_time_ticks(&ticks, chart->from, chart->to, 8, arena);
	for (size_t i = 0; i < ticks.n; i++) {
		double x = x_of(chart, ticks.v[i].at);

		pen_rule(out, x, panel_top(panel), x, panel_top(panel) + PANEL,
			"grid");
		pen_label(out, x, panel_top(panel) + PANEL + 18, "time",
			ticks.v[i].label);
	}
	return top;
}

/* A gap where nothing is known. */
static void draw_line(const struct svg_chart *chart, size_t panel, size_t i,
	double top, FILE *out)
{
	const struct plot_series *series = &chart->lines[i].panels[panel];
	double step = series->n > 1 ? (double)(chart->to - chart->from) /
					      (double)(series->n - 1)
				    : 0;
	bool pen_down = false;

	fprintf(out, "<path class=\"line\" stroke=\"%s\"%s d=\"", pen_colour(i),
		dashes(i));
	for (size_t k = 0; k < series->n; k++) {
		bool known = isfinite(series->v[k]);

		if (known)
			fprintf(out, "%c%.1f %.1f ", pen_down ? 'L' : 'M',
				x_of(chart,
					(double)chart->from + (double)k * step),
				y_of(panel, series->v[k], top));
		pen_down = known;
	}
	fputs("\"/>\n", out);
}

static void draw_panel(const struct svg_chart *chart, size_t panel, FILE *out,
	struct arena *arena)
{
	double top = draw_grid(chart, panel, out, arena);

	pen_label(out, LEFT, panel_top(panel) - 10, "panel",
		chart->panels[panel].title);
	for (size_t i = chart->n_lines; i-- > 0;)
		draw_line(chart, panel, i, top, out);
	if (chart->mark > chart->from && chart->mark < chart->to) {
		double x = x_of(chart, (double)chart->mark);

		pen_rule(out, x, panel_top(panel), x, panel_top(panel) + PANEL,
			"mark");
		pen_label(out, x + 4, panel_top(panel) + 12, "note", "now");
	}
}

/* ---- all -----------------------------------------------------------------*/

static void draw_legend(
	const struct svg_chart *chart, FILE *out, struct arena *arena)
{
	double x = PEN_WIDTH - LEGEND + 22;

	for (size_t i = 0; i < chart->n_lines; i++) {
		double y = TOP + 8 + 20 * (double)i;

		fprintf(out,
			"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
			"y2=\"%.1f\" stroke=\"%s\"%s class=\"line\"/>\n",
			x, y, x + 18, y, pen_colour(i), dashes(i));
		pen_label(out, x + 25, y + 4, "name",
			pen_fit(chart->lines[i].name, PEN_WIDTH - x - 29,
				arena));
	}
}

void svg_draw(const struct svg_chart *chart, FILE *out, struct arena *arena)
{
	double height = height_of(chart);

	if (20.0 * (double)chart->n_lines + TOP + 20 > height)
		height = 20.0 * (double)chart->n_lines + TOP + 20;
	pen_begin(out, height, chart->title, chart->subtitle);
	for (size_t i = 0; i < chart->n_panels; i++)
		draw_panel(chart, i, out, arena);
	draw_legend(chart, out, arena);
	pen_end(out);
}
