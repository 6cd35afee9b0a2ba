/*
 * The association tree of one cluster with its shares, usage and fair-share
 * factors, as arrays in listing order, for sshare, sprio and the planner.
 * db/view/shares.h loads it from the database row by row;
 * common/fair/fairshare.h computes the factors. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"
#include "common/text/tres.h"

/* What to load beyond shares, usage and factors; bits. */
enum shares_detail {
	SHARES_TRES_USAGE = 1 << 0,  /* shares_seconds(), shares_run_seconds() */
	SHARES_TRES_LIMITS = 1 << 1, /* shares_limits() */
	SHARES_NONE = 1 << 2,	     /* only the cluster, no associations */
	SHARES_NODES = 1 << 3,	     /* the array `nodes` */
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
	uint32_t users;	       /* number of user rows */
	uint32_t max_priority; /* highest `priority` of all rows; 0: none */
	unsigned details;      /* enum shares_detail */
	/* Decayed billing seconds of each row and all below it. The usage in
	 * the tree, from which the factors come, still includes usage that
	 * RawUsage=0 removed a moment ago; this does not. The tree's own array
	 * when nothing was removed. */
	long double *usage_raw;
	/* NULL without the detail of that name. */
	struct fs_node *nodes;
	double *seconds; /* by shares_seconds(), shares_run_seconds() */
	size_t n_tres;
	struct tres_list **limits; /* by shares_limits() */
};

/* A row as it is read. `lineage` is copied. */
struct share_row {
	int64_t key, parent; /* keys; the root's parent does not matter */
	uint32_t id, shares_raw;
	uint32_t priority; /* INFINITE: inherited */
	const char *lineage; /* tells account, user and partition */
};

/* The tree while rows are added. */
struct shares_tree {
	struct shares *shares;
	struct arena *arena;
	size_t most;
	uint32_t *stack; /* indexes of the accounts above the last row */
	size_t depth, cap_stack;
};

/* Begins an empty tree with room for `most` rows, in the arena. */
void shares_begin(
	struct shares_tree *, struct shares *, size_t most, struct arena *);

/* Adds a row. Rows must come in order of lineage, the root first. */
void shares_add(struct shares_tree *, const struct share_row *);

/* Makes room for the TRES-seconds of `n_tres` TRES per row, all 0. */
void shares_make_room(struct shares *, size_t n_tres, struct arena *);

/* TRES-seconds used (decayed), and those that running jobs may still use, of row
 * i and all below it: arrays by index in the store's TRES catalogue. NULL
 * without SHARES_TRES_USAGE. */
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

/* GrpTRESMins set on row i itself; NULL: none, or without SHARES_TRES_LIMITS. */
static inline struct tres_list *shares_limits(
	const struct shares *shares, uint32_t i)
{
	return shares->limits ? shares->limits[i] : NULL;
}

/* After all rows and their own usage (tree.usage_own; usage_raw, or NULL when it
 * is the same): adds the usage of every row to the accounts above it, computes
 * the factors, `users` and `max_priority`. New arrays lie in the arena. */
void shares_finish(struct shares *, const struct policy *, struct arena *);

/* Node i as a struct. */
static inline struct fs_node shares_node(const struct shares *shares, uint32_t i)
{
	return fs_tree_node(&shares->tree, i);
}

static inline bool shares_is_user(const struct shares *shares, uint32_t i)
{
	return shares->tree.is_user[i];
}

/* The fair-share factor of row i. */
static inline double shares_factor(const struct shares *shares, uint32_t i)
{
	return fs_tree_factor(&shares->tree, i);
}

/* Appends the names with most usage, most first, by name where it is the same; at
 * most `most`, each once. Orders `all`. */
struct used_name {
	const char *name;
	long double usage; /* whole seconds */
};
void names_most_used(struct used_name *all, size_t n, size_t most,
	struct arena *, struct strv *names);

/* The same of users, or of accounts below the root. */
void shares_most_used(const struct shares *, bool users, size_t most,
	struct arena *, struct strv *names);

/* An index from keys of associations to rows, in the arena. */
struct shares_index;
struct shares_index *shares_index(const struct shares *, struct arena *);

/* The index of the association in v and the tree; UINT32_MAX: it is not there. */
uint32_t shares_find(const struct shares_index *, int64_t key);
