/*
 * The association tree of one cluster with its shares, usage and fair-share
 * factors: lean arrays in listing order, for sshare, sprio and the planner
 * (spec/priority.md 1 - 3, 6.5). The numbers come from common/fair/fairshare.h;
 * who loads the tree (db/view/shares.h) adds row after row. Pure.
 */
#ifndef BURSAR_SHARES_H
#define BURSAR_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"
#include "common/text/tres.h"

/* What beyond shares, usage and factors; or-ed. */
enum shares_detail {
	SHARES_TRES_USAGE = 1 << 0,  /* shares_seconds(), shares_run_seconds() */
	SHARES_TRES_LIMITS = 1 << 1, /* shares_limits() */
	SHARES_NONE = 1 << 2,	     /* the cluster alone: no association */
	SHARES_NODES = 1 << 3,	     /* `nodes` */
};

/* What names an association. */
struct share {
	int64_t key;
	uint32_t id;
	uint32_t priority; /* its own or the nearest above; INFINITE: none */
	const char *account;
	const char *user, *partition; /* "" on account rows, mostly "" */
};

/* All arrays are in listing order, the root first. */
struct shares {
	const char *cluster;
	int64_t cluster_key;
	struct fs_tree tree;
	struct share *v;
	uint32_t n;
	uint32_t users;	       /* how many of them are user rows */
	uint32_t max_priority; /* the highest of all; 0: none has one */
	unsigned details;
	/* Seconds times billing, with all below it. Unlike the tree's, which
	 * the factors are made of, it is without what RawUsage=0 took away a
	 * moment ago; where nothing was it is the tree's. */
	long double *usage_raw;
	/* With the details, else NULL. */
	struct fs_node *nodes;
	double *seconds; /* ask shares_seconds(), shares_run_seconds() */
	size_t n_tres;
	struct tres_list **limits; /* of its own; ask shares_limits() */
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
	size_t most;
	uint32_t *stack; /* the accounts above the row that was added last */
	size_t depth, cap_stack;
};

/* No tree yet, with room for so many rows. */
void shares_begin(
	struct shares_tree *, struct shares *, size_t most, struct arena *);

/* Rows come in order of lineage, the root first. */
void shares_add(struct shares_tree *, const struct share_row *);

/* Room for the seconds of that many TRES. */
void shares_make_room(struct shares *, size_t n_tres, struct arena *);

/* By index in the store's catalogue, with all below the row; NULL without
 * SHARES_TRES_USAGE. */
static inline double *shares_seconds(const struct shares *shares, uint32_t i)
{
	return shares->seconds ? shares->seconds + 2 * shares->n_tres * i : NULL;
}

static inline double *shares_run_seconds(
	const struct shares *shares, uint32_t i)
{
	return shares->seconds ? shares_seconds(shares, i) + shares->n_tres
			       : NULL;
}

/* GrpTRESMins of the row itself; NULL without any. */
static inline struct tres_list *shares_limits(
	const struct shares *shares, uint32_t i)
{
	return shares->limits ? shares->limits[i] : NULL;
}

/* Fills what comes from the rows and their own usage (tree.usage_own, and
 * usage_raw or NULL where it is the same): factors, users, the highest priority,
 * and what is below each row added to it. In the arena. */
void shares_finish(struct shares *, const struct policy *, struct arena *);

/* All nodes as structs, to look at them by hundreds or to change and to compute
 * them again; in the arena. */
struct fs_node *shares_nodes(const struct shares *, struct arena *);

/* One of them. */
static inline struct fs_node shares_node(const struct shares *shares, uint32_t i)
{
	return fs_tree_node(&shares->tree, i);
}

static inline bool shares_is_user(const struct shares *shares, uint32_t i)
{
	return shares->tree.is_user[i];
}

/* Its fair-share factor alone. */
static inline double shares_factor(const struct shares *shares, uint32_t i)
{
	return fs_tree_factor(&shares->tree, i);
}

/* Fills the output of the nodes under the policy's algorithm; gives the number
 * of users. */
uint32_t shares_compute(struct fs_node *, size_t n, const struct policy *);

/* From keys to indexes; in the arena. */
struct shares_index;
struct shares_index *shares_index(const struct shares *, struct arena *);

/* The index of the association in v and the tree, or UINT32_MAX. */
uint32_t shares_find(const struct shares_index *, int64_t key);

#endif
