/*
 * Fair share: shares, usage and factor of every association (spec/priority.md
 * 1, 2.8, 3). Every step is a pass over the array, forwards (a node after its
 * parent) or backwards; only Fair Tree walks the tree, with its own stack.
 */
#include "common/fair/fairshare.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/err.h"

/* What the daemon leaves in a root that belongs to no level; its shares and
 * those of marked nodes below it print as 0.000000 under Fair Tree. */
static const double root_shares_fair_tree = 1.0 / NO_VAL;

/* --- Where a node competes, with what --- */

static void check_order(const struct fs_node *nodes, size_t n)
{
	if (n >= FS_NO_PARENT)
		BUG("too many associations: %zu", n);
	if (nodes[0].parent != FS_NO_PARENT)
		BUG("the first association is not the root");
	for (size_t i = 1; i < n; i++)
		if (nodes[i].parent >= i)
			BUG("association %zu stands before its parent", i);
}

static void clear_output(struct fs_node *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fs_node *old = &nodes[i];

		nodes[i] = (struct fs_node){
			.parent = old->parent,
			.shares_raw = old->shares_raw,
			.is_user = old->is_user,
			.usage_own = old->usage_own,
			.fs_parent = FS_NO_PARENT,
		};
	}
}

/* A marked parent is skipped; its own fs_parent is known already. */
static void set_fs_parents(struct fs_node *nodes, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t p = nodes[i].parent;

		nodes[i].fs_parent =
			fs_is_marked(&nodes[p]) ? nodes[p].fs_parent : p;
	}
}

/* Slurm adds in 32 bits and wraps; a sum beyond that is exact here. */
static void set_levels(struct fs_node *nodes, size_t n, struct arena *scratch)
{
	uint64_t *sums = arena_array(scratch, n, sizeof(*sums));

	for (size_t i = 1; i < n; i++)
		if (!fs_is_marked(&nodes[i]))
			sums[nodes[i].fs_parent] += nodes[i].shares_raw;
	nodes[0].level = NO_VAL;
	for (size_t i = 1; i < n; i++)
		nodes[i].level = sums[nodes[i].fs_parent];
}

/* The node's part of its own level; not for the root or marked nodes. */
static double level_share(const struct fs_node *node)
{
	if (!node->level)
		return 0;
	return (double)node->shares_raw / (double)node->level;
}

/* Fair Tree: local to the level. Else: the product down from the root. */
static void set_shares_norm(struct fs_node *nodes, size_t n, bool fair_tree)
{
	nodes[0].shares_norm = fair_tree ? root_shares_fair_tree : 1;
	for (size_t i = 1; i < n; i++) {
		struct fs_node *node = &nodes[i];
		double above = nodes[node->fs_parent].shares_norm;

		if (fs_is_marked(node))
			node->shares_norm = above;
		else
			node->shares_norm =
				level_share(node) * (fair_tree ? 1 : above);
	}
}

/* --- Usage --- */

/* Up the real parents. Sums of positive numbers never round below a term, so
 * a node's part of any ancestor stays within 0 to 1. */
static void set_usage_raw(struct fs_node *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		long double own = nodes[i].usage_own;

		nodes[i].usage_raw = isfinite(own) && own > 0 ? own : 0;
	}
	for (size_t i = n; i-- > 1;)
		nodes[nodes[i].parent].usage_raw += nodes[i].usage_raw;
}

static long double ratio(long double part, long double whole)
{
	if (!(whole > 0))
		return 0;
	return part < whole ? part / whole : 1;
}

static void set_usage_norm(struct fs_node *nodes, size_t n)
{
	nodes[0].usage_norm = NO_VAL;
	for (size_t i = 1; i < n; i++)
		nodes[i].usage_norm =
			ratio(nodes[i].usage_raw, nodes[0].usage_raw);
}

/* --- Classic and depth-oblivious --- */

/* The formula needs something of everything it divides by or takes logs of. */
static bool oblivious_applies(
	const struct fs_node *node, const struct fs_node *p)
{
	return node->fs_parent && !fs_is_marked(node) &&
	       node->shares_norm > 0 && p->shares_norm > 0 &&
	       node->usage_norm > 0 && p->usage_efctv > 0;
}

struct fs_oblivious fairshare_oblivious(const struct fs_node *nodes, size_t i)
{
	const struct fs_node *node = &nodes[i];
	const struct fs_node *p = i ? &nodes[node->fs_parent] : NULL;
	struct fs_oblivious o = {.k = 1};
	long double log_p;

	if (!p || !oblivious_applies(node, p))
		return o;
	o.applies = true;
	o.ratio_p = p->usage_efctv / p->shares_norm;
	o.ratio_l = node->usage_norm / node->shares_norm /
		    (node->level_usage_norm / p->shares_norm);
	if (!(o.ratio_p > 0) || !(o.ratio_l > 0))
		return o;
	log_p = logl(o.ratio_p);
	if (log_p * logl(o.ratio_l) < 0)
		o.k = 1 / (1 + 25 * log_p * log_p);
	return o;
}

static long double oblivious_efctv(const struct fs_node *nodes, size_t i)
{
	struct fs_oblivious o = fairshare_oblivious(nodes, i);

	if (!o.applies)
		return nodes[i].usage_norm;
	return o.ratio_p * powl(o.ratio_l, o.k) * nodes[i].shares_norm;
}

static long double classic_efctv(const struct fs_node *nodes, size_t i)
{
	const struct fs_node *node = &nodes[i];
	long double above = nodes[node->fs_parent].usage_efctv;
	long double own = node->usage_norm;

	if (!node->level)
		return above;
	return own +
	       (above - own) * node->shares_raw / (long double)node->level;
}

/* Over all siblings, so U of everybody comes first (the daemon's first pass
 * does not wait for it). */
static void set_level_usage(
	struct fs_node *nodes, size_t n, struct arena *scratch)
{
	long double *sums = arena_array(scratch, n, sizeof(*sums));

	for (size_t i = 1; i < n; i++)
		if (!fs_is_marked(&nodes[i]))
			sums[nodes[i].fs_parent] += nodes[i].usage_norm;
	for (size_t i = 1; i < n; i++)
		nodes[i].level_usage_norm = sums[nodes[i].fs_parent];
}

static void set_usage_efctv(struct fs_node *nodes, size_t n, bool oblivious)
{
	nodes[0].usage_efctv = 1;
	for (size_t i = 1; i < n; i++) {
		struct fs_node *node = &nodes[i];

		if (!node->fs_parent)
			node->usage_efctv = node->usage_norm;
		else if (fs_is_marked(node))
			node->usage_efctv = nodes[node->fs_parent].usage_efctv;
		else if (oblivious)
			node->usage_efctv = oblivious_efctv(nodes, i);
		else
			node->usage_efctv = classic_efctv(nodes, i);
	}
}

double fairshare_factor(
	long double usage_efctv, double shares_norm, uint16_t dampening)
{
	if (!(shares_norm > 0))
		return 0;
	if (!(usage_efctv > 0))
		return 1;
	if (!dampening)
		return 0;
	return (double)exp2l(-(usage_efctv / shares_norm) / dampening);
}

/* A marked node has the factor of the account that it represents. */
static void set_factors(struct fs_node *nodes, size_t n, uint16_t dampening)
{
	for (size_t i = 0; i < n; i++) {
		const struct fs_node *g = &nodes[i];

		if (fs_is_marked(g))
			g = &nodes[g->fs_parent];
		nodes[i].fairshare = fairshare_factor(
			g->usage_efctv, g->shares_norm, dampening);
	}
}

/* --- Fair Tree --- */

static long double level_fs(const struct fs_node *node)
{
	if (fs_is_marked(node))
		return node->is_user ? HUGE_VALL : NO_VAL;
	if (!(node->shares_norm > 0))
		return 0;
	if (!(node->usage_efctv > 0))
		return HUGE_VALL;
	return node->shares_norm / node->usage_efctv;
}

static void set_level_fs(struct fs_node *nodes, size_t n)
{
	nodes[0].usage_efctv = 1;
	nodes[0].level_fs = NO_VAL;
	for (size_t i = 1; i < n; i++) {
		struct fs_node *node = &nodes[i];

		node->usage_efctv = ratio(
			node->usage_raw, nodes[node->fs_parent].usage_raw);
		node->level_fs = level_fs(node);
	}
}

/* What sorting looks at, beside each other: twice as fast as through indexes
 * into the wide nodes. */
struct sibling {
	long double level_fs;
	uint32_t index;
	bool is_user;
};

/* The members of every level, level by level: those of x are
 * v[first[x]] to v[first[x + 1] - 1]. */
struct levels {
	struct sibling *v;
	size_t *first;
};

/* A counting sort by fair-share parent keeps lineage order. */
static void levels_fill(struct levels *levels, const struct fs_node *nodes,
	size_t n, struct arena *scratch)
{
	size_t *first = arena_array(scratch, n + 2, sizeof(*first));

	levels->v = arena_array(scratch, n, sizeof(*levels->v));
	levels->first = first;
	for (size_t i = 1; i < n; i++)
		first[nodes[i].fs_parent + 2]++;
	for (size_t x = 2; x <= n; x++)
		first[x] += first[x - 1];
	for (size_t i = 1; i < n; i++)
		levels->v[first[nodes[i].fs_parent + 1]++] = (struct sibling){
			.level_fs = nodes[i].level_fs,
			.index = (uint32_t)i,
			.is_user = nodes[i].is_user,
		};
}

/* Best first; at equal LevelFS users before accounts, then lineage order. */
static int compare_siblings(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	if (x->level_fs != y->level_fs)
		return x->level_fs < y->level_fs ? 1 : -1;
	if (x->is_user != y->is_user)
		return x->is_user ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* A common case: without any usage all are equal. */
static bool is_sorted(const struct sibling *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_siblings(&v[i - 1], &v[i]) > 0)
			return false;
	return true;
}

static void levels_sort(struct levels *levels, size_t n)
{
	for (size_t x = 0; x < n; x++) {
		size_t from = levels->first[x], to = levels->first[x + 1];

		if (!is_sorted(&levels->v[from], to - from))
			qsort(&levels->v[from], to - from, sizeof(*levels->v),
				compare_siblings);
	}
}

/* The walk: `users` of all, the rank last given and the next one to give. */
struct ranking {
	uint32_t users, rank, next, visited;
};

static void rank_node(struct fs_node *node, struct ranking *r)
{
	node->visit = ++r->visited;
	if (!node->is_user)
		return;
	if (!node->tied)
		r->rank = r->next;
	r->next--;
	node->rank = r->rank;
	node->fairshare = (double)r->rank / r->users;
}

/*
 * Depth first. at[depth] is the index on the level at that depth, in[depth] the
 * account entered. Equal accounts are not merged: the second one's first child
 * counts as tied with the last user before it.
 */
static void rank_users(struct fs_node *nodes, size_t n,
	const struct levels *levels, uint32_t users, struct arena *scratch)
{
	struct ranking r = {.users = users, .rank = users, .next = users};
	size_t *at = arena_array(scratch, n, sizeof(*at));
	uint32_t *in = arena_array(scratch, n, sizeof(*in));
	size_t depth = 0;

	for (;;) {
		uint32_t x = in[depth];
		size_t index = at[depth]++, from = levels->first[x];
		const struct sibling *s = &levels->v[index];
		struct fs_node *node;

		if (index >= levels->first[x + 1]) {
			if (!depth--)
				return;
			continue;
		}
		node = &nodes[s->index];
		node->tied = index == from ? nodes[x].tied
					   : s->level_fs == s[-1].level_fs;
		rank_node(node, &r);
		if (node->is_user)
			continue;
		in[++depth] = s->index;
		at[depth] = levels->first[s->index];
	}
}

static void fair_tree(
	struct fs_node *nodes, size_t n, uint32_t users, struct arena *scratch)
{
	struct levels levels;

	set_level_fs(nodes, n);
	levels_fill(&levels, nodes, n, scratch);
	levels_sort(&levels, n);
	rank_users(nodes, n, &levels, users, scratch);
}

uint32_t fairshare_compute(struct fs_node *nodes, size_t n,
	enum fairshare_algorithm algorithm, uint16_t dampening,
	struct arena *scratch)
{
	bool is_tree = algorithm == FAIRSHARE_FAIR_TREE;
	bool oblivious = algorithm == FAIRSHARE_DEPTH_OBLIVIOUS;
	uint32_t users = 0;

	if (!n)
		return 0;
	check_order(nodes, n);
	clear_output(nodes, n);
	set_fs_parents(nodes, n);
	set_levels(nodes, n, scratch);
	set_shares_norm(nodes, n, is_tree);
	set_usage_raw(nodes, n);
	set_usage_norm(nodes, n);
	for (size_t i = 0; i < n; i++)
		users += nodes[i].is_user;
	if (is_tree) {
		fair_tree(nodes, n, users, scratch);
		return users;
	}
	if (oblivious)
		set_level_usage(nodes, n, scratch);
	set_usage_efctv(nodes, n, oblivious);
	set_factors(nodes, n, dampening);
	return users;
}

/* --- What if --- */

struct ranked {
	struct sibling then;
	long double level_fs; /* now */
	uint32_t visit;
};

static int compare_visits(const void *a, const void *b)
{
	uint32_t x = ((const struct ranked *)a)->visit;
	uint32_t y = ((const struct ranked *)b)->visit;

	return (x > y) - (x < y);
}

/* The raw shares of the level together as they would be. */
static uint64_t level_then(const struct fs_node *nodes, uint32_t parent,
	const struct fs_other *others, size_t n)
{
	uint64_t level = 0, more = 0, less = 0;

	for (size_t i = 0; i < n; i++) {
		const struct fs_node *node = &nodes[others[i].node];

		if (node->fs_parent != parent)
			continue;
		level = node->level;
		more += others[i].shares_raw;
		less += node->shares_raw;
	}
	return level + more - less;
}

static long double level_fs_then(const struct fs_node *now, uint32_t index,
	uint64_t level, const struct fs_other *others, size_t n)
{
	struct fs_node node = *now;

	if (fs_is_marked(now))
		return now->level_fs;
	for (size_t i = 0; i < n; i++)
		if (others[i].node == index)
			node.shares_raw = others[i].shares_raw;
	node.level = level;
	node.shares_norm = level_share(&node);
	return level_fs(&node);
}

/* Do the members of the level come in the same order, and are the same equal? */
static bool level_stays(const struct fs_node *nodes, size_t n, uint32_t parent,
	const struct fs_other *others, size_t n_others, struct arena *scratch)
{
	uint64_t level = level_then(nodes, parent, others, n_others);
	struct ranked *v = NULL;
	size_t members = 0, cap = 0;

	for (uint32_t i = 1; i < n; i++) {
		const struct fs_node *node = &nodes[i];

		if (node->fs_parent != parent)
			continue;
		*ARENA_PUSH(scratch, v, members, cap) = (struct ranked){
			{level_fs_then(node, i, level, others, n_others), i,
				node->is_user},
			node->level_fs, node->visit};
	}
	if (v)
		qsort(v, members, sizeof(*v), compare_visits);
	for (size_t i = 1; i < members; i++) {
		const struct ranked *a = &v[i - 1], *b = &v[i];

		if (compare_siblings(&a->then, &b->then) > 0 ||
			(a->then.level_fs == b->then.level_fs) !=
				(a->level_fs == b->level_fs))
			return false;
	}
	return true;
}

bool fairshare_ranks_stay(const struct fs_node *nodes, size_t n,
	const struct fs_other *others, size_t n_others, struct arena *scratch)
{
	enum { FEW = 20 };

	if (n_others > FEW)
		return false;
	for (size_t i = 0; i < n_others; i++) {
		const struct fs_node *node = &nodes[others[i].node];

		if (node->parent == FS_NO_PARENT || fs_is_marked(node) ||
			others[i].shares_raw == SHARES_PARENT ||
			!level_stays(nodes, n, node->fs_parent, others,
				n_others, scratch))
			return false;
	}
	return true;
}
