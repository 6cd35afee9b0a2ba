#include "common/plan/layout.h"

#include <stdlib.h>
#include <string.h>

/* What jobs hold so far: CPUs of every node, and of every node for each
 * partition; that only where a partition may not have all of a node. */
struct cpus_held {
	const uint32_t *sizes;
	uint64_t *cpus, *of_partition; /* NULL: not counted */
	size_t n_nodes;
};

static int compare(const void *x, const void *y)
{
	const struct layout_job *a = x, *b = y;

	if (a->told != b->told)
		return b->told - a->told;
	if (a->began != b->began)
		return a->began > b->began ? 1 : -1;
	return (a->job > b->job) - (a->job < b->job);
}

static bool divides(const struct layout_job *job)
{
	return job->n > 1 && job->cpus % job->n == 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint64_t *share_of(
	const struct cpus_held *held, const struct layout_job *job, size_t i)
{
	return &held->of_partition[job->partition * held->n_nodes +
				   job->nodes[i]];
}

static uint32_t left_of(uint64_t size, uint64_t used)
{
	return used < size ? (uint32_t)(size - used) : 0;
}

/* Free CPUs of the job's i-th node that its partition may use. */
static uint32_t room(
	const struct cpus_held *held, const struct layout_job *job, size_t i)
{
	uint32_t node = job->nodes[i];
	uint32_t left = left_of(held->sizes[node], held->cpus[node]);

	if (!held->of_partition)
		return left;
	return least(left, left_of(job->most_on, *share_of(held, job, i)));
}

static void hold(const struct cpus_held *held, const struct layout_job *job)
{
	for (size_t i = 0; i < job->n; i++) {
		held->cpus[job->nodes[i]] += job->on[i];
		if (held->of_partition)
			*share_of(held, job, i) += job->on[i];
	}
}

static void let_go(const struct cpus_held *held, const struct layout_job *job)
{
	for (size_t i = 0; i < job->n; i++) {
		held->cpus[job->nodes[i]] -= job->on[i];
		if (held->of_partition)
			*share_of(held, job, i) -= job->on[i];
	}
}

/* A task on each node, then one node after the other as far as they are free;
 * tasks without room go to the last node. */
static void fill(struct layout_job *job, const struct cpus_held *held)
{
	uint32_t left = job->cpus;

	for (size_t i = 0; i < job->n; i++) {
		job->on[i] = least(job->each, left);
		left -= job->on[i];
	}
	for (size_t i = 0; left && i < job->n; i++) {
		uint32_t more = left_of(room(held, job, i), job->on[i]);

		more = least(more, left);
		job->on[i] += more;
		left -= more;
	}
	if (job->n)
		job->on[job->n - 1] += left;
}

static void lay_all(struct layout_job *jobs, size_t n, struct cpus_held *held,
	size_t n_partitions)
{
	memset(held->cpus, 0, held->n_nodes * sizeof(*held->cpus));
	if (held->of_partition)
		memset(held->of_partition, 0,
			n_partitions * held->n_nodes *
				sizeof(*held->of_partition));
	for (size_t j = 0; j < n; j++) {
		if (!jobs[j].told && jobs[j].even)
			for (size_t i = 0; i < jobs[j].n; i++)
				jobs[j].on[i] = jobs[j].cpus / (uint32_t)jobs[j].n;
		else if (!jobs[j].told)
			fill(&jobs[j], held);
		hold(held, &jobs[j]);
	}
}

static bool is_over(const struct cpus_held *held, uint32_t node)
{
	return held->cpus[node] > held->sizes[node];
}

/* Is it on a node that is given more than it has? */
static bool is_squeezed(
	const struct layout_job *job, const struct cpus_held *held)
{
	for (size_t i = 0; i < job->n; i++)
		if (is_over(held, job->nodes[i]))
			return true;
	return false;
}

/* Takes the other layout for the first job that can have one; false when none
 * can. */
static bool change_one(struct layout_job *jobs, size_t n,
	const struct cpus_held *held, bool *changed)
{
	for (size_t j = 0; j < n; j++) {
		struct layout_job *job = &jobs[j];

		if (job->told || changed[j] || !divides(job) ||
			!is_squeezed(job, held))
			continue;
		changed[j] = true;
		job->even = !job->even;
		return true;
	}
	return false;
}

/* What the job has too much on its i-th node goes to its others, where there is
 * room. */
static void move(struct layout_job *job, size_t i, const struct cpus_held *held)
{
	uint32_t most, excess;

	let_go(held, job);
	most = room(held, job, i);
	if (most < job->each)
		most = job->each;
	excess = job->on[i] > most ? job->on[i] - most : 0;
	for (size_t k = 0; excess && k < job->n; k++) {
		uint32_t more = left_of(room(held, job, k), job->on[k]);

		if (k == i)
			continue;
		more = least(more, excess);
		job->on[k] += more;
		job->on[i] -= more;
		excess -= more;
	}
	hold(held, job);
}

/* Jobs that lie on too full a node and on others give way, the last first. */
static void give_way(
	struct layout_job *jobs, size_t n, const struct cpus_held *held)
{
	for (size_t j = n; j-- > 0;)
		for (size_t i = 0;
			!jobs[j].told && jobs[j].n > 1 && i < jobs[j].n; i++)
			if (is_over(held, jobs[j].nodes[i]))
				move(&jobs[j], i, held);
}

void layout_guess(struct layout_job *jobs, size_t n, const uint32_t *sizes,
	size_t n_nodes, struct arena *arena)
{
	struct cpus_held held = {.sizes = sizes, .n_nodes = n_nodes};
	bool *changed = arena_array(arena, n + 1, sizeof(*changed));
	size_t n_partitions = 0;
	bool limited = false;

	if (!n)
		return;
	for (size_t j = 0; j < n; j++) {
		jobs[j].even = jobs[j].even && divides(&jobs[j]);
		limited = limited || jobs[j].most_on < UINT32_MAX;
		if (jobs[j].partition >= n_partitions)
			n_partitions = jobs[j].partition + 1;
	}
	held.cpus = arena_array(arena, n_nodes + 1, sizeof(*held.cpus));
	if (limited)
		held.of_partition = arena_array(arena, n_partitions * n_nodes,
			sizeof(*held.of_partition));
	qsort(jobs, n, sizeof(*jobs), compare);
	do
		lay_all(jobs, n, &held, n_partitions);
	while (change_one(jobs, n, &held, changed));
	give_way(jobs, n, &held);
}
