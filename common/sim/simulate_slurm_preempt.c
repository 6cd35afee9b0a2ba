/*
 * Preemption in the simulation of Slurm (common/plan/preempt.h): what becomes of
 * the jobs preempted, and how suspended ones resume. Part of
 * simulate_slurm_state.h. Pure.
 */
#include "common/base/memory.h"
#include "common/plan/preempt.h"
#include "common/sim/simulate_slurm_state.h"

bool slurm_is_suspended(const struct slurm *slurm, uint32_t job)
{
	for (size_t i = 0; i < slurm->n_suspended; i++)
		if (slurm->suspended[i].job == job)
			return true;
	return false;
}

void slurm_preempt_started(struct slurm *slurm, struct sched_running *r)
{
	const struct sim_kind *kind = slurm_kind_of(slurm, slurm_job_of(r));

	if (!slurm->s.preempt.by)
		return;
	r->how = kind->how;
	r->exempt_until = r->began + kind->exempt_time;
	r->qos_priority = kind->qos_priority;
}

/* ---- running on ----------------------------------------------------------*/

/* False: its nodes are still taken, and it stays suspended. */
static bool resume(struct slurm *slurm, const struct slurm_suspended *of)
{
	struct schedule *s = &slurm->s;
	size_t i = slurm_find_running(slurm, of->job);
	struct sched_running r = s->running[i];
	bool room;

	schedule_end(s, i);
	r.start.whole = of->whole;
	room = preempt_has_room(s, &r, &slurm->passing);
	if (room) {
		sim_resume(slurm->sim, of->job);
		r.end = slurm_expected_end(slurm, of->job);
	}
	schedule_run(s, &r, &slurm->passing);
	if (!room)
		schedule_suspend(s, s->n_running - 1);
	return room;
}

static void resume_all(struct slurm *slurm)
{
	size_t n = slurm->n_suspended, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (resume(slurm, &slurm->suspended[i]))
			slurm->changed = true;
		else
			slurm->suspended[kept++] = slurm->suspended[i];
	slurm->n_suspended = kept;
}

void slurm_preempt_set_up(struct slurm *slurm, size_t running)
{
	if (slurm_is_suspended(
		    slurm, slurm_job_of(&slurm->s.running[running])))
		schedule_suspend(&slurm->s, running);
}

void slurm_preempt_begin(struct slurm *slurm)
{
	struct schedule *s = &slurm->s;

	if (!s->preempt.by)
		return;
	resume_all(slurm);
	for (size_t i = 0; i < s->n_running; i++) {
		struct sched_running *r = &s->running[i];
		const struct sim_kind *kind =
			slurm_kind_of(slurm, slurm_job_of(r));

		if (!r->warned)
			r->gone = s->now + kind->grace_time;
		else if (r->gone < s->now)
			r->gone = s->now;
	}
}

/* ---- making way ----------------------------------------------------------*/

static void make_way(struct slurm *slurm, const struct sched_victim *victim)
{
	const struct slurm_run *run = slurm_run_of(victim->job);
	uint32_t job = victim->job->id - 1;

	slurm_stretch_over(slurm, run);
	if (victim->how == PREEMPTED_SUSPEND) {
		sim_suspend(slurm->sim, job);
		*MEMORY_PUSH(slurm->suspended, slurm->n_suspended,
			slurm->cap_suspended) =
			(struct slurm_suspended){job, run->whole};
		return;
	}
	if (victim->how == PREEMPTED_CANCEL) {
		sim_cut(slurm->sim, job, false);
		return;
	}
	sim_requeue(slurm->sim, job);
	*MEMORY_PUSH(slurm->requeued, slurm->n_requeued, slurm->cap_requeued) =
		job;
}

void slurm_preempt_act(struct slurm *slurm, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_starts; i++)
		for (size_t v = 0; v < job->starts[i].n_victims; v++)
			make_way(slurm, &job->starts[i].victims[v]);
}

/* ---- warnings ------------------------------------------------------------*/

static struct sched_running *running_of(
	struct schedule *s, const struct sched_job *job)
{
	for (size_t i = 0; i < s->n_running; i++)
		if (s->running[i].job == job)
			return &s->running[i];
	return NULL;
}

static bool is_named(const struct schedule *s, const struct sched_running *r)
{
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_plans; k++) {
			const struct sched_plan *plan = &s->jobs[i].plans[k];

			for (size_t v = 0; v < plan->n_victims; v++)
				if (plan->victims[v].job == r->job)
					return true;
		}
	return false;
}

static void warn(struct slurm *slurm, const struct sched_plan *plan)
{
	for (size_t v = 0; v < plan->n_victims; v++) {
		struct sched_running *r =
			running_of(&slurm->s, plan->victims[v].job);

		if (!r || r->warned)
			continue;
		r->warned = true;
		r->gone = plan->victims[v].when;
	}
}

void slurm_preempt_warn(struct slurm *slurm)
{
	struct schedule *s = &slurm->s;

	if (!s->preempt.by)
		return;
	for (size_t i = 0; i < s->n_running; i++)
		if (s->running[i].warned && !is_named(s, &s->running[i]))
			s->running[i].warned = false;
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_plans; k++)
			warn(slurm, &s->jobs[i].plans[k]);
}

int64_t slurm_preempt_wake(const struct slurm *slurm)
{
	const struct schedule *s = &slurm->s;
	int64_t wake = SIM_NEVER;

	for (size_t i = 0; s->preempt.by && i < s->n_running; i++)
		if (s->running[i].warned && s->running[i].gone > s->now)
			wake = smaller(wake, s->running[i].gone - slurm->base);
	return wake;
}
