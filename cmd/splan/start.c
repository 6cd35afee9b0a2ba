/*
 * splan --start: what the passes found becomes record: nodes, allocation, price
 * (Slurm's src/slurmctld/node_scheduler.c, select_nodes()). Part of
 * cmd/splan/write.c.
 */
#include "cmd/splan/write.h"

#include "common/base/numbers.h"
#include "common/fair/billing.h"
#include "common/text/array_tasks.h"

/* ---- arrays --------------------------------------------------------------*/

/* Takes the first index of "3-7,9%2" out of the list; gives what is left, ""
 * when that was all. */
static const char *take_task(
	const char *tasks, uint32_t *task, struct arena *arena)
{
	struct task_run run;
	const char *end = task_run_read(tasks, &run);
	unsigned long next = run.first + run.step;

	*task = (uint32_t)run.first;
	if (!run.step || next > run.last)
		return *end == ',' ? end + 1 : "";
	if (next == run.last)
		return arena_printf(arena, "%lu%s", run.last, end);
	if (run.step == 1)
		return arena_printf(arena, "%lu-%lu%s", next, run.last, end);
	return arena_printf(
		arena, "%lu-%lu:%lu%s", next, run.last, run.step, end);
}

/* The task gets a record of its own; the last one keeps that of the array. */
static int split_array(struct plan *plan, struct job *job, struct job *task,
	struct arena *arena)
{
	*task = *job;
	job->array_tasks =
		take_task(job->array_tasks, &task->array_task, arena);
	task->array_tasks = "";
	if (!*job->array_tasks)
		return 0;
	task->key = 0;
	task->id = job_next_id(&plan->site->store, job->cluster);
	return task->id ? 0 : -1;
}

/* ---- one start -----------------------------------------------------------*/

static const struct conf_partition *partition_of(
	const struct plan *plan, const struct sched_start *start)
{
	return conf_partition_by_name(
		&plan->site->conf, start->choice->partition->name);
}

static int set_price(struct plan *plan, const struct conf_partition *partition,
	struct job *job, struct arena *arena, struct err *err)
{
	const struct tres_catalog *catalog = &plan->site->store.tres;
	struct tres_weights weights = {0};

	if (tres_weights_parse(
		    partition->billing_weights, catalog, arena, &weights, err))
		return err_prefix(
			err, "%s:%d", partition->file, partition->line);
	job->billing = billing_put(plan->site->conf.policy.billing, &weights,
		&job->tres_alloc, catalog, arena);
	return 0;
}

static void set_allocation(struct plan *plan, const struct sched_start *start,
	struct job *job, struct arena *arena)
{
	job->nodelist =
		plan_nodelist(plan, start->nodes, start->n_nodes, arena);
	job->nodes_alloc = (uint32_t)start->n_nodes;
	job->tres_alloc = (struct tres_list){0};
	for (size_t i = 0; i < start->tres->n; i++)
		tres_list_set(&job->tres_alloc, arena, start->tres->v[i].id,
			start->tres->v[i].count);
	tres_list_set(&job->tres_alloc, arena, TRES_CPU, start->cpus);
	tres_list_set(&job->tres_alloc, arena, TRES_NODE, start->n_nodes);
}

static void set_times(struct plan *plan, const struct sched_start *start,
	const struct conf_partition *partition, struct job *job)
{
	const struct limit_chain *chain = start->choice->limits;

	job->state = JOB_RUNNING;
	job->start = plan->at > job->submit ? plan->at : job->submit;
	job->reason = "None";
	if (!job->eligible)
		job->eligible = job->start;
	if (start->minutes)
		job->wall_limit = start->minutes;
	else if (chain)
		job->wall_limit = limits_wall(
			chain, &(struct limit_job){.tres = &job->tres_req,
				       .time_limit = job->time_limit});
	else
		job->wall_limit = conf_minutes(partition, job->time_limit);
}

static void set_qos(struct plan *plan, const struct sched_start *start,
	const struct conf_partition *partition, struct job *job)
{
	const struct qos_name *qos =
		partition->qos
			? qos_by_name(&plan->site->store.qos, partition->qos)
			: NULL;

	job->part_qos = qos ? qos->id : 0;
	if (start->choice->qos)
		job->qos = start->choice->qos;
	if (start->choice->limits)
		job->usage_factor = start->choice->limits->usage_factor;
}

static int start_one(struct plan *plan, const struct sched_start *start,
	struct job *job, struct arena *arena, struct err *err)
{
	const struct conf_partition *partition = partition_of(plan, start);

	job->partition = partition->name;
	if (!job->time_limit)
		job->time_limit = INFINITE; /* as sbatch has it */
	job->last_priority = start->choice->priority;
	set_allocation(plan, start, job, arena);
	set_times(plan, start, partition, job);
	set_qos(plan, start, partition, job);
	if (set_price(plan, partition, job, arena, err))
		return -1;
	return job_save(&plan->site->store, &plan->site->conf.policy, job);
}

/* ---- all -----------------------------------------------------------------*/

static int start_array(struct plan *plan, const struct sched_job *found,
	struct arena *arena, struct err *err)
{
	struct job rest = *(const struct job *)found->record, task;

	for (size_t i = 0; i < found->n_starts; i++)
		if (preempt_victims(plan, &found->starts[i], found, arena) ||
			split_array(plan, &rest, &task, arena) ||
			start_one(plan, &found->starts[i], &task, arena, err))
			return -1;
	if (!*rest.array_tasks)
		return 0;
	return job_save(&plan->site->store, &plan->site->conf.policy, &rest);
}

static int start_single(struct plan *plan, const struct sched_job *found,
	struct arena *arena, struct err *err)
{
	struct job job = *(const struct job *)found->record;

	if (preempt_victims(plan, &found->starts[0], found, arena))
		return -1;
	return start_one(plan, &found->starts[0], &job, arena, err);
}

int start_job(struct plan *plan, const struct sched_job *found,
	struct arena *scratch, struct err *err)
{
	const struct job *job = found->record;

	if (!found->n_starts)
		return 0;
	arena_reset(scratch);
	return *job->array_tasks ? start_array(plan, found, scratch, err)
				 : start_single(plan, found, scratch, err);
}
