/*
 * Nodes for a job by the rules of common/select/select.h, said once more and
 * slowly: what is missing is summed up anew from what was taken, runs are
 * painted, nothing is known beforehand. Only the structs are shared with the
 * code under test.
 */
#pragma once

#include "common/select/select.h"

enum { SLOW_NODES = 64 };

struct slow_pick {
	const struct select_job *job;
	struct select_range range;
	struct select_node *nodes;
	size_t n;
	uint32_t use[SLOW_NODES]; /* CPUs it could use; 0: no more looked at */
	bool taken[SLOW_NODES];
};

/* ---- one node ------------------------------------------------------------*/

/* Tasks that must lie on a node together. */
static uint32_t slow_tasks_together(const struct select_job *job)
{
	if (job->tasks_per_node)
		return job->tasks_per_node;
	return job->most_asked == 1 && job->tasks ? job->tasks : 1;
}

/* The most CPUs, in whole tasks, for which there is everything. */
static uint32_t slow_room(
	const struct select_job *job, const struct select_left *left)
{
	uint32_t each = job->cpus_per_task;
	uint32_t least = slow_tasks_together(job) * each, cpus;

	if (job->whole &&
		(!left->empty ||
			(uint64_t)left->cpus + left->cpus_of_partition >
				left->most))
		return 0;
	for (cpus = left->cpus; cpus; cpus--) {
		uint64_t mem = job->mem_of_cpu ? job->mem * cpus : job->mem;

		if ((uint64_t)cpus + left->cpus_of_partition > left->most)
			continue;
		if (cpus < least)
			return 0;
		if (cpus % each)
			continue;
		if (left->mem != UINT64_MAX && mem > left->mem) {
			if (job->whole)
				return 0;
			continue;
		}
		if (job->per_task && cpus / each * job->per_task > left->gpus)
			continue;
		return cpus;
	}
	return 0;
}

/* ---- what is missing -----------------------------------------------------*/

static int64_t slow_taken(const struct slow_pick *p)
{
	int64_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->taken[i];
	return n;
}

static int64_t slow_cpus_missing(const struct slow_pick *p)
{
	int64_t cpus = p->job->cpus;

	for (size_t i = 0; i < p->n; i++)
		cpus -= p->taken[i] ? p->nodes[i].got : 0;
	return cpus;
}

/* A node counts for one GPU at least. */
static uint64_t slow_gpus_missing(const struct slow_pick *p)
{
	uint64_t gpus = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->taken[i])
			gpus += p->nodes[i].gpus ? p->nodes[i].gpus : 1;
	return gpus < p->job->gpus ? p->job->gpus - gpus : 0;
}

/* Nodes it wants: as many as it may have, or, for GPUs in all, no more than it
 * must. */
static int64_t slow_wanted(const struct slow_pick *p)
{
	int64_t want = p->range.want, least = p->range.least;

	if (p->job->gpus)
		return want < least ? want : least;
	return want > least ? want : least;
}

static bool slow_more_allowed(const struct slow_pick *p)
{
	return slow_taken(p) < p->range.most;
}

static bool slow_has_amounts(const struct slow_pick *p)
{
	return slow_cpus_missing(p) <= 0 && !slow_gpus_missing(p);
}

static bool slow_done(const struct slow_pick *p)
{
	return slow_has_amounts(p) && slow_taken(p) >= slow_wanted(p);
}

/* Fewer than wanted do at the end. */
static int64_t slow_still_needed(const struct slow_pick *p)
{
	int64_t want = p->range.want, least = p->range.least;

	return slow_wanted(p) - slow_taken(p) -
	       (want > least ? want - least : 0);
}

static void slow_take(struct slow_pick *p, size_t i)
{
	const struct select_job *job = p->job;
	int64_t further = (int64_t)p->range.least - slow_taken(p) - 1;
	int64_t most = slow_cpus_missing(p) - (further > 0 ? further : 0);
	int64_t least = (int64_t)job->cpus_per_task *
			(job->tasks_per_node ? job->tasks_per_node : 1);
	int64_t cpus = p->use[i];

	if (most < least)
		most = least;
	if (!job->whole && cpus > most)
		cpus = most;
	p->nodes[i].got = (uint32_t)cpus;
	p->taken[i] = true;
}

/* False: not all it named can be had. */
static bool slow_begin_pick(struct slow_pick *p, const struct select_job *job,
	const struct select_range *range, struct select_node *nodes, size_t n,
	const bool *dropped)
{
	*p = (struct slow_pick){
		.job = job, .range = *range, .nodes = nodes, .n = n};
	for (size_t i = 0; i < n; i++) {
		uint32_t tasks = nodes[i].cpus / job->cpus_per_task;

		nodes[i].got = 0;
		p->use[i] = dropped[i] || tasks < slow_tasks_together(job)
				    ? 0
				    : nodes[i].cpus;
	}
	for (size_t i = 0; i < n; i++) {
		if (!nodes[i].required)
			continue;
		if (!p->use[i] || !slow_more_allowed(p))
			return false;
		slow_take(p, i);
	}
	return true;
}

/* ---- runs of consecutive nodes -------------------------------------------*/

static bool slow_neighbours(const struct slow_pick *p, size_t i)
{
	const struct select_node *a = &p->nodes[i - 1], *b = &p->nodes[i];

	return p->use[i - 1] && p->use[i] && b->index == a->index + 1 &&
	       (a->required || b->required || a->weight == b->weight);
}

struct slow_sum {
	int64_t cpus, nodes;
	uint64_t gpus, weight;
	bool named, enough;
};

/* The run that begins at `first` and ends before `end`. */
static struct slow_sum slow_sum_of(
	const struct slow_pick *p, size_t first, size_t end)
{
	struct slow_sum sum = {0};

	for (size_t i = first; i < end; i++) {
		if (p->nodes[i].required) {
			sum.named = true;
			continue;
		}
		sum.nodes++;
		sum.cpus += p->use[i];
		sum.gpus += p->nodes[i].gpus;
		sum.weight = p->nodes[i].weight;
	}
	sum.enough = sum.cpus >= slow_cpus_missing(p) &&
		     sum.gpus >= slow_gpus_missing(p) &&
		     sum.nodes >= slow_still_needed(p);
	return sum;
}

static bool slow_beats(const struct slow_sum *a, const struct slow_sum *b)
{
	if (a->named && !b->named)
		return true;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->enough)
		return !b->enough || a->cpus < b->cpus;
	/* Even one that is enough is left for more CPUs; so does Slurm. */
	return a->cpus > b->cpus;
}

static size_t slow_end_of(const struct slow_pick *p, size_t first)
{
	size_t end = first + 1;

	while (end < p->n && slow_neighbours(p, end))
		end++;
	return end;
}

static bool slow_best_run(const struct slow_pick *p, size_t *first, size_t *end)
{
	struct slow_sum best = {0};

	for (size_t i = 0; i < p->n; i = slow_end_of(p, i)) {
		struct slow_sum sum = slow_sum_of(p, i, slow_end_of(p, i));

		if (!p->use[i] || !sum.nodes)
			continue;
		if (best.nodes && !slow_beats(&sum, &best))
			continue;
		best = sum;
		*first = i;
		*end = slow_end_of(p, i);
	}
	return best.nodes > 0;
}

/* The tightest node of the run that does alone; `end`: none. */
static size_t slow_single(const struct slow_pick *p, size_t first, size_t end)
{
	size_t best = end;

	for (size_t i = first; i < end; i++)
		if (p->use[i] >= slow_cpus_missing(p) &&
			p->nodes[i].gpus >= slow_gpus_missing(p) &&
			(best == end || p->use[i] < p->use[best]))
			best = i;
	return slow_wanted(p) - slow_taken(p) > 1 ? end : best;
}

static void slow_take_if(struct slow_pick *p, size_t i, bool last_must_do)
{
	if (p->nodes[i].required || !slow_more_allowed(p) || slow_done(p))
		return;
	if (last_must_do && slow_taken(p) + 1 == p->range.most &&
		p->use[i] < slow_cpus_missing(p))
		return;
	slow_take(p, i);
}

static void slow_take_run(struct slow_pick *p, size_t first, size_t end)
{
	size_t named = first, single;

	while (named < end && !p->nodes[named].required)
		named++;
	for (size_t i = named; i < end; i++)
		slow_take_if(p, i, false);
	for (size_t i = named; named < end && i-- > first;)
		slow_take_if(p, i, false);
	if (named < end)
		return;
	single = slow_single(p, first, end);
	if (single < end)
		slow_take(p, single);
	for (size_t i = first; single == end && i < end; i++)
		slow_take_if(p, i, true);
}

static bool slow_consecutive(struct slow_pick *p)
{
	size_t first = 0, end = 0;

	while (!slow_done(p) && slow_more_allowed(p) &&
		slow_best_run(p, &first, &end)) {
		slow_take_run(p, first, end);
		for (size_t i = first; !slow_done(p) && i < end; i++)
			if (!p->nodes[i].required)
				p->use[i] = 0;
	}
	return slow_done(p) ||
	       (slow_has_amounts(p) && slow_still_needed(p) <= 0);
}

/* ---- one after the other -------------------------------------------------*/

/* Does a come before b? */
static bool slow_before(enum select_rule rule, const struct select_node *a,
	const struct select_node *b)
{
	if (rule == SELECT_FREE_LAST && a->free_at != b->free_at)
		return a->free_at > b->free_at;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (rule == SELECT_LAST)
		return a->index > b->index;
	if (rule == SELECT_BUSY && a->idle != b->idle)
		return b->idle;
	return a->index < b->index;
}

static bool slow_ends_well(const struct slow_pick *p)
{
	return slow_has_amounts(p) && slow_taken(p) >= p->range.least;
}

/* The last that it may have of textbook policies has all that is missing. */
static bool slow_may_be_last(
	const struct slow_pick *p, size_t i, enum select_rule rule)
{
	bool textbook = rule == SELECT_LOWEST || rule == SELECT_FREE_LAST;

	return !textbook || slow_taken(p) + 1 < p->range.most ||
	       (p->use[i] >= slow_cpus_missing(p) &&
		       p->nodes[i].gpus >= slow_gpus_missing(p));
}

static bool slow_in_order(struct slow_pick *p, enum select_rule rule)
{
	while (!slow_done(p) && slow_more_allowed(p)) {
		size_t best = p->n;

		for (size_t i = 0; i < p->n; i++)
			if (p->use[i] && !p->taken[i] &&
				slow_may_be_last(p, i, rule) &&
				(best == p->n || slow_before(rule, &p->nodes[i],
							 &p->nodes[best])))
				best = i;
		if (best == p->n)
			break;
		slow_take(p, best);
	}
	return slow_ends_well(p);
}

/* Of the lightest that are left. Slurm stops looking at one with as many CPUs
 * free as the last it took of that weight, and counts for the node it takes no
 * more than the one it looked at last could give. */
static size_t slow_emptiest(const struct slow_pick *p, uint64_t *weight,
	int64_t *last, uint32_t *use)
{
	size_t best = p->n;
	uint64_t lightest = UINT64_MAX;

	for (size_t i = 0; i < p->n; i++)
		if (p->use[i] && !p->taken[i] && p->nodes[i].weight < lightest)
			lightest = p->nodes[i].weight;
	if (lightest != *weight)
		*last = -1;
	*weight = lightest;
	for (size_t i = 0; i < p->n; i++) {
		const struct select_node *node = &p->nodes[i];
		bool better;

		if (!p->use[i] || p->taken[i] || node->weight != lightest)
			continue;
		*use = p->use[i];
		better = best == p->n || (double)node->free / node->size >
						 (double)p->nodes[best].free /
							 p->nodes[best].size;
		if (better)
			best = i;
		if (better && node->free == *last)
			break;
	}
	return best;
}

static bool slow_least_loaded(struct slow_pick *p)
{
	uint64_t weight = UINT64_MAX;
	int64_t last = -1;

	while (!slow_done(p) && slow_more_allowed(p)) {
		uint32_t use = 0;
		size_t i = slow_emptiest(p, &weight, &last, &use);

		if (i == p->n)
			break;
		if (use < p->use[i])
			p->use[i] = use;
		slow_take(p, i);
		last = p->nodes[i].free;
	}
	return slow_ends_well(p);
}

/* ---- all -----------------------------------------------------------------*/

/* The first that does, light ones first; GPUs are counted over all that were
 * passed. */
static bool slow_one(
	const struct select_job *job, struct select_node *nodes, size_t n)
{
	bool named = false, seen[SLOW_NODES] = {false};
	uint64_t gpus = 0;

	for (size_t i = 0; i < n; i++) {
		nodes[i].got = 0;
		named |= nodes[i].required;
	}
	for (;;) {
		size_t best = n;

		for (size_t i = 0; i < n; i++)
			if (!seen[i] && (nodes[i].required || !named) &&
				nodes[i].cpus >= job->cpus &&
				nodes[i].cpus / job->cpus_per_task >=
					slow_tasks_together(job) &&
				(best == n ||
					nodes[i].weight < nodes[best].weight))
				best = i;
		if (best == n)
			return false;
		seen[best] = true;
		gpus += nodes[best].gpus ? nodes[best].gpus : 1;
		if (job->gpus && (gpus < job->gpus || !nodes[best].gpus))
			continue;
		nodes[best].got = job->whole ? nodes[best].cpus : job->cpus;
		return true;
	}
}

static bool slow_try_rule(const struct select_job *job,
	const struct select_range *range, enum select_rule rule,
	struct select_node *nodes, size_t n, const bool *dropped)
{
	struct slow_pick p;

	if (!slow_begin_pick(&p, job, range, nodes, n, dropped))
		return false;
	if (rule == SELECT_CONSECUTIVE)
		return slow_consecutive(&p);
	return rule == SELECT_LEAST_LOADED ? slow_least_loaded(&p)
					   : slow_in_order(&p, rule);
}

/* First with no more nodes than tasks, then with all, then without the smallest
 * one after the other. */
static bool slow_select(const struct select_job *job,
	const struct select_range *asked, enum select_rule rule,
	struct select_node *nodes, size_t n)
{
	struct select_range all = *asked, few;
	bool dropped[SLOW_NODES] = {false};
	uint32_t each = job->tasks_per_node;

	if (n < asked->least)
		return false;
	if (asked->most == 1 && rule != SELECT_LOWEST &&
		rule != SELECT_FREE_LAST)
		return slow_one(job, nodes, n);
	if (each && (job->tasks + each - 1) / each > all.least)
		all.least = (job->tasks + each - 1) / each;
	if (n < all.least)
		return false;
	few = all;
	if (job->tasks && !each && few.most > job->tasks)
		few.most = job->tasks > few.least ? job->tasks : few.least;
	if (slow_try_rule(job, &few, rule, nodes, n, dropped))
		return true;
	for (size_t left = n; left && left >= all.least; left--) {
		size_t drop = n;

		if (slow_try_rule(job, &all, rule, nodes, n, dropped))
			return true;
		for (size_t i = 0; i < n; i++)
			if (!dropped[i] && !nodes[i].required &&
				nodes[i].cpus &&
				(drop == n || nodes[i].cpus < nodes[drop].cpus))
				drop = i;
		if (drop == n)
			return false;
		dropped[drop] = true;
	}
	return false;
}

/* A task, or all that lie together, on each node; the rest one after the other
 * from the first node on. */
static void slow_lay_out(
	const struct select_job *job, struct select_node *nodes, size_t n)
{
	uint32_t first = job->cpus_per_task *
			 (job->tasks_per_node ? job->tasks_per_node : 1);
	uint32_t left = job->cpus, had[SLOW_NODES];

	if (job->whole)
		return;
	for (size_t i = 0; i < n; i++) {
		had[i] = nodes[i].got;
		nodes[i].got = 0;
	}
	for (uint32_t most = first;; most = UINT32_MAX) {
		for (size_t i = 0; i < n; i++)
			while (left && had[i] && nodes[i].got < most &&
				nodes[i].got < nodes[i].cpus) {
				nodes[i].got++;
				left--;
			}
		if (most == UINT32_MAX)
			return;
		/* Who got nothing of the first round gets nothing at all. */
		for (size_t i = 0; i < n; i++)
			had[i] = nodes[i].got;
	}
}
