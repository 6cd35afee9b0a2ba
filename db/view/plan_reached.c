/*
 * Running jobs that have reached a limit; see plan.h.
 */
#include "common/text/jobstate.h"
#include "common/text/reason.h"
#include "db/view/plan.h"

static int64_t ran(const struct plan *plan, const struct job *job)
{
	int64_t until = job->suspended_since ? job->suspended_since : plan->at;

	return until - job->start - job->suspended;
}

int plan_reached(struct plan *plan, const struct job *job, unsigned *reason)
{
	struct limits_of of = {job->assoc, job->qos,
		conf_partition_by_name(&plan->site->conf, job->partition),
		job->user, job->account};
	struct limit_job in = {.tres = &job->tres_alloc,
		.time_limit = job->time_limit,
		.tasks = 1};
	struct limit_chain *chain;
	const struct qos *qos;
	int found;

	*reason = REASON_NONE;
	if (!(plan->site->conf.enforce & ENFORCE_LIMITS) || !job->start ||
		job_state_pending(job->state))
		return 0;
	found = limits_chain(&plan->limits, &of, &chain, &qos);
	if (found > 0)
		*reason = limits_reached(
			chain, &in, (uint64_t)ran(plan, job));
	return found < 0 ? -1 : 0;
}
