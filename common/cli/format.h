/*
 * The formats of squeue, sinfo and sprio: -o takes `%[.][width]letter` with
 * text between, -O takes a comma list of `type[:[.][width][suffix]]`. A type is
 * a member (common/table/member.h) with one name; some have a letter too. An
 * unknown letter or type gives an error message and the program goes on: for a
 * letter the line shows the text of the format, for a type only its suffix. For
 * cmd/ only: it prints.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/table/member.h"

struct json_object;
struct tres_catalog;

struct piece;

/* The types of a program's formats, its error messages and how it fills in
 * cells. */
struct format_types {
	const struct members *members;
	/* In "Invalid KIND format specification: X", such as "job". */
	const char *kind;	/* for an unknown letter */
	const char *kind_long;	/* for an unknown type */
	bool bare;		/* a letter's is without "PROGRAM: error: " */
	bool plurals;		/* "did you mean" also for plurals */
	bool has_all;		/* -O all is known */
	bool letters_only;	/* an unknown letter is left out with the text
				 * behind it, and `%all` is no format */
	int least;		/* smallest width; -1: unpadded, a blank */
	bool heading;		/* a line of headings is wanted */
	bool csv;		/* lines of CSV, without prefix, widths and
				 * suffixes */
	/* What a column shows of the row; `csv`: in a line of CSV. */
	const char *(*cell)(const struct piece *, const void *row, bool csv,
		struct arena *);
	/* Of members with one of these marks (enum member_mark) values, or the
	 * heading, are not cut to the width if they are right-justified. */
	unsigned whole_values, whole_headings;
};

/* One `%letter` or type of a format, with the text that follows it. */
struct piece {
	const struct member *type; /* NULL: only its suffix is printed */
	bool right;		   /* right-justified */
	int width;		   /* 0: as wide as the text */
	const char *suffix;	   /* text after it; NULL: none */
	int part; /* of a comparison: enum pair_part of common/table/pairs.h */
};

/* A format: the text before the first piece, and the pieces. */
struct format {
	struct format_types types;
	const char *prefix;
	struct piece *v;
	size_t n, cap;
};

/* Parses `names`, a format of -O, or where it is NULL `letters`, one of -o. */
void format_read(struct format *, const struct format_types *,
	const char *letters, const char *names, struct arena *);

/* cli_fit for lines of such a format, before the headings. */
void format_narrow(struct format *, struct arena *);

/* How wide a line is, at least. */
size_t format_width(const struct format *);

/* Is there a column with one of these marks (enum member_mark)? */
bool format_has(const struct format *, unsigned marks);

/* Print a line: of the headings, if any are wanted; of a row. */
void format_heading(const struct format *, struct arena *scratch);
void format_row(const struct format *, const void *row, struct arena *scratch);

/* The row as a record of flat data (common/table/flat.h), for a JSON document.
 */
struct json_object *format_record(const struct format *, const void *row,
	const struct tres_catalog *, struct arena *);

/* The type with this name, in any case; NULL: there is none. */
const struct member *type_by_name(const struct members *, const char *);

/* Print all letters or all type names, without hidden ones, for --helpformat
 * and --helpFormat. */
void print_letters(const struct members *);
void print_types(const struct members *);
