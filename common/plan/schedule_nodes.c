/*
 * Where a job fits (spec/backfill.md 2.3, 3.7 "Node choice"): CPUs, memory,
 * gres, whole nodes; the preferred nodes first. Its CPUs lie on its nodes as
 * schedule_spread says, so that a list of nodes tells how much of each a
 * running job has. Pure.
 */
#include "common/plan/schedule_need.h"

#include <stdlib.h>
#include <string.h>

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
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->largest[middle - 1] >= cpus)
			high = middle;
		else
			low = middle + 1;
	}
	return low > p->n_nodes ? 0 : low;
}

static int compare_caps_down(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y) - (x > y);
}

/* CPUs of the n largest nodes that could each hold a part of the job; 0: fewer
 * than n could. The first n are taken if they are large enough. */
static uint64_t cpus_of_largest(const struct schedule *s,
	const struct sched_partition *p, const struct need *need)
{
	uint32_t *caps = s->caps;
	size_t n = need->nodes, found = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[p->nodes[i]];

		if (!could_hold(s, node, need))
			continue;
		caps[found++] = node->cpus < need->most ? node->cpus : need->most;
		sum += found <= n ? caps[found - 1] : 0;
		if (found == n && sum >= need->job->cpus)
			return sum;
	}
	if (found < n)
		return 0;
	qsort(caps, found, sizeof(*caps), compare_caps_down);
	sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += caps[i];
	return sum;
}

static size_t count_required(const struct schedule *s, const struct sched_job *job)
{
	return job->required ? bits_count(job->required, bits_words(s->n_nodes))
			     : 0;
}

static size_t count_needed(const struct schedule *s,
	const struct sched_job *job, const struct sched_choice *choice)
{
	const struct sched_partition *p = choice->partition;
	uint32_t most = choice->any_max_nodes ? INFINITE : p->max_nodes;
	size_t n;

	if (s->by_slurm)
		return needed_by_rules(s, job, choice);
	n = count_required(s, job);
	n = nodes_for_cpus(p, n > job->nodes ? n : job->nodes, job->cpus);
	for (; n && n <= most && n <= p->n_nodes; n++) {
		struct need need = need_of(s, job, p, n);
		uint64_t cpus = cpus_of_largest(s, p, &need);

		if (!cpus || cpus >= job->cpus)
			return cpus ? n : 0;
	}
	return 0;
}

size_t nodes_needed(const struct schedule *s, struct sched_job *job,
	const struct sched_choice *choice)
{
	uint32_t in = ((uint32_t)(choice->partition - s->partitions) + 1) * 4 +
		      choice->any_min_nodes * 2 + choice->any_max_nodes;

	if (job->needed_in != in) {
		job->needed = (uint32_t)count_needed(s, job, choice);
		job->needed_in = in;
	}
	return job->needed;
}

size_t nodes_up(const struct schedule *s, const struct sched_partition *p)
{
	const struct sched_sets *sets = &s->sets;
	size_t n = 0;

	for (size_t w = p->words.first; w < p->words.end; w++)
		n += bits_of_word(p->bits[w] & sets->up[w] & ~sets->kept[w]);
	return n;
}

/* ---- choosing ------------------------------------------------------------*/

static int compare_indexes(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_indexes(uint32_t *indexes, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (indexes[i - 1] > indexes[i]) {
			qsort(indexes, n, sizeof(*indexes), compare_indexes);
			return;
		}
}

/* Do the CPUs, spread over these nodes, find them free? */
static bool settle(const struct schedule *s, const struct sched_view *view,
	const struct need *need, struct sched_start *start)
{
	size_t n = start->n_nodes;
	uint32_t *caps = s->caps, *shares = caps + n;
	uint64_t all = 0;

	sort_indexes(start->nodes, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t cpus = s->nodes[start->nodes[i]].cpus;

		caps[i] = cpus < need->most ? cpus : need->most;
		all += cpus;
	}
	if (!schedule_spread(need->job->cpus, caps, n, shares))
		return false;
	for (size_t i = 0; i < n; i++)
		if (taken_of(s, view, start->nodes[i], need).cpus + shares[i] >
			s->nodes[start->nodes[i]].cpus)
			return false;
	start->cpus = need->whole ? (uint32_t)all : need->job->cpus;
	start->whole = need->whole;
	return true;
}

static bool is_required(const struct need *need, uint32_t index)
{
	return need->job->required && bits_has(need->job->required, index);
}

/* Those that the job named come first. */
static size_t collect_required(const struct schedule *s,
	const struct sched_view *view, const struct need *need,
	const struct sched_partition *p)
{
	size_t n = 0;

	for (size_t i = 0; need->job->required && i < p->n_nodes; i++)
		if (is_required(need, p->nodes[i]) &&
			has_room(s, view, p->nodes[i], need))
			s->room[n++] = p->nodes[i];
	return n;
}

/* Nodes with room behind the first `n`; `busy`: only those in use now. */
static size_t collect_more(const struct schedule *s,
	const struct sched_view *view, const struct need *need,
	const struct sched_partition *p, size_t n, size_t most, bool busy)
{
	for (size_t i = 0; n < most && i < p->n_nodes; i++) {
		uint32_t index = p->nodes[i];

		if (view->busy_first && busy != (s->nodes[index].jobs > 0))
			continue;
		if (!is_required(need, index) && has_room(s, view, index, need))
			s->room[n++] = index;
	}
	return n;
}

/* Of those with room, behind the first `n`, the first ones; or, where they are
 * too small together, the largest. */
static size_t collect(const struct schedule *s, const struct sched_view *view,
	const struct need *need, const struct sched_partition *p, size_t n,
	size_t most)
{
	n = collect_more(s, view, need, p, n, most, true);
	return view->busy_first ? collect_more(s, view, need, p, n, most, false)
				: n;
}

static int compare_sizes(const void *a, const void *b, void *arg)
{
	const struct sched_node *nodes = arg;
	const struct sched_node *x = &nodes[*(const uint32_t *)a];
	const struct sched_node *y = &nodes[*(const uint32_t *)b];

	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? 1 : -1;
	return compare_indexes(a, b);
}

bool place_job(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, const struct sched_view *view)
{
	const struct sched_partition *p = start->choice->partition;
	size_t n = start->n_nodes, named;
	struct need need;

	if (s->by_slurm)
		return place_by_rules(s, job, start, view);
	need = need_of(s, job, p, n);
	named = collect_required(s, view, &need, p);
	if (named < count_required(s, job) || named > n ||
		collect(s, view, &need, p, named, n) < n)
		return false;
	start->nodes = s->room;
	if (settle(s, view, &need, start))
		return true;
	collect_required(s, view, &need, p);
	qsort_r(s->room + named,
		collect(s, view, &need, p, named, p->n_nodes) - named,
		sizeof(*s->room), compare_sizes, s->nodes);
	return settle(s, view, &need, start);
}

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
