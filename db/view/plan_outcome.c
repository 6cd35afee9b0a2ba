/*
 * What becomes of one waiting job; part of db/view/plan.h.
 */
#include "common/base/numbers.h"
#include "common/text/reason.h"
#include "db/view/plan.h"

/* Every job gets a start, however far, as by conservative backfill. */
static void look_far(struct backfill *b)
{
	struct sched_params *params = &b->params;

	b->policy = BACKFILL_CONSERVATIVE;
	params->bf_max_job_test = params->bf_node_space_size = 1000000;
	params->bf_max_job_part = params->bf_max_job_user = 0;
	params->bf_max_job_user_part = params->bf_max_job_assoc = 0;
	params->bf_max_job_start = params->bf_job_part_count_reserve = 0;
	params->bf_min_age_reserve = params->bf_min_prio_reserve = 0;
}

/* Its limit, else what its partition gives; NO_VAL: unknown. */
static uint32_t minutes_of(const struct plan *plan,
	const struct sched_job *job, const struct sched_choice *choice)
{
	const struct job *record = job->record;

	if (record->time_limit != NO_VAL)
		return job->time_limit;
	if (choice)
		return (uint32_t)(schedule_seconds(job, choice) / 60);
	return conf_minutes(conf_partition_by_name(
				    &plan->site->conf, record->partition),
		NO_VAL);
}

static void read_outcome(const struct plan *plan, const struct sched_job *job,
	struct arena *arena, struct plan_outcome *out)
{
	const struct verdict v = verdict_of(&plan->schedule, job);
	const struct job *record = job->record;
	const struct sched_plan *later = v.plan;
	const struct sched_choice *choice = job->n_choices ? job->choices : NULL;
	/* Where nodes are kept for all, only a limit keeps a job without. */
	bool estimates = plan->backfill.policy != BACKFILL_CONSERVATIVE;

	*out = (struct plan_outcome){.nodelist = "",
		.reason = v.reason == REASON_RECORDED ? record->reason
			  : v.reason	      ? reason_name(v.reason)
					      : NULL,
		.nodes = job->nodes,
		.cpus = job->cpus};
	if (job->n_starts) {
		choice = job->starts->choice;
		out->start = plan->at;
		out->nodelist = plan_nodelist(plan, job->starts->nodes,
			job->starts->n_nodes, arena);
		out->reason = NULL;
	} else if (later && (later->reserved || (!v.limited && estimates))) {
		choice = later->choice;
		out->start = later->start;
		out->nodelist = plan_nodelist(
			plan, later->nodes, later->n_nodes, arena);
		out->far = !later->reserved;
	}
	out->minutes = minutes_of(plan, job, choice);
}

const struct sched_job *plan_find_key(const struct plan *plan, int64_t key)
{
	const struct schedule *s = &plan->schedule;

	for (size_t i = 0; i < s->n_jobs; i++)
		if (((const struct job *)s->jobs[i].record)->key == key)
			return &s->jobs[i];
	return NULL;
}

int plan_outcome(const struct plan *plan, const struct sched_job *job,
	const struct plan_how *how, struct arena *arena,
	struct plan_outcome *out)
{
	int64_t key = ((const struct job *)job->record)->key;
	struct plan_outcome far;
	struct plan again;

	read_outcome(plan, job, arena, out);
	if (job->waits || (out->start && !out->far))
		return 0;
	if (plan_make(&again, plan->site, plan->cluster, plan->at, how, arena))
		return -1;
	look_far(&again.backfill);
	plan_backfill(&again);
	job = plan_find_key(&again, key);
	if (!job)
		return 0;
	read_outcome(&again, job, arena, &far);
	far.reason = out->reason;
	if (far.start)
		*out = far;
	out->far = out->start != 0;
	return 0;
}
