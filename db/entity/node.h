/*
 * Nodes that are not in slurm.conf because they register themselves (its
 * MaxNodeCount, NodeSet=... Feature=): what each has, as the rest of a NodeName
 * line. Programs treat them like configured nodes.
 */
#ifndef BURSAR_DB_NODE_H
#define BURSAR_DB_NODE_H

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "db/store/store.h"

/* Written into the line of each, so that programs can tell them. */
#define NODE_REGISTERED "DYNAMIC_NORM"

bool node_is_registered(const struct conf_node *);

/* NodeName lines of those of the cluster that slurm.conf does not have. */
int node_lines(struct store *, const char *cluster, const struct conf *,
	struct arena *, struct strv *lines);

/* 1: new or changed; 0: known already; -1. */
int node_register(struct store *, int64_t cluster, const struct conf_node *);

/* 1: there was one. -1. */
int node_forget(struct store *, int64_t cluster, const char *name);

#endif
