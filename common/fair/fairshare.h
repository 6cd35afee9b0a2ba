/*
 * Fair share: computes normalized shares, usage and fair-share factor of every
 * association of one cluster from its raw shares and raw usage, by Fair Tree,
 * the classic or the depth-oblivious formula (Slurm's
 * src/plugins/priority/multifactor). Pure: an array in, the same array filled;
 * nothing is read, nothing is printed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/conf/policy.h"

/* The parent of the root; no other node has it. */
#define FS_NO_PARENT UINT32_MAX

/*
 * One association with all its numbers. Usage is long double and normalized
 * shares are double because ties are exact comparisons of S / UE (spec 0).
 */
struct fs_node {
	/* Input. */
	uint32_t parent;     /* index of the account above, or FS_NO_PARENT */
	uint32_t shares_raw; /* SHARES_PARENT: "marked" (Fairshare=parent) */
	bool is_user;	     /* a leaf */

	/* Output of Fair Tree; all 0 under the other algorithms. */
	bool tied;	/* has the LevelFS of the sibling before it, or is the
			 * first child of an account that is tied */
	uint32_t rank;	/* users: from 1, the best has the number of users; tied
			 * users share the higher rank */
	uint32_t visit; /* position in the depth-first walk, best first, from 1;
			 * root: 0 */

	/* Output, under every algorithm. */
	uint32_t fs_parent; /* nearest unmarked ancestor; root: FS_NO_PARENT */
	uint64_t level;	    /* sum of the raw shares of all unmarked nodes with
			     * this fs_parent; root: NO_VAL */
	double shares_norm; /* S */
	/*
	 * F, 0 to 1. Fair Tree: users only, 0 on accounts; the other
	 * algorithms give accounts one too (only JSON shows it).
	 */
	double fairshare;

	/* Input: billing times seconds, decayed, of the association itself
	 * without the associations below it. Anything that is not a finite
	 * number above 0 counts as 0. */
	long double usage_own;

	/* Output, under every algorithm. */
	long double usage_raw;	 /* usage_own of it and all below it */
	long double usage_norm;	 /* U; root: NO_VAL (it has none) */
	long double usage_efctv; /* UE; root: 1 */
	long double level_fs; /* Fair Tree, else 0: may be +infinity; NO_VAL:
			       * root and marked accounts */
	/* Output of depth-oblivious: sum of U of the unmarked nodes with this
	 * fs_parent. */
	long double level_usage_norm;
};

/* The parts of the depth-oblivious formula for one node (spec 3.3). */
struct fs_oblivious {
	/* p is the fs_parent. The formula is UE = Rp * rl^k * S. Where it does
	 * not apply, UE is U, and UE(p) of a marked node. */
	bool applies;
	long double ratio_p; /* Rp = UE(p) / S(p) */
	long double ratio_l; /* rl = (U / S) / (level_usage_norm / S(p)) */
	long double k;
};

/*
 * Fills the output of all `n` nodes. nodes[0] is the root; a node comes after
 * its parent, siblings in lineage order (which decides between equal accounts).
 * All belong to one cluster; deleted associations are left out. Returns the
 * number of users. O(n log n), and no recursion, so depth does not matter. What
 * is allocated in `scratch` is not needed afterwards.
 *
 * `dampening` (FairShareDampeningFactor) 0 is taken as the limit towards 0: F
 * is 1 without effective usage and 0 with any (Slurm says nan and 0). No output
 * is ever NaN.
 */
uint32_t fairshare_compute(struct fs_node *nodes, size_t n,
	enum fairshare_algorithm, uint16_t dampening, struct arena *scratch);

/* F = 2^-((UE / S) / dampening) of the classic and the depth-oblivious formula;
 * 0 when S is 0 (spec 3.2). */
double fairshare_factor(
	long double usage_efctv, double shares_norm, uint16_t dampening);

/* How the depth-oblivious formula came to UE of nodes[i]; for explanations. The
 * nodes were filled by that algorithm, at least as far as its parents. */
struct fs_oblivious fairshare_oblivious(const struct fs_node *nodes, size_t i);

/*
 * The tree as arrays that hold only what fair-share needs, for a million
 * associations: less than a third of the memory of as many nodes. All arrays
 * have `n` elements, indexed by node.
 */
struct fs_tree {
	uint32_t n, users;
	enum fairshare_algorithm algorithm;
	uint16_t dampening;

	/* Input, as in struct fs_node. */
	uint32_t *parent, *shares_raw;
	bool *is_user;
	long double *usage_own;

	/* Output; fs_tree_node() makes a node of it. */
	uint32_t *fs_parent;	/* the array `parent` when no node is marked */
	uint64_t *level;	/* raw shares of the level below the node */
	long double *usage_raw;
	/* Under Fair Tree only. */
	bool *tied;
	uint32_t *rank, *visit;
	/* Under the other algorithms; level_usage: depth-oblivious only. */
	double *shares_norm;
	long double *usage_efctv, *level_usage;
};

/* Makes an empty tree with room for `most` nodes; its arrays lie in the arena. */
void fs_tree_init(struct fs_tree *, size_t most, struct arena *);

/* Computes what fairshare_compute() does, into new arrays in the arena. A copy of
 * the struct can so be computed again without a change to the original's output. */
void fs_tree_compute(struct fs_tree *, enum fairshare_algorithm,
	uint16_t dampening, struct arena *);

/* Node i with all its numbers; only its fair-share factor. */
struct fs_node fs_tree_node(const struct fs_tree *, uint32_t i);
double fs_tree_factor(const struct fs_tree *, uint32_t i);

static inline bool fs_is_marked(const struct fs_node *node)
{
	return node->shares_raw == SHARES_PARENT &&
	       node->parent != FS_NO_PARENT;
}
