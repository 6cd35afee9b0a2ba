/*
 * The association tree of one cluster with its shares, usage and fair-share
 * factors: lean rows in listing order, for sshare, sprio and the planner
 * (spec/priority.md 1 - 3, 6.5). The numbers come from common/fair/fairshare.h.
 */
#ifndef BURSAR_DB_SHARES_H
#define BURSAR_DB_SHARES_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"
#include "common/text/tres.h"
#include "db/store/store.h"

/* What beyond shares, usage and factors; or-ed. */
enum shares_detail {
	SHARES_TRES_USAGE = 1 << 0,  /* tres_seconds, tres_run_seconds */
	SHARES_TRES_LIMITS = 1 << 1, /* grp_tres_mins */
};

/* One association beside its fs_node. */
struct share {
	int64_t key;
	uint32_t id;
	const char *account;
	const char *user, *partition; /* "" on account rows, mostly "" */
	uint32_t priority; /* its own or the nearest above; INFINITE: none */
	/* Seconds times billing, with all below it. Unlike the node's, which
	 * the factors are made of, it is without what RawUsage=0 took away a
	 * moment ago. */
	long double usage_raw;
	/* With the details, else NULL: by index in the store's catalogue, with
	 * all below it; and the limits of its own. */
	double *tres_seconds, *tres_run_seconds;
	struct tres_list *grp_tres_mins;
};

struct shares {
	const char *cluster;
	int64_t cluster_key;
	struct fs_node *nodes; /* in listing order; nodes[0] is the root */
	struct share *v;       /* the same indexes */
	uint32_t n;
	uint32_t users;	       /* how many of them are user rows */
	uint32_t max_priority; /* the highest of all; 0: none has one */
	unsigned details;
};

/*
 * Reads the cluster's associations that are not deleted with their usage at
 * the time `at`, and computes. An unknown cluster is an error (ERR_USAGE).
 * All of one snapshot. Memory is the arena's.
 */
int shares_load(struct store *, const struct policy *, const char *cluster,
	int64_t at, unsigned details, struct arena *, struct shares *);

/* A copy of the nodes to change and to compute again; in the arena. */
struct fs_node *shares_nodes(const struct shares *, struct arena *);

/* Fills the output of the nodes under the policy's algorithm; gives the number
 * of users. */
uint32_t shares_compute(struct fs_node *, size_t n, const struct policy *);

/* From keys to indexes; in the arena. */
struct shares_index;
struct shares_index *shares_index(const struct shares *, struct arena *);

/* The index of the association in v and nodes, or UINT32_MAX. */
uint32_t shares_find(const struct shares_index *, int64_t key);

#endif
