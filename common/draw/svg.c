/*
 * SVG: lines over time; see svg.h.
 */
#include "common/draw/svg.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/draw/svg_pen.h"

enum {
	LEFT = 74,
	NAMES = 90, /* at least */
	WIDEST = 300,
	LINE = 15, /* from one name to the next */
	TOP = 84,
	PANEL = 210,
	GAP = 56,
	BOTTOM = 46,
};

/* The second of a colour is dashed. */
static const char *dashes(const struct svg_chart *chart, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (chart->lines[k].colour == chart->lines[i].colour)
			return " stroke-dasharray=\"6 4\"";
	return "";
}

/* Names stand behind the lines, in full up to a limit. */
static double legend(const struct svg_chart *chart)
{
	double width = NAMES;

	for (size_t i = 0; i < chart->n_lines; i++)
		width = fmax(
			width, 30 + pen_text_width(chart->lines[i].name));
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

	fprintf(out, "<path class=\"line line%d\"", chart->lines[i].colour);
	if (twin) /* it is seen on both sides of what lies on it */
		fprintf(out, " style=\"stroke-width: %zu\"", 2 + 3 * twin);
	else
		fputs(dashes(chart, i), out);
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

/* Lines that run where others run are wider, and come first, below these. */
static void draw_lines(const struct svg_chart *chart, size_t panel, double top,
	FILE *out, struct arena *arena)
{
	size_t *n = arena_array(arena, chart->n_lines, sizeof(*n));

	for (size_t i = 0; i < chart->n_lines; i++)
		n[i] = twins(chart, panel, i, top);
	for (size_t i = chart->n_lines; i-- > 0;)
		if (n[i])
			draw_line(chart, panel, i, n[i], top, out);
	for (size_t i = chart->n_lines; i-- > 0;)
		if (!n[i])
			draw_line(chart, panel, i, 0, top, out);
}

/* ---- names -----------------------------------------------------------------*/

/* Where a line ends, and then its name. */
struct line_end {
	size_t line;
	double y;
};

static int by_height(const void *a, const void *b)
{
	const struct line_end *x = a, *y = b;

	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* The last known value; 0: none. */
static double last_value(const struct plot_series *series)
{
	for (size_t i = series->n; i-- > 0;)
		if (isfinite(series->v[i]))
			return series->v[i];
	return 0;
}

/* Pushed apart, down and then up again from the panel's end. */
static void spread(struct line_end *ends, size_t n, double from, double to)
{
	for (size_t i = 0; i < n; i++)
		ends[i].y = fmax(ends[i].y, i ? ends[i - 1].y + LINE : from);
	for (size_t i = n; i-- > 0; to -= LINE)
		ends[i].y = fmin(ends[i].y, to);
}

static void draw_names(const struct svg_chart *chart, size_t panel, double top,
	FILE *out, struct arena *arena)
{
	size_t n = chart->n_lines;
	struct line_end *ends = arena_array(arena, n + 1, sizeof(*ends));
	double x = PEN_WIDTH - legend(chart) + 8;

	for (size_t i = 0; i < n; i++)
		ends[i] = (struct line_end){i,
			y_of(panel, last_value(&chart->lines[i].panels[panel]),
				top)};
	if (n)
		qsort(ends, n, sizeof(*ends), by_height);
	spread(ends, n, panel_top(panel), panel_top(panel) + PANEL);
	for (size_t i = 0; i < n; i++)
		pen_label(out, x, ends[i].y + 4,
			arena_printf(arena, "name part%d",
				chart->lines[ends[i].line].colour),
			pen_fit(chart->lines[ends[i].line].name,
				PEN_WIDTH - x - 10, arena));
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
	draw_names(chart, panel, top, out, arena);
	if (is_empty(chart, panel))
		pen_nothing(out, (LEFT + PEN_WIDTH - legend(chart)) / 2,
			panel_top(panel) + PANEL / 2.0);
	if (chart->mark > chart->from && chart->mark < chart->to) {
		double x = x_of(chart, (double)chart->mark);

		pen_rule(out, x, panel_top(panel), x, panel_top(panel) + PANEL,
			"mark");
		pen_label(out, x + 4, panel_top(panel) + 12, "note", "now");
	}
}

/* ---- all -----------------------------------------------------------------*/

void svg_draw(const struct svg_chart *chart, FILE *out, struct arena *arena)
{
	pen_begin(out, height_of(chart), chart->title, chart->subtitle);
	for (size_t i = 0; i < chart->n_panels; i++)
		draw_panel(chart, i, out, arena);
	pen_end(out);
}
