#include "common/plan/blocks.h"

#include <string.h>

#include "common/base/err.h"

/* ---- counting ------------------------------------------------------------*/

size_t blocks_add_up(const struct blocks *blocks, size_t w, uint64_t set)
{
	const uint32_t *first = blocks->first + w * 64;
	size_t n = 0;

	while (set) {
		unsigned from = (unsigned)__builtin_ctzll(set), end = 64;
		uint64_t behind = ~set & UINT64_MAX << from;

		if (behind)
			end = (unsigned)__builtin_ctzll(behind);
		n += first[end] - first[from];
		set = end < 64 ? set & UINT64_MAX << end : 0;
	}
	return n;
}

/* ---- where nodes are ------------------------------------------------------*/

/* The block that holds the node. */
static size_t block_at(const struct blocks *b, uint32_t node)
{
	size_t low = 0, high = b->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (b->first[middle] <= node)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The next block that holds nodes of a run, b->n at its end; the first one
 * behind SIZE_MAX. */
static size_t next_of(
	const struct blocks *b, const struct select_run *run, size_t k)
{
	k = k == SIZE_MAX ? block_at(b, run->first) : k + 1;
	return k < b->n && b->first[k] < run->first + run->n ? k : b->n;
}

/* ---- opening -------------------------------------------------------------*/

static void add_run(
	struct node_runs *runs, uint32_t first, uint32_t n, struct arena *arena)
{
	*ARENA_PUSH(arena, runs->v, runs->n, runs->cap) =
		(struct select_run){.first = first, .n = n};
}

/* Nodes of a start lie in ascending order. */
static void runs_of(struct node_runs *runs, const struct sched_start *start,
	struct arena *arena)
{
	const uint32_t *nodes = start->nodes;

	for (size_t i = 0, from = 0; i < start->n_nodes; i++) {
		if (i + 1 < start->n_nodes && nodes[i + 1] == nodes[i] + 1)
			continue;
		add_run(runs, nodes[from], (uint32_t)(i + 1 - from), arena);
		from = i + 1;
	}
}

static void find_running(struct blocks *b, const struct schedule *s)
{
	for (size_t i = 0; i < s->n_running; i++)
		runs_of(ARENA_PUSH(b->arena, b->of, b->n_of, b->cap_of),
			&s->running[i].start, b->arena);
}

/* Where a node is in the set and the one in front of it is not, or the other
 * way round. */
static void mark_edges(uint64_t *edges, const uint64_t *set, size_t words)
{
	uint64_t before = 0;

	for (size_t w = 0; w < words; w++) {
		edges[w] |= set[w] ^ (set[w] << 1 | before);
		before = set[w] >> 63;
	}
}

static void mark(uint64_t *edges, size_t n_nodes, size_t node)
{
	if (node < n_nodes)
		bits_set(edges, node);
}

/* The first node of each block. */
static uint64_t *find_edges(const struct blocks *b, const struct schedule *s)
{
	size_t words = bits_words(s->n_nodes);
	uint64_t *edges = arena_array(b->arena, words, sizeof(*edges));

	bits_set(edges, 0);
	mark_edges(edges, s->sets.up, words);
	for (size_t i = 0; i < s->n_partitions; i++)
		mark_edges(edges, s->partitions[i].bits, words);
	for (size_t i = 0; i < b->n_of; i++)
		for (size_t k = 0; k < b->of[i].n; k++) {
			const struct select_run *run = &b->of[i].v[k];

			mark(edges, s->n_nodes, run->first);
			mark(edges, s->n_nodes, run->first + run->n);
		}
	if (s->n_nodes % 64)
		edges[words - 1] &= UINT64_MAX >> (64 - s->n_nodes % 64);
	return edges;
}

static uint64_t *new_set(const struct blocks *b)
{
	return arena_array(b->arena, b->words, sizeof(uint64_t));
}

static void make_arrays(struct blocks *b)
{
	b->first = arena_array(b->arena, b->words * 64 + 1, sizeof(*b->first));
	b->ends = arena_array(b->arena, b->words * 64, sizeof(*b->ends));
	b->up = new_set(b);
	b->idle = new_set(b);
	b->counted = new_set(b);
	b->groups = arena_array(b->arena, b->n_groups, sizeof(*b->groups));
	for (size_t i = 0; i < b->n_groups; i++)
		b->groups[i] = new_set(b);
}

static void put_first(struct blocks *b, const uint64_t *edges, size_t n_nodes)
{
	size_t words = bits_words(n_nodes);

	for (size_t node = 0; node < n_nodes;
		node = bits_next(edges, words, node + 1))
		b->first[b->n++] = (uint32_t)node;
	b->first[b->n] = (uint32_t)n_nodes;
}

static void fill(const struct blocks *b, uint64_t *set, const uint64_t *nodes)
{
	for (size_t i = 0; i < b->n; i++)
		if (bits_has(nodes, b->first[i]))
			bits_set(set, i);
}

static void set_ends(
	struct blocks *b, const struct node_runs *runs, int64_t end)
{
	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = SIZE_MAX;
			(k = next_of(b, &runs->v[i], k)) < b->n;) {
			b->ends[k] = end;
			bits_clear(b->idle, k);
		}
}

void blocks_open(struct blocks *b, const struct schedule *s)
{
	uint64_t *edges;
	size_t n;

	find_running(b, s);
	edges = find_edges(b, s);
	n = bits_count(edges, bits_words(s->n_nodes));
	b->words = bits_words(n + n / 2 + 1);
	b->n_groups = s->n_partitions;
	make_arrays(b);
	put_first(b, edges, s->n_nodes);
	fill(b, b->up, s->sets.up);
	fill(b, b->idle, s->sets.idle);
	for (size_t i = 0; i < b->n_groups; i++)
		fill(b, b->groups[i], s->partitions[i].bits);
	for (size_t i = 0; i < b->n_of; i++)
		set_ends(b, &b->of[i], s->running[i].end);
}

void blocks_grow(struct blocks *b)
{
	struct blocks old = *b;

	b->words *= 2;
	make_arrays(b);
	memcpy(b->first, old.first, (old.n + 1) * sizeof(*b->first));
	memcpy(b->ends, old.ends, old.n * sizeof(*b->ends));
	bits_copy(b->up, old.up, old.words);
	bits_copy(b->idle, old.idle, old.words);
	for (size_t i = 0; i < b->n_groups; i++)
		bits_copy(b->groups[i], old.groups[i], old.words);
}

/* ---- runs of nodes -------------------------------------------------------*/

void blocks_add(
	const struct blocks *b, const struct node_runs *runs, uint64_t *set)
{
	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = SIZE_MAX;
			(k = next_of(b, &runs->v[i], k)) < b->n;)
			bits_set(set, k);
}

bool blocks_meet(const struct blocks *b, const struct node_runs *runs,
	const uint64_t *set)
{
	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = SIZE_MAX;
			(k = next_of(b, &runs->v[i], k)) < b->n;)
			if (bits_has(set, k))
				return true;
	return false;
}

size_t blocks_count(const struct blocks *b, const struct node_runs *runs,
	const uint64_t *set)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = SIZE_MAX;
			(k = next_of(b, &runs->v[i], k)) < b->n;)
			if (bits_has(set, k))
				n += b->first[k + 1] - b->first[k];
	return n;
}

int64_t blocks_last_end(const struct blocks *b, const struct node_runs *runs,
	int64_t from, int64_t horizon)
{
	int64_t last = from;

	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = SIZE_MAX;
			(k = next_of(b, &runs->v[i], k)) < b->n;)
			if (!bits_has(b->idle, k) && b->ends[k] <= horizon &&
				b->ends[k] > last)
				last = b->ends[k];
	return last;
}

size_t blocks_runs(
	const struct blocks *b, const uint64_t *set, struct select_run *runs)
{
	size_t i = bits_next(set, b->words, 0), count = 0;

	while (i < b->n) {
		size_t end = bits_next_clear(set, b->words, i);

		runs[count++] = (struct select_run){
			.first = b->first[i], .n = b->first[end] - b->first[i]};
		i = bits_next(set, b->words, end);
	}
	return count;
}

void blocks_nodes(const struct node_runs *runs, uint32_t *to)
{
	for (size_t i = 0; i < runs->n; i++)
		for (uint32_t k = 0; k < runs->v[i].n; k++)
			*to++ = runs->v[i].first + k;
}

void blocks_run(struct blocks *b, int64_t end)
{
	struct node_runs *runs =
		ARENA_PUSH(b->arena, b->of, b->n_of, b->cap_of);

	for (size_t i = 0; i < b->chosen.n; i++)
		add_run(runs, b->chosen.v[i].first, b->chosen.v[i].n, b->arena);
	set_ends(b, runs, end);
}

size_t blocks_cut(struct blocks *b, uint32_t node)
{
	size_t k = block_at(b, node), behind;

	if (node >= b->first[b->n] || b->first[k] == node)
		return SIZE_MAX;
	if (b->n == b->words * 64)
		BUG("no room for one more block");
	behind = b->n - k;
	memmove(&b->first[k + 2], &b->first[k + 1], behind * sizeof(*b->first));
	memmove(&b->ends[k + 1], &b->ends[k], behind * sizeof(*b->ends));
	b->first[k + 1] = node;
	b->n++;
	bits_double(b->up, b->words, k);
	bits_double(b->idle, b->words, k);
	for (size_t i = 0; i < b->n_groups; i++)
		bits_double(b->groups[i], b->words, k);
	return k;
}
