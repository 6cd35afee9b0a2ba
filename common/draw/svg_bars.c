/*
 * SVG: columns over time and lying bars; see svg.h.
 */
#include <math.h>
#include <string.h>

#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "common/draw/svg_pen.h"

enum {
	TOP = 92,
	LEFT = 74,
	LEGEND = 200,
	PANEL = 240,
	GAP = 56,
	BOTTOM = 46,
	BAR = 18,
	PITCH = 25,
	LABEL = 190, /* at least */
	WIDEST = 420,
	LETTERS = 24, /* around a label or a text */
	APART = 10, /* from one group of bars to the next */
	KEY = 12,
};

static double sum_of(const double *parts, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += parts[i];
	return sum;
}

/* Of nothing there is no share. */
static const char *share_text(double part, double whole, struct arena *arena)
{
	return whole > 0 ? arena_printf(arena, "%.1f%%", part / whole * 100) : "";
}

/* ---- columns -------------------------------------------------------------*/

static double panel_top(size_t i)
{
	return TOP + (double)i * (PANEL + GAP);
}

static double x_of(const struct svg_columns *c, double at)
{
	double span = (double)(c->to - c->from);

	return LEFT + (at - (double)c->from) / (span > 0 ? span : 1) *
			      (PEN_WIDTH - LEFT - LEGEND);
}

static void draw_axes(
	const struct svg_columns *c, double top, FILE *out, struct arena *arena)
{
	double bottom = top + PANEL;
	struct plot_ticks ticks;

	for (int percent = 0; percent <= 100; percent += 25) {
		double y = bottom - PANEL * percent / 100.0;

		pen_rule(out, LEFT, y, PEN_WIDTH - LEGEND, y,
			percent ? "grid" : "axis");
		pen_label(out, LEFT - 8, y + 4, "number",
			arena_printf(arena, "%d%%", percent));
	}
	plot_time_ticks(&ticks, c->from, c->to, 8, arena);
	for (size_t i = 0; i < ticks.n; i++) {
		double x = x_of(c, ticks.v[i].at);

		pen_rule(out, x, bottom, x, bottom + 4, "axis");
		pen_label(out, x, bottom + 18, "time", ticks.v[i].label);
	}
}

/* Wide columns stand apart, narrow ones overlap so that no seam shows. */
static void draw_column(const struct svg_columns *c,
	const struct svg_column *column, double top, FILE *out,
	struct arena *arena)
{
	double x = x_of(c, (double)column->from);
	double width = x_of(c, (double)column->to) - x;
	double whole = sum_of(column->parts, c->n_parts);
	double y = top + PANEL;

	width += width >= 20 ? -3 : width >= 5 ? -1 : 0.4;
	for (size_t i = 0; whole > 0 && i < c->n_parts; i++) {
		double height = column->parts[i] / whole * PANEL;

		y -= height;
		if (height > 0)
			pen_box(out, x, y, width, height,
				pen_part(c->parts[i].colour, arena),
				arena_printf(arena, "%s %s", c->parts[i].name,
					share_text(column->parts[i], whole,
						arena)));
	}
}

/* The share of each part in all columns of the panel, as they lie. */
static void draw_shares(const struct svg_columns *c,
	const struct svg_column_panel *panel, double top, FILE *out,
	struct arena *arena)
{
	double *sums = arena_array(arena, c->n_parts + 1, sizeof(*sums));
	double x = PEN_WIDTH - LEGEND + 18;

	for (size_t k = 0; k < panel->n; k++)
		for (size_t i = 0; i < c->n_parts; i++)
			sums[i] += panel->columns[k].parts[i];
	for (size_t i = 0; i < c->n_parts; i++) {
		double y = top + 4 + 20 * (double)(c->n_parts - 1 - i);

		pen_box(out, x, y, KEY, KEY,
			pen_part(c->parts[i].colour, arena), NULL);
		pen_label(out, x + 19, y + 10, "name", c->parts[i].name);
		pen_label(out, PEN_WIDTH - 14, y + 10, "number",
			share_text(sums[i], sum_of(sums, c->n_parts), arena));
	}
}

static bool has_columns(
	const struct svg_columns *c, const struct svg_column_panel *panel)
{
	for (size_t k = 0; k < panel->n; k++)
		if (sum_of(panel->columns[k].parts, c->n_parts) > 0)
			return true;
	return false;
}

void svg_draw_columns(
	const struct svg_columns *c, FILE *out, struct arena *arena)
{
	pen_begin(out, panel_top(c->n_panels) - GAP + BOTTOM, c->title,
		c->subtitle);
	for (size_t i = 0; i < c->n_panels; i++) {
		const struct svg_column_panel *panel = &c->panels[i];
		double top = panel_top(i);

		pen_label(out, LEFT, top - 10, "panel", panel->title);
		draw_axes(c, top, out, arena);
		for (size_t k = 0; k < panel->n; k++)
			draw_column(c, &panel->columns[k], top, out, arena);
		draw_shares(c, panel, top, out, arena);
		if (!has_columns(c, panel))
			pen_label(out, (LEFT + PEN_WIDTH - LEGEND) / 2.0,
				top + PANEL / 2.0, "time", "no capacity known");
	}
	pen_end(out);
}

/* ---- bars ----------------------------------------------------------------*/

static const char *tip_of(const struct svg_bars *b, const struct svg_bar *bar,
	size_t part, struct arena *arena)
{
	bool several = b->n_parts > 1;

	return arena_printf(arena, "%s%s%s: %s", bar->label,
		several ? ", " : "", several ? b->parts[part].name : "",
		bar->text);
}

/* Where bars begin and end: labels and texts have the room that they need. */
struct bars_room {
	double left, right;
};

static struct bars_room room_of(const struct svg_bars *b)
{
	double label = LABEL, text = 0;

	for (size_t i = 0; i < b->n_bars; i++) {
		label = fmax(
			label, LETTERS + pen_text_width(b->bars[i].label));
		text = fmax(text, LETTERS + pen_text_width(b->bars[i].text));
	}
	label = fmin(label, WIDEST);
	return (struct bars_room){label, PEN_WIDTH - fmin(text, WIDEST)};
}

static void draw_bar(const struct svg_bars *b, const struct svg_bar *bar,
	struct bars_room room, double y, double most, FILE *out,
	struct arena *arena)
{
	double x = room.left;

	pen_label(out, x - 8, y + 13, "number",
		pen_fit(bar->label, x - 8 - PEN_MARGIN / 2, arena));
	for (size_t i = 0; most > 0 && i < b->n_parts; i++) {
		double width = bar->parts[i] / most * (room.right - room.left);

		if (width > 0)
			pen_box(out, x, y, width, BAR,
				pen_part(b->parts[i].colour, arena),
				bar->tip ? bar->tip : tip_of(b, bar, i, arena));
		x += width > 0 ? width : 0;
	}
	pen_label(out, x + 6, y + 13, "name", bar->text);
}

/* In rows below the title; gives where the bars begin. */
static double draw_keys(const struct svg_bars *b, double left, FILE *out,
	struct arena *arena)
{
	double x = left, y = TOP - 22;

	if (b->n_parts < 2)
		return TOP - 18;
	for (size_t i = 0; i < b->n_parts; i++) {
		double width = KEY + 26 + pen_text_width(b->parts[i].name);

		if (x > left && x + width > PEN_WIDTH - PEN_MARGIN) {
			x = left;
			y += 20;
		}
		if (out) {
			pen_box(out, x, y, KEY, KEY,
				pen_part(b->parts[i].colour, arena), NULL);
			pen_label(out, x + KEY + 7, y + 10, "name",
				b->parts[i].name);
		}
		x += width;
	}
	return y + 30;
}

/* The place of each bar below the first, and behind the last: the end. */
static double *places_of(const struct svg_bars *b, struct arena *arena)
{
	double *at = arena_array(arena, b->n_bars + 2, sizeof(*at));

	for (size_t i = 0; i < b->n_bars; i++)
		at[i + 1] = at[i] + PITCH +
			    (i + 1 < b->n_bars && b->bars[i + 1].apart
					    ? APART
					    : 0);
	if (!b->n_bars)
		at[0] = 2.0 * PITCH;
	return at;
}

void svg_draw_bars(const struct svg_bars *b, FILE *out, struct arena *arena)
{
	struct bars_room room = room_of(b);
	double top = draw_keys(b, room.left, NULL, arena), most = 0;
	const double *places = places_of(b, arena);
	double end = top + places[b->n_bars];

	for (size_t i = 0; i < b->n_bars; i++)
		most = fmax(most, sum_of(b->bars[i].parts, b->n_parts));
	pen_begin(out, end + 24, b->title, b->subtitle);
	draw_keys(b, room.left, out, arena);
	pen_rule(out, room.left, top - 4, room.left, end, "axis");
	if (!(most > 0))
		pen_nothing(out, (room.left + room.right) / 2,
			end - PITCH / 2.0);
	for (size_t i = 0; i < b->n_bars; i++)
		draw_bar(b, &b->bars[i], room, top + places[i], most, out,
			arena);
	if (*b->note)
		pen_label(out, room.left, end + 10, "note", b->note);
	pen_end(out);
}
