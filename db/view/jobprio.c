/*
 * What the priorities of jobs are made of; see jobprio.h.
 */
#include "db/view/jobprio.h"

#include "db/entity/qos.h"
#include "db/job/accrue.h"
#include "db/job/job.h"
#include "db/store/query.h"
#include "db/view/shares.h"

int jobprio_open(struct jobprio *prio, struct site *site, const char *cluster,
	int64_t at, struct arena *arena)
{
	struct store *store = &site->store;
	struct accrue_times *times = NULL;
	const struct qos_cond all = {0};
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
		qos_list(store, &all, arena, &prio->qos))
		return -1;
	if ((prio->conf->enforce & ENFORCE_LIMITS) &&
		accrue_load(store, prio->shares.cluster_key, at, arena,
			&times))
		return -1;
	prio->accrue = accrue_jobs(times);
	return jobprio_prepare(prio, arena, store->err);
}
