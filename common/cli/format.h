/*
 * The formats of squeue and sinfo: -o takes `%[.][width]letter` with text
 * between, -O takes a comma list of `type[:[.][width][suffix]]`. A type is a
 * member (common/table/member.h) with one name; some have a letter too. An
 * unknown letter or type gives an error message and the program goes on: for a
 * letter the line shows the text of the format, for a type only its suffix. For
 * cmd/ only: it prints.
 */
#ifndef BURSAR_FORMAT_H
#define BURSAR_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/table/member.h"

struct json_object;
struct tres_catalog;

/* The types of a program's formats, and its error messages. */
struct format_types {
	const struct members *members;
	/* In "Invalid KIND format specification: X", such as "job". */
	const char *kind;	/* for an unknown letter */
	const char *kind_long;	/* for an unknown type */
	bool bare;		/* a letter's is without "PROGRAM: error: " */
	bool plurals;		/* "did you mean" also for plurals */
	bool has_all;		/* -O all is known */
	int least;		/* smallest width; -1: unpadded, a blank */
};

/* One `%letter` or type of a format, with the text that follows it. */
struct piece {
	const struct member *type; /* NULL: only its suffix is printed */
	bool right;		   /* right-justified */
	int width;		   /* 0: as wide as the text */
	const char *suffix;	   /* text after it; NULL: none */
};

/* A format: the text before the first piece, and the pieces. */
struct format {
	const char *prefix;
	struct piece *v;
	size_t n, cap;
};

/* Parse a format of -o (format_read) or of -O (format_read_long). */
void format_read(struct format *, const struct format_types *, const char *text,
	struct arena *);
void format_read_long(struct format *, const struct format_types *,
	const char *text, struct arena *);

/* Prints a line: texts[i] is the text of piece i. `whole`: members with this
 * mark (enum member_mark) are not cut to the width if they are right-justified.
 * `csv`: a line of CSV, without prefix, widths and suffixes. */
void format_line(const struct format *, const char *const *texts,
	unsigned whole, bool csv);

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

#endif
