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

struct plan_line {
	struct planned *p;
	const struct sched_job *job;
	const struct sched_start *start; /* starts now; or: */
	const struct sched_plan *plan;	 /* is expected to; NULL: unknown */
	/* A running job, preempted for the one above or resumed. */
	const struct sched_victim *victim;
	bool resumes;
	uint32_t priority;
	size_t order;
};

/* ---- columns -------------------------------------------------------------*/

static const struct sched_job *job_of(const struct plan_line *line)
{
	return line->victim ? line->victim->job : line->job;
}

static const struct job *record_of(const struct plan_line *line)
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

bool splan_shows(const struct planned *p, const struct job *job)
{
	return privacy_allows(&p->privacy, job->user, job->account);
}

/* Is it about one that runs already? */
static bool is_running(const struct plan_line *line)
{
	return line->victim || line->resumes;
}

static const struct sched_choice *choice_of(const struct plan_line *line)
{
	if (is_running(line))
		return NULL;
	if (line->start)
		return line->start->choice;
	return line->plan ? line->plan->choice : NULL;
}

static const char *const hows[] = {
	[PREEMPTED_NEVER] = "never",
	[PREEMPTED_CANCEL] = "cancel",
	[PREEMPTED_REQUEUE] = "requeue",
	[PREEMPTED_SUSPEND] = "suspend",
};

static size_t victims_of(
	const struct plan_line *line, const struct sched_victim **victims)
{
	*victims = line->start	? line->start->victims
		   : line->plan ? line->plan->victims
				: NULL;
	return line->start  ? line->start->n_victims
	       : line->plan ? line->plan->n_victims
			    : 0;
}

/* What the pass makes of it. */
static const char *action_of(const struct plan_line *line)
{
	const struct sched_victim *unused;

	if (line->victim)
		return hows[line->victim->how];
	if (line->resumes)
		return "resume";
	if (victims_of(line, &unused))
		return "preempt";
	if (line->start)
		return "start";
	if (line->plan)
		return line->plan->reserved ? "reserve" : "estimate";
	return "wait";
}

/* A job with a begin time starts no earlier; when exactly is unknown before. */
static int64_t begin_of(const struct plan_line *line)
{
	const struct job *job = record_of(line);

	return !line->victim && !line->resumes && job->begin > line->p->at &&
			       !job->hold
		       ? job->begin
		       : 0;
}

static int64_t start_of(const struct plan_line *line)
{
	if (is_running(line))
		return record_of(line)->start;
	if (line->start)
		return line->p->at;
	return line->plan ? line->plan->start : 0;
}

static int64_t end_of(const struct plan_line *line)
{
	if (is_running(line))
		return line->victim ? line->victim->when : 0;
	if (line->start)
		return line->p->at +
		       schedule_start_seconds(line->job, line->start);
	return line->plan ? line->plan->end : 0;
}

static uint64_t nodes_of(const struct plan_line *line)
{
	if (is_running(line))
		return record_of(line)->nodes_alloc;
	if (line->start)
		return line->start->n_nodes;
	return line->plan ? line->plan->n_nodes : line->job->nodes;
}

static struct value nodelist_of(
	const struct plan_line *line, struct arena *arena)
{
	const struct plan *plan = &line->p->plan;

	if (is_running(line))
		return of_text(record_of(line)->nodelist);
	if (line->start && line->start->n_nodes)
		return of_text(plan_nodelist(
			plan, line->start->nodes, line->start->n_nodes, arena));
	if (!line->start && line->plan && line->plan->n_nodes)
		return of_text(plan_nodelist(
			plan, line->plan->nodes, line->plan->n_nodes, arena));
	return no_value();
}

static const char *reason_of(const struct plan_line *line, struct arena *arena)
{
	if (line->victim && !splan_shows(line->p, line->job->record))
		return "Preempted";
	if (line->victim)
		return arena_printf(arena, "Preempted by %s",
			splan_job_id(line->job, arena));
	if (line->start || line->resumes)
		return "None";
	return plan_reason(&line->p->plan, record_of(line));
}

#define VICTIM(name, expression) GETTER(name, struct sched_victim, expression)
VICTIM(victim_number, of_uint(((const struct job *)row->job->record)->id))
VICTIM(victim_id, of_text(splan_job_id(row->job, arena)))
VICTIM(victim_mode, of_text(hows[row->how]))
VICTIM(victim_end, of_int(row->when))

static const struct member victim_rows[] = {
	{.json = "job_id", .get = get_victim_number},
	{.json = "job", .get = get_victim_id},
	{.json = "mode", .get = get_victim_mode},
	{.json = "end_time", .get = get_victim_end},
};
static const struct members victim_members = MEMBERS(victim_rows);

static struct value records_of_victims(
	const struct plan_line *line, struct arena *arena)
{
	const struct sched_victim *victims;
	size_t n = victims_of(line, &victims);
	const void **v = arena_array(arena, n, sizeof(*v));
	struct value_records *list = arena_alloc(arena, sizeof(*list));

	*list = (struct value_records){&victim_members, v, 0};
	for (size_t i = 0; i < n; i++)
		if (splan_shows(line->p, victims[i].job->record))
			v[list->n++] = &victims[i];
	return (struct value){VALUE_RECORDS, {.records = list}};
}

#define GET(name, expression) GETTER(name, struct plan_line, expression)
GET(id, of_text(splan_job_id(job_of(row), arena)))
GET(number, of_uint(record_of(row)->id))
GET(partition, of_text(choice_of(row) ? choice_of(row)->partition->name
				      : record_of(row)->partition))
GET(user, of_text(record_of(row)->user))
GET(account, of_text(record_of(row)->account))
GET(priority, of_uint(row->priority))
GET(action, of_text(action_of(row)))
GET(start, of_some_time(start_of(row)))
GET(end, of_some_time(end_of(row)))
GET(begin, of_some_time(begin_of(row)))
GET(nodes, of_uint(nodes_of(row)))
GET(nodelist, nodelist_of(row, arena))
GET(reason, of_text(reason_of(row, arena)))
GET(victims, records_of_victims(row, arena))

/* clang-format off */
static const struct member columns[] = {
	{SHOWN("JobID:1", "JobID", 12, "job_id", "the job, or its tasks that wait"), .get = get_id,
		.plain = get_number, .also = "job"},
	{SHOWN("Partition:2", "Partition", 9, "partition", "where it runs, or may run"), .fit.rank = 2, .get = get_partition},
	{SHOWN("User:1", "User", 8, "user", "whose it is"), .get = get_user},
	{SHOWN("Account:3", "Account", 10, "account", "account it is charged to"), .fit.rank = 4, .get = get_account},
	{SHOWN("Priority:3", "Priority", 10, "priority", "the highest of its partitions and QOS"), .fit.rank = 5, .get = get_priority},
	{SHOWN("Action:3", "Action", -8, "action", "start, reserve, estimate or wait"), .get = get_action},
	{SHOWN("StartTime:1", "StartTime", 19, "start_time", "when it starts, or is expected to"), .get = get_start},
	{SHOWN("EndTime:1", "EndTime", 19, "end_time", "when its limit ends it then"), .fit.rank = 8, .get = get_end},
	{SHOWN("Nodes:5", "Nodes", 6, "nodes", "how many nodes"), .fit.rank = 7, .get = get_nodes},
	{SHOWN("NodeList:5", "NodeList", -15, "node_list", "which nodes"), .fit.rank = 6, .get = get_nodelist},
	{SHOWN("Reason:1", "Reason", -30, "reason", "why it waits"), .fit = {1, 16}, .get = get_reason},
	{SHOWN("BeginTime:1", "BeginTime", 19, "begin_time", "what it waits for: it asked not to start before"), .fit.rank = 3, .get = get_begin},
	{.json = "preempts", .get = get_victims},
};
/* clang-format on */

static const struct members line_members = MEMBERS(columns);

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
	const struct plan_line *a = x, *b = y;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

struct plan_lines {
	struct plan_line *v;
	size_t n, cap;
};

static void add_line(struct plan_lines *lines, struct plan_line *line)
{
	if (!splan_shows(line->p, record_of(line)))
		return;
	line->order = lines->n;
	*ARENA_PUSH(line->p->plan.arena, lines->v, lines->n, lines->cap) =
		*line;
}

/* After a job those preempted for it; documents have them in its record.
 */
static void add_victims(struct plan_lines *lines, struct plan_line line)
{
	const struct sched_victim *victims;
	size_t n = victims_of(&line, &victims);

	for (size_t i = 0; i < n; i++) {
		line.victim = &victims[i];
		add_line(lines, &line);
	}
}

/* What starts, what is planned, and a line for what is left of it. */
static void add_lines(struct plan_lines *lines, struct planned *p,
	const struct sched_job *job, bool victims)
{
	struct plan_line line = {.p = p, .job = job, .priority = highest(job)};

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

/* Without names; the begin time is shown where jobs wait for one. */
#define USUAL "JobID,Partition,User,Account,Priority,Action,StartTime," \
	"EndTime,Nodes,NodeList,Reason"

void check_fields(const char *text)
{
	struct arena arena;
	struct grid grid;

	arena_init(&arena);
	grid_init(&grid, &line_members, &arena);
	splan_choose(&grid, text);
	arena_release(&arena);
}

void offer_own_columns(struct completion *c)
{
	offer_columns(c, &line_members);
}

void print_helpformat(void *options)
{
	(void)options;
	grid_print_help(stdout, &line_members, 12);
}

static const char *usual(const struct plan_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (begin_of(&lines->v[i]))
			return USUAL ",BeginTime";
	return USUAL;
}

static bool starts_any(const struct plan *plan)
{
	for (size_t i = 0; i < plan->schedule.n_jobs; i++)
		if (plan->schedule.jobs[i].n_starts)
			return true;
	return plan->n_resumes != 0;
}

void print_plan(struct planned *p, const struct options *options)
{
	struct plan_lines lines = {0};
	struct splan_rows rows = {
		.list = "jobs",
		.members = &line_members,
		.columns = options->format,
		.size = sizeof(*lines.v),
	};

	for (size_t i = 0; i < p->plan.n_resumes; i++)
		add_line(&lines, &(struct plan_line){.p = p,
					 .job = p->plan.resumes[i],
					 .resumes = true,
					 .priority = UINT32_MAX});
	for (size_t i = 0; i < p->plan.schedule.n_jobs; i++)
		add_lines(&lines, p, &p->plan.schedule.jobs[i], !options->form);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), compare);
	rows.v = lines.v;
	rows.n = lines.n;
	if (!rows.columns)
		rows.columns = usual(&lines);
	if (options->form)
		rows.beside = splan_statistics(p);
	else if (!options->start && !options->record) /* a lock is held */
		cli_pager();
	splan_print_rows(p, options, &rows);
	if (options->start && options->heading && !options->form &&
		options->mode == TABLE_FIXED && !starts_any(&p->plan))
		puts("Nothing starts now.");
	if (options->statistics && !options->form)
		print_statistics(p);
}
