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
	LEGEND = 190, /* at least */
	WIDEST = 420,
	KEY = 51, /* the line of a name and what is around it */
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

/* Names are shown in full, up to a limit. */
static double legend(const struct svg_chart *chart)
{
	double width = LEGEND;

	for (size_t i = 0; i < chart->n_lines; i++)
		width = fmax(width,
			KEY + pen_text_width(chart->lines[i].name));
	return fmin(width, WIDEST);
}

/* Two lines less than a pixel apart cannot be told apart. */
static bool same_value(double a, double b, double pixel)
{
	return isfinite(a) && isfinite(b) && fabs(a - b) < pixel;
}

/* Does one run where the other does, most of the time? */
static bool same_line(const struct svg_chart *chart, size_t panel, size_t a,
	size_t b, double pixel)
{
	const struct plot_series *x = &chart->lines[a].panels[panel];
	const struct plot_series *y = &chart->lines[b].panels[panel];
	size_t same = 0, known = 0;

	for (size_t i = 0; i < x->n && i < y->n; i++) {
		same += same_value(x->v[i], y->v[i], pixel);
		known += isfinite(y->v[i]) != 0;
	}
	return known && 2 * same >= known;
}

/* How many lines before it run where it runs. */
static size_t twins(
	const struct svg_chart *chart, size_t panel, size_t i, double top)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += same_line(chart, panel, k, i, top / PANEL);
	return n;
}

/* ---- where things are ----------------------------------------------------*/

static double x_of(const struct svg_chart *chart, double at)
{
	double span = (double)(chart->to - chart->from);
	double width = PEN_WIDTH - LEFT - legend(chart);

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
	double right = PEN_WIDTH - legend(chart), top;
	struct plot_ticks ticks;

	plot_number_ticks(&ticks, highest(chart, panel), 5, arena);
	top = ticks.v[ticks.n - 1].at;
	for (size_t i = 0; i < ticks.n; i++) {
		double y = y_of(panel, ticks.v[i].at, top);

		pen_rule(out, LEFT, y, right, y, i ? "grid" : "axis");
		pen_label(out, LEFT - 8, y + 4, "number",
			plot_number(ticks.v[i].at, arena));
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
	size_t twin, double top, FILE *out)
{
	const struct plot_series *series = &chart->lines[i].panels[panel];
	double step = series->n > 1 ? (double)(chart->to - chart->from) /
					      (double)(series->n - 1)
				    : 0;
	bool pen_down = false;

	fprintf(out, "<path class=\"line line%d\"", chart->colours[i]);
	if (twin) /* what lies below it shows in the gaps */
		fprintf(out, " stroke-dasharray=\"8 %zu\"", 12 * twin);
	else
		fputs(dashes(i), out);
	fputs(" d=\"", out);
	for (size_t k = 0; k < series->n; k++) {
		bool known = isfinite(series->v[k]);

		if (known)
			fprintf(out, "%c%.1f %.1f ", pen_down ? 'L' : 'M',
				x_of(chart,
					(double)chart->from + (double)k * step),
				y_of(panel, series->v[k], top));
		pen_down = known;
	}
	fputs("\"><title>", out);
	pen_text(out, chart->lines[i].name);
	fputs("</title></path>\n", out);
}

/* Lines that run where others run come last, on top of these. */
static void draw_lines(const struct svg_chart *chart, size_t panel, double top,
	FILE *out, struct arena *arena)
{
	size_t *n = arena_array(arena, chart->n_lines, sizeof(*n));

	for (size_t i = 0; i < chart->n_lines; i++)
		n[i] = twins(chart, panel, i, top);
	for (size_t i = chart->n_lines; i-- > 0;)
		if (!n[i])
			draw_line(chart, panel, i, 0, top, out);
	for (size_t i = 0; i < chart->n_lines; i++)
		if (n[i])
			draw_line(chart, panel, i, n[i], top, out);
}

static bool is_empty(const struct svg_chart *chart, size_t panel)
{
	for (size_t i = 0; i < chart->n_lines; i++) {
		double low, high;

		plot_range(&chart->lines[i].panels[panel], &low, &high);
		if (low < 0 || high > 0)
			return false;
	}
	return true;
}

static void draw_panel(const struct svg_chart *chart, size_t panel, FILE *out,
	struct arena *arena)
{
	double top = draw_grid(chart, panel, out, arena);

	pen_label(out, LEFT, panel_top(panel) - 10, "panel",
		chart->panels[panel].title);
	draw_lines(chart, panel, top, out, arena);
	if (is_empty(chart, panel))
		pen_no_usage(out, (LEFT + PEN_WIDTH - legend(chart)) / 2,
			panel_top(panel) + PANEL / 2.0);
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
	double x = PEN_WIDTH - legend(chart) + 22;

	for (size_t i = 0; i < chart->n_lines; i++) {
		double y = TOP + 8 + 20 * (double)i;

		fprintf(out,
			"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
			"y2=\"%.1f\"%s class=\"line line%d\"/>\n",
			x, y, x + 18, y, dashes(i), chart->colours[i]);
		pen_label(out, x + 25, y + 4, "name",
			pen_fit(chart->lines[i].name, PEN_WIDTH - x - 29,
				arena));
	}
}

static int *colours_of(const struct svg_chart *chart, struct arena *arena)
{
	const char **names = arena_array(arena, chart->n_lines + 1, sizeof(*names));
	int *colours = arena_array(arena, chart->n_lines + 1, sizeof(*colours));

	for (size_t i = 0; i < chart->n_lines; i++)
		names[i] = chart->lines[i].name;
	pen_colours(names, chart->n_lines, colours);
	return colours;
}

void svg_draw(const struct svg_chart *given, FILE *out, struct arena *arena)
{
	struct svg_chart coloured = *given;
	const struct svg_chart *chart = &coloured;
	double height = height_of(chart);

	coloured.colours = colours_of(chart, arena);
	if (20.0 * (double)chart->n_lines + TOP + 20 > height)
		height = 20.0 * (double)chart->n_lines + TOP + 20;
	pen_begin(out, height, chart->title, chart->subtitle);
	for (size_t i = 0; i < chart->n_panels; i++)
		draw_panel(chart, i, out, arena);
	draw_legend(chart, out, arena);
	pen_end(out);
}
