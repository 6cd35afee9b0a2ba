/*
 * A listing before and after a hypothetical change (--what-if). The rows of the
 * two are paired by what identifies them. A column that such a change can move
 * (MEMBER_MOVES) is shown before and after it, and with MEMBER_SUBTRACTED the
 * difference too.
 *
 *	pairs_match(&pairs, &before, &after, by_key, &arena);
 *	pairs_grid_open(&wide, &grid);
 *	grid_heading(&wide.grid);
 *	for (each pair)
 *		pairs_print(&wide, &pairs.v[i]);
 */
#ifndef BURSAR_PAIRS_H
#define BURSAR_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/table/grid.h"

/* ---- rows ----------------------------------------------------------------*/

/* One row before and after; NULL on the side that lacks it. */
struct pair {
	const void *before, *after;
};

struct pairs {
	struct pair *v;
	size_t n;
};

/* The rows of one side: an array of n records of `size` bytes. */
struct side {
	const void *v;
	size_t n, size;
};

typedef int (*pair_identity)(const void *, const void *);

/* Each row of either side once, sorted by identity, which is unique on a side. */
void pairs_match(struct pairs *, const struct side *before,
	const struct side *after, pair_identity, struct arena *);

/* Sorts pairs in the order of `after`; rows that are gone keep their earlier
 * position. */
void pairs_in_order(struct pairs *, const struct side *before,
	const struct side *after, struct arena *);

/* The row as it would be; as it is where it would be gone. */
static inline const void *pair_row(const struct pair *pair)
{
	return pair->after ? pair->after : pair->before;
}

/* ---- columns -------------------------------------------------------------*/

enum part { PART_BEFORE, PART_AFTER, PART_DIFFERENCE };

/* "before", "after", "difference": names in JSON. */
extern const char *const part_names[];

/* How many columns the member has: 1, 2, or 3 with the difference. */
int pair_parts(const struct member *);

/* The row whose value the column shows; NULL: the cell stays blank. */
const void *pair_side(
	const struct pair *, const struct member *, enum part);

/* Its value; the difference is VALUE_REAL or VALUE_INT (of times: seconds).
 * Nothing where a row is missing or, for the difference, no number. */
struct value pair_value(const struct pair *, const struct member *,
	enum part, struct arena *);

/* The difference with its sign, "+00:10:00" for times; `quiet`: nothing for 0. */
const char *pair_difference(const struct pair *, const struct member *,
	bool quiet, struct arena *);

/* ---- tables --------------------------------------------------------------*/

struct pairs_grid {
	struct grid grid;
	enum part *parts; /* of each column */
	bool quiet;	  /* a difference of 0 is blank */
};

/* Takes over how the grid looks; every column that moves becomes two or three. */
void pairs_grid_open(struct pairs_grid *, const struct grid *);

/* Its values lie in the grid's scratch arena, which the caller resets. */
void pairs_print(const struct pairs_grid *, const struct pair *);

#endif
