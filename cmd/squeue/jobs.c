/*
 * Which jobs squeue shows, and to whom: those a controller would remember, as
 * far as they were asked for.
 */
#include "cmd/squeue/squeue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/sluid.h"

/* ---- filters -------------------------------------------------------------*/

static bool in_states(const struct options *o, const struct job *job)
{
	static const uint32_t shown[] = {
		JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED};
	uint32_t base = job->state & JOB_BASE_MASK;

	if (o->all_states)
		return true;
	for (size_t i = 0; i < o->n_states; i++)
		if (o->states[i] & ~(uint32_t)JOB_BASE_MASK
				? o->states[i] & job->state
				: o->states[i] == job->state)
			return true;
	for (size_t i = 0; !o->states_text && i < 3; i++)
		if (shown[i] == base)
			return true;
	return !o->states_text &&
	       (job->state & (JOB_STAGE_OUT | JOB_COMPLETING));
}

static bool has_license(const struct strv *names, const struct job *job)
{
	const char *text = job->licenses;

	while (*text) {
		size_t len = strcspn(text, ",:=");

		for (size_t i = 0; i < names->n; i++)
			if (strlen(names->v[i]) == len &&
				!strncmp(names->v[i], text, len))
				return true;
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return false;
}

static bool list_has(const struct strv *wanted, const char *list,
	bool (*has)(const struct strv *, const char *), struct arena *arena)
{
	struct strv words = {0};

	strv_split(&words, arena, list);
	for (size_t i = 0; i < words.n; i++)
		if (has(wanted, words.v[i]))
			return true;
	return false;
}

static bool in_reservation(
	const char *wanted, const struct job *job, struct arena *arena)
{
	struct strv words = {0};

	strv_split(&words, arena, wanted);
	return *job->reservation &&
	       list_has(&words, job->reservation, strv_has, arena);
}

static bool ran_so_long(const struct options *o, const struct queue_row *row)
{
	int64_t used = queue_used(row);
	bool runs = (row->job->state & JOB_BASE_MASK) == JOB_RUNNING;

	if (!o->over && !o->under)
		return true;
	return runs && (!o->over || used >= o->over) &&
	       (!o->under || used < o->under);
}

/* What only an option tells apart; NULL text: not asked. */
static bool passes_lists(
	const struct options *o, const struct queue_row *row, struct arena *arena)
{
	const struct job *job = row->job;

	if (o->accounts.text &&
		!strv_has_nocase(&o->accounts.words, job->account))
		return false;
	if (o->qos.text &&
		!list_has(&o->qos.words, queue_qos(row), strv_has_nocase, arena))
		return false;
	if (o->names.text && !strv_has_nocase(&o->names.words, job->name))
		return false;
	if (o->licenses.text && !has_license(&o->licenses.words, job))
		return false;
	if (o->nodes.text &&
		(!job->start || !o->nodes.words.n ||
			!hostlist_meets(job->nodelist, &o->nodes.words, arena)))
		return false;
	return !o->reservation || in_reservation(o->reservation, job, arena);
}

static bool passes(
	const struct options *o, const struct queue_row *row, struct arena *arena)
{
	const struct job *job = row->job;
	const char *caller = row->queue->site->caller.name;

	if (!in_states(o, job))
		return false;
	if (o->me && strcasecmp(caller, job->user))
		return false;
	if (o->not_me && !strcasecmp(caller, job->user))
		return false;
	if (!o->me && o->users.text &&
		!strv_has_nocase(&o->users.words, job->user))
		return false;
	return passes_lists(o, row, arena) && ran_so_long(o, row);
}

/* ---- jobs asked for by number --------------------------------------------*/

static bool is_asked_for(const struct options *o, const struct queue_row *row)
{
	const struct job *job = row->job;

	for (size_t i = 0; i < o->jobs.n; i++) {
		const struct job_id *id = &o->jobs.v[i];

		if (id->sluid && id->sluid == sluid_make(row->queue->key,
						      job->id, job->submit))
			return true;
		if (id->sluid)
			continue;
		if (id->task == NO_VAL &&
			(id->id == job->id || id->id == job->array_job ||
				id->id == job->het_job))
			return true;
		if (id->task != NO_VAL && id->id == job->array_job &&
			(id->task == row->task || *row->tasks))
			return true;
	}
	return !o->jobs.text;
}

/* Is there the job of a number that was asked for, whichever of its tasks? */
static bool is_known(const struct options *o, const struct queue_row *row)
{
	for (size_t i = 0; i < o->jobs.n; i++)
		if (o->jobs.v[i].task != NO_VAL && !o->jobs.v[i].sluid &&
			(o->jobs.v[i].id == row->job->id ||
				o->jobs.v[i].id == row->job->array_job))
			return true;
	return is_asked_for(o, row);
}

/* ---- rows ----------------------------------------------------------------*/

static bool is_hidden(const struct queue *queue, const char *partition)
{
	const struct conf_partition *p =
		conf_partition_by_name(&queue->site->conf, partition);

	return p && p->hidden;
}

static bool partition_shown(const struct options *o, const struct queue_row *row,
	const char *list, struct arena *arena)
{
	struct strv names = {0};
	bool shown = false;

	if (o->partitions.text)
		return list_has(&o->partitions.words, list, strv_has, arena);
	if (o->all || o->jobs.n)
		return true;
	strv_split(&names, arena, list);
	for (size_t i = 0; i < names.n; i++)
		shown |= !is_hidden(row->queue, names.v[i]);
	return shown;
}

static void push(struct rows *rows, struct queue_row *row, struct arena *arena)
{
	row->order = rows->n;
	*ARENA_PUSH(arena, rows->v, rows->n, rows->cap) = *row;
}

/* Each index of "1-4,7%2" that was asked for. */
static void push_tasks(struct rows *rows, const struct options *o,
	struct queue_row *row, struct arena *arena)
{
	const char *text = row->tasks;
	struct task_run run;

	row->tasks = "";
	while (task_run_next(&text, &run))
		for (; run.first <= run.last && run.step;
			run.first += run.step) {
			row->task = (uint32_t)run.first;
			if (is_asked_for(o, row))
				push(rows, row, arena);
		}
}

/* Not by the number of the array, but by those of tasks. */
static bool asks_tasks(const struct options *o, const struct queue_row *row)
{
	struct queue_row array = *row;

	array.tasks = "";
	return !is_asked_for(o, &array);
}

static void push_row(struct rows *rows, const struct options *o,
	struct queue_row *row, struct arena *arena)
{
	if (!partition_shown(o, row, row->partition, arena))
		return;
	if (*row->tasks && (o->array || asks_tasks(o, row)))
		push_tasks(rows, o, row, arena);
	else
		push(rows, row, arena);
}

/* -P: a row for each partition, with the priority there. */
static void push_partitions(struct rows *rows, const struct options *o,
	const struct queue_row *like, struct arena *arena)
{
	struct jobprio_rows found = {0};

	jobprio_rows(&like->queue->plan.prio, like->job, arena, &found);
	for (size_t i = 0; i < found.n; i++) {
		struct queue_row row = *like;
		const struct conf_partition *p = conf_partition_by_name(
			&like->queue->site->conf, found.v[i].partition);

		row.partition = found.v[i].partition;
		row.priority = found.v[i].result.priority;
		row.tier = p ? p->priority_tier : 1;
		push_row(rows, o, &row, arena);
	}
}

/* Long lists of tasks are cut, as the environment says. */
static const char *shown_tasks(const char *tasks, struct arena *arena)
{
	const char *text = getenv("SLURM_BITSTR_LEN");
	long most = text ? strtol(text, NULL, 10) : 64;

	if (most <= 0 || strlen(tasks) < (size_t)most)
		return tasks;
	return arena_printf(arena, "%.*s...", (int)most - 4, tasks);
}

static void add_job(struct rows *rows, struct queue *queue,
	const struct options *o, const struct job *job, struct arena *arena)
{
	struct queue_row row = {
		.job = job,
		.queue = queue,
		.partition = job->partition,
		.task = job->array_task,
		.tasks = job_state_pending(job->state) ? job->array_tasks : "",
	};

	if (!is_asked_for(o, &row) || !passes(o, &row, arena))
		return;
	row.priority = queue_priority(queue, job);
	if (!o->array)
		row.tasks = shown_tasks(row.tasks, arena);
	if (o->priority && job_state_pending(job->state))
		push_partitions(rows, o, &row, arena);
	else
		push_row(rows, o, &row, arena);
}

/* ---- all -----------------------------------------------------------------*/

static void add_jobs(struct rows *rows, struct queue *queue,
	const struct options *o, const struct privacy *privacy,
	const struct job_list *jobs, struct arena *arena, bool *known)
{
	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->v[i];
		struct queue_row row = {.job = job,
			.queue = queue,
			.task = job->array_task,
			.tasks = job->array_tasks};

		if (!privacy_allows(privacy, job->user, job->account))
			continue;
		*known |= is_known(o, &row);
		add_job(rows, queue, o, job, arena);
	}
}

/* Does the last plan say anything of what is to come? */
static bool expects_any(const struct queue *queue)
{
	for (size_t i = 0; i < queue->expected.n; i++)
		if (queue->expected.v[i].start >= queue->site->now)
			return true;
	return false;
}

/* As the last plan said; in a what-if as a plan of each side would. --start
 * plans where no plan was recorded, or all of it has gone by. */
static int load_expected(
	struct queue *queue, const struct options *o, struct arena *arena)
{
	if (!o->what_if.n && expected_load(&queue->site->store, queue->key,
				     arena, &queue->expected))
		return -1;
	if (!o->what_if.n && (!o->start || expects_any(queue)))
		return 0;
	if (!o->what_if.n && o->verbose)
		fprintf(stderr,
			"squeue: no plan is recorded for cluster %s: this is "
			"what would be planned now\n",
			queue->cluster);
	queue->expected = (struct expected_list){0};
	plan_backfill(&queue->plan);
	plan_expected_list(&queue->plan, &queue->expected);
	return 0;
}

/* Slurm's comparison of start times turns those around that have none: of such
 * jobs, alike in all keys, the newest comes first. Tasks of one stay in order. */
static void turn_around(struct rows *rows, size_t from)
{
	size_t last = rows->n, first;

	for (; last > from; last = first) {
		const struct queue_row *row = &rows->v[last - 1];

		for (first = last - 1;
			first > from && rows->v[first - 1].job == row->job; first--)
			;
		for (size_t i = first; i < last && !queue_start(row); i++)
			rows->v[i].order = from + rows->n - last + i - first;
	}
}

int squeue_load(struct rows *rows, struct queue *queue, const struct options *o,
	struct site *site, const struct privacy *privacy, const char *cluster,
	struct arena *arena)
{
	const size_t from = rows->n;
	bool known = false;

	if (queue_open(queue, site, cluster, arena) ||
		load_expected(queue, o, arena))
		return -1;
	queue->no_convert = o->no_convert;
	queue->expand = o->expand;
	if ((o->states_text || o->jobs.text) && queue_load_ended(queue, arena))
		return -1;
	add_jobs(rows, queue, o, privacy, &queue->plan.jobs, arena, &known);
	add_jobs(rows, queue, o, privacy, &queue->ended, arena, &known);
	turn_around(rows, from);
	return known || o->jobs.n != 1;
}
