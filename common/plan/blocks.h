/*
 * Blocks of nodes, for planning on a wide machine: neighbouring nodes with the
 * same partitions, state and running job are one block. Sets of nodes become
 * sets of blocks; the number of nodes in a set is the sum over its blocks. A
 * block of which a job takes a part is cut in two, so that the work grows with
 * the number of jobs, not of nodes. Part of common/plan/backfill.h. Pure.
 *
 * Only for nodes that are alike and that no two jobs share: then the set of
 * idle nodes tells all a pass needs (common/plan/schedule_alike.c).
 */
#pragma once

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

/* As bits_count_and and bits_enough_and over some words of the sets, but
 * counting the nodes in blocks. `blocks` NULL: each bit is a node. */
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

/* Makes room for twice as many blocks; all sets get more words. */
void blocks_grow(struct blocks *);

/* Cuts a block in two so that one begins at the node. Returns the index of the
 * block that was cut, SIZE_MAX when none had to be. There must be room for one
 * more block. */
size_t blocks_cut(struct blocks *, uint32_t node);

/* Adds the blocks that hold nodes of the runs to the set. */
void blocks_add(const struct blocks *, const struct node_runs *, uint64_t *set);

/* How many nodes of the runs are in blocks of the set? The runs must consist of
 * whole blocks. */
size_t blocks_count(
	const struct blocks *, const struct node_runs *, const uint64_t *set);

/* Is any node of the runs in a block of the set? */
bool blocks_meet(
	const struct blocks *, const struct node_runs *, const uint64_t *set);

/* The latest expected end in (from, horizon] of a job on nodes of the runs;
 * `from` when there is none. */
int64_t blocks_last_end(const struct blocks *, const struct node_runs *,
	int64_t from, int64_t horizon);

/* The runs of the set: as many as are counted, into `runs`. */
size_t blocks_runs(
	const struct blocks *, const uint64_t *set, struct select_run *runs);

/* The nodes of the runs, one by one. */
void blocks_nodes(const struct node_runs *, uint32_t *to);

/* A job has started on `chosen`, which must consist of whole blocks; it is the
 * last of the running jobs and ends at `end`. */
void blocks_run(struct blocks *, int64_t end);

/* place_job on blocks: puts the nodes into blocks->chosen and their number into
 * start->n_nodes. */
bool place_on_blocks(struct schedule *, struct blocks *,
	const struct sched_job *, struct sched_start *,
	const struct sched_view *);

/* Fills the start with the nodes of blocks->chosen and what the job gets of
 * each. */
void name_nodes(struct schedule *, const struct blocks *,
	const struct sched_job *, struct sched_start *);
