/*
 * The association tree with its shares; see shares.h.
 */
#include "common/fair/shares.h"

#include <stdlib.h>
#include <string.h>

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
	for (size_t i = tree->n_v; i-- > 0;)
		if (v[i].key == key)
			return (uint32_t)i;
	return 0;
}

void shares_begin(struct shares_tree *tree, struct shares *shares,
	size_t most, struct arena *arena)
{
	*tree = (struct shares_tree){.shares = shares,
		.arena = arena,
		.cap_v = most,
		.cap_nodes = most};
	shares->v = arena_array(arena, most, sizeof(*shares->v));
	shares->nodes = arena_array(arena, most, sizeof(*shares->nodes));
}

void shares_add(struct shares_tree *tree, const struct share_row *row)
{
	struct shares *shares = tree->shares;
	uint32_t n = shares->n;
	uint32_t parent = n ? row_of_parent(tree, row->parent) : FS_NO_PARENT;
	struct share *share =
		ARENA_PUSH(tree->arena, shares->v, tree->n_v, tree->cap_v);
	struct fs_node *node = ARENA_PUSH(tree->arena, shares->nodes,
		tree->n_nodes, tree->cap_nodes);

	share->key = row->key;
	share->id = row->id;
	share->account = n ? shares->v[parent].account : "root";
	assoc_lineage_names(row->lineage, tree->arena, &share->account,
		&share->user, &share->partition);
	share->priority = row->priority;
	if (share->priority == INFINITE && n)
		share->priority = shares->v[parent].priority;
	node->parent = parent;
	node->shares_raw = row->shares_raw;
	node->is_user = *share->user != '\0';
	if (!node->is_user)
		*ARENA_PUSH(tree->arena, tree->stack, tree->depth,
			tree->cap_stack) = n;
	shares->n++;
}

/* ---- usage ---------------------------------------------------------------*/

void shares_make_room(struct shares *shares, size_t n, struct arena *arena)
{
	double *room =
		arena_array(arena, (size_t)shares->n * 2, n * sizeof(*room));

	for (uint32_t i = 0; i < shares->n; i++) {
		shares->v[i].tres_seconds = room + 2 * n * i;
		shares->v[i].tres_run_seconds = room + 2 * n * i + n;
	}
}

/* Children come after their parents: going backwards, every row is complete
 * when it is added to its parent. */
void shares_sum(struct shares *shares, size_t n_tres)
{
	for (uint32_t i = shares->n; i-- > 1;) {
		const struct share *share = &shares->v[i];
		struct share *above = &shares->v[shares->nodes[i].parent];

		above->usage_raw += share->usage_raw;
		for (size_t t = 0; share->tres_seconds && t < n_tres; t++) {
			above->tres_seconds[t] += share->tres_seconds[t];
			above->tres_run_seconds[t] +=
				share->tres_run_seconds[t];
		}
	}
}

/* ---- factors -------------------------------------------------------------*/

static void find_max_priority(struct shares *shares)
{
	for (uint32_t i = 0; i < shares->n; i++)
		if (shares->v[i].priority != INFINITE &&
			shares->v[i].priority > shares->max_priority)
			shares->max_priority = shares->v[i].priority;
}

uint32_t shares_compute(
	struct fs_node *nodes, size_t n, const struct policy *policy)
{
	struct arena scratch;
	uint32_t users;

	arena_init(&scratch);
	users = fairshare_compute(nodes, n, policy->algorithm,
		policy->dampening, &scratch);
	arena_release(&scratch);
	return users;
}

struct fs_node *shares_nodes(const struct shares *shares, struct arena *arena)
{
	struct fs_node *nodes = arena_array(arena, shares->n, sizeof(*nodes));

	if (shares->n)
		memcpy(nodes, shares->nodes, shares->n * sizeof(*nodes));
	return nodes;
}

void shares_finish(struct shares *shares, const struct policy *policy)
{
	if (!shares->n)
		return;
	find_max_priority(shares);
	shares->users = shares_compute(shares->nodes, shares->n, policy);
}

/* ---- looking up ----------------------------------------------------------*/

struct entry {
	int64_t key;
	uint32_t row;
};

struct shares_index {
	struct entry *v;
	size_t n;
};

static int compare_entries(const void *a, const void *b)
{
	int64_t x = ((const struct entry *)a)->key;
	int64_t y = ((const struct entry *)b)->key;

	return (x > y) - (x < y);
}

struct shares_index *shares_index(
	const struct shares *shares, struct arena *arena)
{
	struct shares_index *index = arena_alloc(arena, sizeof(*index));

	index->n = shares->n;
	index->v = arena_array(arena, index->n, sizeof(*index->v));
	for (uint32_t i = 0; i < shares->n; i++)
		index->v[i] = (struct entry){shares->v[i].key, i};
	qsort(index->v, index->n, sizeof(*index->v), compare_entries);
	return index;
}

uint32_t shares_find(const struct shares_index *index, int64_t key)
{
	struct entry wanted = {key, 0};
	const struct entry *found =
		index->n ? bsearch(&wanted, index->v, index->n, sizeof(wanted),
				   compare_entries)
			 : NULL;

	return found ? found->row : UINT32_MAX;
}
