/*
 * Rules that take one node after the other in an order of their own, light
 * nodes first: the last, or those in use. Part of
 * common/select/select.h.
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

	if (a->weight != b->weight)
		return order_of(a->weight, b->weight);
	return rule == SELECT_LAST ? by_index(b, a) : by_use(a, b);
}

static int compare_indexes(const void *x, const void *y)
{
	return by_index(x, y);
}

bool pick_in_order(struct pick *p, enum select_rule rule)
{
	if (!pick_required(p))
		return false;
	qsort_r(p->nodes, p->n, sizeof(*p->nodes), compare, &rule);
	for (size_t i = 0; i < p->n; i++) {
		struct select_node *node = &p->nodes[i];

		if (pick_done(p) || p->most_left <= 0)
			break;
		if (node->use && !node->required)
			pick_take(p, node);
	}
	qsort(p->nodes, p->n, sizeof(*p->nodes), compare_indexes);
	return p->cpus <= 0 && p->least_left <= 0 && !p->gpus;
}
