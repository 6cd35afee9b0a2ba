/*
 * Tables as Slurm's commands print them (spec/sacctmgr.md 4.2, priority.md
 * 6.4): fixed width with `+`-cut text, or cells between delimiters.
 */
#ifndef BURSAR_TABLE_H
#define BURSAR_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/text/value.h"

enum table_mode {
	TABLE_FIXED,	 /* padded cells, dashes under the heading */
	TABLE_PARSABLE,	 /* -p: a delimiter after every cell */
	TABLE_PARSABLE2, /* -P: a delimiter between cells */
	TABLE_CSV,	 /* --csv: commas, quotes as RFC 4180 */
};

struct table_column {
	const char *heading;
	int width; /* negative: left-justified */
};

struct table {
	FILE *out;
	enum table_mode mode;
	bool heading;
	const char *delimiter; /* for -p and -P */
	struct value_style style;
	struct arena *scratch; /* reset by the caller, per row when long */
	struct table_column *columns;
	size_t n;
};

/* Columns chosen one by one, a field maybe more than once: for each its place
 * in the caller's table of fields, and its head. A zeroed struct has none. */
struct table_choice {
	int *fields;
	struct table_column *heads;
	size_t n, cap_fields, cap_heads;
};

/* Appends a column as it is. */
void table_choice_add(struct table_choice *, struct arena *, int field,
	const struct table_column *head);

/*
 * Appends a column as Slurm does: with the width its field has in an earlier
 * one, and a width that was typed (0: none) goes to all columns of the field.
 * One beyond 100000 on either side is passed over.
 */
void table_choice_put(struct table_choice *, struct arena *, int field,
	const struct table_column *head, long width);

/* One cell of CSV, quoted where RFC 4180 says so and where there are control
 * characters, bytes that are no UTF-8 replaced; no comma around it. */
void table_csv_cell(FILE *out, const char *text);

/* The heading line and, in fixed width, the dashes; nothing without heading. */
void table_heading(const struct table *);

/* One row: `values` has one entry for each column. */
void table_row(const struct table *, const struct value *values);

#endif
