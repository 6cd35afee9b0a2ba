/*
 * The association tree of one cluster with its shares, usage and fair-share
 * factors: lean rows in listing order, for sshare, sprio and the planner
 * (spec/priority.md 1 - 3, 6.5). The numbers come from common/fair/fairshare.h;
 * who loads the tree (db/view/shares.h) adds row after row. Pure.
 */
#ifndef BURSAR_SHARES_H
#define BURSAR_SHARES_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"
#include "common/text/tres.h"

/* What beyond shares, usage and factors; or-ed. */
enum shares_detail {
	SHARES_TRES_USAGE = 1 << 0,  /* tres_seconds, tres_run_seconds */
	SHARES_TRES_LIMITS = 1 << 1, /* grp_tres_mins */
	SHARES_NONE = 1 << 2,	     /* the cluster alone: no association */
};

/* One association beside its fs_node. */
struct share {
	int64_t key;
	uint32_t id;
	uint32_t priority; /* its own or the nearest above; INFINITE: none */
	const char *account;
	const char *user, *partition; /* "" on account rows, mostly "" */
	/* With the details, else NULL: by index in the store's catalogue, with
	 * all below it; and the limits of its own. */
	double *tres_seconds, *tres_run_seconds;
	struct tres_list *grp_tres_mins;
	/* Seconds times billing, with all below it. Unlike the node's, which
	 * the factors are made of, it is without what RawUsage=0 took away a
	 * moment ago. */
	long double usage_raw;
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

/* A row as it is read. Text need not last. */
struct share_row {
	int64_t key, parent; /* keys; of the root's parent any */
	uint32_t id, shares_raw;
	uint32_t priority; /* INFINITE: the nearest above */
	const char *lineage; /* tells account, user and partition */
};

/* The tree while rows are added. */
struct shares_tree {
	struct shares *shares;
	struct arena *arena;
	size_t n_nodes, cap_nodes, n_v, cap_v;
	uint32_t *stack; /* the accounts above the row that was added last */
	size_t depth, cap_stack;
};

/* No tree yet, with room for so many rows. */
void shares_begin(
	struct shares_tree *, struct shares *, size_t most, struct arena *);

/* Rows come in order of lineage, the root first. */
void shares_add(struct shares_tree *, const struct share_row *);

/* Room for tres_seconds and tres_run_seconds of that many TRES. */
void shares_make_room(struct shares *, size_t n_tres, struct arena *);

/* Adds usage_raw and the seconds of every row to all above it. */
void shares_sum(struct shares *, size_t n_tres);

/* Fills what comes from the rows and their usage: factors, users, the highest
 * priority. */
void shares_finish(struct shares *, const struct policy *);

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
