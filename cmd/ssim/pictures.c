/*
 * --svg=curves: utilization and queue over time, a line for each replay;
 * gantt: who held which processors when, a panel for each; waits: groups.c.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/outfile.h"
#include "common/draw/svg.h"
#include "common/sim/gantt.h"
#include "common/text/timespec.h"

enum {
	POINTS = 240,
	MOST_PANELS = 6,
	MOST_LINES = 8,
	SEVERAL = 7,	   /* users with a colour of their own */
	MOST_BOXES = 1500, /* of one panel that are drawn one by one */
	COLUMNS = 736,
	ROWS = 125,
};

/* ---- common --------------------------------------------------------------*/

/* What all replays span together, in the trace's time. */
static void span(const struct session *s, int64_t *from, int64_t *until)
{
	*from = s->replays[0].metrics.from;
	*until = *from + 1;
	for (size_t i = 0; i < s->n; i++)
		if (s->replays[i].metrics.until > *until)
			*until = s->replays[i].metrics.until;
	if (s->options.show_from > *from)
		*from = s->options.show_from;
	if (s->options.show_until && s->options.show_until < *until)
		*until = s->options.show_until;
}

/* With the days that are shown, which some logs lack. */
static const char *subtitle(const struct session *s, int64_t from,
	int64_t until, struct arena *arena)
{
	const char *text =
		arena_printf(arena, "%s: %zu jobs, %" PRIu32 " processors, ",
			basename(s->source), s->trace.n, s->trace.procs);
	time_t begin = (time_t)(s->trace.start + from);
	time_t end = (time_t)(s->trace.start + until);

	if (!s->trace.start)
		return arena_printf(arena,
			"%sseconds %" PRId64 " to %" PRId64
			" shown as if it began in 1970",
			text, from, until);
	return arena_printf(arena, "%s%s to %s", text,
		time_format(arena, begin, "%Y-%m-%d", begin),
		time_format(arena, end, "%Y-%m-%d", begin));
}

static int with_file(struct session *s, const char *name,
	void (*draw)(struct session *, FILE *, struct arena *))
{
	struct outfile out;
	struct arena arena;

	if (outfile_open(&out, name, OUTFILE_OR_STDOUT, &s->err))
		return -1;
	arena_init(&arena);
	draw(s, out.file, &arena);
	arena_release(&arena);
	return outfile_close(&out, &s->err);
}

/* ---- curves --------------------------------------------------------------*/

enum { PANEL_USED, PANEL_WAITING, PANELS };

static struct svg_line make_line(const struct session *s,
	const struct replay *replay, int64_t from, int64_t until,
	struct arena *arena)
{
	struct plot_series *panels =
		arena_array(arena, PANELS, sizeof(*panels));
	struct metrics_curves curves = {
		.from = from,
		.until = until,
		.n = POINTS,
		.used = arena_array(arena, POINTS, sizeof(double)),
		.waiting = arena_array(arena, POINTS, sizeof(double)),
	};

	metrics_curves(&s->trace, &replay->result, &curves);
	for (size_t i = 0; i < POINTS; i++)
		curves.used[i] *= 100.0 / (double)replay->procs;
	panels[PANEL_USED] = (struct plot_series){curves.used, POINTS};
	panels[PANEL_WAITING] = (struct plot_series){curves.waiting, POINTS};
	return (struct svg_line){.name = replay->label, .panels = panels};
}

static void draw_curves(struct session *s, FILE *out, struct arena *arena)
{
	static const struct svg_panel panels[PANELS] = {
		{"Processors in use, percent", 100},
		{"Jobs waiting", 0},
	};
	size_t n = s->n < MOST_LINES ? s->n : MOST_LINES;
	struct svg_line *lines = arena_array(arena, n, sizeof(*lines));
	const char **names = arena_array(arena, n, sizeof(*names));
	int64_t from, until;
	struct svg_book book;
	struct svg_chart chart = {
		.title = "Utilization and queue",
		.panels = panels,
		.n_panels = PANELS,
		.lines = lines,
		.n_lines = n,
	};

	span(s, &from, &until);
	chart.subtitle = subtitle(s, from, until, arena);
	for (size_t i = 0; i < n; i++)
		names[i] = s->replays[i].label;
	svg_book(&book, names, n);
	for (size_t i = 0; i < n; i++) {
		lines[i] = make_line(s, &s->replays[i], from, until, arena);
		lines[i].colour = svg_colour(&book, names[i]);
	}
	chart.from = s->trace.start + from;
	chart.to = s->trace.start + until;
	svg_draw(&chart, out, arena);
}

/* ---- Gantt ---------------------------------------------------------------*/

/* The users that had the most of the machine get a colour, the rest none. */
struct colours {
	int *of; /* each user */
	struct svg_part parts[SEVERAL + 1];
	size_t n;
};

struct user_amount {
	double sum;
	uint32_t user;
};

static int compare_amounts(const void *x, const void *y)
{
	const struct user_amount *a = x, *b = y;

	if (a->sum != b->sum)
		return a->sum < b->sum ? 1 : -1;
	return (a->user > b->user) - (a->user < b->user);
}

static struct user_amount *add_up(const struct session *s, int64_t from,
	int64_t until, struct arena *arena)
{
	const struct trace *t = &s->trace;
	const struct sim_result *result = &s->replays[0].result;
	struct user_amount *amounts =
		arena_array(arena, t->users.n, sizeof(*amounts));

	for (uint32_t u = 0; u < t->users.n; u++)
		amounts[u].user = u;
	for (size_t i = 0; i < t->n; i++) {
		const struct trace_job *job = &t->jobs[i];
		int64_t a = result->start[i], b;

		if (a == SIM_NEVER)
			continue;
		a = a > from ? a : from;
		b = sim_end(t, result, i);
		b = b < until ? b : until;
		if (b > a)
			amounts[job->user].sum += (double)(b - a) * job->procs;
	}
	qsort(amounts, t->users.n, sizeof(*amounts), compare_amounts);
	return amounts;
}

static void choose_colours(const struct session *s, int64_t from, int64_t until,
	struct colours *c, struct arena *arena)
{
	size_t users = s->trace.users.n, others = 0;
	struct user_amount *amounts = add_up(s, from, until, arena);
	const char *names[SEVERAL];
	struct svg_book book;

	c->of = arena_array(arena, users, sizeof(*c->of));
	for (size_t u = 0; u < users; u++)
		c->of[u] = SVG_NEUTRAL;
	for (c->n = 0; c->n < SEVERAL && c->n < users; c->n++) {
		uint32_t user = amounts[c->n].user;

		if (amounts[c->n].sum <= 0)
			break;
		names[c->n] = user_name(s, user, arena);
		c->parts[c->n].name =
			arena_printf(arena, "user %s", names[c->n]);
	}
	svg_book(&book, names, c->n);
	for (size_t i = 0; i < c->n; i++)
		c->of[amounts[i].user] = c->parts[i].colour =
			svg_colour(&book, names[i]);
	for (size_t u = c->n; u < users; u++)
		others += amounts[u].sum > 0;
	if (others)
		c->parts[c->n++] = (struct svg_part){
			arena_printf(arena, "%zu others", others), SVG_NEUTRAL};
}

static bool in_view(const struct gantt_piece *p, int64_t from, int64_t until)
{
	return p->until > from && p->from < until;
}

/* One by one, with names. */
static void show_jobs(const struct session *s, const struct gantt *gantt,
	const struct colours *c, int64_t from, int64_t until,
	struct svg_gantt_panel *panel, struct arena *arena)
{
	struct svg_held *held = arena_array(arena, gantt->n, sizeof(*held));

	for (size_t i = 0; i < gantt->n; i++) {
		const struct gantt_piece *p = &gantt->v[i];
		const struct trace_job *job = &s->trace.jobs[p->job];

		if (!in_view(p, from, until))
			continue;
		held[panel->n++] = (struct svg_held){
			.from = s->trace.start + p->from,
			.to = s->trace.start + p->until,
			.low = p->low,
			.high = p->high,
			.colour = c->of[job->user],
			.name = arena_printf(arena, "%" PRId64, job->id),
			.tip = arena_printf(arena,
				"job %" PRId64 ", user %s: %" PRIu32
				" processors, waited %" PRId64
				" s, ran %" PRId64 " of %" PRId64 " s",
				job->id, user_name(s, job->user, arena),
				job->procs, p->from - job->submit, job->run,
				job->limit),
		};
	}
	panel->held = held;
}

/* What does not fit one by one is seen as through a grid. */
static void show_users(const struct session *s, const struct gantt *gantt,
	const struct colours *c, int64_t from, int64_t until,
	struct svg_gantt_panel *panel, struct arena *arena)
{
	const struct trace *t = &s->trace;
	uint32_t *group = arena_array(arena, t->n, sizeof(*group));
	struct svg_held *held;
	struct gantt coarse;

	for (size_t i = 0; i < t->n; i++)
		group[i] = (uint32_t)(c->of[t->jobs[i].user] + 1);
	gantt_sample(gantt, group, COLUMNS, ROWS, from, until, &coarse);
	held = arena_array(arena, coarse.n, sizeof(*held));
	for (size_t i = 0; i < coarse.n; i++)
		held[i] = (struct svg_held){
			.from = t->start + coarse.v[i].from,
			.to = t->start + coarse.v[i].until,
			.low = coarse.v[i].low,
			.high = coarse.v[i].high,
			.colour = (int)coarse.v[i].job - 1,
		};
	panel->held = held;
	panel->n = coarse.n;
	gantt_release(&coarse);
}

static bool is_dense(const struct gantt *gantt, int64_t from, int64_t until)
{
	size_t n = 0;

	for (size_t i = 0; i < gantt->n; i++)
		n += in_view(&gantt->v[i], from, until);
	return n > MOST_BOXES;
}

static void draw_gantt(struct session *s, FILE *out, struct arena *arena)
{
	struct gantt gantts[MOST_PANELS];
	struct svg_gantt_panel panels[MOST_PANELS] = {0};
	size_t n = s->n < MOST_PANELS ? s->n : MOST_PANELS;
	struct colours colours;
	struct svg_gantt picture = {
		.title = "Who held which processors",
		.panels = panels,
		.n_panels = n,
	};
	int64_t from, until;
	bool dense = false;

	span(s, &from, &until);
	choose_colours(s, from, until, &colours, arena);
	for (size_t i = 0; i < n; i++) {
		struct trace trace = s->trace;

		trace.procs = (uint32_t)s->replays[i].procs;
		picture.high = fmax(picture.high, trace.procs);
		gantt_make(&gantts[i], &trace, &s->replays[i].result);
		dense |= is_dense(&gantts[i], from, until);
	}
	for (size_t i = 0; i < n; i++) {
		panels[i].title = s->replays[i].label;
		(dense ? show_users : show_jobs)(s, &gantts[i], &colours, from,
			until, &panels[i], arena);
		gantt_release(&gantts[i]);
	}
	picture.subtitle = subtitle(s, from, until, arena);
	picture.apart = !dense;
	picture.from = s->trace.start + from;
	picture.to = s->trace.start + until;
	picture.parts = colours.parts;
	picture.n_parts = colours.n;
	svg_draw_gantt(&picture, out, arena);
}

int draw_pictures(struct session *s)
{
	static void (*const draw[PICTURES])(struct session *, FILE *, struct arena *) = {
		draw_curves, draw_gantt, draw_waits};

	for (size_t i = 0; i < PICTURES; i++)
		if (s->options.svg[i] && with_file(s, s->options.svg[i], draw[i]))
			return -1;
	return 0;
}
