/*
 * A wide machine as blocks: neighbouring nodes that nothing tells apart now,
 * nor at any time the pass looks at, are one. Sets of nodes become sets of
 * blocks; a count of nodes is the sum of what the blocks hold. What a job takes
 * of a block is cut off it, so that the work grows with the jobs, not with the
 * nodes. Part of common/plan/backfill.h. Pure.
 *
 * For nodes that are alike and that no two jobs share: then a set of those that
 * are idle says all there is to know (common/plan/schedule_alike.c).
 */
#ifndef BURSAR_BLOCKS_H
#define BURSAR_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/bits.h"
#include "common/plan/schedule_nodes.h"
#include "common/select/select.h"

/* Runs of nodes, in order. */
struct node_runs {
	struct select_run *v;
	size_t n, cap;
};

struct blocks {
	uint32_t *first; /* node of each; behind the last: how many there are */
	int64_t *ends;	 /* when the job there is expected to end */
	size_t n;
	size_t words; /* of sets of blocks: some more have room */
	uint64_t *up, *idle, *counted;
	uint64_t **groups; /* the partitions */
	size_t n_groups;
	struct node_runs *of; /* of each running job */
	size_t n_of, cap_of;
	struct node_runs chosen; /* for the present attempt */
	struct arena *arena;
};

size_t blocks_add_up(const struct blocks *, size_t w, uint64_t set);

/* Nodes of the blocks in this word of a set; without blocks each bit is one. */
static inline size_t blocks_of_word(
	const struct blocks *blocks, size_t w, uint64_t set)
{
	return blocks ? blocks_add_up(blocks, w, set) : bits_of_word(set);
}

/* As bits_count_and and bits_enough_and, in some words. */
static inline size_t blocks_count_and(const struct blocks *blocks,
	const uint64_t *a, const uint64_t *b, struct sched_words words)
{
	size_t n = 0;

	for (size_t w = words.first; w < words.end; w++)
		if (a[w] & b[w])
			n += blocks_of_word(blocks, w, a[w] & b[w]);
	return n;
}

static inline bool blocks_enough_and(const struct blocks *blocks,
	const uint64_t *a, const uint64_t *b, struct sched_words words,
	size_t n)
{
	size_t found = 0;

	if (!blocks)
		return bits_enough_and(a + words.first, b + words.first,
			words.end - words.first, n);
	for (size_t w = words.first; w < words.end && found < n; w++)
		if (a[w] & b[w])
			found += blocks_of_word(blocks, w, a[w] & b[w]);
	return found >= n;
}

/* Makes the blocks of what runs and of the nodes of each partition. The arena
 * is set before. */
void blocks_open(struct blocks *, const struct schedule *);

/* Room for twice as many. */
void blocks_grow(struct blocks *);

/* The block that holds the node. */
size_t blocks_at(const struct blocks *, uint32_t node);

/* A block begins at the node from now on: the number of the one that became
 * two, SIZE_MAX where none had to. There must be room for it. */
size_t blocks_cut(struct blocks *, uint32_t node);

/* Those that hold nodes of the runs join the set. */
void blocks_add(const struct blocks *, const struct node_runs *, uint64_t *set);

/* How many of their nodes are in blocks of the set? The runs fill blocks. */
size_t blocks_count(
	const struct blocks *, const struct node_runs *, const uint64_t *set);

/* Is a node of the runs in one of the set? */
bool blocks_meet(
	const struct blocks *, const struct node_runs *, const uint64_t *set);

/* The last of the ends up to `horizon` on nodes of the runs; `from`: none is
 * behind it. */
int64_t blocks_last_end(const struct blocks *, const struct node_runs *,
	int64_t from, int64_t horizon);

/* The runs of the set: as many as are counted, into `runs`. */
size_t blocks_runs(
	const struct blocks *, const uint64_t *set, struct select_run *runs);

/* The nodes of the runs, one by one. */
void blocks_nodes(const struct node_runs *, uint32_t *to);

/* The running jobs have one more: it took `chosen`, which fills blocks. */
void blocks_run(struct blocks *, int64_t end);

/* place_job for a job whose nodes are counts: blocks->chosen, start->n_nodes.
 */
bool place_on_blocks(struct schedule *, struct blocks *,
	const struct sched_job *, struct sched_start *,
	const struct sched_view *);

/* The same nodes as a start, with what the job gets of each. */
void name_nodes(struct schedule *, const struct blocks *,
	const struct sched_job *, struct sched_start *);

#endif
