/*
 * A job of one node: the first that does, light ones first. Part of
 * common/select/select.h.
 */
#include "common/select/select_pick.h"

static bool does(const struct select_job *job, const struct select_node *node)
{
	return pick_usable(job, node) >= job->cpus;
}

/* The one of lowest weight after `from`, first of equals; NULL: none. */
static struct select_node *next_node(struct select_node *nodes, size_t n,
	const struct select_node *from, const struct select_job *job,
	bool named)
{
	struct select_node *best = NULL;

	for (size_t i = 0; i < n; i++) {
		struct select_node *node = &nodes[i];

		if ((named && !node->required) || !does(job, node))
			continue;
		if (from && (node->weight < from->weight ||
				    (node->weight == from->weight &&
					    node->index <= from->index)))
			continue;
		if (!best || node->weight < best->weight)
			best = node;
	}
	return best;
}

/*
 * GPUs of the job are counted over all nodes that were looked at, as Slurm
 * does, though only the last is taken: it has some.
 */
bool select_one(
	const struct select_job *job, struct select_node *nodes, size_t n)
{
	struct select_node *node = NULL;
	uint64_t gpus = 0;
	bool named = false;

	for (size_t i = 0; i < n; i++) {
		nodes[i].got = 0;
		named |= nodes[i].required;
	}
	while ((node = next_node(nodes, n, node, job, named))) {
		gpus += node->gpus ? node->gpus : 1;
		if (job->gpus && (gpus < job->gpus || !node->gpus))
			continue;
		node->got = job->whole ? node->cpus : job->cpus;
		return true;
	}
	return false;
}
