/*
 * Fair share: from raw shares and raw usage of every association of one
 * cluster to its normalized shares, its usage and its fair-share factor, by
 * Fair Tree, the classic or the depth-oblivious formula (spec/priority.md 1,
 * 2.8, 3). Pure: an array in, the same array filled; nothing is read, nothing
 * is printed.
 */
#ifndef BURSAR_FAIRSHARE_H
#define BURSAR_FAIRSHARE_H

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
	uint32_t shares_raw; /* SHARES_PARENT: marked `parent` */
	bool is_user;	     /* a leaf */

	/* Output of Fair Tree; all 0 under the other algorithms. */
	bool tied;	/* equal to the member before it on its level, or first
			 * below an account that was */
	uint32_t rank;	/* users: 1 to the number of users, the best has that
			 * number; tied users share the higher */
	uint32_t visit; /* position in the walk, from 1; root: 0 */

	/* Output, under every algorithm. */
	uint32_t fs_parent; /* nearest ancestor not marked; FS_NO_PARENT */
	uint64_t level;	    /* raw shares of the level together; root: NO_VAL */
	double shares_norm; /* S */
	/*
	 * F, 0 to 1. Fair Tree: users only, 0 on accounts; the others give
	 * accounts one too (only JSON shows it).
	 */
	double fairshare;

	/* Input: seconds times billing of the association itself, without those
	 * below it. Anything that is not a finite number above 0 counts as 0. */
	long double usage_own;

	/* Output, under every algorithm. */
	long double usage_raw;	 /* own and all real descendants */
	long double usage_norm;	 /* U; root: NO_VAL (it has none) */
	long double usage_efctv; /* UE; root: 1 */
	long double level_fs; /* Fair Tree, else 0: +infinity is a value;
			       * NO_VAL: root, and accounts marked `parent` */
	/* Output of depth-oblivious: U of the unmarked level members together.
	 */
	long double level_usage_norm;
};

/* The parts of the depth-oblivious formula for one node (spec 3.3). */
struct fs_oblivious {
	bool applies; /* UE = Rp * rl^k * S; else UE is U, marked: UE(p) */
	long double ratio_p; /* Rp = UE(p) / S(p) */
	long double ratio_l; /* rl = (U / S) / (sum of U / S(p)) */
	long double k;
};

/*
 * Fills the output of all `n` nodes. nodes[0] is the root; a node comes after its
 * parent, siblings in lineage order (which decides between equal accounts). All
 * belong to one cluster; deleted associations are left out.
 * Returns the number of users. O(n log n), and no recursion, so depth does not
 * matter. Memory comes from `scratch`, nothing of it is needed afterwards.
 *
 * `dampening` 0 is taken as the limit towards 0: F is 1 without effective
 * usage and 0 with any (Slurm says nan and 0). No output is ever NaN.
 */
uint32_t fairshare_compute(struct fs_node *nodes, size_t n,
	enum fairshare_algorithm, uint16_t dampening, struct arena *scratch);

/* F = 2^-((UE / S) / d) of the classic and the depth-oblivious formula; 0 when
 * S is 0 (spec 3.2). */
double fairshare_factor(
	long double usage_efctv, double shares_norm, uint16_t dampening);

/* How depth-oblivious came to UE of nodes[i]; for explanations. The array was
 * filled with that algorithm, or is being filled and parents are done. */
struct fs_oblivious fairshare_oblivious(const struct fs_node *nodes, size_t i);

/* A node as it might be. */
struct fs_other {
	uint32_t node; /* its index */
	uint32_t shares_raw;
};

/*
 * The same tree as arrays of what is needed, for a million associations: less
 * than a third of the memory of as many nodes. All arrays have `n` elements.
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
	uint32_t *fs_parent;	/* `parent` itself where no node is marked */
	uint64_t *level;	/* raw shares of the level below the node */
	long double *usage_raw;
	/* Of Fair Tree. */
	bool *tied;
	uint32_t *rank, *visit;
	/* Of the others; level_usage of depth-oblivious alone. */
	double *shares_norm;
	long double *usage_efctv, *level_usage;
};

/* An empty tree with room for so many nodes; in the arena. */
void fs_tree_init(struct fs_tree *, size_t most, struct arena *);

/* Makes the output of fairshare_compute() as new arrays in the arena: of a copy
 * of the struct it leaves that of the first alone. */
void fs_tree_compute(struct fs_tree *, enum fairshare_algorithm,
	uint16_t dampening, struct arena *);

/* One node, all of it; or its fairshare. */
struct fs_node fs_tree_node(const struct fs_tree *, uint32_t i);
double fs_tree_factor(const struct fs_tree *, uint32_t i);

/*
 * Would Fair Tree rank everybody the same if these nodes had these shares? The
 * array is filled. False is always a safe answer: the caller then computes it.
 * Only the levels are compared: ranks follow from the order on each level and
 * from which nodes are equal there.
 */
bool fairshare_ranks_stay(const struct fs_node *nodes, size_t n,
	const struct fs_other *others, size_t n_others, struct arena *scratch);

static inline bool fs_is_marked(const struct fs_node *node)
{
	return node->shares_raw == SHARES_PARENT &&
	       node->parent != FS_NO_PARENT;
}

#endif
