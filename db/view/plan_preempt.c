/*
 * Preemption of jobs that wait and run, for the passes: how and when each
 * running job is preempted, which QOS a pending one may preempt, how suspended
 * jobs resume. Part of db/view/plan.h.
 */
#include "common/plan/preempt.h"
#include "db/view/plan_request.h"

int plan_load_preempt(struct plan *plan)
{
	struct preempt_site *site = arena_alloc(plan->arena, sizeof(*site));

	preempt_site_open(site, &plan->site->store, &plan->site->conf,
		&plan->prio.qos, &plan->more_remarks, plan->arena);
	plan->schedule.preempt = site->rules;
	if (!site->rules.by)
		return 0;
	plan->preempt = site;
	return preemption_load(&plan->site->store, plan->prio.cluster,
		plan->arena, &plan->preemptions);
}

/* ---- running jobs --------------------------------------------------------*/

static uint32_t priority_of(const struct plan *plan, const struct job *job)
{
	if (job->priority < NO_VAL)
		return job->priority;
	if (job->last_priority < NO_VAL)
		return job->last_priority;
	return jobprio_highest(&plan->prio, job, plan->arena);
}

void plan_preempt_running(
	struct plan *plan, const struct job *job, struct sched_running *r)
{
	const struct conf_partition *partition =
		conf_partition_by_name(&plan->site->conf, job->partition);
	const struct preemption *noted;
	struct preempt_way way;

	if (!plan->preempt)
		return;
	way = preempt_site_way(plan->preempt, job->qos, partition);
	noted = preemption_find(&plan->preemptions, job->key);
	r->how = job->het_job ? PREEMPTED_NEVER : way.how;
	if (!r->how)
		return;
	r->exempt_until = job->start + job->suspended + way.exempt_time;
	r->gone = plan->at + way.grace_time;
	r->warned = noted;
	if (noted && noted->due < r->gone)
		r->gone = noted->due > plan->at ? noted->due : plan->at;
	r->qos_priority = way.qos_priority;
	r->priority = priority_of(plan, job);
}

/* ---- suspended jobs ------------------------------------------------------*/

bool plan_suspended(const struct plan *plan, const struct job *job)
{
	return (job->state & JOB_BASE_MASK) == JOB_SUSPENDED &&
	       preemption_find(&plan->preemptions, job->key);
}

void plan_resume(struct plan *plan, struct sched_running *r)
{
	bool room = preempt_has_room(&plan->schedule, r, plan->arena);

	r->how = PREEMPTED_NEVER;
	schedule_run(&plan->schedule, r, plan->arena);
	if (room)
		*ARENA_PUSH(plan->arena, plan->resumes, plan->n_resumes,
			plan->cap_resumes) = r->job;
	else
		schedule_suspend(&plan->schedule, plan->schedule.n_running - 1);
}
