/*
 * Explanations of fair-share; see explain.h.
 */
#include "common/fair/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"

/* What the parts pass around. */
struct walk {
	const struct fs_node *nodes;
	size_t n;
	const struct policy *policy;
	struct explain_memory *memory;
	struct arena *arena;
	struct explain *out;
};

/* ---- levels --------------------------------------------------------------*/

static int compare_visits(const void *a, const void *b, void *nodes)
{
	const struct fs_node *v = nodes;
	uint32_t x = v[*(const uint32_t *)a].visit;
	uint32_t y = v[*(const uint32_t *)b].visit;

	return (x > y) - (x < y);
}

static void compare_with(
	const struct walk *w, struct explain_level *level, uint32_t other)
{
	long double own = w->nodes[level->node].level_fs;
	long double its = w->nodes[other].level_fs;

	if (other == level->node)
		return;
	if (its > own)
		level->ahead++;
	else if (!(its < own))
		level->equal++;
}

static void fill_level(
	const struct walk *w, struct explain_level *level, uint32_t node)
{
	uint32_t above = w->nodes[node].fs_parent;
	size_t cap = 0;

	level->node = node;
	for (uint32_t i = 1; i < w->n; i++)
		if (w->nodes[i].fs_parent == above) {
			*ARENA_PUSH(w->arena, level->order, level->n, cap) = i;
			compare_with(w, level, i);
		}
	if (w->policy->algorithm == FAIRSHARE_FAIR_TREE)
		qsort_r(level->order, level->n, sizeof(*level->order),
			compare_visits, (void *)(uintptr_t)w->nodes);
	if (w->policy->algorithm == FAIRSHARE_DEPTH_OBLIVIOUS)
		level->oblivious = fairshare_oblivious(w->nodes, node);
}

static void fill_levels(struct walk *w)
{
	struct explain *out = w->out;

	for (uint32_t i = out->user; i; i = w->nodes[i].fs_parent)
		out->n_levels++;
	out->levels =
		arena_array(w->arena, out->n_levels, sizeof(*out->levels));
	for (uint32_t i = out->user, k = (uint32_t)out->n_levels; i;
		i = w->nodes[i].fs_parent)
		fill_level(w, &out->levels[--k], i);
}

static void count_users(struct walk *w)
{
	double own = w->nodes[w->out->user].fairshare;

	for (uint32_t i = 1; i < w->n; i++) {
		const struct fs_node *node = &w->nodes[i];

		if (!node->is_user)
			continue;
		w->out->users++;
		if (i == w->out->user)
			continue;
		if (node->fairshare > own)
			w->out->ahead++;
		else if (!(node->fairshare < own))
			w->out->equal++;
	}
}

/* ---- changes -------------------------------------------------------------*/

/* Halves the usage of the node and of all below it. Children come after their
 * parents, so one pass finds them. */
static void halve_usage(struct fs_node *nodes, size_t n, uint32_t top)
{
	bool *below = memory_zeroed(n, sizeof(*below));

	for (size_t i = top; i < n; i++) {
		below[i] = i == top || (nodes[i].parent != FS_NO_PARENT &&
					       below[nodes[i].parent]);
		if (below[i])
			nodes[i].usage_own /= 2;
	}
	free(below);
}

/* The nodes as they would be, computed. */
static struct fs_node *nodes_after(const struct walk *w,
	const struct explain_change *change, struct arena *arena)
{
	struct fs_node *nodes = arena_array(arena, w->n, sizeof(*nodes));

	memcpy(nodes, w->nodes, w->n * sizeof(*nodes));
	if (change->kind == EXPLAIN_LESS_USAGE)
		halve_usage(nodes, w->n, change->node);
	else
		nodes[change->node].shares_raw = change->shares;
	fairshare_compute(nodes, w->n, w->policy->algorithm,
		w->policy->dampening, arena);
	return nodes;
}

static const struct explain_kept *find_kept(
	const struct walk *w, const struct explain_change *change)
{
	for (size_t i = 0; i < w->memory->n; i++) {
		const struct explain_kept *kept = &w->memory->v[i];

		if (kept->change.node == change->node &&
			kept->change.kind == change->kind)
			return kept;
	}
	return NULL;
}

static void keep(const struct walk *w, const struct explain_change *change,
	const struct fs_node *nodes)
{
	struct explain_memory *memory = w->memory;
	struct explain_kept kept = {*change,
		memory_zeroed(w->n, sizeof(*kept.fairshare))};

	for (size_t i = 0; i < w->n; i++)
		kept.fairshare[i] = nodes[i].fairshare;
	*MEMORY_PUSH(memory->v, memory->n, memory->cap) = kept;
}

static double factor_after(
	const struct walk *w, const struct explain_change *change)
{
	uint32_t user = w->out->user;
	bool shared = w->memory && change->node != user;
	const struct explain_kept *kept =
		shared ? find_kept(w, change) : NULL;
	const struct fs_node *nodes;
	struct arena scratch;
	double factor;

	if (kept)
		return kept->fairshare[user];
	arena_init(&scratch);
	nodes = nodes_after(w, change, &scratch);
	factor = nodes[user].fairshare;
	if (shared)
		keep(w, change, nodes);
	arena_release(&scratch);
	return factor;
}

static bool is_above(const struct walk *w, uint32_t node)
{
	for (uint32_t i = w->out->user; i; i = w->nodes[i].fs_parent)
		if (i == node)
			return true;
	return false;
}

/* What is of no account above this user: its users are told. */
static void forget(const struct walk *w)
{
	struct explain_memory *memory = w->memory;
	size_t n = 0;

	for (size_t i = 0; i < memory->n; i++)
		if (is_above(w, memory->v[i].change.node))
			memory->v[n++] = memory->v[i];
		else
			free(memory->v[i].fairshare);
	memory->n = n;
}

void explain_memory_release(struct explain_memory *memory)
{
	for (size_t i = 0; i < memory->n; i++)
		free(memory->v[i].fairshare);
	free(memory->v);
	*memory = (struct explain_memory){0};
}

static void try_change(
	struct walk *w, struct explain_change change, size_t *cap)
{
	struct explain *out = w->out;

	change.fairshare = factor_after(w, &change);
	*ARENA_PUSH(w->arena, out->changes, out->n_changes, *cap) = change;
}

static void try_changes(struct walk *w)
{
	size_t cap = 0;

	for (uint32_t i = w->out->user; i; i = w->nodes[i].fs_parent) {
		const struct fs_node *node = &w->nodes[i];
		uint32_t shares = node->shares_raw ? node->shares_raw : 1;

		if (node->usage_raw > 0)
			try_change(w,
				(struct explain_change){
					.kind = EXPLAIN_LESS_USAGE, .node = i},
				&cap);
		if (node->shares_raw)
			shares *= 2;
		if (node->shares_raw < SHARES_PARENT / 2)
			try_change(w,
				(struct explain_change){
					.kind = EXPLAIN_MORE_SHARES,
					.node = i,
					.shares = shares},
				&cap);
	}
}

/* The first of the best, so what is nearest to the user. */
static void find_best(struct walk *w)
{
	struct explain *out = w->out;
	double best = w->nodes[out->user].fairshare;

	out->best = out->n_changes;
	for (size_t i = 0; i < out->n_changes; i++) {
		if (!(out->changes[i].fairshare > best))
			continue;
		best = out->changes[i].fairshare;
		out->best = i;
	}
}

void explain_user(const struct fs_node *nodes, size_t n,
	const struct policy *policy, uint32_t user,
	struct explain_memory *memory, struct arena *arena, struct explain *out)
{
	struct walk w = {nodes, n, policy, memory, arena, out};

	*out = (struct explain){.user = user};
	if (memory)
		forget(&w);
	fill_levels(&w);
	count_users(&w);
	try_changes(&w);
	find_best(&w);
}

/* ---- when ----------------------------------------------------------------*/

struct waiting_user {
	const struct fs_node *nodes;
	size_t n;
	const struct policy *policy;
	uint32_t user;
	const struct explain_laters *later;
};

/* The user's factor with the shares that hold after so many seconds, and with
 * this part of its usage left. */
static double factor_with(
	const struct waiting_user *w, int64_t seconds, long double left)
{
	const struct explain_laters *later = w->later;
	struct arena scratch;
	struct fs_node *nodes;
	double factor;

	arena_init(&scratch);
	nodes = arena_array(&scratch, w->n, sizeof(*nodes));
	memcpy(nodes, w->nodes, w->n * sizeof(*nodes));
	for (size_t i = 0; i < later->n && later->v[i].seconds <= seconds; i++)
		nodes[later->v[i].node].shares_raw = later->v[i].shares;
	nodes[w->user].usage_own *= left;
	fairshare_compute(nodes, w->n, w->policy->algorithm,
		w->policy->dampening, &scratch);
	factor = nodes[w->user].fairshare;
	arena_release(&scratch);
	return factor;
}

static long double left_after(const struct policy *policy, int64_t seconds)
{
	return policy->half_life
		       ? exp2l(-(long double)seconds / policy->half_life)
		       : 1;
}

/* With the shares that hold after `from` seconds. */
static int64_t when_with(
	const struct waiting_user *w, int64_t from, double value)
{
	int64_t early = 0, late = (int64_t)w->policy->half_life * 1000;

	if (factor_with(w, from, 1) >= value)
		return 0;
	if (!late || factor_with(w, from, exp2l(-1000)) < value)
		return EXPLAIN_NEVER;
	while (late - early > 1) {
		int64_t middle = early + (late - early) / 2;
		long double left = left_after(w->policy, middle);

		if (factor_with(w, from, left) >= value)
			late = middle;
		else
			early = middle;
	}
	return late;
}

int64_t explain_when(const struct fs_node *nodes, size_t n,
	const struct policy *policy, uint32_t user, double value,
	const struct explain_laters *later)
{
	const struct waiting_user w = {nodes, n, policy, user, later};
	int64_t from = 0;

	for (size_t i = 0; i <= later->n; i++) {
		int64_t to = i < later->n ? later->v[i].seconds : EXPLAIN_NEVER;
		int64_t when = EXPLAIN_NEVER;

		if (to > from)
			when = larger(from, when_with(&w, from, value));
		if (when < to)
			return when;
		from = to;
	}
	return EXPLAIN_NEVER;
}

double explain_after(const struct fs_node *nodes, size_t n,
	const struct policy *policy, uint32_t user, int64_t seconds,
	const struct explain_laters *later)
{
	const struct waiting_user w = {nodes, n, policy, user, later};

	return factor_with(&w, seconds, left_after(policy, seconds));
}

double explain_at_best(const struct fs_node *nodes, size_t n,
	const struct policy *policy, uint32_t user,
	const struct explain_laters *later)
{
	const struct waiting_user w = {nodes, n, policy, user, later};

	return factor_with(&w, INT64_MAX, 0);
}
