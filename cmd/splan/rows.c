/*
 * The lines of splan: every job that waited, what becomes of it, when and
 * where, and why it waits.
 */
#include "cmd/splan/splan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/table/fields.h"
#include "common/table/table.h"

struct line {
	const struct planned *p;
	const struct sched_job *job;
	const struct sched_start *start; /* starts now; or: */
	const struct sched_plan *plan;	 /* is expected to; NULL: who knows */
	/* A running job that makes way, for the one above; or is resumed. */
	const struct sched_victim *victim;
	bool resumes;
	uint32_t priority;
	size_t order;
};

/* ---- columns -------------------------------------------------------------*/

static const struct sched_job *job_of(const struct line *line)
{
	return line->victim ? line->victim->job : line->job;
}

static const struct job *record_of(const struct line *line)
{
	return job_of(line)->record;
}

const char *splan_job_id(const struct sched_job *planned, struct arena *arena)
{
	const struct job *job = planned->record;
	uint32_t base = job->array_job ? job->array_job : job->id;

	if (*job->array_tasks)
		return arena_printf(
			arena, "%" PRIu32 "_[%s]", base, job->array_tasks);
	if (job->array_task != NO_VAL)
		return arena_printf(
			arena, "%" PRIu32 "_%" PRIu32, base, job->array_task);
	return arena_printf(arena, "%" PRIu32, base);
}

static void get_id(
	const struct line *line, struct arena *arena, struct value *value)
{
	value->type = VALUE_TEXT;
	value->text = splan_job_id(job_of(line), arena);
}

/* Is it about one that runs already? */
static bool is_running(const struct line *line)
{
	return line->victim || line->resumes;
}

static const struct sched_choice *choice_of(const struct line *line)
{
	if (is_running(line))
		return NULL;
	if (line->start)
		return line->start->choice;
	return line->plan ? line->plan->choice : NULL;
}

static void get_partition(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_TEXT;
	value->text = choice_of(line) ? choice_of(line)->partition->name
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

static const char *const hows[] = {
	[PREEMPTED_NEVER] = "never",
	[PREEMPTED_CANCEL] = "cancel",
	[PREEMPTED_REQUEUE] = "requeue",
	[PREEMPTED_SUSPEND] = "suspend",
};

static size_t victims_of(
	const struct line *line, const struct sched_victim **victims)
{
	*victims = line->start	? line->start->victims
		   : line->plan ? line->plan->victims
				: NULL;
	return line->start  ? line->start->n_victims
	       : line->plan ? line->plan->n_victims
			    : 0;
}

/* What the pass makes of it. */
static void get_action(
	const struct line *line, struct arena *arena, struct value *value)
{
	const struct sched_victim *unused;

	(void)arena;
	value->type = VALUE_TEXT;
	if (is_running(line))
		value->text = line->victim ? hows[line->victim->how] : "resume";
	else if (victims_of(line, &unused))
		value->text = "preempt";
	else if (line->start)
		value->text = "start";
	else if (line->plan)
		value->text = line->plan->reserved ? "reserve" : "estimate";
	else
		value->text = "wait";
}

static void put_time(struct value *value, int64_t when)
{
	value->type = when ? VALUE_TIME : VALUE_NONE;
	value->number = (uint64_t)when;
}

static void get_start(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	if (is_running(line))
		put_time(value, record_of(line)->start);
	else if (line->start)
		put_time(value, line->p->at);
	else
		put_time(value, line->plan ? line->plan->start : 0);
}

static int64_t seconds_of(const struct line *line)
{
	if (line->start->minutes)
		return (int64_t)line->start->minutes * 60;
	return schedule_seconds(line->job, line->start->choice);
}

static void get_end(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	if (is_running(line))
		put_time(value, line->victim ? line->victim->when : 0);
	else if (line->start)
		put_time(value, line->p->at + seconds_of(line));
	else
		put_time(value, line->plan ? line->plan->end : 0);
}

static void get_nodes(
	const struct line *line, struct arena *arena, struct value *value)
{
	(void)arena;
	value->type = VALUE_UINT;
	if (is_running(line))
		value->number = record_of(line)->nodes_alloc;
	else if (line->start)
		value->number = line->start->n_nodes;
	else
		value->number =
			line->plan ? line->plan->n_nodes : line->job->nodes;
}

static void get_nodelist(
	const struct line *line, struct arena *arena, struct value *value)
{
	const uint32_t *nodes = NULL;
	size_t n = 0;

	value->type = VALUE_NONE;
	if (is_running(line)) {
		value->type = VALUE_TEXT;
		value->text = record_of(line)->nodelist;
		return;
	}
	if (line->start) {
		nodes = line->start->nodes;
		n = line->start->n_nodes;
	} else if (line->plan) {
		nodes = line->plan->nodes;
		n = line->plan->n_nodes;
	}
	if (!n)
		return;
	value->type = VALUE_TEXT;
	value->text = plan_nodelist(&line->p->plan, nodes, n, arena);
}

static void get_reason(
	const struct line *line, struct arena *arena, struct value *value)
{
	value->type = VALUE_TEXT;
	if (line->victim)
		value->text = arena_printf(arena, "Preempted by %s",
			splan_job_id(line->job, arena));
	else
		value->text =
			line->start || line->resumes
				? "None"
				: plan_reason(&line->p->plan, record_of(line));
}

/* One row is one field: its name is its heading. */
/* clang-format off */
static const struct column_row {
	struct field field;
	const char *name; /* in JSON */
	void (*get)(const struct line *, struct arena *, struct value *);
} columns[] = {
	{{"JobID:1", "JobID", 12, "the job, or its tasks that wait"}, "job_id", get_id},
	{{"Partition:2", "Partition", 9, "where it runs, or may run"}, "partition", get_partition},
	{{"User:1", "User", 8, "whose it is"}, "user", get_user},
	{{"Account:3", "Account", 10, "account it is charged to"}, "account", get_account},
	{{"Priority:3", "Priority", 10, "the highest of its partitions and QOS"}, "priority", get_priority},
	{{"Action:3", "Action", -8, "start, reserve, estimate or wait"}, "action", get_action},
	{{"StartTime:1", "StartTime", 19, "when it starts, or is expected to"}, "start_time", get_start},
	{{"EndTime:1", "EndTime", 19, "when its limit ends it then"}, "end_time", get_end},
	{{"Nodes:5", "Nodes", 6, "how many nodes"}, "nodes", get_nodes},
	{{"NodeList:5", "NodeList", -15, "which nodes"}, "node_list", get_nodelist},
	{{"Reason:1", "Reason", -30, "why it waits"}, "reason", get_reason},
};
/* clang-format on */

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), MOST_FIELDS = 32 };

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

static void add_line(struct lines *lines, struct line *line)
{
	line->order = lines->n;
	*ARENA_PUSH(line->p->plan.arena, lines->v, lines->n, lines->cap) =
		*line;
}

/* Behind a job those that make way for it; documents have them in its record.
 */
static void add_victims(struct lines *lines, struct line line)
{
	const struct sched_victim *victims;
	size_t n = victims_of(&line, &victims);

	for (size_t i = 0; i < n; i++) {
		line.victim = &victims[i];
		add_line(lines, &line);
	}
}

/* What starts, what is planned, and a line for what is left of it. */
static void add_lines(struct lines *lines, struct planned *p,
	const struct sched_job *job, bool victims)
{
	struct line line = {.p = p, .job = job, .priority = highest(job)};

	for (size_t i = 0; i < job->n_starts; i++) {
		line.start = &job->starts[i];
		add_line(lines, &line);
		if (victims)
			add_victims(lines, line);
	}
	line.start = NULL;
	for (size_t i = 0; i < job->n_plans; i++) {
		line.plan = &job->plans[i];
		add_line(lines, &line);
		if (victims)
			add_victims(lines, line);
	}
	line.plan = NULL;
	if (job->n_starts + job->n_plans < job->tasks)
		add_line(lines, &line);
}

/* ---- printing ------------------------------------------------------------*/

/* Fields by the names typed, all without; the program ends at one that is
 * none. */
static size_t choose(const char *text, struct field_choice *chosen, size_t most,
	struct arena *arena)
{
	struct field fields[COLUMNS];
	struct strv words = {0};

	for (size_t c = 0; c < COLUMNS; c++) {
		fields[c] = columns[c].field;
		chosen[c] = (struct field_choice){(int)c, fields[c].width};
	}
	if (!text)
		return COLUMNS;
	strv_split(&words, arena, text);
	for (size_t i = 0; i < words.n; i++)
		if (i == most ||
			field_choose(fields, COLUMNS, words.v[i], &chosen[i])) {
			cli_error("Unknown field '%s'; --helpformat lists them",
				words.v[i]);
			exit(1);
		}
	return words.n;
}

void check_fields(const char *text)
{
	struct field_choice chosen[MOST_FIELDS];
	struct arena arena;

	arena_init(&arena);
	(void)choose(text, chosen, MOST_FIELDS, &arena);
	arena_release(&arena);
}

void print_helpformat(void)
{
	for (size_t c = 0; c < COLUMNS; c++)
		printf("%-12s %s\n", columns[c].field.heading,
			columns[c].field.help);
}

static void print_table(struct planned *p, const struct options *options,
	const struct lines *lines, struct arena *scratch)
{
	struct field_choice chosen[MOST_FIELDS];
	struct table_column heads[MOST_FIELDS];
	struct value values[MOST_FIELDS];
	struct table table = splan_table(p, options, scratch);

	table.columns = heads;
	table.n = choose(options->format, chosen, MOST_FIELDS, p->plan.arena);
	for (size_t c = 0; c < table.n; c++)
		heads[c] = (struct table_column){
			columns[chosen[c].field].field.heading,
			chosen[c].width};
	table_heading(&table);
	for (size_t i = 0; i < lines->n; i++) {
		arena_reset(scratch);
		for (size_t c = 0; c < table.n; c++)
			columns[chosen[c].field].get(
				&lines->v[i], scratch, &values[c]);
		table_row(&table, values);
	}
}

static void put_victims(struct json_object *record, const struct line *line,
	struct arena *scratch)
{
	const struct sched_victim *victims;
	size_t n = victims_of(line, &victims);

	json_append(record, "preempts", NULL);
	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_record();

		json_put_text(
			one, "job_id", splan_job_id(victims[i].job, scratch));
		json_put_text(one, "mode", hows[victims[i].how]);
		json_put_int(one, "end_time", victims[i].when);
		json_append(record, "preempts", one);
	}
}

static void print_document(struct planned *p, const struct options *options,
	const struct lines *lines, const struct json_meta *meta,
	struct arena *scratch, struct err *err)
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
				&p->plan.site->store.tres);
		}
		put_victims(record, &lines->v[i], scratch);
		json_write(&doc, record);
	}
	if (json_end(&doc, splan_statistics(p), meta, err))
		cli_die(err);
}

void print_plan(
	struct planned *p, const struct options *options, struct err *err)
{
	const struct site *site = p->plan.site;
	struct json_meta meta = {
		options->argv, options->argc, site->cluster, site->caller.name};
	struct lines lines = {0};
	struct arena scratch;

	arena_init(&scratch);
	for (size_t i = 0; i < p->plan.n_resumes; i++)
		add_line(&lines, &(struct line){.p = p,
					 .job = p->plan.resumes[i],
					 .resumes = true,
					 .priority = UINT32_MAX});
	for (size_t i = 0; i < p->plan.schedule.n_jobs; i++)
		add_lines(&lines, p, &p->plan.schedule.jobs[i], !options->form);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), compare);
	if (options->form)
		print_document(p, options, &lines, &meta, &scratch, err);
	else
		print_table(p, options, &lines, &scratch);
	if (options->statistics && !options->form)
		print_statistics(p);
	arena_release(&scratch);
}
