/*
 * Where a job fits (spec/backfill.md 2.3, 3.7 "Node choice"): CPUs, memory,
 * gres, whole nodes; the preferred nodes first. Its CPUs lie on its nodes as
 * schedule_spread says, so that a list of nodes tells how much of each a
 * running job has. Pure.
 */
#include "common/schedule_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "common/numbers.h"

/* What a job needs of each node when it takes `nodes`. */
struct need {
	const struct sched_job *job;
	uint32_t nodes;
	uint32_t cpus; /* an even share */
	uint64_t mem;
	uint32_t most; /* CPUs of a node that may be used */
	bool whole;
};

static uint64_t share(uint64_t amount, uint64_t n)
{
	return amount / n + (amount % n != 0);
}

static uint32_t cap_of(
	const struct sched_node *node, const struct sched_partition *p)
{
	return node->cpus < p->max_cpus_per_node ? node->cpus
						 : p->max_cpus_per_node;
}

bool schedule_spread(
	uint32_t cpus, const uint32_t *caps, size_t n, uint32_t *shares)
{
	memset(shares, 0, n * sizeof(*shares));
	while (cpus) {
		uint32_t open = 0, each;

		for (size_t i = 0; i < n; i++)
			open += shares[i] < caps[i];
		if (!open)
			return false;
		each = cpus / open ? cpus / open : 1;
		for (size_t i = 0; cpus && i < n; i++) {
			uint32_t room = caps[i] - shares[i];
			uint32_t more = each < room ? each : room;

			more = more < cpus ? more : cpus;
			shares[i] += more;
			cpus -= more;
		}
	}
	return true;
}

/* ---- by configuration ----------------------------------------------------*/

static int compare_down(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

void measure_partition(const struct schedule *s, struct sched_partition *p,
	struct arena *arena)
{
	uint64_t *largest = arena_array(arena, p->n_nodes, sizeof(*largest));

	for (size_t i = 0; i < p->n_nodes; i++)
		largest[i] = cap_of(&s->nodes[p->nodes[i]], p);
	if (p->n_nodes)
		qsort(largest, p->n_nodes, sizeof(*largest), compare_down);
	for (size_t i = 1; i < p->n_nodes; i++)
		largest[i] += largest[i - 1];
	p->largest = largest;
}

/* The least number of nodes, from `n` on, that could hold the CPUs. */
static size_t nodes_for_cpus(
	const struct sched_partition *p, size_t n, uint32_t cpus)
{
	size_t low = n ? n : 1, high = p->n_nodes + 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->largest[middle - 1] >= cpus)
			high = middle;
		else
			low = middle + 1;
	}
	return low > p->n_nodes ? 0 : low;
}

static struct need need_of(const struct sched_job *job,
	const struct sched_partition *p, size_t nodes)
{
	return (struct need){
		.job = job,
		.nodes = (uint32_t)nodes,
		.cpus = (uint32_t)share(job->cpus, nodes),
		.mem = share(job->mem, nodes),
		.most = p->max_cpus_per_node,
		.whole = job->exclusive || p->exclusive,
	};
}

/* Could an empty node hold its part? */
static bool could_hold(const struct schedule *s, const struct sched_node *node,
	const struct need *need)
{
	if (!node->cpus || (node->mem && need->mem > node->mem))
		return false;
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++)
		if (share(need->job->gres[g], need->nodes) > node->gres[g])
			return false;
	return true;
}

size_t nodes_needed(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p)
{
	size_t n = nodes_for_cpus(p, job->nodes, job->cpus), found = 0;
	struct need need;

	if (!n || n > p->max_nodes)
		return 0;
	need = need_of(job, p, n);
	for (size_t i = 0; found < n && i < p->n_nodes; i++)
		found += could_hold(s, &s->nodes[p->nodes[i]], &need);
	return found < n ? 0 : n;
}

size_t nodes_up(const struct schedule *s, const struct sched_partition *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_nodes; i++)
		n += !s->nodes[p->nodes[i]].down && !s->nodes[p->nodes[i]].kept;
	return n;
}

/* ---- what is free --------------------------------------------------------*/

static bool has_room(const struct schedule *s, const struct sched_node *node,
	const struct need *need)
{
	uint32_t most = node->cpus < need->most ? node->cpus : need->most;
	uint32_t cpus = need->cpus < most ? need->cpus : most;

	if (node->down || node->kept || node->whole ||
		(need->whole && node->jobs) ||
		node->cpus_used + cpus > node->cpus ||
		node->cpus_used >= node->cpus)
		return false;
	if (node->mem && node->mem_used + need->mem > node->mem)
		return false;
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++)
		if (node->gres_used[g] +
				share(need->job->gres[g], need->nodes) >
			node->gres[g])
			return false;
	return true;
}

static int compare_places(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Do the CPUs, spread over these nodes, find them free? */
static bool settle(const struct schedule *s, const struct need *need,
	struct sched_start *start, struct arena *arena)
{
	size_t n = start->n_nodes;
	uint32_t *caps = arena_array(arena, n * 2, sizeof(*caps));
	uint32_t *shares = caps + n;
	uint64_t all = 0;

	qsort(start->nodes, n, sizeof(*start->nodes), compare_places);
	for (size_t i = 0; i < n; i++) {
		uint32_t cpus = s->nodes[start->nodes[i]].cpus;

		caps[i] = cpus < need->most ? cpus : need->most;
		all += cpus;
	}
	if (!schedule_spread(need->job->cpus, caps, n, shares))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct sched_node *node = &s->nodes[start->nodes[i]];

		if (node->cpus_used + shares[i] > node->cpus)
			return false;
	}
	start->cpus = need->whole ? (uint32_t)all : need->job->cpus;
	start->whole = need->whole;
	return true;
}

/* Of those with room, the first ones; or, where they are too small together,
 * the largest. */
static size_t collect(const struct schedule *s, const struct need *need,
	const struct sched_partition *p, uint32_t *places, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; n < most && i < p->n_nodes; i++)
		if (has_room(s, &s->nodes[p->nodes[i]], need))
			places[n++] = p->nodes[i];
	return n;
}

static int compare_sizes(const void *a, const void *b, void *arg)
{
	const struct sched_node *nodes = arg;
	const struct sched_node *x = &nodes[*(const uint32_t *)a];
	const struct sched_node *y = &nodes[*(const uint32_t *)b];

	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? 1 : -1;
	return compare_places(a, b);
}

bool place_job(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, struct arena *arena)
{
	const struct sched_partition *p = start->choice->partition;
	struct need need = need_of(job, p, start->n_nodes);
	size_t n = start->n_nodes;

	if (s->n_room < s->n_nodes) {
		s->n_room = s->n_nodes;
		s->room = arena_array(arena, s->n_nodes, sizeof(*s->room));
	}
	if (collect(s, &need, p, s->room, n) < n)
		return false;
	start->nodes = arena_array(arena, n, sizeof(*start->nodes));
	memcpy(start->nodes, s->room, n * sizeof(*start->nodes));
	if (settle(s, &need, start, arena))
		return true;
	qsort_r(s->room, collect(s, &need, p, s->room, p->n_nodes),
		sizeof(*s->room), compare_sizes, s->nodes);
	memcpy(start->nodes, s->room, n * sizeof(*start->nodes));
	return settle(s, &need, start, arena);
}

/* ---- taking --------------------------------------------------------------*/

static void take(const struct schedule *s, struct sched_node *node,
	const struct sched_job *job, uint32_t cpus, size_t nodes)
{
	node->cpus_used += cpus;
	node->mem_used += share(job->mem, nodes);
	node->jobs++;
	for (size_t g = 0; job->gres && g < s->n_gres; g++)
		node->gres_used[g] += share(job->gres[g], nodes);
}

void schedule_occupy(struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p, const struct sched_start *start,
	struct arena *arena)
{
	size_t n = start->n_nodes;
	uint32_t *caps = arena_array(arena, n * 2, sizeof(*caps));
	uint32_t *shares = caps + n;

	for (size_t i = 0; i < n; i++) {
		const struct sched_node *node = &s->nodes[start->nodes[i]];

		caps[i] = p ? cap_of(node, p) : node->cpus;
	}
	(void)schedule_spread(job->cpus, caps, n, shares);
	for (size_t i = 0; i < n; i++) {
		struct sched_node *node = &s->nodes[start->nodes[i]];

		take(s, node, job, start->whole ? node->cpus : shares[i], n);
		node->whole |= start->whole;
	}
	for (size_t i = 0; job->licenses && i < s->n_licenses; i++)
		s->licenses_used[i] += job->licenses[i];
}
