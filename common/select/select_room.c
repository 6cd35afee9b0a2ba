/*
 * What one node could give to a job: part of common/select/select.h.
 */
#include "common/select/select.h"

/* CPUs a node must have for it. */
static uint32_t least_cpus(const struct select_job *job)
{
	uint32_t tasks = 1;

	if (job->tasks_per_node)
		tasks = job->tasks_per_node;
	else if (job->most_asked == 1 && job->tasks)
		tasks = job->tasks;
	return tasks * job->cpus_per_task;
}

/* MaxCPUsPerNode counts what jobs of the partition have there. */
static uint32_t under_limit(
	const struct select_job *job, const struct select_left *left)
{
	if ((uint64_t)left->cpus + left->cpus_of_partition <= left->most)
		return left->cpus;
	if (job->whole || left->cpus_of_partition >= left->most)
		return 0;
	return left->most - left->cpus_of_partition;
}

static uint32_t whole_tasks(const struct select_job *job, uint32_t cpus)
{
	return cpus - cpus % job->cpus_per_task;
}

/* As many as there is memory for. */
static uint32_t with_memory(const struct select_job *job,
	const struct select_left *left, uint32_t cpus)
{
	if (left->mem == UINT64_MAX)
		return cpus;
	if (!job->mem_of_cpu)
		return job->mem <= left->mem ? cpus : 0;
	if (job->mem * cpus <= left->mem)
		return cpus;
	if (job->whole)
		return 0;
	return whole_tasks(job, (uint32_t)(left->mem / job->mem));
}

static uint32_t with_gpus(const struct select_job *job,
	const struct select_left *left, uint32_t cpus)
{
	uint64_t tasks;

	if (!job->per_task)
		return cpus;
	tasks = left->gpus / job->per_task;
	return tasks * job->cpus_per_task < cpus
		       ? (uint32_t)tasks * job->cpus_per_task
		       : cpus;
}

uint32_t select_room(
	const struct select_job *job, const struct select_left *left)
{
	uint32_t least = least_cpus(job), cpus;

	if (job->whole && !left->empty)
		return 0;
	cpus = under_limit(job, left);
	if (cpus < least)
		return 0;
	cpus = with_memory(job, left, whole_tasks(job, cpus));
	cpus = with_gpus(job, left, cpus);
	return cpus < least ? 0 : cpus;
}
