/*
 * The node-space table of Slurm's backfill (Slurm's
 * src/plugins/sched/backfill/backfill.c, _add_reservation()): records in order
 * of time, without gaps, over the whole window, each with the nodes that are
 * not promised to a pending job then. Pure.
 *
 * With `amounts` the table is finer than Slurm's: beside whole nodes it keeps
 * how many CPUs, MiB and gres of a node are promised, so that two jobs may be
 * planned on one node at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

enum { NS_NEEDS = 8 };

struct ns_record {
	int64_t begin, end; /* half open; seconds */
	uint32_t next;	    /* index in the table; 0: the last */
	uint64_t *avail;    /* nodes promised to no job */
	uint32_t *promised; /* amounts of every node; NULL without them */
	uint64_t *licenses; /* what is left of each */
	/* With amounts: the set of nodes of which less is promised in the next
	 * record; left[need]: the set of nodes with room for that need beside
	 * what is promised. */
	uint64_t *eases, **left;
};

struct blocks;

struct nodespace {
	struct ns_record *v;
	size_t n, cap;
	uint32_t *counts; /* of each record: nodes left in each group */
	size_t n_counts, cap_counts;
	size_t most; /* records; the last insertion may reach one above */
	size_t words, n_nodes, n_licenses;
	const struct blocks *blocks; /* sets are of these; NULL: of nodes */
	size_t amounts; /* numbers for each node; 0: none are kept */
	const uint32_t *capacity; /* of each node; UINT32_MAX: no limit */
	struct {
		const uint32_t *least;
		bool whole;
	} needs[NS_NEEDS];
	size_t n_needs;
	const uint64_t *const *groups; /* sets of nodes that are counted */
	size_t n_groups;
	int64_t resolution; /* seconds; shorter slots take as long */
	struct arena *arena;
	size_t first_word, end_word; /* of the slot being inserted */
	/* A record near each of some moments, evenly apart in the window: about
	 * as many as records. */
	uint32_t *hints;
	size_t n_hints;
	int64_t hints_begin, hints_end;
	unsigned hints_shift; /* they are 2^shift seconds apart */
};

/* Makes the table one record over [begin, end) with these nodes and licenses.
 * The caller has set sizes, groups and arena of the table. */
void nodespace_open(struct nodespace *, int64_t begin, int64_t end,
	const uint64_t *avail, const uint64_t *licenses);

/* What is promised. `nodes`: as a set, cleared; or with amounts: their indexes
 * and the amounts of each. */
struct ns_slot {
	int64_t start, end;
	const uint64_t *nodes;
	const uint32_t *indexes, *amounts;
	size_t n_indexes;
	const uint64_t *licenses; /* NULL: none */
};

/* Has the table as many records as it may have (bf_node_space_size)? */
bool nodespace_full(const struct nodespace *);

/* Takes the slot out of what is left; at most one pair of equal neighbours is
 * merged. */
void nodespace_insert(struct nodespace *, const struct ns_slot *);

/*
 * With amounts: registers a need and returns its index; an equal need keeps its
 * index. A node fits the need if least[i] of each amount i is not promised (of
 * CPUs no more than the node has); `whole`: if none of its CPUs is. NS_NEEDS:
 * the table has no room for another need.
 */
size_t nodespace_need(struct nodespace *, const uint32_t *least, bool whole);

/* Is so much of the node promised in the record that such a need has no room? */
bool nodespace_blocked(const struct nodespace *, const struct ns_record *,
	const uint32_t *least, bool whole, size_t node);

/* A record at or before the first that ends after `when`. */
uint32_t nodespace_near(const struct nodespace *, int64_t when);

/* Nodes of the group that are promised to no job then. */
static inline uint32_t nodespace_count(
	const struct nodespace *ns, uint32_t record, size_t group)
{
	return ns->counts[record * ns->n_groups + group];
}
