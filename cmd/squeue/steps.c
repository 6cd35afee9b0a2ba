/*
 * squeue -s: the steps of running jobs that have not ended, and their columns.
 * What a step does not have of its own is that of its job.
 */
#include "cmd/squeue/squeue.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/jobstate.h"

/* ---- columns -------------------------------------------------------------*/

#define GET(name, expression) GETTER(name, struct queue_row, expression)
/* The job's column of the same name; times in it are those of the row. */
GET(as_job, of_text(cell_text(type_by_name(squeue_types(false), m->names), row, arena)))
GET(id, of_text(arena_printf(arena, "%s.%s", queue_job_id(row, arena),
		step_id_text(row->step->id, arena))))
GET(name, of_text(row->step->name))
GET(nodes, of_text(*row->step->nodelist ? row->step->nodelist
					 : row->job->nodelist))
GET(tasks, of_uint(row->step->tasks))
GET(state, of_text(job_state_word(row->step->state)))
GET(cpus, of_uint(tres_list_count(&row->step->tres_alloc, TRES_CPU)))

#define STEP(type, in_o, heading_, getter) \
	{.names = type, .letter = in_o, .heading = heading_, .get = get_##getter}
#define JOB(type, in_o, heading) STEP(type, in_o, heading, as_job)
#define FIXED(type, heading_, text) \
	{.names = type, .heading = heading_, .constant = text}
#define NOTHING(type, heading) FIXED(type, heading, none_text)
#define HIDDEN .marks = MEMBER_HIDDEN

/* clang-format off */
static const struct member types[] = {
	JOB("ArrayJobId", 0, "ARRAY_JOB_ID"),
	JOB("ArrayTaskId", 0, "ARRAY_TASK_ID"),
	JOB("Cluster", 0, "CLUSTER"),
	NOTHING("Container", "CONTAINER"),
	NOTHING("ContainerId", "CONTAINERID"),
	NOTHING("ContainerType", "CONTAINERTYPE"),
	FIXED("CPUFreq", "CPU_FREQ", "-:"),
	NOTHING("cpus-per-tres", "CPUS_PER_TRES"),
	{.names = "Gres", .heading = "TRES_PER_JOB", .constant = none_text, HIDDEN},
	JOB("JobId", 0, "JOB_ID"),
	NOTHING("mem-per-tres", "MEM_PER_TRES"),
	NOTHING("Network", "NETWORK"),
	STEP("Nodes", 'N', "NODELIST", nodes),
	STEP("NumCPUs", 0, "NUM_CPUS", cpus),
	STEP("NumTasks", 'A', "TASKS", tasks),
	JOB("Partition", 'P', "PARTITION"),
	NOTHING("ResvPorts", "RESERVED_PORTS"),
	JOB("StartTime", 'S', "START_TIME"),
	FIXED("StdErr", "STDERR", ""),
	FIXED("StdIn", "STDIN", ""),
	FIXED("StdOut", "STDOUT", ""),
	STEP("StepId", 'i', "STEPID", id),
	STEP("StepName", 'j', "NAME", name),
	STEP("StepState", 0, "STATE", state),
	JOB("TimeLimit", 'l', "TIME_LIMIT"),
	JOB("TimeUsed", 'M', "TIME"),
	NOTHING("tres-bind", "TRES_BIND"),
	NOTHING("tres-freq", "TRES_FREQ"),
	NOTHING("tres-per-job", "TRES_PER_STEP"),
	{.names = "tres-per-node", .letter = 'b', .heading = "TRES_PER_JOB",
		.constant = none_text, HIDDEN},
	NOTHING("tres-per-socket", "TRES_PER_SOCKET"),
	NOTHING("tres-per-step", "TRES_PER_STEP"),
	NOTHING("tres-per-task", "TRES_PER_TASK"),
	JOB("UserId", 'U', "UID"),
	JOB("UserName", 'u', "USER"),
	/* Not in Slurm, nor in its lists. */
	{.names = "Account", .letter = 'a', .heading = "ACCOUNT", .get = get_as_job, HIDDEN},
	{.names = "ArrayJobId", .letter = 'F', .heading = "ARRAY_JOB_ID", .get = get_as_job, HIDDEN},
	{.names = "ArrayTaskId", .letter = 'K', .heading = "ARRAY_TASK_ID", .get = get_as_job, HIDDEN},
	{.names = "StepState", .letter = 't', .heading = "STATE", .get = get_state, HIDDEN},
};
/* clang-format on */

const struct members squeue_step_types = MEMBERS(types);

/* ---- rows ----------------------------------------------------------------*/

static bool is_step_asked_for(const struct options *o, const struct queue_row *row)
{
	for (size_t i = 0; i < o->n_steps; i++)
		if (step_ref_has(&o->steps[i], row->job, row->step->id))
			return true;
	return !o->n_steps;
}

static int add_steps(struct rows *rows, const struct options *o,
	const struct queue_row *job, struct arena *arena)
{
	struct step_list list;

	if (step_load(&job->queue->site->store, job->job->key, arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct queue_row row = *job;

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
