/*
 * Pictures of reports (--svg): a bar for every row of usage, or for cluster
 * Utilization a stack for every period of the window.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/sreport/sreport.h"
#include "common/timespec.h"

enum {
	WIDTH = 900,
	LEFT = 190,
	TOP = 70,
	BAR = 18,
	PITCH = 24,
	MOST_BARS = 60,
	STACK_HEIGHT = 300,
	STACK_LEFT = 60,
	MOST_STACKS = 130,
	DAY = 86400,
};

static const char *const colours[] = {
	"#3b7dd8", "#d8583b", "#e8a33b", "#e3e6ea", "#8fc27a"};
static const char *const kinds[] = {
	"allocated", "down", "planned down", "idle", "planned"};
enum { KINDS = 5 };

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if ((unsigned char)*text >= ' ')
			fputc(*text, out);
	}
}

static void put_label(
	FILE *out, double x, double y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	put_text(out, text);
	fputs("</text>\n", out);
}

static void put_box(FILE *out, double x, double y, double width, double height,
	const char *colour)
{
	fprintf(out,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\""
		" fill=\"%s\"/>\n",
		x, y, width, height, colour);
}

static void begin(FILE *out, const struct request *r, int height)
{
	struct session *s = r->session;
	const char *from = time_format(
		&s->scratch, (time_t)r->start, NULL, (time_t)s->site.now);
	const char *until = time_format(
		&s->scratch, (time_t)r->end, NULL, (time_t)s->site.now);

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\""
		" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\""
		" fill=\"#24292f\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
		"<text x=\"16\" y=\"28\" font-size=\"18\">",
		WIDTH, height);
	put_text(out, r->report->class == CLASS_USER ? "Top users"
						     : r->report->title);
	fputs("</text>\n", out);
	put_label(out, 16, 48, "start",
		arena_printf(&s->scratch, "%s - %s, %s %s", from, until,
			r->tres[0].name, s->options.time));
}

/* ---- bars --------------------------------------------------------------- */

static enum amount bar_amount(const struct request *r)
{
	if (r->report->class == CLASS_JOB)
		return AMOUNT_TOTAL;
	return r->report->class == CLASS_RESERVATION ? AMOUNT_ALLOCATED
						     : AMOUNT_USED;
}

static const char *bar_label(
	const struct request *r, const struct row *row, struct arena *arena)
{
	const char *names[] = {
		row->login, row->account, row->wckey, row->qos, row->name};
	const char *label = r->clusters.n > 1 ? row->cluster : "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] && *names[i])
			label = arena_printf(arena, "%s%s%s", label,
				*label ? " / " : "", names[i]);
	return strlen(label) <= 28 ? label
				   : arena_printf(arena, "%.27s+", label);
}

static void put_bar(FILE *out, struct request *r, const struct row *row,
	double y, int64_t most)
{
	struct arena *arena = &r->session->scratch;
	enum amount a = bar_amount(r);
	double room = WIDTH - LEFT - 150;
	double width = most ? room * (double)row->amounts[a] / (double)most : 0;
	bool total = row->login && !*row->login;

	put_label(out, LEFT - 8, y + 13, "end", bar_label(r, row, arena));
	put_box(out, LEFT, y, width, BAR, total ? "#9fb8d9" : colours[0]);
	put_label(out, LEFT + width + 6, y + 13, "start",
		amount_text(&r->session->options.style, row->amounts[a],
			row->whole[a], arena));
}

/* Only rows of the first TRES asked for can be compared. */
static size_t choose_bars(
	struct request *r, const struct rows *rows, const struct row **bars)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n && n < MOST_BARS; i++) {
		const struct row *row = &rows->v[i];

		if (!row->tres || !strcmp(row->tres, r->tres[0].name))
			bars[n++] = row;
	}
	return n;
}

static void draw_bars(FILE *out, struct request *r, const struct rows *rows)
{
	const struct row *bars[MOST_BARS];
	size_t n = choose_bars(r, rows, bars);
	int64_t most = 0;

	for (size_t i = 0; i < n; i++)
		if (bars[i]->amounts[bar_amount(r)] > most)
			most = bars[i]->amounts[bar_amount(r)];
	begin(out, r, TOP + (int)n * PITCH + 20);
	for (size_t i = 0; i < n; i++)
		put_bar(out, r, bars[i], TOP + (double)i * PITCH, most);
}

/* ---- stacks ------------------------------------------------------------- */

static void amounts_of(const struct rollup_report *report, uint32_t tres,
	int64_t amounts[KINDS])
{
	memset(amounts, 0, KINDS * sizeof(*amounts));
	for (size_t i = 0; i < report->n_tres; i++) {
		const struct cluster_usage *c = &report->cluster[i];

		if (report->tres[i] != tres)
			continue;
		amounts[0] = c->alloc;
		amounts[1] = c->down;
		amounts[2] = c->pdown;
		amounts[3] = c->idle;
		amounts[4] = c->plan;
	}
}

/* From the bottom: allocated, planned, down, planned down; idle is on top. */
static void put_stack(
	FILE *out, double x, double width, const int64_t amounts[KINDS])
{
	static const int order[KINDS] = {0, 4, 1, 2, 3};
	double y = TOP + STACK_HEIGHT, whole = 0;

	for (int i = 0; i < KINDS; i++)
		whole += (double)amounts[i];
	for (int i = 0; whole > 0 && i < KINDS; i++) {
		double part = (double)amounts[order[i]] / whole * STACK_HEIGHT;

		y -= part;
		if (part > 0)
			put_box(out, x, y, width, part, colours[order[i]]);
	}
}

static enum rollup_span stack_span(const struct request *r)
{
	int64_t length = r->end - r->start;

	if (length <= MOST_STACKS * (int64_t)ROLLUP_HOUR)
		return SPAN_HOUR;
	return length <= MOST_STACKS * (int64_t)DAY ? SPAN_DAY : SPAN_MONTH;
}

static void put_axes(FILE *out, const struct request *r)
{
	struct arena *arena = &r->session->scratch;
	time_t now = (time_t)r->session->site.now;
	const char *format = "%Y-%m-%d %H:%M";
	double bottom = TOP + STACK_HEIGHT;

	for (int percent = 0; percent <= 100; percent += 25)
		put_label(out, STACK_LEFT - 8,
			bottom - percent * STACK_HEIGHT / 100.0 + 4, "end",
			arena_printf(arena, "%d%%", percent));
	put_label(out, STACK_LEFT, bottom + 18, "start",
		time_format(arena, (time_t)r->start, format, now));
	put_label(out, WIDTH - 20, bottom + 18, "end",
		time_format(arena, (time_t)r->end, format, now));
	for (int i = 0; i < KINDS; i++) {
		put_box(out, STACK_LEFT + i * 130, bottom + 36, 12, 12,
			colours[i]);
		put_label(out, STACK_LEFT + i * 130 + 18, bottom + 47, "start",
			kinds[i]);
	}
}

static void draw_stacks(FILE *out, struct request *r)
{
	enum rollup_span span = stack_span(r);
	double scale =
		(double)(WIDTH - STACK_LEFT - 20) / (double)(r->end - r->start);
	struct request part = *r;

	begin(out, r, TOP + STACK_HEIGHT + 70);
	put_axes(out, r);
	for (int64_t at = r->start; at < r->end; at = part.end) {
		struct rollup_report report;
		int64_t amounts[KINDS];
		double width;

		part.start = at;
		part.end = span_next(span_floor(at, span), span);
		if (part.end > r->end)
			part.end = r->end;
		load_usage(&part, &r->clusters.v[0], &report);
		amounts_of(&report, r->tres[0].id, amounts);
		width = (double)(part.end - at) * scale;
		put_stack(out, STACK_LEFT + (double)(at - r->start) * scale,
			width * 0.9, amounts);
	}
}

void draw_rows(struct request *r, const struct rows *rows)
{
	const char *name = r->session->options.svg;
	FILE *out = strcmp(name, "-") ? fopen(name, "we") : stdout;
	bool failed;

	if (!out) {
		complain(r->session, "sreport: error: %s: %s", name,
			strerror(errno));
		return;
	}
	if (r->report->run == report_cluster && r->clusters.n)
		draw_stacks(out, r);
	else
		draw_bars(out, r, rows);
	fputs("</svg>\n", out);
	failed = ferror(out) != 0;
	if (out != stdout && (fclose(out) || failed))
		complain(r->session, "sreport: error: %s: %s", name,
			strerror(errno));
}
