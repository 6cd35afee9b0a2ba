/*
 * What the nodes of slurm.conf have, and what the cluster is taken to have as
 * long as nobody has recorded it (`srecord cluster`).
 *
 * Functions that return int: 0, or -1 with the error of the site's store,
 * unless they say otherwise. What they find is in the arena.
 */
#pragma once

#include "db/entity/event.h"
#include "db/entity/site.h"

/* Adds what these nodes of slurm.conf have; the billing of a node is the
 * highest over its partitions. -1: TRESBillingWeights of one of them cannot be
 * read. */
int capacity_of_nodes(struct site *, const struct conf_node *const *nodes,
	size_t n, struct arena *, struct tres_list *);

/* Sets the host list and the TRES of the event, each unless it has one, to
 * those of all nodes of slurm.conf. */
int capacity_configured(struct site *, struct event *, struct arena *);

/* Has the site's cluster jobs, and no capacity although slurm.conf has nodes?
 * 1, 0, or -1. */
int capacity_is_missing(struct site *);

/*
 * Brings the assumed capacity up to date, in a transaction of its own: what
 * slurm.conf has counts from the earliest job on, and what it has after a
 * change from now on. Does nothing where a recorded capacity is the newest,
 * there are no jobs or no nodes, or the store cannot be written now.
 */
int capacity_assume(struct site *);
