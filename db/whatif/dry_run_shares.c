/*
 * Dry runs: whose fair-share moved; see dry_run.h. When only shares changed and
 * associations were added, the tree is read once and computed a second time as
 * it was before.
 */
#include <math.h>
#include <stdlib.h>

#include "db/view/shares.h"
#include "db/whatif/dry_run.h"

/* Fair-share that moves by less is not told. */
const double dry_run_threshold = 0.01;

static void compare(struct dry_run *d, const struct shares *shares, uint32_t i,
	double was, double is)
{
	const struct share *share = &shares->v[i];

	if (*share->user && fabs(is - was) >= dry_run_threshold)
		*ARENA_PUSH(d->arena, d->moved.v, d->moved.n, d->moved.cap) =
			(struct dry_run_share){shares->cluster, share->account,
				share->user, share->key, was, is};
}

void dry_run_shares(
	struct dry_run *d, const struct shares *was, const struct shares *is)
{
	const struct shares_index *index = shares_index(is, d->arena);

	for (uint32_t i = 0; i < was->n; i++) {
		uint32_t at = shares_find(index, was->v[i].key);

		if (at != UINT32_MAX)
			compare(d, was, i, shares_factor(was, i),
				shares_factor(is, at));
	}
}

/* ---- as it was -----------------------------------------------------------*/

static int by_key(const void *key, const void *row)
{
	int64_t a = *(const int64_t *)key;
	int64_t b = ((const struct change_share *)row)->key;

	return (a > b) - (a < b);
}

static const struct change_share *find(
	const struct change_shares *changes, int64_t key)
{
	return changes->n ? bsearch(&key, changes->v, changes->n,
				    sizeof(*changes->v), by_key)
			  : NULL;
}

/* Takes out what is new, and gives the others their shares back. `index`: where
 * each node is now; UINT32_MAX: nowhere. */
static uint32_t go_back(
	struct shares *s, const struct change_shares *changes, uint32_t *index)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct change_share *was = find(changes, s->v[i].key);
		struct fs_node node = s->nodes[i];

		index[i] = UINT32_MAX;
		if (was && was->is_new)
			continue;
		if (was)
			node.shares_raw = was->shares_raw;
		if (node.parent != FS_NO_PARENT)
			node.parent = index[node.parent];
		index[i] = n;
		s->nodes[n++] = node;
	}
	return n;
}

/* The order within a level rarely changes, and then no rank does. */
static bool ranks_stay(struct dry_run *d, const struct shares *is,
	const struct change_shares *changes, const struct policy *policy)
{
	struct fs_other *others;
	size_t n = 0;

	if (policy->algorithm != FAIRSHARE_FAIR_TREE)
		return false;
	others = arena_array(d->arena, changes->n, sizeof(*others));
	for (uint32_t i = 0; i < is->n; i++) {
		const struct change_share *was = find(changes, is->v[i].key);

		if (was && was->is_new)
			return false;
		if (was)
			others[n++] = (struct fs_other){i, was->shares_raw};
	}
	return fairshare_ranks_stay(is->nodes, is->n, others, n, d->arena);
}

void dry_run_shares_back(struct dry_run *d, struct shares *is,
	const struct change_shares *changes, const struct policy *policy)
{
	uint32_t *index;
	double *factor;

	if (ranks_stay(d, is, changes, policy))
		return;
	index = arena_array(d->arena, is->n, sizeof(*index));
	factor = arena_array(d->arena, is->n, sizeof(*factor));
	for (uint32_t i = 0; i < is->n; i++)
		factor[i] = is->nodes[i].fairshare;
	shares_compute(is->nodes, go_back(is, changes, index), policy);
	for (uint32_t i = 0; i < is->n; i++)
		if (index[i] != UINT32_MAX)
			compare(d, is, i, is->nodes[index[i]].fairshare,
				factor[i]);
}
