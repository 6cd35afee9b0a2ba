/*
 * Rules that take one node after the other in an order of their own, light
 * nodes first: the last, those in use, the lowest; or those that have room
 * latest. Part of common/select/select.h.
 */
#include <stdlib.h>

#include "common/select/select_pick.h"

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_index(const struct select_node *a, const struct select_node *b)
{
	return order_of(a->index, b->index);
}

static int by_use(const struct select_node *a, const struct select_node *b)
{
	return a->idle != b->idle ? a->idle - b->idle : by_index(a, b);
}

static int compare(const void *x, const void *y, void *arg)
{
	const struct select_node *a = x, *b = y;
	enum select_rule rule = *(enum select_rule *)arg;

	if (rule == SELECT_FREE_LAST && a->free_at != b->free_at)
		return a->free_at > b->free_at ? -1 : 1;
	if (a->weight != b->weight)
		return order_of(a->weight, b->weight);
	if (rule == SELECT_LAST)
		return by_index(b, a);
	return rule == SELECT_BUSY ? by_use(a, b) : by_index(a, b);
}

static int compare_indexes(const void *x, const void *y)
{
	return by_index(x, y);
}

/* Most are in order already. */
static bool in_order(const struct pick *p, enum select_rule rule)
{
	for (size_t i = 1; i < p->n; i++)
		if (compare(&p->nodes[i - 1], &p->nodes[i], &rule) > 0)
			return false;
	return true;
}

/* Would the choice end with this node, and too early? Slurm's rules find out
 * behind it. */
static bool ends_short(const struct pick *p, const struct select_node *node,
	enum select_rule rule)
{
	return rule >= SELECT_LOWEST && p->most_left == 1 &&
	       (node->use < p->cpus || node->gpus < p->gpus);
}

bool pick_in_order(struct pick *p, enum select_rule rule)
{
	if (!pick_required(p))
		return false;
	if (!in_order(p, rule))
		qsort_r(p->nodes, p->n, sizeof(*p->nodes), compare, &rule);
	for (size_t i = 0; i < p->n; i++) {
		struct select_node *node = &p->nodes[i];

		if (pick_done(p) || p->most_left <= 0)
			break;
		if (node->use && !node->required && !ends_short(p, node, rule))
			pick_take(p, node);
	}
	qsort(p->nodes, p->n, sizeof(*p->nodes), compare_indexes);
	return p->cpus <= 0 && p->least_left <= 0 && !p->gpus;
}
