/*
 * What the rules share while nodes are picked: part of common/select/select.h.
 */
#ifndef BURSAR_SELECT_PICK_H
#define BURSAR_SELECT_PICK_H

#include "common/select/select.h"

struct pick {
	const struct select_job *job;
	struct select_node *nodes;
	size_t n;
	uint32_t least, want, most;
	/* What is still missing. */
	int64_t cpus, nodes_left, least_left, most_left;
	int64_t cpus_most; /* no more than that may be taken */
	uint64_t gpus;
};

/* Begins: nothing is taken yet. Sets `use` of every node. */
void pick_begin(struct pick *, const struct select_job *,
	const struct select_range *, struct select_node *, size_t n);

/* CPUs the job could use of a node: whole tasks. */
uint32_t pick_usable(const struct select_job *, const struct select_node *);

/* Takes the node, leaving a CPU for each further node that must be taken. */
void pick_take(struct pick *, struct select_node *);

/* Of so many nodes that are all like this one takes those of which as much is
 * taken as there is and which are not the last ones; how many? */
uint32_t pick_take_first(struct pick *, const struct select_node *, uint32_t n);

/* Takes the nodes that the job named; false: not all are available. */
bool pick_required(struct pick *);

/* Is nothing missing? */
bool pick_done(const struct pick *);

/* Nodes that a run must have to be enough. */
int64_t pick_nodes_needed(const struct pick *);

/* The range for so many tasks: never fewer nodes than they need ... */
struct select_range pick_with_tasks(
	const struct select_job *, const struct select_range *);

/* ... and this instead of its `most`, never more than tasks. */
uint32_t pick_most_by_tasks(
	const struct select_job *, const struct select_range *);

/* May it end here, with as many nodes as were picked? */
bool pick_enough(const struct pick *);

/* The rules. */
bool pick_consecutive(struct pick *);
bool pick_least_loaded(struct pick *);
bool pick_in_order(struct pick *, enum select_rule);

/* The first single node that is enough, by weight. */
bool select_one(const struct select_job *, struct select_node *, size_t n);

#endif
