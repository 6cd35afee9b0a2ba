/*
 * A listing before and after a hypothetical change (--what-if). Each row before
 * is paired with the row after that has the same identity (a job id, an
 * association). A column that such a change can move
 * (MEMBER_MOVES) is shown before and after it, and with MEMBER_SUBTRACTED the
 * difference too.
 *
 *	pairs_match(&pairs, &before, &after, by_key, &arena);
 *	pairs_grid_open(&wide, &grid);
 *	grid_heading(&wide.grid);
 *	for (each pair)
 *		pairs_print(&wide, &pairs.v[i]);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/table/grid.h"

/* ---- rows ----------------------------------------------------------------*/

/* One row before and after the change; NULL on the side that lacks it. */
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

/* Compares two rows as qsort's function does; 0: the same identity. */
typedef int (*pair_identity)(const void *, const void *);

/* Pairs the rows of both sides, sorted by identity; no two rows of a side may
 * have the same. The pairs lie in the arena. */
void pairs_match(struct pairs *, const struct side *before,
	const struct side *after, pair_identity, struct arena *);

/* Sorts pairs in the order of `after`; rows that are gone keep their earlier
 * position. */
void pairs_in_order(struct pairs *, const struct side *before,
	const struct side *after, struct arena *);

/* The row after the change; where it is gone, the row before. */
static inline const void *pair_row(const struct pair *pair)
{
	return pair->after ? pair->after : pair->before;
}

/* ---- columns -------------------------------------------------------------*/

enum pair_part { PART_BEFORE, PART_AFTER, PART_DIFFERENCE };

/* "before", "after", "difference": names in JSON. */
extern const char *const part_names[];

/* How many columns the member has: 1, 2, or 3 with the difference. */
int pair_parts(const struct member *);

/* The row whose value the column shows (of a column that does not move:
 * pair_row); NULL: that side lacks the row, or the part is the difference. */
const void *pair_side(
	const struct pair *, const struct member *, enum pair_part);

/* The value of that part of the column; the difference is VALUE_REAL or
 * VALUE_INT (of times: seconds). VALUE_NONE where the row is missing or, for
 * the difference, either row or a number is. */
struct value pair_value(const struct pair *, const struct member *,
	enum pair_part, struct arena *);

/* The difference as text with its sign, "+00:10:00" for times; "" where there
 * is none, with `quiet` also where it is 0. In the arena. */
const char *pair_difference(const struct pair *, const struct member *,
	bool quiet, struct arena *);

/* ---- tables --------------------------------------------------------------*/

struct pairs_grid {
	struct grid grid;
	enum pair_part *parts; /* which part each column shows */
	bool quiet;	  /* a difference of 0 is blank */
};

/* Copies members, layout and columns of the grid; a column that moves becomes
 * two or three (pair_parts). */
void pairs_grid_open(struct pairs_grid *, const struct grid *);

/* Prints one pair as a line. Values lie in the grid's scratch arena, which the
 * caller resets. */
void pairs_print(const struct pairs_grid *, const struct pair *);
