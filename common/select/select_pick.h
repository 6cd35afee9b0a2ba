/*
 * What the rules of common/select/select.h share: counts what is taken and what
 * the job still needs. Private to common/select.
 */
#pragma once

#include "common/select/select.h"

struct pick {
	const struct select_job *job;
	struct select_node *nodes;
	size_t n;
	uint32_t least, want, most; /* node counts, of the range */
	/* Still needed: CPUs, and nodes to the wanted, least and most count. */
	int64_t cpus, nodes_left, least_left, most_left;
	int64_t cpus_most; /* CPUs that may still be taken */
	uint64_t gpus;	   /* still needed */
};

/* Begins with nothing taken: sets `use` (pick_usable) and `got` (0) of every
 * node. */
void pick_begin(struct pick *, const struct select_job *,
	const struct select_range *, struct select_node *, size_t n);

/* The node's `cpus`; 0 if these are too few for the tasks that must run on a
 * node. */
uint32_t pick_usable(const struct select_job *, const struct select_node *);

/* Takes the node's `use` CPUs, or fewer, so that a CPU is left for each further
 * node of the least count; sets its `got`. */
void pick_take(struct pick *, struct select_node *);

/* For `n` nodes that are all like this one: counts as taken, at once, the first
 * of them that pick_take would take with all CPUs and without ending the
 * choice. Returns how many. Does not set `got`. */
uint32_t pick_take_first(struct pick *, const struct select_node *, uint32_t n);

/* Takes the nodes that the job names; false: one cannot be used, or they are
 * too many. */
bool pick_required(struct pick *);

/* Has the job all CPUs and GPUs, and as many nodes as it wants? */
bool pick_done(const struct pick *);

/* How many nodes are still needed to the least count: a run with fewer is not
 * sufficient. */
int64_t pick_nodes_needed(const struct pick *);

/* The range, with `least` raised to the nodes that tasks / tasks_per_node
 * needs. */
struct select_range pick_with_tasks(
	const struct select_job *, const struct select_range *);

/* The range's `most`, but no more nodes than tasks, if tasks_per_node is not
 * given; never below `least`. */
uint32_t pick_most_by_tasks(
	const struct select_job *, const struct select_range *);

/* Has the job all CPUs and GPUs and at least the least count of nodes? Then a
 * rule may succeed although pick_done() is false. */
bool pick_enough(const struct pick *);

/* The rules, after pick_begin; pick_in_order has those with an order.
 * They take nodes; true: the job has what it needs. */
bool pick_consecutive(struct pick *);
bool pick_least_loaded(struct pick *);
bool pick_in_order(struct pick *, enum select_rule);

/* For a job on one node: chooses the first node that is enough, lowest weight
 * first, and sets `got`. False: none is enough. */
bool select_one(const struct select_job *, struct select_node *, size_t n);
