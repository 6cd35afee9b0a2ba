/*
 * Clusters and their records (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_cluster.c).
 *
 * Functions that return int: 0, or -1 with store->err set. Results are in the
 * arena. Functions that write expect store_begin() to have been called.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/assoc.h"
#include "common/table/fields.h"
#include "db/store/store.h"

struct cluster {
	int64_t key;
	const char *name;
	const char *control_host;
	uint32_t control_port, rpc_version;
	uint32_t classification;
	const char *classification_text;
	uint32_t flags;
	const char *flags_text;
	const char *features_text; /* a comma list */
	struct strv features;
	const char *federation;
	/* fed_id: from 1, 0: in no federation. fed_state: 1 ACTIVE, with bits
	 * 0x10 DRAIN, 0x20 REMOVE. */
	uint32_t fed_id, fed_state;
	const char *fed_state_text;
	const char *nodes; /* host list, of the newest capacity (event.h) */
	uint32_t node_count;
	struct tres_list tres;
	bool deleted;
	const char *new_name; /* only set, never loaded */
	struct assoc root; /* its root association, as assoc_list gives it */
};

struct cluster_list {
	struct cluster *v;
	size_t n, cap;
};

struct cluster_cond {
	struct strv names, federations, rpc_versions;
	struct strv classifications; /* words; a bit in common is enough */
	bool with_deleted;
};

extern const struct members cluster_members;

/* The row of cluster_members for a member that is set. */
#define cluster_attr(member)                                                   \
	member_at(&cluster_members, offsetof(struct cluster, member))

/* "*Capacity"; `none`: what no class is called. */
const char *cluster_classification_text(
	uint32_t bits, const char *none, struct arena *);
/* "DRAIN"; 0: "NA". */
const char *cluster_fed_state_text(uint32_t state);

/* The classification that a word in lower case means: capab... 1, capac... 2,
 * capap... 3; a `*` in front or `class` anywhere adds 0x100 (classified). 0:
 * none of these. */
uint32_t cluster_classification(const char *text);

/* What is said where it is 0. */
#define CLASSIFICATION_UNKNOWN                                                 \
	"unknown Classification '%s': Capability, Capacity or Capapacity"

/* Those of the condition together. */
uint32_t cluster_classes(const struct cluster_cond *);

/* Clusters in order of their names. */
int cluster_list(struct store *, const struct cluster_cond *, struct arena *,
	struct cluster_list *);

/* Adds the names of all clusters that are not deleted, in order, case
 * ignored. */
int cluster_names(struct store *, struct arena *, struct strv *);

/* The key of a cluster, or 0 when there is none (or only a deleted one); -1. */
int64_t cluster_key(struct store *, const char *name);

/* Its name, a deleted one's too, in the arena: 1; 0: there is none; -1. */
int cluster_name(
	struct store *, int64_t key, struct arena *, const char **name);

/* *unknown: the first of the names that is not a cluster, or NULL. */
int cluster_unknown(
	struct store *, const struct strv *names, const char **unknown);

/* The cluster names of a comma list as typed for -M, in lower case; with "all"
 * among them, of every cluster. *unknown: the first that is not a cluster, or
 * NULL. */
int cluster_typed(struct store *, const char *typed, struct arena *,
	struct strv *names, const char **unknown);

/* Adds the names of all clusters in the federation of that cluster; none when
 * it is in no federation. */
int cluster_federation(
	struct store *, const char *name, struct arena *, struct strv *members);
/* As cluster_federation, from a list already read; returns the federation's
 * name, or "". */
const char *cluster_list_federation(const struct cluster_list *,
	const char *name, struct arena *, struct strv *members);

/* Adds the cluster, or revives a deleted one, with its two root associations:
 * account root, and user root in it. The settings are of the account row. Logs
 * it. */
int cluster_add(struct store *, const char *name, const struct settings *,
	struct arena *);

/* What cluster_set writes to the cluster's record. */
struct cluster_values {
	uint32_t classification, fed_state; /* NO_VAL: unchanged */
	const char *features; /* a comma list; NULL: unchanged */
	/* NULL: unchanged; else one that none has, not even a deleted one. */
	const char *name;
};

int cluster_set(
	struct store *, const char *name, const struct cluster_values *);

/* Removes the cluster, its associations, wckeys, usage and resource shares.
 * What is younger than a day and has no jobs is erased, the rest is marked
 * deleted. Logs it. The cluster must exist. */
int cluster_remove(struct store *, const char *name, struct arena *);
