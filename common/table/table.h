/*
 * Tables as Slurm's commands print them (Slurm's src/common/print_fields.c):
 * fixed width with `+`-cut text, or cells between delimiters.
 */
#pragma once

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
	struct value_fit fit;
	bool left_out; /* by table_fit */
};

struct table {
	FILE *out;
	enum table_mode mode;
	bool heading;
	const char *delimiter; /* for -p and -P */
	struct value_style style;
	struct arena *scratch; /* the caller resets it, in a long table after
				  each row */
	struct table_column *columns; /* n of them */
	size_t n;
};

/* As printf's "%*.*s", which takes longer: at most `most` bytes of the text,
 * padded on the left, or on the right where the width is negative. */
void table_pad(FILE *out, const char *text, int width, size_t most);

/* Writes one cell of CSV, without a comma: quoted where RFC 4180 says so and
 * where it has control characters; bytes that are not UTF-8 are replaced. */
void table_csv_cell(FILE *out, const char *text);

/* --csv=safe: from now on an apostrophe precedes cells that begin like a
 * spreadsheet formula (= + - @) and are not numbers. */
void table_csv_safe(void);

/* How wide a line is, at least. */
size_t table_width(const struct table *);

/* Makes lines of fixed width `room` wide as far as the columns' `fit` allows:
 * columns are left out until it is enough to cut texts. Returns how many. */
size_t table_fit(struct table *, size_t room);

/* The heading line and, in fixed width, the dashes; nothing without heading. */
void table_heading(const struct table *);

/* One row: `values` has one entry for each column. */
void table_row(const struct table *, const struct value *values);
