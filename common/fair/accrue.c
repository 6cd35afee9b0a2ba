#include "common/fair/accrue.h"

#include <stdlib.h>

enum { NOBODY = -1 };

/* The jobs that wait for a slot are a chain in order of arrival. */
struct admission {
	struct accrue_job *jobs;
	size_t n;
	const uint32_t *limits;
	uint32_t *used;		/* by scope */
	ptrdiff_t *next, *prev; /* of the chain */
	ptrdiff_t first, last;
	struct accrue_job **leaving; /* by time */
};

static int by_arrival(const void *a, const void *b)
{
	const struct accrue_job *x = a, *y = b;

	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

static int by_leaving(const void *a, const void *b)
{
	const struct accrue_job *x = *(struct accrue_job *const *)a;
	const struct accrue_job *y = *(struct accrue_job *const *)b;

	if (x->leaves != y->leaves)
		return x->leaves < y->leaves ? -1 : 1;
	return by_arrival(x, y);
}

static void count(struct admission *a, const struct accrue_job *job, int by)
{
	for (size_t i = 0; i < job->n_scopes; i++)
		a->used[job->scopes[i]] += (uint32_t)by;
}

static int has_room(const struct admission *a, const struct accrue_job *job)
{
	for (size_t i = 0; i < job->n_scopes; i++)
		if (a->used[job->scopes[i]] >= a->limits[job->scopes[i]])
			return 0;
	return 1;
}

static int admit(struct admission *a, struct accrue_job *job, time_t when)
{
	if (!has_room(a, job))
		return 0;
	count(a, job, 1);
	job->admitted = when;
	return 1;
}

static void chain_add(struct admission *a, ptrdiff_t i)
{
	a->prev[i] = a->last;
	a->next[i] = NOBODY;
	if (a->last == NOBODY)
		a->first = i;
	else
		a->next[a->last] = i;
	a->last = i;
}

static void chain_remove(struct admission *a, ptrdiff_t i)
{
	if (a->prev[i] == NOBODY)
		a->first = a->next[i];
	else
		a->next[a->prev[i]] = a->next[i];
	if (a->next[i] == NOBODY)
		a->last = a->prev[i];
	else
		a->prev[a->next[i]] = a->prev[i];
}

static void leave(struct admission *a, struct accrue_job *job)
{
	if (!job->admitted) {
		chain_remove(a, job - a->jobs);
		return;
	}
	count(a, job, -1);
	for (ptrdiff_t i = a->first, next; i != NOBODY; i = next) {
		next = a->next[i];
		if (admit(a, &a->jobs[i], job->leaves))
			chain_remove(a, i);
	}
}

/* A slot given up at a moment is free for a job that takes one at the same
 * moment; no job gives one up before it took it. */
static int leaves_first(
	const struct admission *a, const struct accrue_job *job, size_t come)
{
	return (size_t)(job - a->jobs) < come &&
	       (come == a->n || job->leaves <= a->jobs[come].since);
}

static void run(struct admission *a, time_t at)
{
	for (size_t come = 0, gone = 0; gone < a->n;) {
		struct accrue_job *job = a->leaving[gone];

		if (leaves_first(a, job, come)) {
			if (job->leaves > at)
				return;
			leave(a, job);
			gone++;
		} else {
			if (a->jobs[come].since > at)
				return;
			if (!admit(a, &a->jobs[come], a->jobs[come].since))
				chain_add(a, (ptrdiff_t)come);
			come++;
		}
	}
}

static void prepare(struct admission *a, struct arena *scratch, size_t limits)
{
	a->used = arena_array(scratch, limits + 1, sizeof(*a->used));
	a->next = arena_array(scratch, a->n, sizeof(*a->next));
	a->prev = arena_array(scratch, a->n, sizeof(*a->prev));
	a->leaving = arena_array(scratch, a->n, sizeof(struct accrue_job *));
	qsort(a->jobs, a->n, sizeof(*a->jobs), by_arrival);
	for (size_t i = 0; i < a->n; i++) {
		a->jobs[i].admitted = 0;
		if (a->jobs[i].leaves < a->jobs[i].since)
			a->jobs[i].leaves = a->jobs[i].since;
		a->leaving[i] = &a->jobs[i];
	}
	qsort(a->leaving, a->n, sizeof(struct accrue_job *), by_leaving);
}

void accrue_admit(struct accrue_job *jobs, size_t n, const uint32_t *limits,
	size_t n_limits, time_t at, struct arena *scratch)
{
	struct admission a = {.jobs = jobs,
		.n = n,
		.limits = limits,
		.first = NOBODY,
		.last = NOBODY};

	if (!n)
		return;
	prepare(&a, scratch, n_limits);
	run(&a, at);
}

/* ---- looking up ----------------------------------------------------------*/

static int by_key(const void *a, const void *b)
{
	const struct accrue_job *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void accrue_sort(struct accrue_jobs *times)
{
	if (times->n)
		qsort(times->v, times->n, sizeof(*times->v), by_key);
}

bool accrue_find(const struct accrue_jobs *times, int64_t key, int64_t *since)
{
	const struct accrue_job like = {.key = key}, *job = NULL;

	if (times && times->n)
		job = bsearch(&like, times->v, times->n, sizeof(*times->v),
			by_key);
	if (job)
		*since = job->admitted;
	return job != NULL;
}
