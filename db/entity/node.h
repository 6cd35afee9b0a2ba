/*
 * Nodes that are not in slurm.conf because they register themselves (its
 * MaxNodeCount, NodeSet=... Feature=): what each has, as the rest of a NodeName
 * line. Programs treat them like configured nodes.
 */
#pragma once

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "db/entity/site.h"
#include "db/store/store.h"

/* The State= in the line of each, by which node_is_registered knows them. */
#define NODE_REGISTERED "DYNAMIC_NORM"

bool node_is_registered(const struct conf_node *);

/* Adds NodeName lines, in the arena, for the cluster's registered nodes that
 * are not in `conf`; nodes that are alike share a line. 0, or -1 with
 * store->err set. */
int node_lines(struct store *, const char *cluster, const struct conf *,
	struct arena *, struct strv *lines);

/* Records a node of the cluster (key), in an open transaction. 1: it is new or
 * has changed; 0: it was recorded just so; -1. */
int node_register(struct store *, int64_t cluster, const struct conf_node *);

/* Removes the record of a node, in an open transaction. 1: there was one; 0:
 * no; -1. */
int node_forget(struct store *, int64_t cluster, const char *name);

/* May the cluster have a node of that name? It is in slurm.conf, which speaks for
 * this cluster, or on record: it registered itself, or was down once. Any is where
 * slurm.conf has none. 1, 0, or -1 with the store's error. */
int node_is_known(struct site *, const char *cluster, const char *name);
