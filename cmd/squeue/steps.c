/*
 * squeue -s: the steps of running jobs that have not ended, and their columns.
 * What a step does not have of its own is that of its job.
 */
#include "cmd/squeue/squeue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/jobstate.h"
#include "common/numbers.h"

/* ---- columns -------------------------------------------------------------*/

/* The job's column of the same name; times in it are those of the row. */
static const char *show_as_job(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct type *like = type_by_name(type->constant, false);

	return like->text(l, row, like);
}

static const char *show_id(
	const struct listing *l, const struct row *row, const struct type *type)
{
	const struct type *job = type_by_letter('i', false);

	(void)type;
	return arena_printf(l->scratch, "%s.%s", job->text(l, row, job),
		step_id_text(row->step->id, l->scratch));
}

static const char *show_name(
	const struct listing *l, const struct row *row, const struct type *type)
{
	(void)l;
	(void)type;
	return row->step->name;
}

static const char *show_nodes(
	const struct listing *l, const struct row *row, const struct type *type)
{
	(void)l;
	(void)type;
	return *row->step->nodelist ? row->step->nodelist : row->job->nodelist;
}

static const char *show_tasks(
	const struct listing *l, const struct row *row, const struct type *type)
{
	(void)type;
	return arena_printf(l->scratch, "%" PRIu32, row->step->tasks);
}

static const char *show_state(
	const struct listing *l, const struct row *row, const struct type *type)
{
	(void)l;
	(void)type;
	return job_state_word(row->step->state);
}

#define STEP(name, letter, heading, getter)                                    \
	{                                                                      \
		name, letter, heading, show_##getter, 0, NULL, 0, false        \
	}
#define JOB(name, letter, heading)                                             \
	{                                                                      \
		name, letter, heading, show_as_job, 0, name, 0, false          \
	}

/* clang-format off */
const struct type squeue_step_types[STEP_TYPES] = {
	JOB("Account", 'a', "ACCOUNT"),
	JOB("ArrayJobId", 'F', "ARRAY_JOB_ID"),
	JOB("ArrayTaskId", 'K', "ARRAY_TASK_ID"),
	JOB("Cluster", 0, "CLUSTER"),
	JOB("JobID", 0, "JOBID"),
	STEP("Nodes", 'N', "NODELIST", nodes),
	STEP("NumTasks", 'A', "TASKS", tasks),
	JOB("Partition", 'P', "PARTITION"),
	JOB("StartTime", 'S', "START_TIME"),
	STEP("StepID", 'i', "STEPID", id),
	STEP("StepName", 'j', "NAME", name),
	STEP("StepState", 't', "STATE", state),
	JOB("TimeLimit", 'l', "TIME_LIMIT"),
	JOB("TimeUsed", 'M', "TIME"),
	JOB("UserId", 'U', "UID"),
	JOB("UserName", 'u', "USER"),
};
/* clang-format on */

/* ---- rows ----------------------------------------------------------------*/

/* A step asked for as `9.0`, `9_1.batch`; with a job alone all its steps. */
static bool is_step_asked_for(const struct options *o, const struct row *row)
{
	for (size_t i = 0; i < o->n_steps; i++) {
		const struct step_ref *ref = &o->steps[i];
		bool task = ref->job.task != NO_VAL;

		if ((task ? row->job->array_job == ref->job.id &&
					    row->job->array_task ==
						    ref->job.task
			  : row->job->id == ref->job.id ||
					    row->job->array_job ==
						    ref->job.id) &&
			(ref->all || row->step->id == ref->step))
			return true;
	}
	return !o->n_steps;
}

static int add_steps(struct rows *rows, const struct options *o,
	const struct row *job, struct arena *arena)
{
	struct step_list list;

	if (step_load(&job->queue->site->store, job->job->key, arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct row row = *job;

		row.step = &list.v[i];
		if (list.v[i].end || !is_step_asked_for(o, &row))
			continue;
		row.order = rows->n;
		*ARENA_PUSH(arena, rows->v, rows->n, rows->cap) = row;
	}
	return 0;
}

int squeue_steps(
	struct rows *rows, const struct options *o, struct arena *arena)
{
	struct rows steps = {0};

	for (size_t i = 0; i < rows->n; i++)
		if (job_state_started(rows->v[i].job->state) &&
			!job_state_finished(rows->v[i].job->state) &&
			add_steps(&steps, o, &rows->v[i], arena))
			return -1;
	*rows = steps;
	return 0;
}
