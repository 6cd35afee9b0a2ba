/*
 * Slurm's usual rule: of the runs of consecutive nodes of one weight the
 * lightest that is large enough and fits best, or the largest, and so on until
 * nothing is missing; within a run a single node where one does. Part of
 * common/select/select.h.
 */
#include <stdlib.h>

#include "common/base/memory.h"
#include "common/select/select_pick.h"

/* Nodes from `first` on, as indexes in pick->nodes. */
struct consecutive_run {
	size_t first, end;
	int64_t cpus, nodes;
	uint64_t gpus, weight;
	size_t named; /* the first that the job named; SIZE_MAX */
	bool sufficient;
};

static bool follows(
	const struct select_node *node, const struct select_node *before)
{
	return node->index == before->index + 1 &&
	       (node->required || before->required ||
		       node->weight == before->weight);
}

/* The run that begins at `first`. Nodes that the job named are taken already:
 * they hold it together and count for nothing. */
static struct consecutive_run run_at(const struct pick *p, size_t first)
{
	struct consecutive_run run = {.first = first, .named = SIZE_MAX};
	size_t i = first;

	do {
		const struct select_node *node = &p->nodes[i];

		if (node->required) {
			if (run.named == SIZE_MAX)
				run.named = i;
			continue;
		}
		run.cpus += node->use;
		run.gpus += node->gpus;
		run.weight = node->weight;
		run.nodes += !node->got && node->use;
	} while (++i < p->n && p->nodes[i].use &&
		 follows(&p->nodes[i], &p->nodes[i - 1]));
	run.end = i;
	return run;
}

static bool is_sufficient(
	const struct pick *p, const struct consecutive_run *run)
{
	return run->cpus >= p->cpus && run->nodes >= pick_nodes_needed(p) &&
	       run->gpus >= p->gpus;
}

static bool is_better(
	const struct consecutive_run *run, const struct consecutive_run *best)
{
	if (!best->nodes || (best->named == SIZE_MAX && run->named != SIZE_MAX))
		return true;
	if (run->weight != best->weight)
		return run->weight < best->weight;
	if (run->sufficient)
		return !best->sufficient || run->cpus < best->cpus;
	return run->cpus > best->cpus;
}

static bool complete(const struct pick *p)
{
	return p->most_left <= 0 || pick_done(p);
}

/* From the node it named up, then down. */
static void take_around(struct pick *p, const struct consecutive_run *run)
{
	for (size_t i = run->named; i < run->end && !complete(p); i++)
		if (!p->nodes[i].required)
			pick_take(p, &p->nodes[i]);
	for (size_t i = run->named; i-- > run->first && !complete(p);)
		if (!p->nodes[i].required)
			pick_take(p, &p->nodes[i]);
}

/* The tightest node that has all that is still missing; NULL: none. */
static struct select_node *single(
	const struct pick *p, const struct consecutive_run *run)
{
	struct select_node *best = NULL;

	if (p->nodes_left > 1)
		return NULL;
	for (size_t i = run->first; i < run->end; i++) {
		struct select_node *node = &p->nodes[i];

		if (node->use < p->cpus || node->gpus < p->gpus)
			continue;
		if (!best || node->use < best->use)
			best = node;
	}
	return best;
}

static void take_run(struct pick *p, const struct consecutive_run *run)
{
	struct select_node *one = single(p, run);

	if (one) {
		pick_take(p, one);
		return;
	}
	for (size_t i = run->first; i < run->end && !complete(p); i++)
		if (p->most_left != 1 || p->nodes[i].use >= p->cpus)
			pick_take(p, &p->nodes[i]);
}

static void forget(struct pick *p, const struct consecutive_run *run)
{
	for (size_t i = run->first; i < run->end; i++)
		if (!p->nodes[i].required)
			p->nodes[i].use = 0;
}

/* The run that begins at or after the node `at`, which moves past it; false at
 * the end. */
static bool next_run(
	const struct pick *p, size_t *at, struct consecutive_run *run)
{
	while (*at < p->n && !p->nodes[*at].use)
		++*at;
	if (*at == p->n)
		return false;
	*run = run_at(p, *at);
	*at = run->end;
	return true;
}

/* The best of the runs left; false: no run is left. */
static bool best_run(const struct pick *p, struct consecutive_run *best)
{
	struct consecutive_run run;

	*best = (struct consecutive_run){0};
	for (size_t i = 0; next_run(p, &i, &run);) {
		run.sufficient = is_sufficient(p, &run);
		if (run.nodes && is_better(&run, best))
			*best = run;
	}
	return best->nodes > 0;
}

/* ---- many runs -----------------------------------------------------------*/

/* All that are left when one did not do, so that the nodes need not be gone
 * through for each. None holds a node that the job named: they do not change
 * while others are taken. */
struct consecutive_runs {
	struct consecutive_run *v;
	size_t n, cap;
	struct consecutive_run *
		*sorted; /* by weight, the largest first, then in order */
};

static int compare_runs(const void *x, const void *y)
{
	const struct consecutive_run *a = *(struct consecutive_run *const *)x;
	const struct consecutive_run *b = *(struct consecutive_run *const *)y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	if (a->cpus != b->cpus)
		return a->cpus > b->cpus ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static void list_runs(const struct pick *p, struct consecutive_runs *runs)
{
	struct consecutive_run run;

	for (size_t i = 0; next_run(p, &i, &run);)
		if (run.nodes)
			*MEMORY_PUSH(runs->v, runs->n, runs->cap) = run;
	runs->sorted = memory_zeroed(runs->n + 1, sizeof(*runs->sorted));
	for (size_t i = 0; i < runs->n; i++)
		runs->sorted[i] = &runs->v[i];
	qsort(runs->sorted, runs->n, sizeof(*runs->sorted), compare_runs);
}

/* One by one in node order, which matters when a run has the CPUs but not the
 * nodes or GPUs. */
static struct consecutive_run *best_in_line(
	const struct pick *p, const struct consecutive_runs *runs)
{
	struct consecutive_run *best = NULL;

	for (size_t i = 0; i < runs->n; i++) {
		struct consecutive_run *run = &runs->v[i];

		run->sufficient = is_sufficient(p, run);
		if (run->nodes && (!best || is_better(run, best)))
			best = run;
	}
	return best;
}

/* The best of those from `first` on, which is the largest of the lightest. */
static struct consecutive_run *best_of(
	const struct pick *p, const struct consecutive_runs *runs, size_t first)
{
	struct consecutive_run *best = runs->sorted[first];
	uint64_t weight = best->weight;
	bool found = false;

	for (size_t i = first; i < runs->n; i++) {
		struct consecutive_run *run = runs->sorted[i];

		if (run->weight != weight || run->cpus < p->cpus)
			break;
		if (!run->nodes)
			continue;
		if (!is_sufficient(p, run))
			return best_in_line(p, runs);
		if (!found || run->cpus < best->cpus)
			best = run;
		found = true;
	}
	return best;
}

static bool take_runs(struct pick *p, const struct consecutive_runs *runs)
{
	for (size_t first = 0; first < runs->n && p->most_left > 0;) {
		struct consecutive_run *run = best_of(p, runs, first);

		take_run(p, run);
		if (pick_done(p))
			return true;
		forget(p, run);
		run->nodes = 0;
		while (first < runs->n && !runs->sorted[first]->nodes)
			first++;
	}
	return pick_enough(p);
}

/* ---- all -----------------------------------------------------------------*/

static bool names_nodes(const struct pick *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->nodes[i].required)
			return true;
	return false;
}

bool pick_consecutive(struct pick *p)
{
	struct consecutive_runs runs = {0};
	struct consecutive_run run;
	bool done, named;

	if (!pick_required(p))
		return false;
	if (pick_done(p))
		return true;
	named = names_nodes(p);
	while (p->most_left > 0 && best_run(p, &run)) {
		if (run.named != SIZE_MAX)
			take_around(p, &run);
		else
			take_run(p, &run);
		if (pick_done(p))
			return true;
		forget(p, &run);
		if (named)
			continue;
		list_runs(p, &runs);
		done = take_runs(p, &runs);
		free(runs.v);
		free(runs.sorted);
		return done;
	}
	return pick_enough(p);
}
