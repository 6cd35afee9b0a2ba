/*
 * The least loaded nodes first, those of a weight after lighter ones. Part of
 * common/select/select.h.
 */
#include "common/select/select_pick.h"

/* Is more of its CPUs free? */
static bool is_emptier(const struct select_node *a, const struct select_node *b)
{
	return (uint64_t)a->free * b->size > (uint64_t)b->free * a->size;
}

static bool is_open(const struct select_node *node, uint64_t weight)
{
	return node->use && !node->got && node->weight == weight;
}

/*
 * The least loaded, first of equals; NULL: none is left. Slurm stops at a node
 * as empty as the last one it took, and then counts for it what the node it
 * looked at last could give (`use`): 26.05 does so (_eval_nodes_lln).
 */
static struct select_node *emptiest(
	struct pick *p, uint64_t weight, int64_t last, uint32_t *use)
{
	struct select_node *best = NULL;

	for (size_t i = 0; i < p->n; i++) {
		struct select_node *node = &p->nodes[i];

		if (!is_open(node, weight))
			continue;
		*use = node->use;
		if (best && !is_emptier(node, best))
			continue;
		best = node;
		if (node->free == last)
			break;
	}
	return best;
}

static bool complete(const struct pick *p)
{
	return p->most_left <= 0 || pick_done(p);
}

static void take_weight(struct pick *p, uint64_t weight)
{
	int64_t last = -1;

	while (!complete(p)) {
		uint32_t use;
		struct select_node *node = emptiest(p, weight, last, &use);

		if (!node)
			return;
		if (use < node->use)
			node->use = use;
		pick_take(p, node);
		last = node->free;
	}
}

/* The lowest weight above `weight`; false: none. */
static bool next_weight(const struct pick *p, bool any, uint64_t *weight)
{
	bool found = false;
	uint64_t next = 0;

	for (size_t i = 0; i < p->n; i++) {
		uint64_t own = p->nodes[i].weight;

		if ((any && own <= *weight) || (found && own >= next))
			continue;
		found = true;
		next = own;
	}
	*weight = next;
	return found;
}

bool pick_least_loaded(struct pick *p)
{
	uint64_t weight = 0;

	if (!pick_required(p))
		return false;
	for (bool any = false; !complete(p) && next_weight(p, any, &weight);
		any = true)
		take_weight(p, weight);
	return p->cpus <= 0 && p->least_left <= 0 && !p->gpus;
}
