/*
 * Whether slurm.conf has what a job asks for at all; part of db/view/plan.h.
 */
#include "common/plan/schedule_nodes.h"
#include "db/view/plan_request.h"

static bool possible_in(const struct plan *plan, const struct sched_job *job,
	struct sched_partition *p)
{
	/* One below MinNodes waits, or has a QOS that lets it run. */
	const struct sched_choice there = {
		.partition = p, .may.any_min_nodes = true};

	return !p->n_nodes || job->nodes > p->n_nodes ||
	       job->nodes > p->max_nodes ||
	       job->cpus > p->largest[p->n_nodes - 1] ||
	       nodes_needed(&plan->schedule, job, &there);
}

static bool possible(struct plan *plan, const struct job *job)
{
	const struct conf *conf = &plan->site->conf;
	struct sched_job request = {.exclusive = job->exclusive};
	struct strv names = {0};
	size_t known = 0;

	plan_request(plan, job, &job->tres_req, &request);
	strv_split(&names, plan->arena, job->partition);
	for (size_t i = 0; i < names.n; i++) {
		const struct conf_partition *p =
			conf_partition_by_name(conf, names.v[i]);

		if (!p)
			continue;
		known++;
		if (possible_in(plan, &request,
			    &plan->schedule.partitions[p - conf->partitions]))
			return true;
	}
	return !known;
}

bool plan_possible(
	struct site *site, const struct job *job, struct arena *arena)
{
	struct plan plan = {.site = site, .arena = arena};

	plan_kinds(&plan);
	plan_load_nodes(&plan);
	plan_load_partitions(&plan);
	schedule_measure(&plan.schedule, arena);
	return possible(&plan, job);
}
