#include "common/plan/schedule_conf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text/reason.h"

static int compare_weights(const void *a, const void *b, void *arg)
{
	const struct conf_node *nodes = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (nodes[x].weight != nodes[y].weight)
		return nodes[x].weight < nodes[y].weight ? -1 : 1;
	return (x > y) - (x < y);
}

static void set_nodes(const struct conf *conf,
	const struct conf_partition *from, struct sched_partition *to,
	struct arena *arena)
{
	uint32_t *indexes = arena_array(arena, from->nodes.n, sizeof(*indexes));

	for (size_t i = 0; i < from->nodes.n; i++) {
		const struct conf_node *node =
			conf_node_by_name(conf, from->nodes.v[i]);

		if (node)
			indexes[to->n_nodes++] = (uint32_t)(node - conf->nodes);
	}
	if (to->n_nodes)
		qsort_r(indexes, to->n_nodes, sizeof(*indexes), compare_weights,
			conf->nodes);
	to->nodes = indexes;
}

static bool whole_nodes(const struct conf *conf)
{
	return conf->select_type &&
	       !strcasecmp(conf->select_type, "select/linear");
}

static bool has_parameter(const struct conf *conf, const char *word)
{
	return conf->select_type_parameters &&
	       strcasestr(conf->select_type_parameters, word);
}

void schedule_partition_of(const struct conf *conf,
	const struct conf_partition *from, struct sched_partition *to,
	struct arena *arena)
{
	static const unsigned refuses[] = {
		[PARTITION_UP] = REASON_NONE,
		[PARTITION_DOWN] = REASON_PARTITION_DOWN,
		[PARTITION_DRAIN] = REASON_NONE,
		[PARTITION_INACTIVE] = REASON_PARTITION_INACTIVE,
	};

	*to = (struct sched_partition){
		.name = from->name,
		.refuses = refuses[from->state],
		.tier = from->priority_tier,
		.max_time = from->max_time,
		.default_time = from->default_time,
		.min_nodes = from->min_nodes,
		.max_nodes = from->max_nodes,
		.max_cpus_per_node = from->max_cpus_per_node,
		.exclusive = !from->max_share || whole_nodes(conf),
		.exclusive_user = from->exclusive_user,
		.least_loaded = from->lln || has_parameter(conf, "CR_LLN"),
	};
	set_nodes(conf, from, to, arena);
}
