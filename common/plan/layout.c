#include "common/plan/layout.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *x, const void *y)
{
	const struct layout_job *a = x, *b = y;

	if (a->told != b->told)
		return b->told - a->told;
	return (a->began > b->began) - (a->began < b->began);
}

static bool divides(const struct layout_job *job)
{
	return job->n > 1 && job->cpus % job->n == 0;
}

static void spread(struct layout_job *job)
{
	for (size_t i = 0; i < job->n; i++)
		job->on[i] = job->cpus / (uint32_t)job->n;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A task on each node, then one node after the other as far as they are free;
 * what finds no room lies on the last. */
static void fill(
	struct layout_job *job, const uint32_t *sizes, const uint64_t *used)
{
	uint32_t left = job->cpus, last = 0;

	for (size_t i = 0; i < job->n; i++) {
		job->on[i] = least(job->each, left);
		left -= job->on[i];
	}
	for (size_t i = 0; left && i < job->n; i++) {
		uint64_t taken = used[job->nodes[i]] + job->on[i];
		uint32_t size = sizes[job->nodes[i]];
		uint32_t more = taken < size ? size - (uint32_t)taken : 0;

		more = least(more, left);
		job->on[i] += more;
		left -= more;
	}
	last = job->n ? (uint32_t)job->n - 1 : 0;
	if (job->n)
		job->on[last] += left;
}

static void lay_all(struct layout_job *jobs, size_t n, const uint32_t *sizes,
	uint64_t *used, size_t n_nodes)
{
	memset(used, 0, n_nodes * sizeof(*used));
	for (size_t j = 0; j < n; j++) {
		struct layout_job *job = &jobs[j];

		if (!job->told && job->even)
			spread(job);
		else if (!job->told)
			fill(job, sizes, used);
		for (size_t i = 0; i < job->n; i++)
			used[job->nodes[i]] += job->on[i];
	}
}

/* Lies it on a node that has more than it holds? */
static bool is_squeezed(const struct layout_job *job, const uint32_t *sizes,
	const uint64_t *used)
{
	for (size_t i = 0; i < job->n; i++)
		if (used[job->nodes[i]] > sizes[job->nodes[i]])
			return true;
	return false;
}

/* The first that could lie otherwise does; false: there is none. */
static bool change_one(struct layout_job *jobs, size_t n, const uint32_t *sizes,
	const uint64_t *used, bool *changed)
{
	for (size_t j = 0; j < n; j++) {
		struct layout_job *job = &jobs[j];

		if (job->told || changed[j] || !divides(job) ||
			!is_squeezed(job, sizes, used))
			continue;
		changed[j] = true;
		job->even = !job->even;
		return true;
	}
	return false;
}

void layout_guess(struct layout_job *jobs, size_t n, const uint32_t *sizes,
	size_t n_nodes, struct arena *arena)
{
	uint64_t *used = arena_array(arena, n_nodes + 1, sizeof(*used));
	bool *changed = arena_array(arena, n + 1, sizeof(*changed));

	if (!n)
		return;
	qsort(jobs, n, sizeof(*jobs), compare);
	for (size_t j = 0; j < n; j++)
		jobs[j].even = jobs[j].even && divides(&jobs[j]);
	do
		lay_all(jobs, n, sizes, used, n_nodes);
	while (change_one(jobs, n, sizes, used, changed));
}
