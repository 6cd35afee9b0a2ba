/*
 * The plan as a picture: for every node the jobs that run on it and those the
 * pass would start there, over the time to come. Jobs on one node lie in lanes
 * below each other.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/spage/spage.h"
#include "common/text/hostlist.h"

enum {
	WIDTH = 1100,
	LEFT = 90,
	LANE = 12,
	GAP = 5,
	TOP = 26,
	MOST_LANES = 600, /* of all nodes */
	MOST_TICKS = 12,
};

struct bar {
	const char *node, *job, *tip, *kind;
	int64_t from, to;
	size_t lane;
};

struct chart {
	struct page *p;
	struct bar *v;
	size_t n, cap;
	int64_t from, to;
	size_t left_out;
};

static void add_on_nodes(struct chart *c, const char *nodes, struct bar bar)
{
	struct strv names = {0};
	struct err err;

	if (!*nodes || hostlist_expand(nodes, &c->p->arena, &names, &err))
		return;
	if (bar.to <= c->p->now || bar.from >= bar.to)
		return;
	for (size_t i = 0; i < names.n; i++) {
		bar.node = names.v[i];
		*ARENA_PUSH(&c->p->arena, c->v, c->n, c->cap) = bar;
	}
}

/* Columns as in queue.c. */
static void add_running(struct chart *c)
{
	const struct rows *rows = &c->p->answers[ASK_JOBS].rows;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		if (!strcmp(row[6], "PENDING"))
			continue;
		add_on_nodes(c, row[16],
			(struct bar){.job = row[0],
				.kind = "run",
				.from = moment_read(row[13], c->p->now),
				.to = moment_read(row[14], c->p->now),
				.tip = arena_printf(&c->p->arena,
					"%s %s, %s: runs until %s", row[1],
					row[17], row[3],
					moment_show(c->p, row[14]))});
	}
}

static void add_planned(struct chart *c)
{
	const struct rows *rows = &c->p->answers[ASK_PLAN].rows;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		add_on_nodes(c, row[5],
			(struct bar){.job = row[0],
				.kind = row[1],
				.from = moment_read(row[2], c->p->now),
				.to = moment_read(row[3], c->p->now),
				.tip = arena_printf(&c->p->arena,
					"%s, %s: %s at %s, until %s", row[0],
					row[7], row[1],
					moment_show(c->p, row[2]),
					moment_show(c->p, row[3]))});
	}
}

static int compare_bars(const void *a, const void *b)
{
	const struct bar *x = a, *y = b;
	int order = strverscmp(x->node, y->node);

	return order ? order : (x->from > y->from) - (x->from < y->from);
}

/* Each the first lane that is free; how many lanes there are in all. The bars
 * are sorted; `base` of each node is put into the lanes. */
static size_t lay_lanes(struct chart *c)
{
	int64_t *ends = arena_array(&c->p->arena, c->n + 1, sizeof(*ends));
	size_t base = 0, lanes = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct bar *bar = &c->v[i];
		size_t lane = 0;

		if (i && strcmp(bar->node, c->v[i - 1].node) != 0) {
			base += lanes;
			lanes = 0;
		}
		while (lane < lanes && ends[lane] > bar->from)
			lane++;
		if (lane == lanes)
			lanes++;
		ends[lane] = bar->to;
		bar->lane = base + lane;
	}
	return base + lanes;
}

static double place_of(const struct chart *c, int64_t when)
{
	double part = (double)(when - c->from) / (double)(c->to - c->from);

	return LEFT + (part < 0 ? 0 : part > 1 ? 1 : part) * (WIDTH - LEFT);
}

/* From now on until most of it has ended: a third longer than the plan. */
static void choose_span(struct chart *c)
{
	int64_t last = c->p->now + 3600;

	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].from > last)
			last = c->v[i].from;
	c->from = c->p->now;
	c->to = last + (last - c->from) / 3;
	if (c->to < c->from + 6 * 3600)
		c->to = c->from + 6 * 3600;
}

/* Hours between two marks of the axis, so that there are few. */
static int tick_hours(const struct chart *c)
{
	static const int hours[] = {1, 2, 3, 6, 12};
	int64_t days = (c->to - c->from) / 86400;

	for (size_t i = 0; i < sizeof(hours) / sizeof(*hours); i++)
		if ((c->to - c->from) / (hours[i] * 3600) <= MOST_TICKS)
			return hours[i];
	return 24 * (int)(days / MOST_TICKS + 1);
}

static void write_tick(const struct chart *c, const struct tm *tm, double x,
	size_t height, bool with_day)
{
	FILE *out = c->p->out;
	char text[32];

	strftime(text, sizeof(text), with_day ? "%b %d %H:%M" : "%H:%M", tm);
	fprintf(out, "<path class=grid d=\"M%.1f 18V%zu\"/>", x, height);
	if (x < WIDTH - 40)
		fprintf(out, "<text x=%.1f y=12 class=mid>%s</text>\n", x,
			text);
}

/* At whole hours of the day, whatever the change of the clock. */
static void write_ticks(const struct chart *c, size_t height)
{
	int hours = tick_hours(c), day = -1;
	time_t when = c->from;
	struct tm tm;

	localtime_r(&when, &tm);
	tm.tm_hour -= tm.tm_hour % (hours < 24 ? hours : 24);
	tm.tm_min = tm.tm_sec = 0;
	for (;;) {
		tm.tm_hour += hours;
		tm.tm_isdst = -1;
		when = mktime(&tm);
		if (when == (time_t)-1 || when > c->to)
			return;
		write_tick(c, &tm, place_of(c, when), height,
			tm.tm_mday != day);
		day = tm.tm_mday;
	}
}

static size_t top_of(const struct bar *bar, size_t nodes)
{
	return TOP + bar->lane * LANE + nodes * GAP;
}

static void write_bar(const struct chart *c, const struct bar *bar, size_t y)
{
	FILE *out = c->p->out;
	double x = place_of(c, bar->from), end = place_of(c, bar->to);

	fputs("<a href=\"#job", out);
	html_text(out, bar->job);
	fprintf(out, "\" tabindex=-1><rect class=\"%s\" x=%.1f y=%zu width=%.1f "
		     "height=%d rx=2><title>",
		bar->kind, x, y, end - x < 1.5 ? 1.5 : end - x - 0.5,
		LANE - 1);
	html_text(out, bar->tip);
	fputs("</title></rect></a>\n", out);
}

static void write_bars(const struct chart *c)
{
	FILE *out = c->p->out;
	size_t nodes = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct bar *bar = &c->v[i];
		bool first = !i || strcmp(bar->node, bar[-1].node) != 0;

		nodes += i && first;
		if (first) {
			size_t y = top_of(bar, nodes);

			fprintf(out,
				"<path class=grid d=\"M0 %zuH%d\"/>"
				"<text x=0 y=%zu>",
				y - 3, WIDTH, y + 10);
			html_text(out, bar->node);
			fputs("</text>\n", out);
		}
		write_bar(c, bar, top_of(bar, nodes));
	}
}

/* The nodes of the first so many lanes. */
static void cut(struct chart *c)
{
	size_t n = c->n;

	while (n && c->v[n - 1].lane >= MOST_LANES)
		n--;
	c->left_out = c->n - n;
	c->n = n;
}

static size_t height_of(const struct chart *c)
{
	size_t nodes = 1;

	for (size_t i = 1; i < c->n; i++)
		nodes += strcmp(c->v[i].node, c->v[i - 1].node) != 0;
	return TOP + (c->v[c->n - 1].lane + 1) * LANE + nodes * GAP;
}

void write_gantt(struct page *p)
{
	struct chart c = {.p = p};
	size_t height;

	add_running(&c);
	add_planned(&c);
	if (!c.n) {
		html_missing(p->out, &p->answers[ASK_PLAN],
			"No job has nodes, now or in the plan.");
		return;
	}
	qsort(c.v, c.n, sizeof(*c.v), compare_bars);
	lay_lanes(&c);
	cut(&c);
	choose_span(&c);
	height = height_of(&c);
	fprintf(p->out,
		"<div class=wide><svg class=gantt viewBox=\"0 0 %d %zu\" "
		"role=img aria-label=\"Jobs on nodes from now on\">\n",
		WIDTH, height);
	write_ticks(&c, height);
	write_bars(&c);
	fputs("</svg></div>\n", p->out);
	if (c.left_out)
		fprintf(p->out, "<p class=none>%zu more pieces of jobs on "
				"further nodes are left out.</p>\n",
			c.left_out);
}
