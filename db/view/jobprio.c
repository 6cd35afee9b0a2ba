/*
 * What the priorities of jobs are made of; see jobprio.h.
 */
#include "db/view/jobprio.h"

#include "common/base/numbers.h"
#include "db/entity/qos.h"
#include "db/job/accrue.h"
#include "db/job/job.h"
#include "db/store/query.h"
#include "db/view/shares.h"

static int load_qos(
	struct jobprio *prio, struct store *store, struct arena *arena)
{
	struct qos_cond cond = {0};
	struct qos_list list = {0};

	if (qos_list(store, &cond, arena, &list))
		return -1;
	prio->n_qos = list.n;
	prio->qos = arena_array(arena, list.n, sizeof(*prio->qos));
	for (size_t i = 0; i < list.n; i++) {
		uint32_t priority = list.v[i]->priority;

		if (priority == NO_VAL || priority == INFINITE)
			priority = 0;
		prio->qos[i] = (struct jobprio_qos){
			list.v[i]->id, list.v[i]->name, priority};
	}
	return 0;
}

int jobprio_open(struct jobprio *prio, struct site *site, const char *cluster,
	int64_t at, struct arena *arena)
{
	struct store *store = &site->store;
	struct accrue_times *times = NULL;
	/* Is there a job whose priority can be asked? Without it the tree of
	 * associations need not be read. */
	int asked = job_any(
		store, cluster, at - site->conf.min_job_age);

	*prio = (struct jobprio){
		.context = {.policy = &site->conf.policy, .now = at},
		.conf = &site->conf,
		.tres = &store->tres,
	};
	if (asked < 0 ||
		shares_load(store, &site->conf.policy, cluster, at,
			asked ? 0 : SHARES_NONE, arena, &prio->shares) ||
		load_qos(prio, store, arena))
		return -1;
	if ((prio->conf->enforce & ENFORCE_LIMITS) &&
		accrue_load(store, prio->shares.cluster_key, at, arena,
			&times))
		return -1;
	prio->accrue = accrue_jobs(times);
	return jobprio_prepare(prio, arena, store->err);
}
