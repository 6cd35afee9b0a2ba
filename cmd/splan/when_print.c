/*
 * splan --when: what it says, for people and for machines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/splan/when.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
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

static const char *start_text(struct when *w, int64_t start)
{
	if (start <= w->p->at)
		return "at once";
	return arena_printf(&w->arena, "at %s", moment(w, start));
}

static bool starts_now(const struct when *w)
{
	const struct plan_outcome *now = &w->found.now;

	return now->start && now->start <= w->p->at && !now->far;
}

/* NULL: nothing helps. */
static const struct remedied *best_of(const struct when *w)
{
	const struct remedies *found = &w->found;

	return found->best < found->n ? &found->v[found->best] : NULL;
}

/* The sentence about the best change. */
static const char *tell_best(struct when *w, const struct remedied *best)
{
	static const char *const notes[REMEDY_KINDS] = {
		[REMEDY_TIME] = " or less",
		[REMEDY_MEM] = " or less",
	};
	const char *note = notes[best->kind], *gain = "", *care = "";

	if (w->found.now.start)
		gain = arena_printf(&w->arena, ", %s earlier",
			span(w, w->found.now.start - best->then->start));
	if (best->kind == REMEDY_CPUS ||
		best->kind == REMEDY_NODES)
		care = "; it may run longer then, so mind the limit";
	if (best->kind == REMEDY_LIMIT)
		care = "; an administrator can do that";
	if (best->then->far)
		care = "; the scheduler keeps no nodes for it yet, either";
	return arena_printf(&w->arena,
		"Best change: %s%s instead of %s: it starts %s%s%s.",
		best->words, note ? note : "", best->instead,
		start_text(w, best->then->start), gain, care);
}

static const char *advice(struct when *w)
{
	const struct remedied *best = best_of(w);

	if (starts_now(w))
		return "Nothing need be changed: it starts at once.";
	if (best)
		return tell_best(w, best);
	if (w->begin)
		return arena_printf(&w->arena,
			"Before its begin time, %s, no start is planned: ask "
			"again then, or without begin=.",
			moment(w, w->begin));
	if (!w->found.plans)
		return "Another limit or size would not change that.";
	return w->found.now.start
		       ? "Nothing that was tried brings an earlier start: less "
			 "time, memory, CPUs, GPUs or\nnodes, another partition, "
			 "QOS or account."
		       : "Nothing that was tried brings a start, either: less "
			 "time, memory, CPUs, GPUs or\nnodes, another partition, "
			 "QOS or account.";
}

/* ---- cells ---------------------------------------------------------------*/

static const char *reason_text(const struct plan_outcome *out)
{
	return out->reason ? out->reason : "None";
}

/* The job as asked for, or after a change. */
struct row {
	struct when *w;
	const char *change;
	const struct plan_outcome *out;
};

static struct value wait_or_gain(bool known, int64_t seconds)
{
	return known ? of_seconds((uint64_t)(seconds > 0 ? seconds : 0))
		     : no_value();
}

#define GET(name, expression) GETTER(name, struct row, expression)
GET(change, of_text(row->change))
GET(time_limit, of_text(limit(row->w, row->out->minutes)))
GET(nodes, of_uint(row->out->nodes))
GET(cpus, of_uint(row->out->cpus))
GET(start, of_some_time(row->out->start))
GET(wait, wait_or_gain(row->out->start, row->out->start - row->w->p->at))
GET(gain, wait_or_gain(row->out->start && row->w->found.now.start,
		  row->w->found.now.start - row->out->start))
GET(reason, of_text(reason_text(row->out)))
GET(nodelist, of_text(row->out->nodelist))

/* clang-format off */
static const struct member variant_rows[] = {
	{SHOWN("Change", "Change", -22, "change", NULL), .fit.least = 50, .get = get_change},
	{SHOWN("TimeLimit", "TimeLimit", 11, "time_limit", NULL), .fit.rank = 5, .get = get_time_limit},
	{SHOWN("Nodes", "Nodes", 5, "nodes", NULL), .fit.rank = 7, .get = get_nodes},
	{SHOWN("CPUs", "CPUs", 5, "cpus", NULL), .fit.rank = 8, .get = get_cpus},
	{SHOWN("StartTime", "StartTime", 19, "start_time", NULL), .get = get_start},
	{SHOWN("Wait", "Wait", 11, "wait", NULL), .fit.rank = 1, .get = get_wait},
	{SHOWN("Gain", "Gain", 11, "gain", NULL), .fit.rank = 6, .get = get_gain},
	{SHOWN("Reason", "Reason", -20, "reason", NULL), .fit = {4, 12}, .get = get_reason},
	{SHOWN("NodeList", "NodeList", -20, "node_list", NULL), .fit = {3, 8}, .get = get_nodelist},
};
/* clang-format on */
static const struct members variant_members = MEMBERS(variant_rows);

/* ---- for people ----------------------------------------------------------*/

static void tell_start(struct when *w)
{
	const struct plan_outcome *out = &w->found.now;

	if (w->id)
		printf("Job %" PRIu32 ": ", w->id);
	else
		printf("Job: ");
	printf("%s, %s, limit %s%s; user %s, account %s, partition %s.\n",
		count(w, out->nodes, "node"), count(w, out->cpus, "CPU"),
		limit(w, out->minutes),
		w->own_limit ? "" : " (the partition's default)", w->user,
		w->account, w->around.partition);
	fputs(w->id ? "It " : "If submitted now, it ", stdout);
	if (!out->start)
		printf("starts %s.\n", w->start);
	else if (starts_now(w))
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
	const struct plan_outcome *out = &w->found.now;
	const struct around *a = &w->around;

	if (out->reason)
		printf("It waits for %s (%s).\n", w->help,
			utf8_visible(&w->arena, out->reason));
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
	if (w->found.now.start > w->p->at)
		puts("These are estimates: jobs that end before their limit "
		     "bring a start forward, new\njobs of higher priority put "
		     "it off.");
}

/* ---- all -----------------------------------------------------------------*/

static struct json_object *beside(struct when *w)
{
	struct json_object *record = json_record();
	const struct around *a = &w->around;
	const struct remedied *best = best_of(w);

	if (w->id)
		json_put_int(record, "job/job_id", w->id);
	json_put_text(record, "job/user", w->user);
	json_put_text(record, "job/account", w->account);
	json_put_text(record, "job/partition", a->partition);
	json_put_int(record, "job/priority", a->priority);
	json_put_text(record, "job/reason", reason_text(&w->found.now));
	json_put_int(record, "partition/nodes", (int64_t)a->nodes);
	json_put_int(record, "partition/idle_nodes", (int64_t)a->idle);
	json_put_int(record, "partition/free_cpus", (int64_t)a->free);
	json_put_int(record, "partition/jobs_before", (int64_t)a->before);
	json_put_text(record, "advice/change",
		best ? best->words : "");
	if (best && best->kind == REMEDY_TIME)
		json_put_text(record, "advice/time",
			limit(w, (uint32_t)best->value));
	json_put_text(record, "advice/sentence", advice(w));
	return record;
}

/* The changes in full. */
static const char *columns_of(struct when *w, const struct row *v, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < n; i++)
		if (strlen(v[i].change) > longest)
			longest = strlen(v[i].change);
	return arena_printf(&w->arena,
		"Change%%-%zu,TimeLimit,Nodes,CPUs,StartTime,Wait,Gain,Reason,"
		"NodeList",
		longest);
}

void print_when(struct when *w)
{
	struct row v[REMEDY_MOST + 1] = {{w, "as asked", &w->found.now}};
	const struct options *o = w->options;
	bool people = !o->form && o->mode == TABLE_FIXED;
	struct splan_rows rows = {.list = "variants",
		.members = &variant_members,
		.v = v,
		.n = w->found.n + 1,
		.size = sizeof(*v),
		.beside = o->form ? beside(w) : NULL};

	for (size_t i = 0; i < w->found.n; i++)
		v[i + 1] = (struct row){
			w, w->found.v[i].words, w->found.v[i].then};
	if (people) {
		rows.columns = columns_of(w, v, rows.n);
		tell_start(w);
		tell_why(w);
		putchar('\n');
	}
	splan_print_rows(w->p, o, &rows);
	if (people)
		tell_rest(w);
}
