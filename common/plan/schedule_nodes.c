/*
 * What the passes know of nodes and partitions before they place a job: part of
 * common/plan/schedule_nodes.h. Pure.
 */
#include "common/plan/schedule_need.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bisect.h"
#include "common/base/bits.h"
#include "common/base/numbers.h"

uint32_t cap_of(const struct sched_node *node, const struct sched_partition *p)
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

static struct sched_words used_words(const uint64_t *set, size_t words)
{
	struct sched_words used = {0, words};

	while (used.first < used.end && !set[used.first])
		used.first++;
	while (used.end > used.first && !set[used.end - 1])
		used.end--;
	return used;
}

static bool are_alike(
	const struct schedule *s, const struct sched_partition *p)
{
	const struct sched_node *first = NULL;

	for (size_t i = 0; i < p->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[p->nodes[i]];

		if (!first)
			first = node;
		if (!node->cpus || node->cpus != first->cpus ||
			node->mem != first->mem ||
			node->weight != first->weight)
			return false;
	}
	return first;
}

static void measure_partition(const struct schedule *s,
	struct sched_partition *p, struct arena *arena)
{
	uint64_t *largest = arena_array(arena, p->n_nodes, sizeof(*largest));
	uint64_t *bits =
		arena_array(arena, bits_words(s->n_nodes), sizeof(*bits));

	for (size_t i = 0; i < p->n_nodes; i++)
		bits_set(bits, p->nodes[i]);
	p->bits = bits;
	p->words = used_words(bits, bits_words(s->n_nodes));
	for (size_t i = 0; i < p->n_nodes; i++)
		largest[i] = cap_of(&s->nodes[p->nodes[i]], p);
	if (p->n_nodes)
		qsort(largest, p->n_nodes, sizeof(*largest), compare_down);
	for (size_t i = 1; i < p->n_nodes; i++)
		largest[i] += largest[i - 1];
	p->largest = largest;
	p->alike = are_alike(s, p);
}

static uint64_t *new_set(const struct schedule *s, struct arena *arena)
{
	return arena_array(
		arena, bits_words(s->n_nodes), sizeof(uint64_t));
}

static void measure_nodes(struct schedule *s, struct arena *arena)
{
	struct sched_sets *sets = &s->sets;

	sets->up = new_set(s, arena);
	sets->idle = new_set(s, arena);
	sets->exclusive = new_set(s, arena);
	sets->shared = new_set(s, arena);
	sets->kept = new_set(s, arena);
	sets->n_shared = 0;
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (!s->nodes[i].down)
			bits_set(sets->up, i);
		schedule_note(s, i);
	}
}

void schedule_measure(struct schedule *s, struct arena *arena)
{
	if (s->caps)
		return;
	s->room = arena_array(arena, s->n_nodes, sizeof(*s->room));
	s->room_cpus = arena_array(arena, s->n_nodes, sizeof(*s->room_cpus));
	s->room_mem = arena_array(arena, s->n_nodes, sizeof(*s->room_mem));
	s->caps = arena_array(arena, s->n_nodes * 2 + 1, sizeof(*s->caps));
	s->failed_reservations = arena_array(
		arena, bits_words(s->n_reservations), sizeof(uint64_t));
	s->usable = new_set(s, arena);
	s->chosen = new_set(s, arena);
	s->counted = new_set(s, arena);
	s->picked = new_set(s, arena);
	s->choosing = arena_array(arena, s->n_nodes, sizeof(*s->choosing));
	s->runs = arena_array(arena, s->n_nodes / 2 + 1, sizeof(*s->runs));
	measure_nodes(s, arena);
	for (size_t i = 0; i < s->n_partitions; i++)
		measure_partition(s, &s->partitions[i], arena);
}

size_t nodes_for_cpus(
	const struct sched_partition *p, size_t n, uint32_t cpus)
{
	size_t low = n ? n : 1, high = p->n_nodes + 1;

	if (p->alike) {
		size_t least = share_of(cpus, p->largest[0]);

		low = least > low ? least : low;
		return low > p->n_nodes ? 0 : low;
	}
	BISECT(low, high, middle, p->largest[middle - 1] < cpus)
	return low > p->n_nodes ? 0 : low;
}

size_t nodes_up(const struct schedule *s, const struct sched_partition *p)
{
	const struct sched_sets *sets = &s->sets;
	size_t n = 0;

	for (size_t w = p->words.first; w < p->words.end; w++)
		n += bits_of_word(p->bits[w] & sets->up[w] & ~sets->kept[w]);
	return n;
}

/* ---- what was chosen -----------------------------------------------------*/

static void *copy(struct arena *arena, const void *from, size_t n, size_t size)
{
	void *to = from ? arena_array(arena, n, size) : NULL;

	if (to)
		memcpy(to, from, n * size);
	return to;
}

void schedule_keep(struct sched_start *start, struct arena *arena)
{
	size_t n = start->n_nodes;

	start->nodes = copy(arena, start->nodes, n, sizeof(*start->nodes));
	start->cpus_on =
		copy(arena, start->cpus_on, n, sizeof(*start->cpus_on));
	start->mem_on = copy(arena, start->mem_on, n, sizeof(*start->mem_on));
}
