/*
 * splan --start: jobs preempted for others (Slurm's src/interfaces/preempt.c).
 * They end, are requeued or suspended when the job they are preempted for
 * starts; those with a grace time are warned and run until it is over. Nothing
 * here sends a signal: whatever runs the jobs reads the warnings. Part of
 * cmd/splan/write.c.
 */
#include "cmd/splan/write.h"

#include "common/base/numbers.h"

/* ---- making way ----------------------------------------------------------*/

/* Ends a present suspension. */
static void count_suspension(const struct plan *plan, struct job *job)
{
	if ((job->state & JOB_BASE_MASK) == JOB_SUSPENDED &&
		job->suspended_since && plan->at > job->suspended_since)
		job->suspended += plan->at - job->suspended_since;
	job->suspended_since = 0;
}

static int end_steps(
	struct store *store, const struct job *job, struct arena *arena)
{
	struct step_list list = {0};

	if (step_load(store, job->key, arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		struct step *step = &list.v[i];

		if (step->end)
			continue;
		step->state = JOB_CANCELLED;
		step->end = job->end > step->start ? job->end : step->start;
		if (step_save(store, step))
			return -1;
	}
	return 0;
}

static int end_run(struct plan *plan, struct job *job, struct arena *arena)
{
	struct store *store = &plan->site->store;

	count_suspension(plan, job);
	job->state = JOB_PREEMPTED;
	job->end = plan->at > job->start ? plan->at : job->start;
	if (job_save(store, &plan->site->conf.policy, job) ||
		end_steps(store, job, arena))
		return -1;
	return preemption_remove(store, job->key);
}

/* The same job, submitted again (as srecord records requeues). */
static int queue_again(struct plan *plan, const struct job *ran)
{
	struct job job = *ran;

	job.key = 0;
	job.submit = plan->at > ran->submit ? plan->at : ran->submit + 1;
	job.state = JOB_PENDING;
	job.reason = "";
	job.start = job.end = job.begin = job.suspended = 0;
	job.eligible = job.submit;
	job.accrue = 0;
	job.restarts++;
	job.nodelist = "";
	job.nodes_alloc = 0;
	job.tres_alloc = (struct tres_list){0};
	job.billing = 0;
	job.part_qos = 0;
	job.wall_limit = NO_VAL;
	job.exit_code = job.derived_ec = 0;
	return job_save(&plan->site->store, &plan->site->conf.policy, &job);
}

static int suspend(struct plan *plan, struct job *job, int64_t preemptor)
{
	struct preemption note = {job->key, preemptor, plan->at, plan->at};

	job->state = JOB_SUSPENDED;
	job->suspended_since = plan->at;
	if (job_save(&plan->site->store, &plan->site->conf.policy, job))
		return -1;
	return preemption_save(&plan->site->store, &note);
}

static int make_way(struct plan *plan, const struct sched_victim *victim,
	int64_t preemptor, struct arena *arena)
{
	struct job job = *(const struct job *)victim->job->record;

	if (victim->how == PREEMPTED_SUSPEND)
		return suspend(plan, &job, preemptor);
	if (end_run(plan, &job, arena))
		return -1;
	return victim->how == PREEMPTED_REQUEUE ? queue_again(plan, &job) : 0;
}

int preempt_victims(struct plan *plan, const struct sched_start *start,
	const struct sched_job *by, struct arena *arena)
{
	const struct job *preemptor = by->record;

	for (size_t i = 0; i < start->n_victims; i++)
		if (make_way(plan, &start->victims[i], preemptor->key, arena))
			return -1;
	return 0;
}

/* ---- running on ----------------------------------------------------------*/

static int resume(struct plan *plan, int64_t key, struct arena *arena)
{
	struct store *store = &plan->site->store;
	struct job job;
	int found;

	job_init(&job);
	found = job_by_key(store, key, arena, &job);
	if (found != 1 || (job.state & JOB_BASE_MASK) != JOB_SUSPENDED)
		return found < 0 ? -1 : 0;
	count_suspension(plan, &job);
	job.state = JOB_RUNNING;
	if (job_save(store, &plan->site->conf.policy, &job))
		return -1;
	return preemption_remove(store, key);
}

int preempt_resume(struct plan *plan, struct arena *arena)
{
	for (size_t i = 0; i < plan->n_resumes; i++) {
		const struct job *job = plan->resumes[i]->record;

		if (resume(plan, job->key, arena))
			return -1;
	}
	return 0;
}

/* ---- warnings ------------------------------------------------------------*/

static int warn(struct plan *plan, const struct sched_victim *victim,
	const struct sched_job *by)
{
	const struct job *job = victim->job->record;
	const struct preemption *known =
		preemption_find(&plan->preemptions, job->key);
	struct preemption note = {job->key,
		((const struct job *)by->record)->key, plan->at, victim->when};

	if (known) {
		note.warned = known->warned;
		note.due = known->due;
	}
	return preemption_save(&plan->site->store, &note);
}

static bool is_named(const struct sched_plan *p, int64_t key)
{
	for (size_t i = 0; i < p->n_victims; i++) {
		const struct job *job = p->victims[i].job->record;

		if (job->key == key)
			return true;
	}
	return false;
}

static bool still_makes_way(const struct plan *plan, int64_t key)
{
	const struct schedule *s = &plan->schedule;

	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_plans; k++)
			if (is_named(&s->jobs[i].plans[k], key))
				return true;
	return false;
}

/* Its nodes are no longer needed. */
static int take_back(struct plan *plan)
{
	for (size_t i = 0; i < plan->schedule.n_running; i++) {
		const struct job *job = plan->schedule.running[i].job->record;

		if (plan->schedule.running[i].warned &&
			!still_makes_way(plan, job->key) &&
			preemption_remove(&plan->site->store, job->key))
			return -1;
	}
	return 0;
}

int preempt_warn(struct plan *plan)
{
	const struct schedule *s = &plan->schedule;

	if (!plan->preempt)
		return 0;
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_plans; k++) {
			const struct sched_plan *p = &s->jobs[i].plans[k];

			for (size_t v = 0; v < p->n_victims; v++)
				if (warn(plan, &p->victims[v], &s->jobs[i]))
					return -1;
		}
	return take_back(plan);
}

bool preempt_writes(const struct plan *plan)
{
	const struct schedule *s = &plan->schedule;

	if (plan->n_resumes || plan->preemptions.n)
		return true;
	for (size_t i = 0; plan->preempt && i < s->n_jobs; i++)
		for (size_t k = 0; k < s->jobs[i].n_plans; k++)
			if (s->jobs[i].plans[k].n_victims)
				return true;
	return false;
}
