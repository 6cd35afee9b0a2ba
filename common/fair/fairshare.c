/*
 * Fair share: shares, usage and factor of every association (Slurm's
 * src/plugins/priority/multifactor/fair_tree.c, priority_multifactor.c). Every
 * step is a pass over the arrays, forwards (a node after its parent) or
 * backwards; only Fair Tree walks the tree. What a look at a few numbers gives
 * again is not kept: there may be a million associations.
 */
#include "common/fair/fairshare.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/err.h"

/* What the daemon leaves in a root that belongs to no level; its shares and
 * those of marked nodes below it print as 0.000000 under Fair Tree. */
static const double root_shares_fair_tree = 1.0 / NO_VAL;

/* --- Where a node competes, with what --- */

static bool is_marked(const struct fs_tree *t, uint32_t i)
{
	return t->shares_raw[i] == SHARES_PARENT && i;
}

static void check_order(const struct fs_tree *t)
{
	if (t->parent[0] != FS_NO_PARENT)
		BUG("the first association is not the root");
	for (uint32_t i = 1; i < t->n; i++)
		if (t->parent[i] >= i)
			BUG("association %u stands before its parent", i);
}

/* A marked parent is skipped; its own fs_parent is known already. */
static void set_fs_parents(struct fs_tree *t, struct arena *arena)
{
	bool marked = false;

	for (uint32_t i = 1; i < t->n; i++)
		marked |= is_marked(t, i);
	if (!marked) {
		t->fs_parent = t->parent;
		return;
	}
	t->fs_parent = arena_array(arena, t->n, sizeof(*t->fs_parent));
	t->fs_parent[0] = FS_NO_PARENT;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t p = t->parent[i];

		t->fs_parent[i] = is_marked(t, p) ? t->fs_parent[p] : p;
	}
}

/* Slurm adds in 32 bits and wraps; a sum beyond that is exact here. */
static void set_levels(struct fs_tree *t, struct arena *arena)
{
	t->level = arena_array(arena, t->n, sizeof(*t->level));
	for (uint32_t i = 1; i < t->n; i++)
		if (!is_marked(t, i))
			t->level[t->fs_parent[i]] += t->shares_raw[i];
}

/* The node's part of its own level; not for the root or marked nodes. */
static double level_share(uint32_t shares_raw, uint64_t level)
{
	return level ? (double)shares_raw / (double)level : 0;
}

/* Fair Tree: local to the level. A marked node has what its account has. */
static double local_share(const struct fs_tree *t, uint32_t i)
{
	if (is_marked(t, i))
		i = t->fs_parent[i];
	return i ? level_share(t->shares_raw[i], t->level[t->fs_parent[i]])
		 : root_shares_fair_tree;
}

/* The other algorithms: the product down from the root. */
static void set_shares_norm(struct fs_tree *t, struct arena *arena)
{
	t->shares_norm = arena_array(arena, t->n, sizeof(*t->shares_norm));
	t->shares_norm[0] = 1;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t p = t->fs_parent[i];

		t->shares_norm[i] = t->shares_norm[p];
		if (!is_marked(t, i))
			t->shares_norm[i] =
				level_share(t->shares_raw[i], t->level[p]) *
				t->shares_norm[p];
	}
}

/* --- Usage --- */

/* Up the real parents. Sums of positive numbers never round below a term, so
 * a node's part of any ancestor stays within 0 to 1. Where nothing is used
 * nothing is written: such memory takes no room. */
static void set_usage_raw(struct fs_tree *t, struct arena *arena)
{
	t->usage_raw = arena_array(arena, t->n, sizeof(*t->usage_raw));
	for (uint32_t i = 0; i < t->n; i++) {
		long double own = t->usage_own[i];

		if (own > 0 && isfinite(own))
			t->usage_raw[i] = own;
	}
	for (uint32_t i = t->n; i-- > 1;)
		if (t->usage_raw[i] > 0)
			t->usage_raw[t->parent[i]] += t->usage_raw[i];
}

static long double ratio(long double part, long double whole)
{
	if (!(whole > 0))
		return 0;
	return part < whole ? part / whole : 1;
}

static long double usage_norm(const struct fs_tree *t, uint32_t i)
{
	return i ? ratio(t->usage_raw[i], t->usage_raw[0]) : NO_VAL;
}

/* --- A node by itself --- */

static long double fair_tree_efctv(const struct fs_tree *t, uint32_t i)
{
	return i ? ratio(t->usage_raw[i], t->usage_raw[t->fs_parent[i]]) : 1;
}

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

/* All but the factor. */
static struct fs_node node_of(const struct fs_tree *t, uint32_t i)
{
	uint32_t p = t->fs_parent[i];
	struct fs_node node = {
		.parent = t->parent[i],
		.shares_raw = t->shares_raw[i],
		.is_user = t->is_user[i],
		.fs_parent = p,
		.level = i ? t->level[p] : NO_VAL,
		.usage_own = t->usage_own[i],
		.usage_raw = t->usage_raw[i],
		.usage_norm = usage_norm(t, i),
	};

	if (t->algorithm == FAIRSHARE_FAIR_TREE) {
		node.tied = t->tied[i];
		node.rank = t->rank[i];
		node.visit = t->visit[i];
		node.shares_norm = local_share(t, i);
		node.usage_efctv = fair_tree_efctv(t, i);
		node.level_fs = i ? level_fs(&node) : NO_VAL;
	} else {
		node.shares_norm = t->shares_norm[i];
		node.usage_efctv = t->usage_efctv[i];
		node.level_usage_norm =
			i && t->level_usage ? t->level_usage[p] : 0;
	}
	return node;
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

static struct fs_oblivious oblivious(
	const struct fs_node *node, const struct fs_node *p)
{
	struct fs_oblivious o = {.k = 1};
	long double log_p;

	if (!oblivious_applies(node, p))
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

struct fs_oblivious fairshare_oblivious(const struct fs_node *nodes, size_t i)
{
	if (!i)
		return (struct fs_oblivious){.k = 1};
	return oblivious(&nodes[i], &nodes[nodes[i].fs_parent]);
}

static long double oblivious_efctv(const struct fs_tree *t, uint32_t i)
{
	struct fs_node node = node_of(t, i), p = node_of(t, node.fs_parent);
	struct fs_oblivious o = oblivious(&node, &p);

	if (!o.applies)
		return node.usage_norm;
	return o.ratio_p * powl(o.ratio_l, o.k) * node.shares_norm;
}

static long double classic_efctv(const struct fs_tree *t, uint32_t i)
{
	uint32_t p = t->fs_parent[i];
	long double above = t->usage_efctv[p], own = usage_norm(t, i);

	if (!t->level[p])
		return above;
	return own + (above - own) * t->shares_raw[i] /
			     (long double)t->level[p];
}

/* Over all siblings, so U of everybody comes first (the daemon's first pass
 * does not wait for it). */
static void set_level_usage(struct fs_tree *t, struct arena *arena)
{
	t->level_usage = arena_array(arena, t->n, sizeof(*t->level_usage));
	for (uint32_t i = 1; i < t->n; i++)
		if (!is_marked(t, i))
			t->level_usage[t->fs_parent[i]] += usage_norm(t, i);
}

static void set_usage_efctv(struct fs_tree *t, struct arena *arena)
{
	bool is_oblivious = t->algorithm == FAIRSHARE_DEPTH_OBLIVIOUS;

	t->usage_efctv = arena_array(arena, t->n, sizeof(*t->usage_efctv));
	t->usage_efctv[0] = 1;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t p = t->fs_parent[i];

		if (!p)
			t->usage_efctv[i] = usage_norm(t, i);
		else if (is_marked(t, i))
			t->usage_efctv[i] = t->usage_efctv[p];
		else if (is_oblivious)
			t->usage_efctv[i] = oblivious_efctv(t, i);
		else
			t->usage_efctv[i] = classic_efctv(t, i);
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

/* --- Fair Tree --- */

/* LevelFS of a node other than the root, mostly without a division. */
static long double level_fs_of(const struct fs_tree *t, uint32_t i)
{
	if (is_marked(t, i))
		return t->is_user[i] ? HUGE_VALL : NO_VAL;
	if (!t->shares_raw[i])
		return 0;
	if (!(t->usage_raw[i] > 0))
		return HUGE_VALL;
	return level_fs(&(struct fs_node){
		.shares_norm = local_share(t, i),
		.usage_efctv = fair_tree_efctv(t, i),
	});
}

/* What sorting looks at, beside each other. */
struct sibling {
	long double level_fs;
	uint32_t index;
	bool is_user;
};

/* The members of every level, level by level: those of x are
 * v[first[x]] to v[first[x + 1] - 1]. */
struct levels {
	uint32_t *v, *first;
	uint32_t largest; /* so many on one level */
};

/* A counting sort by fair-share parent keeps lineage order. */
static void levels_fill(
	struct levels *levels, const struct fs_tree *t, struct arena *scratch)
{
	uint32_t *first = arena_array(scratch, t->n + 2, sizeof(*first));

	levels->v = arena_array(scratch, t->n, sizeof(*levels->v));
	levels->first = first;
	levels->largest = 0;
	for (uint32_t i = 1; i < t->n; i++)
		first[t->fs_parent[i] + 2]++;
	for (uint32_t x = 2; x <= t->n; x++) {
		if (first[x] > levels->largest)
			levels->largest = first[x];
		first[x] += first[x - 1];
	}
	for (uint32_t i = 1; i < t->n; i++)
		levels->v[first[t->fs_parent[i] + 1]++] = i;
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

/* Sorts the level; `v` has room for it. Who is equal to the member before is
 * tied. */
static void level_sort(struct fs_tree *t, uint32_t *members, uint32_t n,
	struct sibling *v)
{
	bool sorted = true; /* a common case: without any usage all are equal */

	for (uint32_t i = 0; i < n; i++) {
		v[i] = (struct sibling){level_fs_of(t, members[i]), members[i],
			t->is_user[members[i]]};
		sorted = sorted && (!i || compare_siblings(&v[i - 1], &v[i]) < 0);
	}
	if (!sorted)
		qsort(v, n, sizeof(*v), compare_siblings);
	for (uint32_t i = 0; i < n; i++) {
		members[i] = v[i].index;
		t->tied[v[i].index] =
			i && v[i].level_fs == v[i - 1].level_fs;
	}
}

static void levels_sort(
	struct levels *levels, struct fs_tree *t, struct arena *scratch)
{
	struct sibling *v = arena_array(scratch, levels->largest, sizeof(*v));

	for (uint32_t x = 0; x < t->n; x++) {
		uint32_t from = levels->first[x], to = levels->first[x + 1];

		if (from < to)
			level_sort(t, &levels->v[from], to - from, v);
	}
}

/* The walk: the rank last given and the next one to give. */
struct ranking {
	uint32_t rank, next, visited;
};

static void rank_node(struct fs_tree *t, uint32_t i, struct ranking *r)
{
	t->visit[i] = ++r->visited;
	if (!t->is_user[i])
		return;
	if (!t->tied[i])
		r->rank = r->next;
	r->next--;
	t->rank[i] = r->rank;
}

/*
 * Depth first. at[x] is the next index of the level of x, which is left towards
 * the level that x itself is on. Equal accounts are not merged: the second one's
 * first child counts as tied with the last user before it.
 */
static void rank_users(
	struct fs_tree *t, const struct levels *levels, struct arena *scratch)
{
	struct ranking r = {.rank = t->users, .next = t->users};
	uint32_t *at = arena_array(scratch, t->n, sizeof(*at));
	uint32_t x = 0;

	while (x != FS_NO_PARENT) {
		uint32_t index = levels->first[x] + at[x]++, i;

		if (index >= levels->first[x + 1]) {
			x = t->fs_parent[x];
			continue;
		}
		i = levels->v[index];
		if (index == levels->first[x])
			t->tied[i] = t->tied[x];
		rank_node(t, i, &r);
		if (!t->is_user[i])
			x = i;
	}
}

static void fair_tree(struct fs_tree *t, struct arena *arena)
{
	struct levels levels;
	struct arena scratch;

	arena_init(&scratch);
	t->tied = arena_array(arena, t->n, sizeof(*t->tied));
	t->rank = arena_array(arena, t->n, sizeof(*t->rank));
	t->visit = arena_array(arena, t->n, sizeof(*t->visit));
	levels_fill(&levels, t, &scratch);
	levels_sort(&levels, t, &scratch);
	rank_users(t, &levels, &scratch);
	arena_release(&scratch);
}

/* --- All --- */

void fs_tree_init(struct fs_tree *t, size_t most, struct arena *arena)
{
	if (most >= FS_NO_PARENT)
		BUG("too many associations: %zu", most);
	*t = (struct fs_tree){
		.parent = arena_array(arena, most, sizeof(*t->parent)),
		.shares_raw = arena_array(arena, most, sizeof(*t->shares_raw)),
		.is_user = arena_array(arena, most, sizeof(*t->is_user)),
		.usage_own = arena_array(arena, most, sizeof(*t->usage_own)),
	};
}

void fs_tree_compute(struct fs_tree *t, enum fairshare_algorithm algorithm,
	uint16_t dampening, struct arena *arena)
{
	t->algorithm = algorithm;
	t->dampening = dampening;
	t->users = 0;
	if (!t->n)
		return;
	check_order(t);
	for (uint32_t i = 0; i < t->n; i++)
		t->users += t->is_user[i];
	set_fs_parents(t, arena);
	set_levels(t, arena);
	set_usage_raw(t, arena);
	if (algorithm == FAIRSHARE_FAIR_TREE) {
		fair_tree(t, arena);
		return;
	}
	set_shares_norm(t, arena);
	if (algorithm == FAIRSHARE_DEPTH_OBLIVIOUS)
		set_level_usage(t, arena);
	set_usage_efctv(t, arena);
}

/* A marked node has the factor of the account that it represents. */
double fs_tree_factor(const struct fs_tree *t, uint32_t i)
{
	if (t->algorithm == FAIRSHARE_FAIR_TREE)
		return t->is_user[i] ? (double)t->rank[i] / t->users : 0;
	if (is_marked(t, i))
		i = t->fs_parent[i];
	return fairshare_factor(
		t->usage_efctv[i], t->shares_norm[i], t->dampening);
}

struct fs_node fs_tree_node(const struct fs_tree *t, uint32_t i)
{
	struct fs_node node = node_of(t, i);

	node.fairshare = fs_tree_factor(t, i);
	return node;
}

uint32_t fairshare_compute(struct fs_node *nodes, size_t n,
	enum fairshare_algorithm algorithm, uint16_t dampening,
	struct arena *scratch)
{
	struct fs_tree t;

	fs_tree_init(&t, n, scratch);
	t.n = (uint32_t)n;
	for (uint32_t i = 0; i < t.n; i++) {
		t.parent[i] = nodes[i].parent;
		t.shares_raw[i] = nodes[i].shares_raw;
		t.is_user[i] = nodes[i].is_user;
		t.usage_own[i] = nodes[i].usage_own;
	}
	fs_tree_compute(&t, algorithm, dampening, scratch);
	for (uint32_t i = 0; i < t.n; i++)
		nodes[i] = fs_tree_node(&t, i);
	return t.users;
}
