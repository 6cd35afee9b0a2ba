/*
 * The association tree with its shares; see shares.h.
 */
#include "common/fair/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/numbers.h"
#include "common/table/assoc.h"

/* ---- the tree ------------------------------------------------------------*/

/* The index of the account with that key. It is mostly on the stack; one whose
 * odd name sorts elsewhere is looked for among all rows. Without such an
 * account the root is taken. */
static uint32_t row_of_parent(struct shares_tree *tree, int64_t key)
{
	const struct share *v = tree->shares->v;

	for (size_t d = tree->depth; d-- > 0;) {
		if (v[tree->stack[d]].key != key)
			continue;
		tree->depth = d + 1;
		return tree->stack[d];
	}
	for (uint32_t i = tree->shares->n; i-- > 0;)
		if (v[i].key == key)
			return i;
	return 0;
}

void shares_begin(struct shares_tree *tree, struct shares *shares,
	size_t most, struct arena *arena)
{
	*tree = (struct shares_tree){
		.shares = shares, .arena = arena, .most = most};
	shares->v = arena_array(arena, most, sizeof(*shares->v));
	fs_tree_init(&shares->tree, most, arena);
}

void shares_add(struct shares_tree *tree, const struct share_row *row)
{
	struct shares *shares = tree->shares;
	struct fs_tree *nodes = &shares->tree;
	uint32_t n = shares->n;
	uint32_t parent = n ? row_of_parent(tree, row->parent) : FS_NO_PARENT;
	struct share *share = &shares->v[n];

	if (n >= tree->most)
		BUG("more associations than the %zu counted", tree->most);
	share->key = row->key;
	share->id = row->id;
	share->account = n ? shares->v[parent].account : "root";
	assoc_lineage_names(row->lineage, tree->arena, &share->account,
		&share->user, &share->partition);
	share->priority = row->priority;
	if (share->priority == INFINITE && n)
		share->priority = shares->v[parent].priority;
	nodes->parent[n] = parent;
	nodes->shares_raw[n] = row->shares_raw;
	nodes->is_user[n] = *share->user != '\0';
	if (!nodes->is_user[n])
		*ARENA_PUSH(tree->arena, tree->stack, tree->depth,
			tree->cap_stack) = n;
	shares->n = nodes->n = n + 1;
}

/* ---- usage ---------------------------------------------------------------*/

void shares_make_room(struct shares *shares, size_t n, struct arena *arena)
{
	shares->n_tres = n;
	shares->seconds = arena_array(
		arena, (size_t)shares->n * 2, n * sizeof(*shares->seconds));
}

/* Children come after their parents: going backwards, every row is complete
 * when it is added to its parent. */
static void sum_seconds(struct shares *shares)
{
	for (uint32_t i = shares->n; i-- > 1;) {
		const double *own = shares_seconds(shares, i);
		double *above =
			shares_seconds(shares, shares->tree.parent[i]);

		for (size_t t = 0; t < 2 * shares->n_tres; t++)
			above[t] += own[t];
	}
}

static void sum_usage(struct shares *shares)
{
	for (uint32_t i = shares->n; i-- > 1;)
		shares->usage_raw[shares->tree.parent[i]] +=
			shares->usage_raw[i];
}

/* ---- factors -------------------------------------------------------------*/

static void find_max_priority(struct shares *shares)
{
	for (uint32_t i = 0; i < shares->n; i++)
		if (shares->v[i].priority != INFINITE &&
			shares->v[i].priority > shares->max_priority)
			shares->max_priority = shares->v[i].priority;
}

/* For callers that look at many of them, or change them and compute again. */
static struct fs_node *all_nodes(
	const struct shares *shares, struct arena *arena)
{
	struct fs_node *nodes = arena_array(arena, shares->n, sizeof(*nodes));

	for (uint32_t i = 0; i < shares->n; i++)
		nodes[i] = shares_node(shares, i);
	return nodes;
}

void shares_finish(struct shares *shares, const struct policy *policy,
	struct arena *arena)
{
	if (!shares->n)
		return;
	find_max_priority(shares);
	fs_tree_compute(&shares->tree, policy->algorithm, policy->dampening,
		arena);
	shares->users = shares->tree.users;
	if (shares->usage_raw)
		sum_usage(shares);
	else
		shares->usage_raw = shares->tree.usage_raw;
	if (shares->seconds)
		sum_seconds(shares);
	if (shares->details & SHARES_NODES)
		shares->nodes = all_nodes(shares, arena);
}

/* ---- looking up ----------------------------------------------------------*/

struct key_row {
	int64_t key;
	uint32_t row;
};

/* Keys mostly count from 1 with few gaps: then rows[key] is the row + 1. */
struct shares_index {
	uint32_t *rows;
	size_t n_rows;
	struct key_row *v; /* else: ascending by key */
	size_t n;
};

static int compare_entries(const void *a, const void *b)
{
	int64_t x = ((const struct key_row *)a)->key;
	int64_t y = ((const struct key_row *)b)->key;

	return (x > y) - (x < y);
}

/* How many rows[] there would be; 0: too many for keys so far apart. */
static size_t rows_of(const struct shares *shares)
{
	const size_t most = 4 * (size_t)shares->n + 1024;
	int64_t last = 0;

	for (uint32_t i = 0; i < shares->n; i++) {
		if (shares->v[i].key < 0)
			return 0;
		if (shares->v[i].key > last)
			last = shares->v[i].key;
	}
	return (uint64_t)last < most ? (size_t)last + 1 : 0;
}

struct shares_index *shares_index(
	const struct shares *shares, struct arena *arena)
{
	struct shares_index *index = arena_alloc(arena, sizeof(*index));

	index->n_rows = rows_of(shares);
	if (index->n_rows) {
		index->rows = arena_array(
			arena, index->n_rows, sizeof(*index->rows));
		for (uint32_t i = 0; i < shares->n; i++)
			index->rows[shares->v[i].key] = i + 1;
		return index;
	}
	index->n = shares->n;
	index->v = arena_array(arena, index->n, sizeof(*index->v));
	for (uint32_t i = 0; i < shares->n; i++)
		index->v[i] = (struct key_row){shares->v[i].key, i};
	qsort(index->v, index->n, sizeof(*index->v), compare_entries);
	return index;
}

uint32_t shares_find(const struct shares_index *index, int64_t key)
{
	struct key_row wanted = {key, 0};
	const struct key_row *found;

	if (index->n_rows)
		return key < 0 || (uint64_t)key >= index->n_rows
			       ? UINT32_MAX
			       : index->rows[key] - 1;
	found = index->n ? bsearch(&wanted, index->v, index->n, sizeof(wanted),
				   compare_entries)
			 : NULL;
	return found ? found->row : UINT32_MAX;
}

/* ---- who used most -------------------------------------------------------*/

static int compare_usage(const void *a, const void *b)
{
	const struct used_name *x = a, *y = b;

	if (x->usage != y->usage)
		return x->usage < y->usage ? 1 : -1;
	return strcmp(x->name, y->name);
}

void names_most_used(struct used_name *all, size_t n, size_t most,
	struct arena *arena, struct strv *names)
{
	if (n)
		qsort(all, n, sizeof(*all), compare_usage);
	for (size_t i = 0; i < n && names->n < most; i++)
		if (!strv_has(names, all[i].name))
			strv_push(names, arena, all[i].name);
}

void shares_most_used(const struct shares *shares, bool users, size_t most,
	struct arena *arena, struct strv *names)
{
	struct used_name *all =
		arena_array(arena, (size_t)shares->n + 1, sizeof(*all));
	size_t n = 0;

	for (uint32_t i = 0; i < shares->n; i++)
		if (shares_is_user(shares, i) == users &&
			shares->tree.parent[i] != FS_NO_PARENT)
			all[n++] = (struct used_name){
				users ? shares->v[i].user : shares->v[i].account,
				floorl(shares->usage_raw[i])};
	names_most_used(all, n, most, arena, names);
}
