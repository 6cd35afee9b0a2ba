/*
 * Jobs whose record does not say whether they may use several nodes (`-n8` and
 * `-N1 -n8` are recorded alike): one that was passed over although it would
 * have fit on parts of several nodes must have asked for one node. Part of
 * db/view/plan.h.
 *
 * That holds only if there were nothing but starts since it was submitted: no
 * job ended, so that what is free now was free then, and another job started,
 * so that the scheduler looked.
 */
#include <stdlib.h>

#include "common/plan/backfill.h"
#include "db/view/plan_request.h"

enum { TRIES = 8 };

static int compare_keys(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

bool plan_asked_one_node(const struct plan *plan, const struct job *job)
{
	const struct one_node_jobs *one_node = plan->one_node;

	return one_node && one_node->n &&
	       bsearch(&job->key, one_node->v, one_node->n,
		       sizeof(*one_node->v), compare_keys);
}

static int64_t last_start(const struct schedule *s)
{
	int64_t last = 0;

	for (size_t i = 0; i < s->n_running; i++)
		if (s->running[i].began > last)
			last = s->running[i].began;
	return last;
}

static uint64_t free_cpus(const struct schedule *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].cpus_used < s->nodes[i].cpus)
			n += s->nodes[i].cpus - s->nodes[i].cpus_used;
	return n;
}

/* Might it have asked for one node, and would pieces do now? */
static bool is_doubtful(const struct plan *plan, const struct sched_job *job,
	uint64_t free, int64_t ended, int64_t began)
{
	return plan_shape_unsaid(job->record) && job->any_nodes &&
	       !job->waits && job->cpus <= plan->largest_cpus &&
	       job->cpus <= free && job->submit > ended &&
	       job->submit < began && job->eligible < began;
}

/* 1: there are some, 0: none, -1 on errors. */
static int any_doubtful(struct plan *plan, int64_t *ended, int64_t *began)
{
	const struct schedule *s = &plan->schedule;
	uint64_t free = free_cpus(s);

	*began = last_start(s);
	*ended = INT64_MIN;
	for (size_t i = 0; i < s->n_jobs; i++) {
		if (!is_doubtful(plan, &s->jobs[i], free, *ended, *began))
			continue;
		if (*ended != INT64_MIN)
			return 1;
		if (job_last_end(&plan->site->store, plan->prio.cluster, ended))
			return -1;
		if (is_doubtful(plan, &s->jobs[i], free, *ended, *began))
			return 1;
	}
	return 0;
}

/* Was it given pieces of several nodes now? */
static bool begins_in_pieces(
	const struct plan *plan, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++)
		if (job->starts[i].n_nodes > 1)
			return true;
	for (size_t i = 0; i < job->n_plans; i++)
		if (job->plans[i].start <= plan->at &&
			job->plans[i].n_nodes > 1)
			return true;
	return false;
}

static size_t find_passed_over(struct plan *plan,
	struct one_node_jobs *one_node, int64_t ended, int64_t began)
{
	const struct schedule *s = &plan->schedule;
	size_t had = one_node->n;

	for (size_t i = 0; i < s->n_jobs; i++) {
		const struct job *job = s->jobs[i].record;

		if (is_doubtful(plan, &s->jobs[i], UINT64_MAX, ended, began) &&
			begins_in_pieces(plan, &s->jobs[i]))
			*ARENA_PUSH(plan->arena, one_node->v, one_node->n,
				one_node->cap) = job->key;
	}
	if (one_node->n)
		qsort(one_node->v, one_node->n, sizeof(*one_node->v),
			compare_keys);
	return one_node->n - had;
}

int plan_find_one_node_jobs(struct plan *plan, struct one_node_jobs *one_node)
{
	int64_t ended, began;
	int any = ++one_node->tries > TRIES
			  ? 0
			  : any_doubtful(plan, &ended, &began);

	if (any <= 0)
		return any;
	plan_backfill(plan);
	if (!find_passed_over(plan, one_node, ended, began))
		one_node->tries = TRIES;
	return 1;
}
