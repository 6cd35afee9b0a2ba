/*
 * Which rule chooses, and what is tried when it fails; see select.h.
 */
#include "common/select/select.h"

#include <string.h>

#include "common/select/select_pick.h"

/* ---- is it worth looking? ------------------------------------------------*/

/* Room for the largest nodes: counts of CPUs are small numbers. */
enum { MOST_CPUS = 1024 };

/* CPUs of the `most` largest nodes together. */
static uint64_t largest(
	const struct select_node *nodes, size_t n, uint64_t most)
{
	uint32_t counts[MOST_CPUS + 1] = {0};
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		counts[nodes[i].cpus < MOST_CPUS ? nodes[i].cpus : MOST_CPUS]++;
	if (counts[MOST_CPUS])
		return UINT64_MAX;
	for (uint64_t cpus = MOST_CPUS; cpus-- > 0 && most;) {
		uint64_t some = counts[cpus] < most ? counts[cpus] : most;

		sum += some * cpus;
		most -= some;
	}
	return sum;
}

static uint64_t sum_of(const struct select_node *nodes, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += nodes[i].cpus;
	return sum;
}

static bool hopeless(const struct select_job *job, uint32_t most,
	const struct select_node *nodes, size_t n)
{
	if (sum_of(nodes, most < n ? most : n) >= job->cpus)
		return false;
	return most >= n || largest(nodes, n, most) < job->cpus;
}

/* ---- rules ---------------------------------------------------------------*/

static bool try_rule(const struct select_job *job,
	const struct select_range *range, enum select_rule rule,
	struct select_node *nodes, size_t n)
{
	struct pick p;

	pick_begin(&p, job, range, nodes, n);
	if (rule == SELECT_CONSECUTIVE)
		return pick_consecutive(&p);
	return rule == SELECT_LEAST_LOADED ? pick_least_loaded(&p)
					   : pick_in_order(&p, rule);
}

/* The smallest one left that may be given up; NULL: none. */
static struct select_node *smallest(struct select_node *nodes, size_t n)
{
	struct select_node *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (nodes[i].cpus && !nodes[i].required &&
			(!found || nodes[i].cpus < found->cpus))
			found = &nodes[i];
	return found;
}

/* With fewer and fewer nodes, the smallest go first. */
static bool try_larger(const struct select_job *job,
	const struct select_range *range, enum select_rule rule,
	struct select_node *nodes, size_t n)
{
	for (size_t left = n; left >= range->least && left; left--) {
		struct select_node *drop;

		if (try_rule(job, range, rule, nodes, n))
			return true;
		drop = smallest(nodes, n);
		if (!drop)
			return false;
		drop->cpus = 0;
	}
	return false;
}

bool select_nodes(const struct select_job *job,
	const struct select_range *range, enum select_rule rule,
	struct select_node *nodes, size_t n)
{
	struct select_range all = pick_with_tasks(job, range), few = all;

	if (n < range->least || hopeless(job, range->most, nodes, n))
		return false;
	if (range->most == 1 && rule < SELECT_LOWEST)
		return select_one(job, nodes, n);
	if (n < all.least)
		return false;
	few.most = pick_most_by_tasks(job, &all);
	return try_rule(job, &few, rule, nodes, n) ||
	       try_larger(job, &all, rule, nodes, n);
}

/* ---- the layout
 * ----------------------------------------------------------- */

void select_lay_out(
	const struct select_job *job, struct select_node *nodes, size_t n)
{
	uint64_t left = job->cpus;
	uint32_t each = job->cpus_per_task;

	if (job->whole)
		return;
	if (job->tasks_per_node)
		each *= job->tasks_per_node;
	for (size_t i = 0; i < n; i++) {
		uint32_t first = nodes[i].got && each < nodes[i].cpus
					 ? each
					 : nodes[i].cpus;

		first = nodes[i].got ? first : 0;
		nodes[i].got = first < left ? first : (uint32_t)left;
		left -= nodes[i].got;
	}
	for (size_t i = 0; i < n && left; i++) {
		uint32_t more = nodes[i].got ? nodes[i].cpus - nodes[i].got : 0;

		more = more < left ? more : (uint32_t)left;
		nodes[i].got += more;
		left -= more;
	}
}
