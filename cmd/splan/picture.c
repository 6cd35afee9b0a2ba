/*
 * The plan as a picture (--svg): what runs, starts now or has its nodes kept.
 * What is only estimated has no bar: nothing is kept for it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/splan/splan.h"
#include "common/base/numbers.h"
#include "common/base/outfile.h"
#include "common/base/select_kth.h"
#include "common/cli/cli.h"
#include "common/draw/svg.h"
#include "common/text/timespec.h"
#include "db/view/shares.h"

struct plan_picture {
	struct planned *p;
	struct svg_plan_bar *v;
	size_t n, cap, later;
	int64_t first_later;
	struct arena *arena;
};

static const char *moment(const struct plan_picture *pic, int64_t when)
{
	return time_format(
		pic->arena, (time_t)when, "%b %d %H:%M", (time_t)pic->p->at);
}

static void add_bar(struct plan_picture *pic, const struct sched_job *job,
	struct svg_plan_bar bar, const char *state)
{
	const struct job *record = job->record;
	const char *id = splan_job_id(job, pic->arena);

	if (!splan_shows(pic->p, record) || bar.to <= bar.from)
		return;
	bar.name = arena_printf(pic->arena, "%s %s", record->user, id);
	bar.group = record->account;
	bar.tip = arena_printf(pic->arena,
		"%s %s, %s in %s: %s from %s, until %s", id, record->name,
		record->user, record->account, state, moment(pic, bar.from),
		moment(pic, bar.to));
	*ARENA_PUSH(pic->arena, pic->v, pic->n, pic->cap) = bar;
}

static void add_running(struct plan_picture *pic)
{
	const struct schedule *s = &pic->p->plan.schedule;

	for (size_t i = 0; i < s->n_running; i++) {
		const struct sched_running *run = &s->running[i];
		const struct svg_plan_bar bar = {.from = run->began,
			.to = run->end, .nodes = run->start.nodes,
			.n = run->start.n_nodes};

		/* Without a record: what a pass has just started. */
		if (run->job->record && run->began < pic->p->at)
			add_bar(pic, run->job, bar, "runs");
	}
}

static void add_waiting(struct plan_picture *pic, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++) {
		const struct sched_start *start = &job->starts[i];
		const struct svg_plan_bar bar = {.from = pic->p->at,
			.to = pic->p->at + schedule_start_seconds(job, start),
			.planned = true, .nodes = start->nodes,
			.n = start->n_nodes};

		add_bar(pic, job, bar, "starts now,");
	}
	for (size_t i = 0; i < job->n_plans; i++) {
		const struct sched_plan *plan = &job->plans[i];
		const struct svg_plan_bar bar = {.from = plan->start,
			.to = plan->end, .planned = true, .nodes = plan->nodes,
			.n = plan->n_nodes};

		if (plan->reserved) {
			add_bar(pic, job, bar, "reserved");
			continue;
		}
		if (!splan_shows(pic->p, job->record))
			continue;
		if (!pic->later++ || plan->start < pic->first_later)
			pic->first_later = plan->start;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct svg_plan_bar *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* As far as somebody is about to start, and a quarter more; until eight of ten
 * have ended; six hours at least. As the page of spage (cmd/spage/plan.js). */
static int64_t end_of(const struct plan_picture *pic)
{
	int64_t *ends = arena_array(pic->arena, pic->n + 1, sizeof(*ends));
	int64_t now = pic->p->at, end = now + 6 * 3600;

	for (size_t i = 0; i < pic->n; i++) {
		ends[i] = pic->v[i].to;
		end = larger(end, now + (pic->v[i].from - now) * 5 / 4);
	}
	return pic->n ? larger(end, select_kth(ends, pic->n, pic->n * 4 / 5))
		      : end;
}

static const char *const *names_of(const struct plan_picture *pic)
{
	const struct schedule *s = &pic->p->plan.schedule;
	const char **names =
		arena_array(pic->arena, s->n_nodes + 1, sizeof(*names));

	for (size_t i = 0; i < s->n_nodes; i++)
		names[i] = s->nodes[i].name;
	return names;
}

/* Accounts by usage, as in all pictures. */
static void choose_colours(struct plan_picture *pic, struct svg_book *book)
{
	struct plan *plan = &pic->p->plan;
	struct shares shares = plan->prio.shares;
	struct strv names = {0};

	if (!shares.n && shares_load(&plan->site->store, &plan->site->conf.policy,
				 plan->cluster, plan->at, 0, pic->arena, &shares))
		cli_die(plan->site->store.err);
	shares_most_used(&shares, false, SVG_COLOURS, pic->arena, &names);
	svg_book(book, (const char *const *)names.v, names.n);
}

static const char *note_of(const struct plan_picture *pic)
{
	if (!pic->later)
		return "";
	return arena_printf(pic->arena,
		"%zu jobs start later than %s: nothing is kept for them yet.",
		pic->later, moment(pic, pic->first_later));
}

void print_picture(struct planned *p, const struct options *options)
{
	struct plan_picture pic = {.p = p, .arena = &p->arena};
	const struct schedule *s = &p->plan.schedule;
	struct svg_book book;
	struct outfile out;
	struct svg_plan plan;
	struct err err;

	add_running(&pic);
	for (size_t i = 0; i < s->n_jobs; i++)
		add_waiting(&pic, &s->jobs[i]);
	if (pic.n)
		qsort(pic.v, pic.n, sizeof(*pic.v), by_begin);
	choose_colours(&pic, &book);
	plan = (struct svg_plan){.book = &book, .from = p->at, .to = end_of(&pic),
		.title = arena_printf(pic.arena, "The plan, %s", p->plan.cluster),
		.nodes = names_of(&pic), .n_nodes = s->n_nodes,
		.note = note_of(&pic), .bars = pic.v, .n_bars = pic.n};
	plan.subtitle = arena_printf(pic.arena,
		"%s to %s; paler: planned", moment(&pic, plan.from),
		moment(&pic, plan.to));
	if (outfile_open(&out, options->svg, OUTFILE_OR_STDOUT, &err))
		cli_die(&err);
	svg_draw_plan(&plan, out.file, pic.arena);
	if (outfile_close(&out, &err))
		cli_die(&err);
}
