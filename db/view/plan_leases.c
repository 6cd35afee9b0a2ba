/*
 * Limits that end, or begin to hold, while the plan looks ahead: values that hold
 * until a time (db/entity/lease.h). The store is looked at as it will be then, in
 * memory, and the limits of every waiting job are read a second time.
 */
#include <string.h>

#include "db/entity/lease.h"
#include "db/view/plan_request.h"

enum { MOST_TIMES = 16 };

/* Has it to do with what jobs may? */
static bool is_limit(const struct lease *l)
{
	static const char *const others[] = {"shares", "comment", "priority"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(l->field, others[i]))
			return false;
	return l->kind != LEASE_USER;
}

/* The times at which one ends, in order. */
static int end_times(struct plan *plan, int64_t times[MOST_TIMES], size_t *n)
{
	struct lease_list list;

	*n = 0;
	if (lease_read(&plan->site->store, INT64_MAX, plan->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n && *n < MOST_TIMES; i++)
		if (is_limit(&list.v[i]) && list.v[i].until > plan->at &&
			(!*n || times[*n - 1] != list.v[i].until))
			times[(*n)++] = list.v[i].until;
	return 0;
}

/* ---- a job ---------------------------------------------------------------*/

static int add_later(struct plan *plan, struct limits *limits, int64_t time,
	const struct job *job, struct sched_choice *choice)
{
	const struct limits_of of = {job->assoc, choice->qos,
		&plan->site->conf.partitions[choice->partition -
					     plan->schedule.partitions],
		job->user, job->account};
	struct limit_chain *chain = NULL;
	const struct qos *qos;
	int found = limits_chain(limits, &of, &chain, &qos);

	if (found < 0)
		return -1;
	if (found && choice->limits)
		chain->below_threshold = choice->limits->below_threshold;
	*ARENA_PUSH(plan->arena, choice->later, choice->n_later,
		choice->cap_later) = (struct sched_later){
		.at = time, .limits = found ? chain : NULL};
	return 0;
}

/* Of all that wait, out of the store as it will be. */
static int look_at(struct plan *plan, struct site *then, int64_t time)
{
	struct schedule *s = &plan->schedule;
	struct limits limits;

	if (limits_open(&limits, then, plan->prio.cluster, plan->at,
		    LIMITS_RUNNING, NULL, plan->arena))
		return -1;
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_choices; k++)
			if (add_later(plan, &limits, time, s->jobs[i].record,
				    &s->jobs[i].choices[k]))
				return -1;
	return 0;
}

/* ---- the store -----------------------------------------------------------*/

/* One that is private already is changed, looked at and changed back. */
static int look_within(struct plan *plan, int64_t time)
{
	struct store *store = &plan->site->store;
	int rc;

	if (store_part_begin(store))
		return -1;
	rc = lease_expire(store, &plan->site->conf.policy, time) ||
	     look_at(plan, plan->site, time);
	return store_part_end(store, false) || rc ? -1 : 0;
}

static int look_over(struct plan *plan, int64_t time)
{
	struct site then = *plan->site;
	int rc;

	if (store_open_private(&then.store, &plan->site->store))
		return -1;
	rc = store_begin_bulk(&then.store) ||
	     lease_expire(&then.store, &then.conf.policy, time) ||
	     look_at(plan, &then, time);
	store_close(&then.store);
	return rc ? -1 : 0;
}

int plan_foresee(struct plan *plan)
{
	int64_t times[MOST_TIMES];
	size_t n;

	if (!(plan->site->conf.enforce & ENFORCE_LIMITS) ||
		!plan->schedule.n_jobs)
		return 0;
	if (end_times(plan, times, &n))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (plan->site->store.is_private ? look_within(plan, times[i])
						 : look_over(plan, times[i]))
			return -1;
	return 0;
}
