/*
 * splan --when: what it says, for people and for machines.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/splan/when.h"
#include "common/base/numbers.h"
#include "common/text/reason.h"
#include "common/text/timespec.h"

/* ---- words ---------------------------------------------------------------*/

static const char *moment(struct when *w, int64_t at)
{
	return time_format(&w->arena, (time_t)at, w->site->time_format,
		(time_t)w->site->now);
}

static const char *span(struct when *w, int64_t seconds)
{
	return duration_format(&w->arena, (uint64_t)seconds);
}

/* "04:00:00"; a year means no limit. */
static const char *limit(struct when *w, uint32_t minutes)
{
	enum { YEAR = 365 * 24 * 60 };

	return minutes >= YEAR ? "UNLIMITED" : span(w, (int64_t)minutes * 60);
}

static const char *count(struct when *w, uint64_t n, const char *what)
{
	return arena_printf(
		&w->arena, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

/* What to type for it. */
static const char *change_text(struct when *w, const struct advise_variant *v)
{
	if (v->kind == ADVISE_TIME)
		return arena_printf(&w->arena, "time=%s", limit(w, v->minutes));
	if (v->kind == ADVISE_SIZE)
		return arena_printf(&w->arena,
			"nodes=%" PRIu32 " cpus=%" PRIu32, v->nodes, v->cpus);
	return "as asked";
}

static const char *start_text(struct when *w, int64_t start)
{
	if (start <= w->p->at)
		return "at once";
	return arena_printf(&w->arena, "at %s", moment(w, start));
}

static bool starts_now(const struct when *w, const struct variant_outcome *out)
{
	return out->start && out->start <= w->p->at && !out->far;
}

static const char *best_text(struct when *w)
{
	const struct advise_variant *v = &w->v[w->best], *asked = &w->v[0];

	if (v->kind == ADVISE_TIME)
		return arena_printf(&w->arena, "time=%s%s instead of %s",
			limit(w, w->enough), w->enough > 1 ? " or less" : "",
			limit(w, asked->minutes));
	return arena_printf(&w->arena,
		"%s instead of nodes=%" PRIu32 " cpus=%" PRIu32,
		change_text(w, v), asked->nodes, asked->cpus);
}

/* The sentence about the best change. */
static const char *advice(struct when *w)
{
	const struct variant_outcome *now = &w->out[0],
				     *then = &w->out[w->best];
	const char *gain = "", *care = "";

	if (starts_now(w, now))
		return "Nothing need be changed: it starts at once.";
	if (!w->best && w->begin)
		return arena_printf(&w->arena,
			"Before its begin time, %s, no start is planned: ask "
			"again then, or without begin=.",
			moment(w, w->begin));
	if (!w->best && w->n > 1)
		return now->start ? "No shorter limit and no smaller size that "
				    "was tried brings an earlier start."
				  : "No shorter limit and no smaller size that "
				    "was tried brings a start, either.";
	if (!w->best)
		return "Another limit or size would not change that.";
	if (now->start)
		gain = arena_printf(&w->arena, ", %s earlier",
			span(w, now->start - then->start));
	if (w->v[w->best].kind == ADVISE_SIZE)
		care = "; it may run longer then, so mind the limit";
	return arena_printf(&w->arena, "Best change: %s: it starts %s%s%s.",
		best_text(w), start_text(w, then->start), gain, care);
}

/* ---- cells ---------------------------------------------------------------*/

static const char *reason_text(const struct variant_outcome *out)
{
	return out->reason ? reason_name(out->reason) : "None";
}

/* A variant and what became of it. */
struct row {
	struct when *w;
	const struct advise_variant *v;
	const struct variant_outcome *out;
};

static struct value wait_or_gain(bool known, int64_t seconds)
{
	return known ? of_seconds((uint64_t)(seconds > 0 ? seconds : 0))
		     : no_value();
}

#define GET(name, expression) GETTER(name, struct row, expression)
GET(change, of_text(change_text(row->w, row->v)))
GET(time_limit, of_text(limit(row->w, row->v->minutes)))
GET(nodes, of_uint(row->v->nodes))
GET(cpus, of_uint(row->v->cpus))
GET(start, of_some_time(row->out->start))
GET(wait, wait_or_gain(row->out->start, row->out->start - row->w->p->at))
GET(gain, wait_or_gain(row->out->start && row->w->out[0].start,
		  row->w->out[0].start - row->out->start))
GET(reason, of_text(reason_text(row->out)))
GET(nodelist, of_text(row->out->nodelist))

/* clang-format off */
static const struct member variant_rows[] = {
	{SHOWN("Change", "Change", -22, "change", NULL), .get = get_change},
	{SHOWN("TimeLimit", "TimeLimit", 11, "time_limit", NULL), .fit.rank = 3, .get = get_time_limit},
	{SHOWN("Nodes", "Nodes", 5, "nodes", NULL), .fit.rank = 4, .get = get_nodes},
	{SHOWN("CPUs", "CPUs", 5, "cpus", NULL), .fit.rank = 5, .get = get_cpus},
	{SHOWN("StartTime", "StartTime", 19, "start_time", NULL), .get = get_start},
	{SHOWN("Wait", "Wait", 11, "wait", NULL), .get = get_wait},
	{SHOWN("Gain", "Gain", 11, "gain", NULL), .fit.rank = 2, .get = get_gain},
	{SHOWN("Reason", "Reason", -20, "reason", NULL), .fit = {1, 12}, .get = get_reason},
	{SHOWN("NodeList", "NodeList", -20, "node_list", NULL), .fit.rank = 6, .get = get_nodelist},
};
/* clang-format on */
static const struct members variant_members = MEMBERS(variant_rows);

/* ---- for people ----------------------------------------------------------*/

static void tell_start(struct when *w)
{
	const struct variant_outcome *out = &w->out[0];

	if (w->id)
		printf("Job %" PRIu32 ": ", w->id);
	else
		printf("Job: ");
	printf("%s, %s, limit %s%s; user %s, account %s, partition %s.\n",
		count(w, w->v[0].nodes, "node"), count(w, w->v[0].cpus, "CPU"),
		limit(w, w->v[0].minutes),
		w->own_limit ? "" : " (the partition's default)", w->user,
		w->account, w->around.partition);
	fputs(w->id ? "It " : "If submitted now, it ", stdout);
	if (!out->start)
		puts("gets no start that could be foreseen.");
	else if (starts_now(w, out))
		printf("starts at once on %s.\n", out->nodelist);
	else
		printf("is expected to start at %s, in %s, on %s.\n",
			moment(w, out->start), span(w, out->start - w->p->at),
			out->nodelist);
	if (out->far)
		puts("The scheduler keeps no nodes for it yet (bf_window, "
		     "bf_max_job_...): a rough estimate.");
}

static const char *line_text(struct when *w)
{
	size_t n = w->around.before;

	if (!n)
		return "no waiting job is in front of this one";
	return arena_printf(&w->arena, "%s in front of this one",
		n == 1 ? "1 waiting job is"
		       : arena_printf(&w->arena, "%zu waiting jobs are", n));
}

static void tell_why(struct when *w)
{
	const struct variant_outcome *out = &w->out[0];
	const struct around *a = &w->around;

	if (out->reason)
		printf("It waits for %s (%s).\n",
			reason_help(out->reason, &w->arena),
			reason_name(out->reason));
	if (!a->nodes)
		return;
	printf("Partition %s now: %s, %zu idle", a->partition,
		count(w, a->nodes, "node"), a->idle);
	if (a->down)
		printf(", %zu down", a->down);
	printf("; %" PRIu64 " of %s free; %s.\n", a->free,
		count(w, a->cpus, "CPU"), line_text(w));
}

static void tell_rest(struct when *w)
{
	printf("\n%s\n", advice(w));
	if (w->out[0].start > w->p->at)
		puts("These are estimates: jobs that end before their limit "
		     "bring a start forward, new\njobs of higher priority put "
		     "it off.");
}

/* ---- all -----------------------------------------------------------------*/

static struct json_object *beside(struct when *w)
{
	struct json_object *record = json_record();
	const struct around *a = &w->around;

	if (w->id)
		json_put_int(record, "job/job_id", w->id);
	json_put_text(record, "job/user", w->user);
	json_put_text(record, "job/account", w->account);
	json_put_text(record, "job/partition", a->partition);
	json_put_int(record, "job/priority", a->priority);
	json_put_text(record, "job/reason", reason_text(&w->out[0]));
	json_put_int(record, "partition/nodes", (int64_t)a->nodes);
	json_put_int(record, "partition/idle_nodes", (int64_t)a->idle);
	json_put_int(record, "partition/free_cpus", (int64_t)a->free);
	json_put_int(record, "partition/jobs_before", (int64_t)a->before);
	json_put_text(record, "advice/change",
		w->best ? change_text(w, &w->v[w->best]) : "");
	if (w->best && w->v[w->best].kind == ADVISE_TIME)
		json_put_text(record, "advice/time", limit(w, w->enough));
	json_put_text(record, "advice/sentence", advice(w));
	return record;
}

void print_when(struct when *w)
{
	struct row v[ADVISE_VARIANTS];
	const struct options *o = w->options;
	bool people = !o->form && o->mode == TABLE_FIXED;
	struct splan_rows rows = {.list = "variants",
		.members = &variant_members,
		.v = v,
		.n = w->n,
		.size = sizeof(*v),
		.beside = o->form ? beside(w) : NULL};

	for (size_t i = 0; i < w->n; i++)
		v[i] = (struct row){w, &w->v[i], &w->out[i]};
	if (people) {
		tell_start(w);
		tell_why(w);
		putchar('\n');
	}
	splan_print_rows(w->p, o, &rows);
	if (people)
		tell_rest(w);
}
