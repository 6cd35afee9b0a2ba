/*
 * Listings: of a table of members (common/table/member.h) some are chosen as
 * columns, then each row is a line of a table or a record of a document.
 *
 *	grid_init(&grid, &share_members, arena);
 *	if (grid_choose(&grid, "user%20"))
 *		... no such column ...
 *	grid_heading(&grid);
 *	for (each row)
 *		grid_row(&grid, &row);
 *
 * What the getters of the members make of a row lies in grid.table.scratch,
 * which the caller resets.
 */
#ifndef BURSAR_GRID_H
#define BURSAR_GRID_H

#include <stddef.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/nearest.h"
#include "common/table/member.h"
#include "common/table/table.h"

struct json_object;

struct grid {
	const struct members *members; /* that can be chosen */
	struct table table;	       /* with the heads of the columns */
	const struct member **columns; /* the member of each */
	struct arena *arena;
	size_t cap_columns, cap_heads;
};

/* Without columns, to standard output; the rest of `table` is the caller's to
 * set. */
void grid_init(struct grid *, const struct members *, struct arena *);

/* Starts again with other members and no columns; the layout stays. */
void grid_restart(struct grid *, const struct members *);

/*
 * Appends a member. As in Slurm it has the width of an earlier column of the
 * same member, and a width that was typed (0: none) goes to all columns of it;
 * one beyond 100000 on either side is passed over, negative ones justify left.
 */
void grid_put(struct grid *, const struct member *, long width);

/* All columns of the member get no width at all, as sacct has `name%0`. */
void grid_hide(struct grid *, const struct member *);

/* The same with the first member that `name[%width]` begins to spell. -1: no
 * such member. */
int grid_choose(struct grid *, const char *text);

/* The width in `name[%width]`; the usual one where none is given, or one beyond
 * 100000 on either side. Negative: justified left. */
int grid_width(const char *text, int usual);

/* The member that a word of `len` bytes abbreviates; NULL for an unknown word.
 * An empty word is the first member. */
const struct member *grid_find(
	const struct members *, const char *word, size_t len);

/* The closest of their names to an unknown word. */
void grid_nearest(
	const struct members *, const char *word, struct nearest *nearest);

/* Appends a member as it is. */
void grid_add(struct grid *, const struct member *);

/* Appends a member with another head. */
void grid_add_as(
	struct grid *, const struct member *, const struct table_column *);

/* Appends every member that has a name and is not hidden. */
void grid_add_all(struct grid *);

void grid_heading(const struct grid *);
void grid_row(const struct grid *, const void *row);

/* The columns of the row as flat data (common/table/flat.h). */
void grid_record(const struct grid *, const void *row,
	const struct tres_catalog *, struct json_object *record);

/* The members in the order of their first names in `names`, separated by
 * blanks; the others follow. A name of no member is our own mistake: BUG(). */
struct members members_ordered(
	const struct members *, const char *names, struct arena *);

/* The names for --helpformat: so many a line, each so wide; or each with its
 * help on a line of its own. */
void grid_print_names(
	FILE *, const struct members *, size_t per_line, int width);
void grid_print_help(FILE *, const struct members *, int width);

#endif
