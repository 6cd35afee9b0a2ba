/*
 * Whether slurm.conf has what a job asks for at all; part of db/view/plan.h.
 */
#include "common/plan/schedule_nodes.h"
#include "db/view/plan_request.h"

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
