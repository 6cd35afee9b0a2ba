/*
 * Pictures of Unicode blocks; see plot.h.
 */
#include "common/draw/plot.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LABEL = 6, EIGHTHS = 8, MONTH = 30 * 86400, YEAR = 365 * 86400 };

/* Heights in eighths, and what the axes are made of. */
static const struct glyphs {
	const char *blocks[EIGHTHS + 1];
	const char *side, *corner, *line, *tick;
} unicode = {{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "┤", "└", "─", "┬"},
	ascii = {{" ", "_", ".", "-", "=", "+", "*", "%", "#"}, "|", "+", "-", "+"};

static const struct glyphs *glyphs_of(bool plain)
{
	return plain ? &ascii : &unicode;
}

/* ---- ranges --------------------------------------------------------------*/

void plot_range(const struct plot_series *series, double *low, double *high)
{
	bool any = false;

	*low = *high = 0;
	for (size_t i = 0; i < series->n; i++) {
		double v = series->v[i];

		if (!isfinite(v))
			continue;
		if (!any || v < *low)
			*low = v;
		if (!any || v > *high)
			*high = v;
		any = true;
	}
}

static size_t eighths(double part, size_t most)
{
	if (!(part > 0))
		return 0;
	return part < 1 ? (size_t)lround(part * (double)most) : most;
}

const char *plot_spark(const struct plot_series *series, double low,
	double high, bool plain, struct arena *arena)
{
	const char *const *blocks = glyphs_of(plain)->blocks;
	char *text = arena_alloc(arena, series->n * 3 + 1), *end = text;
	double width = high > low ? high - low : 1;

	for (size_t i = 0; i < series->n; i++) {
		double v = series->v[i];
		const char *block =
			isfinite(v) ? blocks[1 + eighths((v - low) / width,
							 EIGHTHS - 1)]
				    : " ";

		memcpy(end, block, strlen(block));
		end += strlen(block);
	}
	return text;
}

/* ---- numbers -------------------------------------------------------------*/

const char *plot_number(double number, struct arena *arena)
{
	static const char units[] = " kMGTPEZY";
	size_t unit = 0;

	if (!isfinite(number))
		return "";
	while (fabs(number) >= 999.5 && unit + 2 < sizeof(units)) {
		number /= 1000;
		unit++;
	}
	return arena_printf(
		arena, unit ? "%.3g%.1s" : "%.3g%.0s", number, &units[unit]);
}

static double round_step(double least)
{
	double power = pow(10, floor(log10(least)));

	if (least <= power)
		return power;
	if (least <= 2 * power)
		return 2 * power;
	return least <= 5 * power ? 5 * power : 10 * power;
}

void plot_number_ticks(
	struct plot_ticks *ticks, double high, size_t most, struct arena *arena)
{
	double step;

	*ticks = (struct plot_ticks){0};
	if (!(high > 1e-12) || !isfinite(high))
		high = 1;
	step = round_step(high / (double)most * (1 - 1e-9));
	for (size_t i = 0;; i++) {
		double at = (double)i * step;
		struct plot_tick *tick =
			ARENA_PUSH(arena, ticks->v, ticks->n, ticks->cap);

		*tick = (struct plot_tick){at, plot_number(at, arena)};
		if (at >= high * (1 - 1e-9) || i > most)
			return;
	}
}

/* ---- time ----------------------------------------------------------------*/

int64_t plot_step(int64_t from, int64_t to, size_t most)
{
	static const int64_t steps[] = {1, 10, 60, 300, 600, 1800, 3600, 7200,
		10800, 21600, 43200, 86400, 172800, 259200, 432000, 604800,
		1209600, 2592000, 5184000, 7776000, 31536000};
	const size_t n = sizeof(steps) / sizeof(*steps);
	int64_t step, span = to > from ? to - from : 1;

	for (size_t i = 0; i < n; i++)
		if (span / steps[i] <= (int64_t)most)
			return steps[i];
	step = span / (int64_t)most / steps[n - 1] + 1;
	return step * steps[n - 1];
}

/* The first day of an axis has its year. */
static const char *time_label(int64_t when, int64_t step, int64_t span,
	bool first, struct arena *arena)
{
	time_t t = (time_t)when;
	char text[32];
	size_t len;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return "";
	if (step < 60)
		len = strftime(text, sizeof(text), "%H:%M:%S", &tm);
	else if (step < 86400 && (tm.tm_hour || tm.tm_min))
		len = strftime(text, sizeof(text), "%H:%M", &tm);
	else if (span > 400 * 86400LL)
		len = strftime(text, sizeof(text), "%b %Y", &tm);
	else if (first)
		len = strftime(text, sizeof(text), "%b %d %Y", &tm);
	else
		len = strftime(text, sizeof(text), "%b %d", &tm);
	text[len] = '\0';
	return arena_strdup(arena, text);
}

static void add_tick(struct plot_ticks *ticks, int64_t at, int64_t step,
	int64_t span, struct arena *arena)
{
	const char *label = time_label(at, step, span,
		!ticks->n && step >= 86400, arena);

	*ARENA_PUSH(arena, ticks->v, ticks->n, ticks->cap) =
		(struct plot_tick){(double)at, label};
}

/* Firsts of months: every so many that there are at most `most`. */
static void month_ticks(struct plot_ticks *ticks, int64_t from, int64_t to,
	int64_t step, struct arena *arena)
{
	const int months = step < 8 * MONTH ? (int)((step + MONTH / 2) / MONTH)
					    : (int)(step / YEAR) * 12;
	time_t t = (time_t)from, at;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return;
	tm.tm_mon -= tm.tm_mon % (months < 12 ? months : 12);
	tm.tm_mday = 1;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	do {
		tm.tm_isdst = -1;
		at = mktime(&tm);
		if (at >= from && at <= to)
			add_tick(ticks, at, step, to - from, arena);
		tm.tm_mon += months;
	} while (at != (time_t)-1 && at < to);
}

static int64_t local_offset(int64_t when, int64_t otherwise)
{
	time_t t = (time_t)when;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_gmtoff : otherwise;
}

/* Full steps as the local clock shows them, on both sides of a clock change. */
void plot_time_ticks(struct plot_ticks *ticks, int64_t from, int64_t to,
	size_t most, struct arena *arena)
{
	int64_t step = plot_step(from, to, most);
	int64_t offset = local_offset(from, 0), last = from - 1;
	int64_t local = (from + offset) / step * step;

	*ticks = (struct plot_ticks){0};
	if (step >= MONTH) {
		month_ticks(ticks, from, to, step, arena);
		return;
	}
	for (; local - offset <= to; local += step) {
		int64_t at;

		offset = local_offset(local - offset, offset);
		at = local - offset;
		if (at > last && at <= to)
			add_tick(ticks, at, step, to - from, arena);
		last = at > last ? at : last;
	}
}

/* ---- areas ---------------------------------------------------------------*/

/* The part of the column that lies in the row, in eighths. */
static const char *cell(const struct plot_area *area, size_t row, size_t i)
{
	const char *const *blocks = glyphs_of(area->ascii)->blocks;
	double v = area->series.v[i];
	size_t filled, below = row * EIGHTHS;

	if (!isfinite(v))
		return " ";
	filled = eighths(
		area->high > 0 ? v / area->high : 0, area->rows * EIGHTHS);
	if (filled <= below)
		return row || !(v > 0) ? " " : blocks[1];
	filled -= below;
	return blocks[filled < EIGHTHS ? filled : EIGHTHS];
}

static const char *row_label(
	const struct plot_area *area, size_t row, struct arena *arena)
{
	if (row + 1 == area->rows)
		return plot_number(area->high, arena);
	if (area->rows > 3 && row == area->rows / 2 - 1)
		return plot_number(
			area->high * (double)(row + 1) / (double)area->rows,
			arena);
	return row ? "" : "0";
}

static void draw_row(const struct plot_area *area, size_t row,
	struct strv *lines, struct arena *arena)
{
	size_t n = area->series.n;
	char *text = arena_alloc(arena, n * 3 + 1), *end = text;
	bool coloured = area->colour != NULL;

	for (size_t i = 0; i < n; i++) {
		const char *block = cell(area, row, i);

		memcpy(end, block, strlen(block));
		end += strlen(block);
	}
	while (end > text && end[-1] == ' ')
		*--end = '\0';
	strv_printf(lines, arena, "%*s %s%s%s%s%s%s", LABEL,
		row_label(area, row, arena),
		glyphs_of(area->ascii)->side, coloured ? "\033[" : "",
		coloured ? area->colour : "", coloured ? "m" : "", text,
		coloured ? "\033[0m" : "");
}

static size_t column_of(const struct plot_area *area, double at)
{
	double span = (double)(area->to - area->from);

	if (!(span > 0) || area->series.n < 2)
		return 0;
	return (size_t)lround((at - (double)area->from) / span *
			      (double)(area->series.n - 1));
}

static void draw_axis(
	const struct plot_area *area, struct strv *lines, struct arena *arena)
{
	const struct glyphs *glyphs = glyphs_of(area->ascii);
	size_t n = area->series.n, most = n / 12 + 1, used = 0;
	char *labels = arena_alloc(arena, n + 64);
	char *line = arena_alloc(arena, n * 3 + 1), *end = line;
	struct plot_ticks ticks;

	plot_time_ticks(&ticks, area->from, area->to, most, arena);
	memset(labels, ' ', n + 32);
	for (size_t i = 0, k = 0; i < n; i++) {
		bool tick = k < ticks.n && column_of(area, ticks.v[k].at) <= i;

		const char *glyph = tick ? glyphs->tick : glyphs->line;

		memcpy(end, glyph, strlen(glyph));
		end += strlen(glyph);
		if (!tick)
			continue;
		if (i >= used) {
			const char *label = ticks.v[k].label;

			memcpy(labels + i, label, strlen(label));
			used = i + strlen(label) + 1;
		}
		k++;
	}
	labels[used ? used - 1 : 0] = '\0';
	strv_printf(lines, arena, "%*s %s%s", LABEL, "", glyphs->corner, line);
	strv_printf(lines, arena, "%*s  %s", LABEL, "", labels);
}

void plot_draw(
	const struct plot_area *area, struct strv *lines, struct arena *arena)
{
	for (size_t row = area->rows; row-- > 0;)
		draw_row(area, row, lines, arena);
	draw_axis(area, lines, arena);
}
