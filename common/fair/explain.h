/*
 * Why a user has the fair-share factor it has: the levels from the root down
 * with the competitors of each, and what a single change would make of it
 * (spec/priority.md 3). Pure: nodes that common/fair/fairshare.h filled in, structs
 * out. Every statement is the result of a computation with the change made.
 */
#ifndef BURSAR_EXPLAIN_H
#define BURSAR_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/fairshare.h"

/* One level: an account on the way, or at the end the user, and those it is
 * measured against. */
struct explain_level {
	uint32_t node;
	uint32_t *order; /* all of the level; under Fair Tree those who go first
			  * come first, else as in the listing */
	size_t n;
	/* Fair Tree: how many have a higher LevelFS, and how many others the
	 * same. */
	uint32_t ahead, equal;
	struct fs_oblivious oblivious; /* depth-oblivious: the parts of UE */
};

enum explain_kind {
	EXPLAIN_LESS_USAGE,  /* it, with all below it, had used half as much */
	EXPLAIN_MORE_SHARES, /* twice the shares; 1 where they are 0 */
};

struct explain_change {
	enum explain_kind kind;
	uint32_t node;
	uint32_t shares;  /* EXPLAIN_MORE_SHARES: the new number */
	double fairshare; /* of the user, after this change alone */
};

struct explain {
	uint32_t user;		      /* its index among the nodes */
	struct explain_level *levels; /* from below the root to the user */
	size_t n_levels;
	/* Of all users: how many have a higher factor, how many others the
	 * same. */
	uint32_t ahead, equal, users;
	/* From the user upwards. Nodes without usage have no EXPLAIN_LESS_USAGE,
	 * marked ones no EXPLAIN_MORE_SHARES. */
	struct explain_change *changes;
	size_t n_changes;
	size_t best; /* the change that helps most; n_changes: none helps */
};

/* Fair-share of all nodes after a change to one account, kept so that
 * explaining several users of an account in turn computes it once. For one set
 * of nodes and one policy; zero it at first. */
struct explain_memory {
	struct explain_kept {
		struct explain_change change;
		double *fairshare; /* of every node */
	} *v;
	size_t n, cap;
};

void explain_memory_release(struct explain_memory *);

/*
 * Explains the user association nodes[user]. The nodes were filled by
 * fairshare_compute under this policy. One computation for each change that the
 * cache (may be NULL) does not hold: O(depth * n log n).
 */
void explain_user(const struct fs_node *nodes, size_t n, const struct policy *,
	uint32_t user, struct explain_memory *, struct arena *,
	struct explain *);

/* More than a thousand half-lives. */
#define EXPLAIN_NEVER INT64_MAX

/*
 * Seconds until the user's factor is `value` or more, if it runs nothing from
 * now on, its usage decays, and all others keep the usage they have. 0: it is
 * so already; EXPLAIN_NEVER. Nodes and policy as above.
 */
int64_t explain_when(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, double value);

/* Its factor after so many seconds of that. */
double explain_after(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, int64_t seconds);

/* Its factor at the end of that: as if it had never used anything. */
double explain_at_best(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user);

/* Shares that a node has from then on: seconds from now. */
struct explain_later {
	int64_t seconds;
	uint32_t node, shares;
};

/* In order of time. */
struct explain_laters {
	struct explain_later *v;
	size_t n, cap;
};

/* The same three where shares change meanwhile. */
int64_t explain_when_later(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, double value,
	const struct explain_laters *);
double explain_after_later(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, int64_t seconds,
	const struct explain_laters *);
double explain_at_best_later(const struct fs_node *nodes, size_t n,
	const struct policy *, uint32_t user, const struct explain_laters *);

#endif
