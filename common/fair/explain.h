/*
 * Why a user association has its fair-share factor: the levels of the tree from
 * the root down with the competitors on each, and the factor after one change
 * of usage or shares. Pure: takes nodes filled by common/fair/fairshare.h. The
 * effect of a change is computed by making it in a copy of the nodes.
 *
 * In all functions `nodes` are the `n` nodes of one cluster, filled by
 * fairshare_compute under the same policy, and `user` is an index among them.
 * "Marked" nodes have Fairshare=parent.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"

/* One level of the tree: the user, or an account above it, and the siblings
 * with which it competes. */
struct explain_level {
	uint32_t node;	 /* index of the user or account */
	uint32_t *order; /* indexes of all nodes of the level, `node` too: the
			  * best first under Fair Tree, else as listed */
	size_t n;
	/* Fair Tree: how many nodes of the level have a higher LevelFS than
	 * `node`, and how many others have the same. */
	uint32_t ahead, equal;
	struct fs_oblivious oblivious; /* depth-oblivious: how UE came about */
};

enum explain_kind {
	EXPLAIN_LESS_USAGE,  /* half the usage of the node and all below it */
	EXPLAIN_MORE_SHARES, /* twice its raw shares; 1 where they are 0 */
};

struct explain_change {
	enum explain_kind kind;
	uint32_t node;
	uint32_t shares;  /* EXPLAIN_MORE_SHARES: the new raw shares */
	double fairshare; /* of the user, after this change alone */
};

struct explain {
	uint32_t user;		      /* its index among the nodes */
	struct explain_level *levels; /* from below the root to the user */
	size_t n_levels;
	/* How many users of the cluster have a higher factor, how many others
	 * have the same, and how many users there are. */
	uint32_t ahead, equal, users;
	/* From the user upwards. Nodes without usage have no
	 * EXPLAIN_LESS_USAGE, marked nodes no EXPLAIN_MORE_SHARES. */
	struct explain_change *changes;
	size_t n_changes;
	size_t best; /* index of the change that raises the factor most;
		      * n_changes: none raises it */
};

/* A cache: the factors of all nodes after a change to an account, so that they
 * are computed once when several users of one account are explained in turn.
 * For one set of nodes and one policy; zero it at first, and free it with
 * explain_memory_release. */
struct explain_memory {
	struct explain_kept {
		struct explain_change change;
		double *fairshare; /* by node */
	} *v;
	size_t n, cap;
};

void explain_memory_release(struct explain_memory *);

/*
 * Fills `explain`, whose arrays are in the arena. The memory may be NULL. Takes
 * one fairshare_compute for each change that the memory does not hold: O(depth
 * * n log n).
 */
void explain_user(const struct fs_node *nodes, size_t n, const struct policy *,
	uint32_t user, struct explain_memory *, struct arena *,
	struct explain *);

/* Not within a thousand half-lives. */
#define EXPLAIN_NEVER INT64_MAX

/* A change of shares to come: nodes[node] has `shares` from `seconds` from now
 * on. */
struct explain_later {
	int64_t seconds;
	uint32_t node, shares;
};

/* Ascending by `seconds`. */
struct explain_laters {
	struct explain_later *v;
	size_t n, cap;
};

/*
 * How many seconds until the user's factor is `value` or more, if the user runs
 * nothing from now on, so that its usage decays, and all others keep their
 * usage. 0: it is now; EXPLAIN_NEVER also where usage does not decay.
 */
int64_t explain_when(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, double value,
	const struct explain_laters *);

/* The user's factor after so many seconds in which it runs nothing and all
 * others keep their usage. */
double explain_after(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, int64_t seconds,
	const struct explain_laters *);

/* The user's factor as if it had no usage of its own, after all changes: the
 * most that waiting can bring it. */
double explain_at_best(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, const struct explain_laters *);
