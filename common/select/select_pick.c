/*
 * Counting what is picked and what is still missing: part of
 * common/select/select.h.
 */
#include "common/select/select_pick.h"

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Tasks that must lie on a node; all of them where one node is asked for. */
static uint32_t least_tasks(const struct select_job *job)
{
	if (job->tasks_per_node)
		return job->tasks_per_node;
	return job->most_asked == 1 && job->tasks ? job->tasks : 1;
}

uint32_t pick_usable(
	const struct select_job *job, const struct select_node *node)
{
	return node->cpus / job->cpus_per_task < least_tasks(job) ? 0
								  : node->cpus;
}

void pick_begin(struct pick *p, const struct select_job *job,
	const struct select_range *range, struct select_node *nodes, size_t n)
{
	uint32_t want = range->want;

	if (job->gpus ? want > range->least : want < range->least)
		want = range->least;
	*p = (struct pick){.job = job,
		.nodes = nodes,
		.n = n,
		.least = range->least,
		.want = range->want,
		.most = range->most,
		.cpus = job->cpus,
		.nodes_left = want,
		.least_left = range->least,
		.most_left = range->most,
		.cpus_most = job->cpus,
		.gpus = job->gpus};
	for (size_t i = 0; i < n; i++) {
		nodes[i].got = 0;
		nodes[i].use = pick_usable(job, &nodes[i]);
	}
}

/* At least one of a node that is taken, even if it is counted out. */
static void take_gpus(struct pick *p, const struct select_node *node)
{
	uint64_t n = node->gpus < p->gpus ? node->gpus : p->gpus;

	if (p->gpus && !n)
		n = 1;
	p->gpus -= n;
}

void pick_take(struct pick *p, struct select_node *node)
{
	const struct select_job *job = p->job;
	int64_t most = p->cpus_most - larger(p->least_left - 1, 0);
	int64_t least = (int64_t)job->cpus_per_task *
			(job->tasks_per_node ? job->tasks_per_node : 1);
	int64_t cpus = node->use;

	if (!job->whole && cpus > most)
		cpus = larger(most, least);
	take_gpus(p, node);
	node->got = (uint32_t)cpus;
	p->cpus -= cpus;
	p->cpus_most -= cpus;
	p->nodes_left--;
	p->least_left--;
	p->most_left--;
}

uint32_t pick_take_first(
	struct pick *p, const struct select_node *node, uint32_t n)
{
	int64_t use = node->use, least = larger(p->least_left, 0);
	const int64_t bounds[] = {p->most_left - 1, (p->cpus - 1) / use,
		(p->cpus_most - least) / use};
	int64_t some = n;

	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
		if (bounds[i] < some)
			some = larger(bounds[i], 0);
	p->cpus -= some * use;
	p->cpus_most -= some * use;
	p->nodes_left -= some;
	p->least_left -= some;
	p->most_left -= some;
	return (uint32_t)some;
}

bool pick_required(struct pick *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct select_node *node = &p->nodes[i];

		if (!node->required)
			continue;
		if (!node->use || p->most_left <= 0)
			return false;
		pick_take(p, node);
	}
	return true;
}

bool pick_done(const struct pick *p)
{
	return p->nodes_left <= 0 && p->cpus <= 0 && !p->gpus;
}

int64_t pick_nodes_needed(const struct pick *p)
{
	return p->want > p->least ? p->nodes_left + p->least - p->want
				  : p->nodes_left;
}

bool pick_enough(const struct pick *p)
{
	return p->cpus <= 0 && !p->gpus && pick_nodes_needed(p) <= 0;
}

struct select_range pick_with_tasks(
	const struct select_job *job, const struct select_range *range)
{
	struct select_range out = *range;
	uint32_t each = job->tasks_per_node;
	uint32_t needed = each ? (job->tasks + each - 1) / each : 0;

	if (out.least < needed)
		out.least = needed;
	return out;
}

uint32_t pick_most_by_tasks(
	const struct select_job *job, const struct select_range *range)
{
	if (!job->tasks || job->tasks_per_node || range->most <= job->tasks)
		return range->most;
	return job->tasks > range->least ? job->tasks : range->least;
}
