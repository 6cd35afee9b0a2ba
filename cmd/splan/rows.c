/*
 * The lines of splan: every job that waited, what became of it and why.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cli.h"
#include "common/numbers.h"
#include "common/table.h"

struct line {
	const struct plan *plan;
	const struct sched_job *job;
	const struct sched_start *start; /* NULL: goes on waiting */
	uint32_t priority;
	size_t order;
};

/* ---- columns -------------------------------------------------------------*/

static const struct job *record_of(const struct line *line)
{
	return line->job->record;
}

static void get_id(
	const struct line *line, struct arena *arena, struct value *value)
{
	const struct job *job = record_of(line);
	uint32_t base = job->array_job ? job->array_job : job->id;

	value->type = VALUE_TEXT;
	if (*job->array_tasks)
		value->text = arena_printf(
			arena, "%" PRIu32 "_[%s]", base, job->array_tasks);
	else if (job->array_task != NO_VAL)
		value->text = arena_printf(
			arena, "%" PRIu32 "_%" PRIu32, base, job->array_task);
	else
		value->text = arena_printf(arena, "%" PRIu32, base);
}

static void get_partition(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	value->text = line->start ? line->start->choice->partition->name
				  : record_of(line)->partition;
}

static void get_user(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	value->text = record_of(line)->user;
}

static void get_account(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	value->text = record_of(line)->account;
}

static void get_priority(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_UINT;
	value->number = line->priority;
}

static void get_start(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = line->start ? VALUE_TIME : VALUE_NONE;
	value->number = line->start ? (uint64_t)line->plan->at : 0;
}

static void get_nodes(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_UINT;
	value->number = line->start ? line->start->n_nodes : line->job->nodes;
}

static void get_nodelist(
	const struct line *line, struct arena *arena, struct value *value)
{
	value->type = line->start ? VALUE_TEXT : VALUE_NONE;
	value->text = line->start
			      ? plan_nodelist(line->plan, line->start, arena)
			      : NULL;
}

static void get_reason(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	value->text =
		line->start ? "None" : plan_reason(line->plan, record_of(line));
}

static const struct {
	struct table_column column;
	const char *name; /* in JSON */
	void (*get)(const struct line *, struct arena *, struct value *);
} columns[] = {
	{{"JobID", 12}, "job_id", get_id},
	{{"Partition", 9}, "partition", get_partition},
	{{"User", 8}, "user", get_user},
	{{"Account", 10}, "account", get_account},
	{{"Priority", 10}, "priority", get_priority},
	{{"StartTime", 19}, "start_time", get_start},
	{{"Nodes", 6}, "nodes", get_nodes},
	{{"NodeList", -15}, "node_list", get_nodelist},
	{{"Reason", -30}, "reason", get_reason},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* ---- order ---------------------------------------------------------------*/

static uint32_t highest(const struct sched_job *job)
{
	uint32_t priority = 0;

	for (size_t i = 0; i < job->n_choices; i++)
		if (job->choices[i].priority > priority)
			priority = job->choices[i].priority;
	return priority;
}

static int compare(const void *x, const void *y)
{
	const struct line *a = x, *b = y;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

struct lines {
	struct line *v;
	size_t n, cap;
};

static void add_lines(struct lines *lines, const struct plan *plan,
	const struct sched_job *job)
{
	struct line line = {.plan = plan, .job = job, .priority = highest(job)};

	for (size_t i = 0; i < job->n_starts; i++) {
		line.start = &job->starts[i];
		line.order = lines->n;
		*ARENA_PUSH(plan->arena, lines->v, lines->n, lines->cap) = line;
	}
	if (job->n_starts == job->tasks)
		return;
	line.start = NULL;
	line.order = lines->n;
	*ARENA_PUSH(plan->arena, lines->v, lines->n, lines->cap) = line;
}

/* ---- printing ------------------------------------------------------------*/

static void print_table(const struct plan *plan, const struct options *options,
	const struct lines *lines, struct arena *scratch)
{
	struct table_column heads[COLUMNS];
	struct value values[COLUMNS];
	struct table table = {
		.out = stdout,
		.mode = options->csv ? TABLE_CSV : TABLE_FIXED,
		.heading = options->heading,
		.style = site_style(plan->site),
		.scratch = scratch,
		.columns = heads,
		.n = COLUMNS,
	};

	for (size_t c = 0; c < COLUMNS; c++)
		heads[c] = columns[c].column;
	table_heading(&table);
	for (size_t i = 0; i < lines->n; i++) {
		arena_reset(scratch);
		for (size_t c = 0; c < COLUMNS; c++)
			columns[c].get(&lines->v[i], scratch, &values[c]);
		table_row(&table, values);
	}
}

static void print_document(const struct plan *plan,
	const struct options *options, const struct lines *lines,
	const struct json_meta *meta, struct arena *scratch, struct err *err)
{
	struct json_doc doc;
	struct value value;

	json_begin(&doc, stdout, options->form, "jobs");
	for (size_t i = 0; i < lines->n; i++) {
		struct json_object *record = json_record();

		arena_reset(scratch);
		for (size_t c = 0; c < COLUMNS; c++) {
			columns[c].get(&lines->v[i], scratch, &value);
			json_put_plain(record, columns[c].name, &value,
				&plan->site->store.tres);
		}
		json_write(&doc, record);
	}
	if (json_end(&doc, NULL, meta, err))
		cli_die(err);
}

void print_plan(const struct plan *plan, const struct options *options,
	int argc, char **argv, struct err *err)
{
	struct json_meta meta = {
		argv, argc, plan->site->cluster, plan->site->caller.name};
	struct lines lines = {0};
	struct arena scratch;

	arena_init(&scratch);
	for (size_t i = 0; i < plan->schedule.n_jobs; i++)
		add_lines(&lines, plan, &plan->schedule.jobs[i]);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), compare);
	if (options->form)
		print_document(plan, options, &lines, &meta, &scratch, err);
	else
		print_table(plan, options, &lines, &scratch);
	arena_release(&scratch);
}
