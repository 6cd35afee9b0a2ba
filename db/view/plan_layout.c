/*
 * Where jobs may lie and where they do: the nodes they named or excluded, what
 * running ones have on each node. Part of db/view/plan.h.
 */

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/layout.h"
#include "common/text/pernode.h"
#include "db/view/plan_request.h"

/* ---- where they may ------------------------------------------------------*/

static uint64_t *empty_set(struct plan *plan)
{
	return arena_array(plan->arena, bits_words(plan->schedule.n_nodes),
		sizeof(uint64_t));
}

const uint64_t *plan_required(struct plan *plan, const struct job *job)
{
	uint64_t *set;

	if (!*job->nodes_wanted)
		return NULL;
	set = empty_set(plan);
	plan_add_nodes(plan, job->nodes_wanted, set);
	return set;
}

const uint64_t *plan_may(struct plan *plan, const struct job *job)
{
	const uint64_t *features = plan_features(plan, job->constraints);
	size_t words = bits_words(plan->schedule.n_nodes);
	uint64_t *set, *excluded;

	if (!*job->nodes_excluded)
		return features;
	set = empty_set(plan);
	excluded = empty_set(plan);
	plan_add_nodes(plan, job->nodes_excluded, excluded);
	for (size_t w = 0; w < words; w++)
		set[w] = (features ? features[w] : UINT64_MAX) & ~excluded[w];
	return set;
}

/* ---- where they lie ------------------------------------------------------*/

static bool is_told(
	struct plan *plan, const struct job *job, struct layout_job *out)
{
	struct pernode list;

	if (!*job->cpus_on ||
		pernode_parse(job->cpus_on, false, plan->arena, &list) ||
		list.n != out->n)
		return false;
	for (size_t i = 0; i < out->n; i++)
		out->on[i] = (uint32_t)list.v[i];
	return true;
}

static void limit_by_partition(
	const struct plan *plan, const struct job *job, struct layout_job *out)
{
	const struct conf *conf = &plan->site->conf;
	const struct conf_partition *p =
		conf_partition_by_name(conf, job->partition);

	out->partition = p ? (uint32_t)(p - conf->partitions) + 1 : 0;
	out->most_on = p && p->max_cpus_per_node < NO_VAL ? p->max_cpus_per_node
							  : UINT32_MAX;
}

static void describe(
	struct plan *plan, const struct job *job, struct layout_job *out)
{
	struct conf_places places = conf_nodes_listed(
		&plan->site->conf, job->nodelist, plan->arena);

	/* Unless slurm.conf has them all nothing is known. */
	out->n = places.unknown ? 0 : places.n;
	out->nodes = places.v;
	out->on = arena_array(plan->arena, out->n, sizeof(*out->on));
	out->cpus = (uint32_t)tres_list_count(&job->tres_alloc, TRES_CPU);
	out->each = job->cpus_per_task ? job->cpus_per_task : 1;
	out->even = job->tasks_per_node || (!job->tasks && plan->by_node);
	out->began = job->start;
	limit_by_partition(plan, job, out);
	out->told = is_told(plan, job, out);
	if (job->exclusive && !out->told) {
		for (size_t i = 0; i < out->n; i++)
			out->on[i] = plan->schedule.nodes[out->nodes[i]].cpus;
		out->told = true;
	}
}

static const uint64_t *memory_on(struct plan *plan, const struct job *job,
	const struct layout_job *layout)
{
	uint64_t *mem = arena_array(plan->arena, layout->n, sizeof(*mem));
	uint64_t all = tres_list_count(&job->tres_alloc, TRES_MEM);
	struct pernode list = {0};

	if (!plan->site->conf.memory_consumable)
		return mem;
	if (*job->mem_on &&
		pernode_parse(job->mem_on, true, plan->arena, &list))
		list.n = 0;
	for (size_t i = 0; i < layout->n; i++) {
		if (list.n == layout->n)
			mem[i] = list.v[i];
		else if (job->mem_per_cpu)
			mem[i] = job->mem_per_cpu * layout->on[i];
		else
			mem[i] = all / layout->n + (all % layout->n != 0);
	}
	return mem;
}

/*
 * A record may not say whether `-N2 -n8` or `-N2 --ntasks-per-node=4` was asked
 * for, nor whether `-N1` was. What runs tells: where jobs got more nodes than
 * they are on record with, people ask for tasks; where all of several nodes got
 * just those, for nodes.
 */
static bool ask_by_node(const struct plan *plan)
{
	size_t exact = 0;

	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];

		if (!job_state_started(job->state) || !plan_shape_unsaid(job))
			continue;
		if (job->nodes_alloc > job_least_nodes(job))
			return false;
		exact += job->nodes_alloc > 1;
	}
	return exact > 0;
}

void plan_lay_out(struct plan *plan)
{
	struct schedule *s = &plan->schedule;
	uint32_t *sizes = arena_array(plan->arena, s->n_nodes, sizeof(*sizes));
	struct layout_job *jobs =
		arena_array(plan->arena, plan->jobs.n, sizeof(*jobs));
	size_t n = 0;

	plan->by_node = ask_by_node(plan);
	plan->layouts =
		arena_array(plan->arena, plan->jobs.n, sizeof(*plan->layouts));
	for (size_t i = 0; i < s->n_nodes; i++)
		sizes[i] = s->nodes[i].cpus;
	for (size_t i = 0; i < plan->jobs.n; i++)
		if (job_state_started(plan->jobs.v[i].state)) {
			describe(plan, &plan->jobs.v[i], &jobs[n]);
			jobs[n].job = i;
			n += jobs[n].n > 0;
		}
	layout_guess(jobs, n, sizes, s->n_nodes, plan->arena);
	for (size_t j = 0; j < n; j++)
		plan->layouts[jobs[j].job] = (struct plan_layout){jobs[j].n,
			jobs[j].on,
			memory_on(plan, &plan->jobs.v[jobs[j].job], &jobs[j])};
}
