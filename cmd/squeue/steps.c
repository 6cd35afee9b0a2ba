/*
 * squeue -s: the steps of running jobs that have not ended, and their columns.
 * What a step does not have of its own is that of its job.
 */
#include "cmd/squeue/squeue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/jobstate.h"

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

static const char *show_cpus(
	const struct listing *l, const struct row *row, const struct type *type)
{
	uint64_t cpus = tres_list_get(&row->step->tres_alloc, TRES_CPU);

	(void)type;
	return arena_printf(l->scratch, "%" PRIu64, cpus < NO_VAL64 ? cpus : 0);
}

#define STEP(name, letter, heading, getter)                                    \
	{                                                                      \
		name, letter, heading, show_##getter, 0, NULL, 0, false        \
	}
#define JOB(name, letter, heading)                                             \
	{                                                                      \
		name, letter, heading, show_as_job, 0, name, 0, false          \
	}
#define NOTHING(name, heading, hidden)                                         \
	{                                                                      \
		name, 0, heading, show_constant, 0, none_text, 0, hidden       \
	}
#define FIXED(name, heading, text)                                             \
	{                                                                      \
		name, 0, heading, show_constant, 0, text, 0, false             \
	}

/* clang-format off */
const struct type squeue_step_types[STEP_TYPES] = {
	JOB("ArrayJobId", 0, "ARRAY_JOB_ID"),
	JOB("ArrayTaskId", 0, "ARRAY_TASK_ID"),
	JOB("Cluster", 0, "CLUSTER"),
	NOTHING("Container", "CONTAINER", false),
	NOTHING("ContainerId", "CONTAINERID", false),
	NOTHING("ContainerType", "CONTAINERTYPE", false),
	FIXED("CPUFreq", "CPU_FREQ", "-:"),
	NOTHING("cpus-per-tres", "CPUS_PER_TRES", false),
	NOTHING("Gres", "TRES_PER_JOB", true),
	JOB("JobId", 0, "JOB_ID"),
	NOTHING("mem-per-tres", "MEM_PER_TRES", false),
	NOTHING("Network", "NETWORK", false),
	STEP("Nodes", 'N', "NODELIST", nodes),
	STEP("NumCPUs", 0, "NUM_CPUS", cpus),
	STEP("NumTasks", 'A', "TASKS", tasks),
	JOB("Partition", 'P', "PARTITION"),
	NOTHING("ResvPorts", "RESERVED_PORTS", false),
	JOB("StartTime", 'S', "START_TIME"),
	FIXED("StdErr", "STDERR", ""),
	FIXED("StdIn", "STDIN", ""),
	FIXED("StdOut", "STDOUT", ""),
	STEP("StepId", 'i', "STEPID", id),
	STEP("StepName", 'j', "NAME", name),
	STEP("StepState", 0, "STATE", state),
	JOB("TimeLimit", 'l', "TIME_LIMIT"),
	JOB("TimeUsed", 'M', "TIME"),
	NOTHING("tres-bind", "TRES_BIND", false),
	NOTHING("tres-freq", "TRES_FREQ", false),
	NOTHING("tres-per-job", "TRES_PER_STEP", false),
	{"tres-per-node", 'b', "TRES_PER_JOB", show_constant, 0, none_text, 0, true},
	NOTHING("tres-per-socket", "TRES_PER_SOCKET", false),
	NOTHING("tres-per-step", "TRES_PER_STEP", false),
	NOTHING("tres-per-task", "TRES_PER_TASK", false),
	JOB("UserId", 'U', "UID"),
	JOB("UserName", 'u', "USER"),
	/* Not in Slurm, nor in its lists. */
	{"Account", 'a', "ACCOUNT", show_as_job, 0, "Account", 0, true},
	{"ArrayJobId", 'F', "ARRAY_JOB_ID", show_as_job, 0, "ArrayJobId", 0, true},
	{"ArrayTaskId", 'K', "ARRAY_TASK_ID", show_as_job, 0, "ArrayTaskId", 0, true},
	{"StepState", 't', "STATE", show_state, 0, NULL, 0, true},
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
