#include "common/plan/nodespace.h"

#include <string.h>

#include "common/base/bits.h"
#include "common/plan/blocks.h"

static struct ns_record *add_record(struct nodespace *ns)
{
	struct ns_record *r = ARENA_PUSH(ns->arena, ns->v, ns->n, ns->cap);

	r->avail = arena_array(
		ns->arena, ns->words + ns->n_licenses, sizeof(*r->avail));
	r->licenses = r->avail + ns->words;
	for (size_t g = 0; g < ns->n_groups; g++)
		(void)ARENA_PUSH(
			ns->arena, ns->counts, ns->n_counts, ns->cap_counts);
	if (ns->amounts)
		r->promised = arena_array(ns->arena, ns->n_nodes * ns->amounts,
			sizeof(*r->promised));
	if (ns->amounts) {
		r->eases = arena_array(ns->arena, ns->words, sizeof(*r->eases));
		r->left = arena_array(ns->arena, NS_NEEDS, sizeof(*r->left));
	}
	for (size_t i = 0; i < ns->n_needs; i++)
		r->left[i] =
			arena_array(ns->arena, ns->words, sizeof(*r->left[i]));
	return r;
}

static uint32_t *counts_of(const struct nodespace *ns, size_t record)
{
	return &ns->counts[record * ns->n_groups];
}

/* ---- needs ---------------------------------------------------------------*/

bool nodespace_blocked(const struct nodespace *ns, const struct ns_record *r,
	const uint32_t *least, bool whole, size_t node)
{
	const uint32_t *promised = &r->promised[node * ns->amounts];
	const uint32_t *capacity = &ns->capacity[node * ns->amounts];
	uint32_t cpus = least[0] < capacity[0] ? least[0] : capacity[0];

	if ((whole && promised[0]) ||
		(uint64_t)promised[0] + cpus > capacity[0])
		return true;
	for (size_t i = 1; i < ns->amounts; i++)
		if (least[i] && (uint64_t)promised[i] + least[i] > capacity[i])
			return true;
	return false;
}

static bool is_blocked(const struct nodespace *ns, const struct ns_record *r,
	size_t need, size_t node)
{
	return nodespace_blocked(ns, r, ns->needs[need].least,
		ns->needs[need].whole, node);
}

static void work_out_left(
	const struct nodespace *ns, struct ns_record *r, size_t need)
{
	r->left[need] =
		arena_array(ns->arena, ns->words, sizeof(*r->left[need]));
	for (size_t i = 0; i < ns->n_nodes; i++)
		if (bits_has(r->avail, i) && !is_blocked(ns, r, need, i))
			bits_set(r->left[need], i);
}

size_t nodespace_need(struct nodespace *ns, const uint32_t *least, bool whole)
{
	size_t size = ns->amounts * sizeof(*least), need = 0;
	uint32_t *copy;

	for (; need < ns->n_needs; need++)
		if (ns->needs[need].whole == whole &&
			!memcmp(ns->needs[need].least, least, size))
			return need;
	if (need == NS_NEEDS)
		return need;
	copy = arena_array(ns->arena, ns->amounts, sizeof(*copy));
	memcpy(copy, least, size);
	ns->needs[need].least = copy;
	ns->needs[need].whole = whole;
	for (size_t i = 0; i < ns->n; i++)
		work_out_left(ns, &ns->v[i], need);
	ns->n_needs++;
	return need;
}

/* ---- hints ---------------------------------------------------------------*/

enum { FEW_HINTS = 16 };

/* The last moment that is not behind `when`. */
static size_t moment(const struct nodespace *ns, int64_t when)
{
	int64_t i;

	if (when < ns->hints_begin)
		return 0;
	i = (when - ns->hints_begin) >> ns->hints_shift;
	return i < (int64_t)ns->n_hints ? (size_t)i : ns->n_hints - 1;
}

uint32_t nodespace_near(const struct nodespace *ns, int64_t when)
{
	return ns->hints[moment(ns, when)];
}

/* Moments in [begin, end) are in the record now. */
static void hint(struct nodespace *ns, int64_t begin, int64_t end, size_t index)
{
	for (size_t i = moment(ns, begin); i < ns->n_hints; i++) {
		int64_t at = ns->hints_begin + ((int64_t)i << ns->hints_shift);

		if (at >= end)
			return;
		if (at >= begin)
			ns->hints[i] = (uint32_t)index;
	}
}

static void make_hints(struct nodespace *ns, size_t n)
{
	uint32_t index = 0;

	ns->hints = arena_array(ns->arena, n, sizeof(*ns->hints));
	ns->n_hints = n;
	ns->hints_shift = 0;
	while ((ns->hints_end - ns->hints_begin) >> ns->hints_shift >=
		(int64_t)n)
		ns->hints_shift++;
	do {
		hint(ns, ns->v[index].begin, ns->v[index].end, index);
		index = ns->v[index].next;
	} while (index);
}

/* ---- opening -------------------------------------------------------------*/

void nodespace_open(struct nodespace *ns, int64_t begin, int64_t end,
	const uint64_t *avail, const uint64_t *licenses)
{
	struct ns_record *r = add_record(ns);

	r->begin = begin;
	r->end = end;
	bits_copy(r->avail, avail, ns->words);
	for (size_t g = 0; g < ns->n_groups; g++)
		counts_of(ns, 0)[g] = (uint32_t)blocks_count_and(ns->blocks,
			avail, ns->groups[g],
			(struct sched_words){0, ns->words});
	for (size_t i = 0; i < ns->n_licenses; i++)
		r->licenses[i] = licenses[i];
	ns->hints_begin = begin;
	ns->hints_end = end;
	make_hints(ns, FEW_HINTS);
}

bool nodespace_full(const struct nodespace *ns)
{
	return ns->n >= ns->most;
}

/* ---- inserting -----------------------------------------------------------*/

/* The record ends at `when`, a new one behind it takes the rest. */
static void split(struct nodespace *ns, uint32_t index, int64_t when)
{
	struct ns_record *right = add_record(ns);
	struct ns_record *left = &ns->v[index];

	right->begin = when;
	right->end = left->end;
	right->next = left->next;
	left->end = when;
	left->next = (uint32_t)ns->n - 1;
	hint(ns, when, right->end, left->next);
	bits_copy(right->avail, left->avail, ns->words);
	memcpy(counts_of(ns, ns->n - 1), counts_of(ns, index),
		ns->n_groups * sizeof(*ns->counts));
	memcpy(right->licenses, left->licenses,
		ns->n_licenses * sizeof(*right->licenses));
	if (!ns->amounts)
		return;
	memcpy(right->promised, left->promised,
		ns->n_nodes * ns->amounts * sizeof(*right->promised));
	bits_copy(right->eases, left->eases, ns->words);
	memset(left->eases, 0, ns->words * sizeof(*left->eases));
	for (size_t i = 0; i < ns->n_needs; i++)
		bits_copy(right->left[i], left->left[i], ns->words);
}

static void take_amounts(const struct nodespace *ns, struct ns_record *r,
	const struct ns_slot *slot)
{
	for (size_t i = 0; i < slot->n_indexes; i++) {
		uint32_t index = slot->indexes[i];

		for (size_t a = 0; a < ns->amounts; a++)
			r->promised[index * ns->amounts + a] +=
				slot->amounts[i * ns->amounts + a];
		for (size_t need = 0; need < ns->n_needs; need++)
			if (is_blocked(ns, r, need, index))
				bits_clear(r->left[need], index);
	}
}

/* Of which of the slot's nodes is less promised in the next record? */
static void set_eases(const struct nodespace *ns, struct ns_record *r,
	const struct ns_slot *slot)
{
	const struct ns_record *next = &ns->v[r->next];

	for (size_t i = 0; r->next && i < slot->n_indexes; i++) {
		size_t at = slot->indexes[i] * ns->amounts;
		bool eases = false;

		for (size_t a = at; a < at + ns->amounts; a++)
			eases |= next->promised[a] < r->promised[a];
		if (eases)
			bits_set(r->eases, slot->indexes[i]);
		else
			bits_clear(r->eases, slot->indexes[i]);
	}
}

/* Only words that change are counted again. */
static void take_nodes(
	const struct nodespace *ns, struct ns_record *r, const uint64_t *nodes)
{
	uint32_t *counts = counts_of(ns, (size_t)(r - ns->v));

	for (size_t w = ns->first_word; w < ns->end_word; w++) {
		uint64_t gone = r->avail[w] & nodes[w];

		if (!gone)
			continue;
		r->avail[w] &= ~gone;
		for (size_t g = 0; g < ns->n_groups; g++)
			counts[g] -= (uint32_t)blocks_of_word(
				ns->blocks, w, gone & ns->groups[g][w]);
	}
}

static void take(const struct nodespace *ns, struct ns_record *r,
	const struct ns_slot *slot)
{
	if (slot->nodes)
		take_nodes(ns, r, slot->nodes);
	if (ns->amounts)
		take_amounts(ns, r, slot);
	for (size_t i = 0; slot->licenses && i < ns->n_licenses; i++)
		r->licenses[i] -= slot->licenses[i] < r->licenses[i]
					  ? slot->licenses[i]
					  : r->licenses[i];
}

/* The record before the slot, which ends where the slot starts; `merge` gets
 * the one before that, where the search for equal neighbours begins. */
static uint32_t cut_start(struct nodespace *ns, int64_t start, uint32_t *merge)
{
	size_t i = moment(ns, start);
	uint32_t index = i ? ns->hints[i - 1] : 0;

	*merge = 0;
	if (ns->v[index].end >= start || !ns->v[index].next)
		index = 0; /* records have no link back */
	while (ns->v[index].end < start && ns->v[index].next) {
		*merge = index;
		index = ns->v[index].next;
	}
	if (ns->v[index].end > start)
		split(ns, index, start);
	return index;
}

/* Takes the slot from all records behind `before` until its end; gives the last
 * one it took it from. */
static uint32_t take_slot(
	struct nodespace *ns, uint32_t before, const struct ns_slot *slot)
{
	uint32_t index = before;

	while (ns->v[index].next && ns->v[index].end < slot->end) {
		index = ns->v[index].next;
		if (slot->end < ns->v[index].end)
			split(ns, index, slot->end);
		take(ns, &ns->v[index], slot);
	}
	return index;
}

static bool same(const struct nodespace *ns, const struct ns_record *a,
	const struct ns_record *b)
{
	return bits_equal(a->avail, b->avail, ns->words) &&
	       !memcmp(a->licenses, b->licenses,
		       ns->n_licenses * sizeof(*a->licenses)) &&
	       (!ns->amounts || !memcmp(a->promised, b->promised,
					ns->n_nodes * ns->amounts *
						sizeof(*a->promised)));
}

static void merge_one(struct nodespace *ns, uint32_t index, uint32_t last)
{
	for (;;) {
		struct ns_record *r = &ns->v[index], *next;

		if (!r->next)
			return;
		next = &ns->v[r->next];
		if (same(ns, r, next)) {
			hint(ns, next->begin, next->end, index);
			r->end = next->end;
			r->next = next->next;
			if (ns->amounts)
				bits_copy(r->eases, next->eases, ns->words);
			return;
		}
		if (index == last)
			return;
		index = r->next;
	}
}

static void find_words(struct nodespace *ns, const uint64_t *nodes)
{
	ns->first_word = 0;
	ns->end_word = nodes ? ns->words : 0;
	while (ns->first_word < ns->end_word && !nodes[ns->first_word])
		ns->first_word++;
	while (ns->end_word > ns->first_word && !nodes[ns->end_word - 1])
		ns->end_word--;
}

void nodespace_insert(struct nodespace *ns, const struct ns_slot *slot)
{
	struct ns_slot fit = *slot;
	uint32_t before, last, merge;

	if (fit.start < ns->v[0].begin)
		fit.start = ns->v[0].begin;
	if (fit.end < fit.start + ns->resolution)
		fit.end = fit.start + ns->resolution;
	if (ns->n > ns->n_hints)
		make_hints(ns, ns->n_hints * 2);
	find_words(ns, fit.nodes);
	before = cut_start(ns, fit.start, &merge);
	last = take_slot(ns, before, &fit);
	if (ns->amounts) {
		set_eases(ns, &ns->v[before], &fit);
		set_eases(ns, &ns->v[last], &fit);
	}
	merge_one(ns, merge, last);
}
