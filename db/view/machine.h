/*
 * A cluster's nodes and partitions as sinfo and scontrol show them: what
 * slurm.conf says of them, the open events of the store, present reservations,
 * what running jobs hold. Nothing is written. Memory is the arena's.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/member.h"
#include "common/text/nodestate.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/view/plan.h"

struct machine;

struct machine_node {
	const struct machine *machine;
	const struct conf_node *conf;
	uint32_t state; /* common/text/nodestate.h */
	uint32_t cpus_alloc;
	uint64_t mem_alloc;    /* MiB */
	const char *gres_used; /* "gpu:2", "" */
	/* Why it is down or drained, who set that ("": unknown), since when (0:
	 * it is neither). */
	const char *reason, *reason_user;
	int64_t reason_time;
	const char *reservation; /* name of the one that holds it now, or "" */
	const char *comment, *extra, *instance_id, *instance_type;
	struct strv partitions;
};

struct machine_partition {
	const struct machine *machine;
	const struct conf_partition *conf;
	size_t index; /* in slurm.conf */
	const struct machine_node **nodes; /* its nodes that slurm.conf has */
	size_t n_nodes;
	uint32_t cpus;	       /* of all its nodes */
	const char *node_text; /* its nodes as a host list */
	bool shown;	       /* `allowed`, and not Hidden=YES */
	bool allowed;	       /* the caller may see it */
};

struct machine {
	struct site *site;
	const char *cluster;
	struct plan plan;
	struct machine_node *nodes; /* in the order of slurm.conf */
	size_t n_nodes; /* 0 when they are private */
	struct machine_partition *partitions;
	size_t n_partitions;
	bool nodes_private; /* PrivateData hides nodes from this caller */
};

/*
 * Loads the site's own cluster as of site->now; another one is an error, as
 * slurm.conf does not describe it. What PrivateData hides from the caller
 * (nodes, partitions, reservations, reasons) is left out. 0, or -1 with the
 * store's error.
 */
int machine_load(struct machine *, struct site *, const char *cluster,
	struct arena *);

/* The node or partition of that name; NULL: there is none. */
const struct machine_node *machine_node(
	const struct machine *, const char *name);
const struct machine_partition *machine_partition(
	const struct machine *, const char *name);

/* TRES as Slurm prints them, "cpu=4,mem=8000M,billing=4": what the node or
 * partition has (CfgTRES, TRES), what jobs hold of the node (AllocTRES). */
const char *machine_node_tres(const struct machine_node *, struct arena *);
const char *machine_node_tres_used(const struct machine_node *, struct arena *);
const char *machine_partition_tres(
	const struct machine_partition *, struct arena *);

/* The node's Port, else SlurmdPort. */
uint64_t machine_node_port(const struct machine_node *);

/* The words of the partition's PreemptMode, else of the cluster's. */
const char *machine_preempt_mode(
	const struct machine_partition *, struct arena *);

/* "YES:4", "FORCE:1", "NO". */
const char *machine_oversubscribe(
	const struct machine_partition *, struct arena *);
/* "NODE", "USER", "TOPO", "NO". */
const char *machine_exclusive(const struct machine_partition *);
/* "UP", "DOWN", "DRAIN", "INACTIVE". */
const char *machine_partition_state(const struct machine_partition *);

/* Slurm's JSON records of nodes and partitions (data_parser/v0.0.45). */
extern const struct members machine_node_members;
extern const struct members machine_partition_members;
