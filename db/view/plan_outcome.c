/*
 * What becomes of one waiting job; part of db/view/plan.h.
 */
#include "common/base/numbers.h"
#include "common/text/reason.h"
#include "db/view/plan.h"
#include "common/text/jobstate.h"
#include "common/plan/schedule_nodes.h"
#include "db/view/plan_request.h"

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

/* ---- limits that running jobs have reached -------------------------------*/

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

/* ---- what slurm.conf has at all ------------------------------------------*/

/* Slurm accepts it: it waits with PartitionConfig or PartitionNodeLimit. */
static bool is_accepted(
	const struct sched_job *job, const struct sched_partition *p)
{
	return !p->n_nodes || job->nodes > p->n_nodes ||
	       job->nodes > p->max_nodes ||
	       job->cpus > p->largest[p->n_nodes - 1];
}

static bool fits(const struct plan *plan, const struct sched_job *job,
	struct sched_partition *p)
{
	/* One below MinNodes waits, or has a QOS that lets it run. */
	const struct sched_choice there = {
		.partition = p, .may.any_min_nodes = true};

	return p->n_nodes && nodes_needed(&plan->schedule, job, &there);
}

const char *plan_possible(struct site *site, const struct job *job,
	const struct strv *partitions, bool accepted, struct arena *arena)
{
	const struct conf *conf = &site->conf;
	struct sched_job request = {.exclusive = job->exclusive};
	struct plan plan = {.site = site, .arena = arena};

	plan_kinds(&plan);
	plan_load_nodes(&plan);
	plan_load_partitions(&plan);
	schedule_measure(&plan.schedule, arena);
	plan_request(&plan, job, &job->tres_req, &request);
	for (size_t i = 0; i < partitions->n; i++) {
		const struct conf_partition *p =
			conf_partition_by_name(conf, partitions->v[i]);
		struct sched_partition *in =
			p ? &plan.schedule.partitions[p - conf->partitions]
			  : NULL;

		if (in && ((accepted && is_accepted(&request, in)) ||
				  fits(&plan, &request, in)))
			return p->name;
	}
	return NULL;
}
