/*
 * Listings: the caller chooses columns from a table of members
 * (common/table/member.h); each row is then written as a line of a table or as
 * a record of a document.
 *
 *	grid_init(&grid, &share_members, arena);
 *	if (grid_choose(&grid, "user%20"))
 *		... no such column ...
 *	grid_heading(&grid);
 *	for (each row)
 *		grid_row(&grid, &row);
 *
 * The values that getters compute for a row are allocated in
 * grid.table.scratch, which the caller sets, and resets between rows.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/nearest.h"
#include "common/table/member.h"
#include "common/table/table.h"

struct json_object;

struct grid {
	const struct members *members; /* that can be chosen */
	struct table table;	       /* heading and width of each column */
	const struct member **columns; /* the member of each; table.n of them */
	struct arena *arena;	       /* of the columns */
	size_t cap_columns, cap_heads;
};

/* No columns yet; writes to standard output, with a heading, "|" as delimiter.
 * The rest of `table` is the caller's to set. */
void grid_init(struct grid *, const struct members *, struct arena *);

/* Starts again with other members and no columns; mode, delimiter and output of
 * the table stay. */
void grid_restart(struct grid *, const struct members *);

/*
 * Appends a column for the member. `width` is the typed one, 0: none; negative:
 * left-justified; one beyond 100000 either way is ignored. As in Slurm, a typed
 * width also goes to all earlier columns of the same member, and without one
 * the new column takes the width of an earlier column, else the member's.
 */
void grid_put(struct grid *, const struct member *, long width);

/* Sets the width of all columns of the member to 0: sacct's `name%0`. */
void grid_hide(struct grid *, const struct member *);

/* grid_put for `name[%width]`, where the name may be abbreviated: the first
 * member that matches is taken. 0, or -1: no such member. */
int grid_choose(struct grid *, const char *text);

/* The width in `name[%width]`; `usual` where none or 0 is given, or one beyond
 * 100000 either way. Negative: left-justified. */
int grid_width(const char *text, int usual);

/* The first member whose names match the word of `len` bytes, which may be an
 * abbreviation; NULL: none. An empty word gives the first member with names. */
const struct member *grid_find(
	const struct members *, const char *word, size_t len);

/* Looks among the members' names for the one closest to an unknown word (up to
 * a `%`); the result is in `nearest` (common/base/nearest.h). */
void grid_nearest(
	const struct members *, const char *word, struct nearest *nearest);

/* Appends a column with the member's own heading and width. */
void grid_add(struct grid *, const struct member *);

/* Appends a column with another heading and width. */
void grid_add_as(
	struct grid *, const struct member *, const struct table_column *);

/* Appends every member that has a name and is not hidden. */
void grid_add_all(struct grid *);

/* The heading line (of CSV: the keys of flat data) and one row. */
void grid_heading(const struct grid *);
void grid_row(const struct grid *, const void *row);

/* Puts the columns of the row into `record` as flat data
 * (common/table/flat.h). */
void grid_record(const struct grid *, const void *row,
	const struct tres_catalog *, struct json_object *record);

/* A copy of the members in the arena, in the order in which `names` lists their
 * first names, separated by blanks; members it does not list follow. A name of
 * no member is our own mistake: BUG(). */
struct members members_ordered(
	const struct members *, const char *names, struct arena *);

/* Prints the first names of all members that are not hidden, for --helpformat:
 * `per_line` names a line, padded to `width`; or each on a line of its own with
 * its help. */
void grid_print_names(
	FILE *, const struct members *, size_t per_line, int width);
void grid_print_help(FILE *, const struct members *, int width);
