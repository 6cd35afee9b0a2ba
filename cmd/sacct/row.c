/*
 * From a record of the store to a line: clipped times, elapsed seconds, ids as
 * users write them (Slurm's src/sacct/print.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/sluid.h"
#include "db/entity/qos.h"
#include "db/job/suspension.h"

enum { BITSTR_LEN = 64, BITSTR_MAX = 4096 };

void row_fail(const struct context *context)
{
	cli_die(context->store->err);
}

/* ---- times ---------------------------------------------------------------*/

static int64_t suspended_in_window(const struct row *row, int64_t now)
{
	const struct context *context = row->context;
	const struct job *job = row->job;
	int64_t end = job->end ? job->end : now;
	struct suspensions all;

	if (!job->start || end <= job->start)
		return job_suspended(job, now);
	if (suspensions_load(context->store, job->key, job->suspended,
		    job->suspended_since, context->arena, &all))
		row_fail(context);
	return suspended_within(&all, job->start, end, row->start, row->end);
}

/* -T: nothing outside of the window. */
static void clip(struct row *row, const struct history_cond *cond, int64_t now)
{
	int64_t until = cond->until < now ? cond->until : now;

	if (row->start && row->start < cond->from)
		row->start = cond->from;
	if (!row->end || row->end > until)
		row->end = until;
	if (!row->start)
		row->start = row->end;
	row->suspended = suspended_in_window(row, now);
	row->elapsed = row->end - row->start - row->suspended;
}

static void set_times(struct row *row)
{
	const struct context *context = row->context;
	const struct job *job = row->job;
	int64_t now = context->now;

	row->start = job->start;
	row->end = job->end;
	if (row->end && row->start > row->end)
		row->start = row->end;
	if (context->options->truncate) {
		clip(row, &context->selection->cond, now);
	} else {
		row->suspended = job_suspended(job, now);
		row->elapsed = row->start ? (row->end ? row->end : now) -
						    row->start - row->suspended
					  : 0;
	}
	row->elapsed = larger(0, row->elapsed);
	if (!row->start && row->end && job->flags & JOB_FLAG_START_RECEIVED)
		row->start = NO_VAL;
}

/* ---- rows ----------------------------------------------------------------*/

static void add_up(struct row *row, const struct step_list *steps)
{
	for (size_t i = 0; i < steps->n; i++) {
		const struct step *step = &steps->v[i];

		if (!job_state_finished(step->state) &&
			!(row->job->end && !step->end))
			continue;
		row->user_usec += step->user_usec;
		row->sys_usec += step->sys_usec;
	}
}

struct row row_of_job(
	const struct context *context, const struct history_row *record)
{
	struct row row = {
		.context = context,
		.job = &record->job,
		.steps = &record->steps,
		.state = record->job.state,
		.task = record->job.array_task,
		.tasks = record->job.array_tasks,
	};

	set_times(&row);
	add_up(&row, &record->steps);
	return row;
}

static void clip_step(struct row *row)
{
	const struct history_cond *cond = &row->context->selection->cond;

	if (!row->context->options->truncate || !cond->from)
		return;
	if (row->start && row->start < cond->from)
		row->start = cond->from;
	if (!row->start)
		row->start = row->end;
	if (!row->end || row->end > cond->until)
		row->end = cond->until;
	if (row->start > row->end)
		row->start = row->end = 0;
}

/* Steps that last as long as their job share its suspensions; others only the
 * part while they ran. */
static int64_t step_suspended(const struct row *job, struct row step)
{
	if (step.step->id < 0 || !job->suspended)
		return job->suspended;
	if (!step.end)
		step.end = job->context->now;
	return suspended_in_window(&step, job->context->now);
}

struct row row_of_step(const struct row *job, const struct step *step)
{
	int64_t now = job->context->now, end;
	struct row row = *job;

	row.step = step;
	row.start = step->start;
	row.end = step->end;
	row.state = step->state;
	if (!row.end && job->job->end && !(job->job->state & JOB_RESIZING)) {
		row.end = job->job->end;
		row.state = job->job->state;
	}
	clip_step(&row);
	end = row.end ? row.end : now;
	row.suspended = step_suspended(job, row);
	row.elapsed = row.start ? larger(0, end - row.start - row.suspended) : 0;
	row.user_usec = step->user_usec;
	row.sys_usec = step->sys_usec;
	return row;
}

/* ---- ids -----------------------------------------------------------------*/

const char *row_cluster(const struct row *row)
{
	const struct selection *selection = row->context->selection;

	for (size_t i = 0; i < selection->n_clusters; i++)
		if (selection->clusters[i].key == row->job->cluster)
			return selection->clusters[i].name;
	return "";
}

static size_t bitstr_len(void)
{
	const char *text = getenv("SLURM_BITSTR_LEN");
	long len = text ? strtol(text, NULL, 10) : BITSTR_LEN;

	if (len < 0)
		return BITSTR_LEN;
	return len < BITSTR_MAX ? (size_t)len : BITSTR_MAX;
}

/* The beginning of a long list of tasks, up to a comma. */
static const char *cut_tasks(const char *tasks, struct arena *arena)
{
	size_t max = bitstr_len(), len = strlen(tasks);

	if (!max || len < max)
		return max ? tasks : "...";
	for (len = max > 4 ? max - 4 : 0; len && tasks[len - 1] != ',';)
		len--;
	return arena_printf(arena, "%.*s...", (int)len, tasks);
}

static const char *job_id(const struct row *row)
{
	struct arena *arena = row->context->arena;

	return job_shown_id(row->job,
		*row->tasks ? cut_tasks(row->tasks, arena) : "", row->task,
		arena);
}

static const char *with_step(const struct row *row, const char *id)
{
	struct arena *arena = row->context->arena;

	if (!row->step)
		return id;
	return arena_printf(
		arena, "%s.%s", id, step_id_text(row->step->id, arena));
}

const char *row_job_id(const struct row *row)
{
	return with_step(row, job_id(row));
}

const char *row_raw_id(const struct row *row)
{
	return with_step(row,
		arena_printf(row->context->arena, "%" PRIu32, row->job->id));
}

const char *row_sluid(const struct row *row)
{
	const struct job *job = row->job;

	return sluid_text(sluid_make(job->cluster, job->id, job->submit),
		arena_alloc(row->context->arena, SLUID_SIZE));
}

uint32_t row_reservation(const struct row *row)
{
	uint32_t id;

	if (history_reservation(row->context->store, row->job, &id))
		row_fail(row->context);
	return id;
}

/* Set by hand, or what it came to last. */
uint32_t row_priority(const struct row *row)
{
	const struct job *job = row->job;

	return job->priority != NO_VAL ? job->priority : job->last_priority;
}

/* ---- names ---------------------------------------------------------------*/

const char *row_state(const struct row *row)
{
	const char *word = job_state_word(row->state);
	const char *by = row->step ? row->step->killed_by : row->job->killed_by;

	if ((row->state & JOB_BASE_MASK) != JOB_CANCELLED || !*by)
		return word;
	return arena_printf(row->context->arena, "%s by %s", word, by);
}

const char *row_qos(const struct row *row)
{
	const struct context *context = row->context;
	const char *name;

	if (qos_name(context->store, row->job->qos, context->arena, &name))
		row_fail(context);
	return name;
}

const char *row_nodelist(const struct row *row)
{
	if (row->step)
		return row->step->nodelist;
	return *row->job->nodelist ? row->job->nodelist : "None assigned";
}

const char *row_node(const struct row *row, uint64_t place)
{
	struct strv names =
		hostlist_names(row->step->nodelist, row->context->arena);

	return place < names.n ? names.v[place] : "";
}

const char *row_file(const struct row *row, const char *name)
{
	struct arena *arena = row->context->arena;
	bool filled = row->context->options->expand;

	if (!row->step)
		return filled ? job_file_expand(row->job, name, arena) : name;
	return filled ? step_file_expand(row->job, row->step, name, arena)
		      : step_file(row->step, name, arena);
}

struct history_assoc row_assoc(const struct row *row)
{
	const struct context *context = row->context;
	struct history_assoc assoc;

	if (history_assoc(
		    context->store, row->job->assoc, context->arena, &assoc))
		row_fail(context);
	return assoc;
}

/* How long the job waited, or has been waiting. */
uint64_t row_planned(const struct row *row)
{
	int64_t eligible = row->job->eligible, until = row->start;

	if (!eligible)
		return 0;
	if (!until || until == NO_VAL)
		until = row->end ? row->end : row->context->now;
	return (uint64_t)larger(0, until - eligible);
}
