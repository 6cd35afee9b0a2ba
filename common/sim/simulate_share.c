/*
 * Fair share in a simulation; see simulate_share.h.
 */
#include "common/sim/simulate_share.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/fair/decay.h"

/* What has been used by runs that ended, true for `since`. */
struct used {
	long double usage;
	int64_t since;
};

struct sim_share {
	const struct trace *trace;
	const struct policy *policy;
	struct arena scratch;
	uint64_t *pairs; /* group, user; ascending: associations */
	size_t n;
	uint32_t *assoc; /* of each job */
	uint32_t *index; /* of each association in the tree */
	struct used *used;
	struct fs_node *nodes;
	size_t n_nodes;
	int64_t now, reset; /* before it nothing counts */
};

/* ---- the tree ------------------------------------------------------------*/

static uint64_t pair_of(const struct trace_job *job)
{
	return (uint64_t)job->group << 32 | job->user;
}

static int by_size(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static void find_pairs(struct sim_share *share)
{
	const struct trace *trace = share->trace;
	size_t n = 0;

	share->pairs = memory_zeroed(trace->n, sizeof(*share->pairs));
	for (size_t i = 0; i < trace->n; i++)
		share->pairs[i] = pair_of(&trace->jobs[i]);
	qsort(share->pairs, trace->n, sizeof(*share->pairs), by_size);
	for (size_t i = 0; i < trace->n; i++)
		if (!n || share->pairs[n - 1] != share->pairs[i])
			share->pairs[n++] = share->pairs[i];
	share->n = n;
}

static void find_assocs(struct sim_share *share)
{
	const struct trace *trace = share->trace;

	share->assoc = memory_zeroed(trace->n, sizeof(*share->assoc));
	for (size_t i = 0; i < trace->n; i++) {
		uint64_t pair = pair_of(&trace->jobs[i]);
		const uint64_t *at = bsearch(
			&pair, share->pairs, share->n, sizeof(pair), by_size);

		share->assoc[i] = (uint32_t)(at - share->pairs);
	}
}

static uint32_t add_node(struct sim_share *share, uint32_t parent, bool user)
{
	share->nodes[share->n_nodes] = (struct fs_node){
		.parent = parent, .shares_raw = 1, .is_user = user};
	return (uint32_t)share->n_nodes++;
}

static void make_tree(struct sim_share *share)
{
	uint32_t account = 0;

	share->nodes = memory_zeroed(2 * share->n + 1, sizeof(*share->nodes));
	add_node(share, FS_NO_PARENT, false);
	for (size_t i = 0; i < share->n; i++) {
		uint64_t group = share->pairs[i] >> 32;

		if (!i || group != share->pairs[i - 1] >> 32)
			account = add_node(share, 0, false);
		share->index[i] = add_node(share, account, true);
	}
}

/* A user who is not in the tree counts under root and has no share. */
static void copy_tree(struct sim_share *share, const struct sim_tree *tree)
{
	share->nodes = memory_zeroed(tree->n, sizeof(*share->nodes));
	share->n_nodes = tree->n;
	memcpy(share->nodes, tree->nodes, tree->n * sizeof(*share->nodes));
	for (size_t i = 0; i < share->n; i++) {
		uint32_t index = tree->find(tree->arg,
			(uint32_t)(share->pairs[i] >> 32),
			(uint32_t)share->pairs[i]);

		share->index[i] = index < tree->n ? index : 0;
	}
}

struct sim_share *sim_share_new(const struct trace *trace,
	const struct policy *policy, const struct sim_tree *tree)
{
	struct sim_share *share = memory_zeroed(1, sizeof(*share));

	share->trace = trace;
	share->policy = policy;
	share->reset = INT64_MIN;
	arena_init(&share->scratch);
	find_pairs(share);
	find_assocs(share);
	share->index = memory_zeroed(share->n, sizeof(*share->index));
	if (tree && tree->n)
		copy_tree(share, tree);
	else
		make_tree(share);
	share->used = memory_zeroed(share->n, sizeof(*share->used));
	return share;
}

void sim_share_free(struct sim_share *share)
{
	if (!share)
		return;
	arena_release(&share->scratch);
	free(share->pairs);
	free(share->assoc);
	free(share->index);
	free(share->used);
	free(share->nodes);
	free(share);
}

uint32_t sim_share_assoc(const struct sim_share *share, uint32_t job)
{
	return share->assoc[job];
}

/* ---- usage ---------------------------------------------------------------*/

static long double carried(
	const struct sim_share *share, const struct used *used, int64_t at)
{
	if (used->since < share->reset || used->usage == 0)
		return 0;
	return decay_carry(used->usage, (time_t)used->since, (time_t)at,
		share->policy->half_life);
}

static long double worth(const struct sim_share *share, uint32_t job,
	int64_t start, int64_t end, double factor)
{
	if (start < share->reset)
		start = share->reset;
	return decay_integral(factor * share->trace->jobs[job].procs,
		(time_t)start, (time_t)end, (time_t)end,
		share->policy->half_life);
}

void sim_share_ran(struct sim_share *share, uint32_t job, int64_t start,
	int64_t end, double factor)
{
	struct used *used = &share->used[share->assoc[job]];

	used->usage = carried(share, used, end) +
		      worth(share, job, start, end, factor);
	used->since = end;
}

static void look_for_reset(struct sim_share *share, int64_t now)
{
	int64_t last;

	if (share->now) {
		last = (int64_t)usage_reset_last(
			share->policy->reset, (time_t)share->now, (time_t)now);
		if (last > share->now)
			share->reset = last;
	}
	share->now = now;
}

void sim_share_begin(struct sim_share *share, int64_t now)
{
	look_for_reset(share, now);
	for (size_t i = 0; i < share->n_nodes; i++)
		share->nodes[i].usage_own = 0;
	for (size_t i = 0; i < share->n; i++)
		share->nodes[share->index[i]].usage_own +=
			carried(share, &share->used[i], now);
}

void sim_share_runs(
	struct sim_share *share, uint32_t job, int64_t start, double factor)
{
	uint32_t index = share->index[share->assoc[job]];

	share->nodes[index].usage_own +=
		worth(share, job, start, share->now, factor);
}

void sim_share_end(struct sim_share *share)
{
	arena_reset(&share->scratch);
	fairshare_compute(share->nodes, share->n_nodes,
		share->policy->algorithm, share->policy->dampening,
		&share->scratch);
}

double sim_share_factor(const struct sim_share *share, uint32_t job)
{
	return share->nodes[share->index[share->assoc[job]]].fairshare;
}
