/*
 * Pictures of reports (--svg): what became of clusters as columns over time
 * (cmd/sreport/periods.c), all else as bars.
 */
#include "cmd/sreport/picture.h"

#include <stdio.h>
#include <string.h>

#include "cmd/sreport/sreport.h"
#include "common/base/outfile.h"
#include "common/draw/svg.h"
#include "common/draw/svg_pen.h"
#include "common/text/timespec.h"

enum { LONG = 100000, MOST_BARS = 50, MOST_PARTS = 24 };

/* ---- words -------------------------------------------------------------- */

static const char *moment(const struct report_run *r, int64_t when)
{
	return time_format(&r->session->arena, (time_t)when, "%Y-%m-%d %H:%M",
		(time_t)r->session->site.now);
}

const char *picture_subtitle(const struct report_run *r, const char *unit)
{
	return arena_printf(&r->session->arena, "%s to %s, %s",
		moment(r, r->start), moment(r, r->end), unit);
}

/* "cpu hours", "percent of all cpu", "jobs" */
static const char *unit_of(const struct report_run *r)
{
	struct arena *arena = &r->session->arena;
	const struct options *o = &r->session->options;
	const char *tres = r->tres[0].name;

	if (r->cond.job_count)
		return "jobs";
	if (!o->style.number)
		return arena_printf(arena, "percent of all %s", tres);
	if (r->picture_hours)
		return arena_printf(arena, "%s hours", tres);
	return arena_printf(arena, "%s %s", tres, str_lower(arena, o->time));
}

static const char *title_of(const struct report_run *r)
{
	struct arena *arena = &r->session->arena;
	const char *where =
		r->federation ? r->federation
		: r->clusters.n == 1
			? r->clusters.v[0].name
			: arena_printf(arena, "%zu clusters", r->clusters.n);

	return arena_printf(arena, "%s, %s",
		r->report->class == CLASS_USER ? "Top users" : r->report->title,
		where);
}

static enum amount shown_amount(const struct report_run *r)
{
	if (r->report->class == CLASS_JOB)
		return AMOUNT_TOTAL;
	return r->report->class == CLASS_RESERVATION ? AMOUNT_ALLOCATED
						     : AMOUNT_USED;
}

static const char *text_of(
	const struct report_run *r, const struct row *row, int64_t amount)
{
	struct arena *arena = &r->session->arena;

	if (r->cond.job_count)
		return arena_printf(arena, "%lld", (long long)amount);
	if (r->picture_hours)
		return plot_number((double)amount / 3600, arena);
	return amount_text(&r->session->options.style, amount,
		row->whole[shown_amount(r)], arena);
}

/* root's account is left out: everything is below it. */
static bool is_root(const struct report_run *r, const struct row *row)
{
	return r->report->run == report_assocs && !*row->login &&
	       !strcmp(row->account, "root");
}

/* Only rows of the first TRES asked for can be compared. */
static bool is_shown(const struct report_run *r, const struct row *row)
{
	if (is_root(r, row))
		return false;
	return !row->tres || r->report->class == CLASS_JOB ||
	       !strcmp(row->tres, r->tres[0].name);
}

/* ---- bars --------------------------------------------------------------- */

struct bars {
	struct report_run *r;
	struct svg_part *parts;
	size_t n_parts;
	struct svg_bar *v;
	size_t n, cap;
};

static const char *label_of(const struct report_run *r, const struct row *row)
{
	struct arena *arena = &r->session->arena;
	const char *names[] = {row->login, row->account, row->wckey, row->name};
	const char *label =
		r->clusters.n > 1 && !r->federation ? row->cluster : "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] && *names[i])
			label = arena_printf(arena, "%s%s%s", label,
				*label ? " / " : "", names[i]);
	return label;
}

static double *add_bar(struct bars *b, const char *label, const char *text)
{
	struct arena *arena = &b->r->session->arena;
	double *parts;

	parts = arena_array(arena, b->n_parts + 1, sizeof(*parts));
	*ARENA_PUSH(arena, b->v, b->n, b->cap) =
		(struct svg_bar){.label = label, .text = text, .parts = parts};
	return parts;
}

static void set_parts(struct bars *b, size_t n)
{
	b->parts = arena_array(&b->r->session->arena, n + 1, sizeof(*b->parts));
	b->n_parts = n;
	for (size_t i = 0; i < n; i++)
		b->parts[i] = (struct svg_part){"", (int)i};
}

/* One colour. */
static void plain_bars(struct bars *b, const struct rows *rows)
{
	set_parts(b, 1);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		int64_t amount = row->amounts[shown_amount(b->r)];
		double *parts;

		if (!is_shown(b->r, row))
			continue;
		parts = add_bar(
			b, label_of(b->r, row), text_of(b->r, row, amount));
		if (parts)
			parts[0] = (double)amount;
	}
}

static void reservation_bars(struct bars *b, const struct rows *rows)
{
	set_parts(b, 2);
	b->parts[0].name = "used by its jobs";
	b->parts[1] = (struct svg_part){"not used", SVG_NEUTRAL};
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		int64_t used = row->amounts[AMOUNT_ALLOCATED];
		double *parts;

		if (!is_shown(b->r, row))
			continue;
		parts = add_bar(
			b, label_of(b->r, row), text_of(b->r, row, used));
		parts[0] = (double)used;
		parts[1] = (double)row->amounts[AMOUNT_IDLE];
	}
}

/* Job sizes: a part for each group, by the heading of its column. */
static void size_bars(struct bars *b, const struct rows *rows)
{
	const struct output *o = b->r->output;

	set_parts(b, o->n);
	b->n_parts = 0;
	for (size_t c = 0; c < o->n; c++)
		if (o->columns[c].field->kind == COLUMN_GROUP)
			b->parts[b->n_parts++].name = o->heads[c].heading;
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		double *parts = add_bar(b, label_of(b->r, row),
			text_of(b->r, row, row->amounts[AMOUNT_TOTAL]));

		for (size_t k = 0; k < b->n_parts; k++)
			parts[k] = (double)row->groups[k];
	}
}

/* The same in every picture. */
static void colour_parts(struct bars *b)
{
	const char *names[MOST_PARTS];
	struct svg_book book;

	for (size_t i = 0; i < b->n_parts; i++)
		names[i] = b->parts[i].name;
	svg_book(&book, names, b->n_parts);
	for (size_t i = 0; i < b->n_parts; i++)
		b->parts[i].colour = svg_colour(&book, names[i]);
}

static size_t qos_part(struct bars *b, const char *name)
{
	size_t i = 0;

	while (i < b->n_parts && strcmp(b->parts[i].name, name))
		i++;
	if (i < b->n_parts || b->n_parts == MOST_PARTS)
		return i;
	b->parts[b->n_parts++].name = name;
	return i;
}

/* Rows that differ in the QOS alone are one bar. */
static void qos_bars(struct bars *b, const struct rows *rows)
{
	struct report_run *r = b->r;
	const char *last = NULL;
	double *parts = NULL;
	int64_t sum = 0;

	set_parts(b, MOST_PARTS + 1);
	b->n_parts = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (is_shown(r, &rows->v[i]))
			qos_part(b, rows->v[i].qos);
	colour_parts(b);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		const char *label = label_of(r, row);

		if (!is_shown(r, row))
			continue;
		if (!last || strcmp(last, label)) {
			parts = add_bar(b, label, "");
			sum = 0;
		}
		last = label;
		sum = usage_sum(sum, row->amounts[AMOUNT_USED]);
		parts[qos_part(b, row->qos) % MOST_PARTS] +=
			(double)row->amounts[AMOUNT_USED];
		b->v[b->n - 1].text = text_of(r, row, sum);
	}
}

static double length_of(const struct svg_bar *bar, size_t n_parts)
{
	double sum = 0;

	for (size_t i = 0; i < n_parts; i++)
		sum += bar->parts[i];
	return sum;
}

/* Longest first, so that those that are left out are the shortest; equal ones
 * stay as they are. */
static void sort_bars(struct bars *b)
{
	for (size_t i = 1; i < b->n; i++) {
		struct svg_bar bar = b->v[i];
		double length = length_of(&bar, b->n_parts);
		size_t to = i;

		for (; to && length_of(&b->v[to - 1], b->n_parts) < length;
			to--)
			b->v[to] = b->v[to - 1];
		b->v[to] = bar;
	}
}

static void draw_bars(FILE *out, struct report_run *r, const struct rows *rows)
{
	bool by_qos = rows->n && rows->v[0].qos && *rows->v[0].qos;
	struct bars b = {.r = r};
	struct svg_bars picture = {.title = title_of(r),
		.subtitle = picture_subtitle(r, unit_of(r)),
		.note = ""};

	if (r->report->class == CLASS_JOB)
		size_bars(&b, rows);
	else if (r->report->class == CLASS_RESERVATION)
		reservation_bars(&b, rows);
	else if (by_qos)
		qos_bars(&b, rows);
	else
		plain_bars(&b, rows);
	if (r->report->class != CLASS_RESERVATION &&
		!r->session->options.by_name)
		sort_bars(&b);
	if (b.n > MOST_BARS)
		picture.note = arena_printf(&r->session->arena,
			"%zu more are not shown", b.n - MOST_BARS);
	picture.parts = b.parts;
	picture.n_parts = b.n_parts;
	picture.bars = b.v;
	picture.n_bars = b.n < MOST_BARS ? b.n : MOST_BARS;
	svg_draw_bars(&picture, out, &r->session->arena);
}

/* ---- all ---------------------------------------------------------------- */

/* Minutes of more than five digits are hard to read: hours are shown. */
static bool wants_hours(const struct report_run *r, const struct rows *rows)
{
	const struct options *o = &r->session->options;

	if (!o->style.number || o->style.percent || strcmp(o->time, "Minutes"))
		return false;
	for (size_t i = 0; i < rows->n; i++)
		if (is_shown(r, &rows->v[i]) &&
			rows->v[i].amounts[shown_amount(r)] >= LONG * 60)
			return true;
	return false;
}

static void draw(FILE *out, struct report_run *r, const struct rows *rows)
{
	r->picture_hours = wants_hours(r, rows);
	if (r->report->run == report_cluster)
		draw_periods(out, r, title_of(r));
	else
		draw_bars(out, r, rows);
}

void draw_rows(struct report_run *r, const struct rows *rows)
{
	const char *name = r->session->options.svg;
	struct outfile out;
	struct err err;

	if (outfile_open(&out, name, OUTFILE_OR_STDOUT, &err)) {
		complain(r->session, "sreport: error: %s", err.text);
		return;
	}
	draw(out.file, r, rows);
	if (outfile_close(&out, &err))
		complain(r->session, "sreport: error: %s", err.text);
}
