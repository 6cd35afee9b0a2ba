/*
 * Clusters and their records (spec/sacctmgr.md 3.3, 5.1).
 */
#ifndef BURSAR_CLUSTER_H
#define BURSAR_CLUSTER_H

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
	uint32_t fed_id, fed_state;
	const char *fed_state_text;
	const char *nodes;
	uint32_t node_count;
	struct tres_list tres;
	bool deleted;
	struct assoc root; /* its root association, inherited values filled */
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

/* The bits of a word in lower case: capac..., capab..., capap...; a `*` in
 * front or `class` anywhere adds the bit of classified work. */
uint32_t cluster_classification(const char *text);

int cluster_list(struct store *, const struct cluster_cond *, struct arena *,
	struct cluster_list *);

/* Names of all clusters that are not deleted, in the order they were added. */
int cluster_names(struct store *, struct arena *, struct strv *);

/* The key of a cluster, or 0 when there is none (or only a deleted one);
 * -1 on an error of the store. */
int64_t cluster_key(struct store *, const char *name);

/* The first of the names that is not a cluster, or NULL. */
int cluster_unknown(
	struct store *, const struct strv *names, const char **unknown);

/* The clusters of a list as typed for -M, in lower case; with "all" among them,
 * every cluster. `unknown`: the first that is not a cluster, or NULL. */
int cluster_typed(struct store *, const char *typed, struct arena *,
	struct strv *names, const char **unknown);

/* Appends all members of the federation the cluster is in; none when it is in
 * none. */
int cluster_federation(
	struct store *, const char *name, struct arena *, struct strv *members);
/* The same among those of the list; the federation's name, or "". */
const char *cluster_list_federation(const struct cluster_list *,
	const char *name, struct arena *, struct strv *members);

/* Makes the cluster with its two root associations, or revives a deleted one.
 * `settings` go to the root account row. */
int cluster_add(struct store *, const char *name, const struct settings *,
	struct arena *);

/* What is set of the cluster's record. */
struct cluster_values {
	uint32_t classification, fed_state; /* NO_VAL: stays */
	const char *features;		    /* a comma list; NULL: unchanged */
};

int cluster_set(
	struct store *, const char *name, const struct cluster_values *);

/* Removes the cluster with all that belongs to it. */
int cluster_remove(struct store *, const char *name, struct arena *);

#endif
