/*
 * Formats of squeue and sinfo: `%[.][width]letter` with text between for -o,
 * `type[:[.][width][suffix]]` for -O. Types are members (common/table/member.h)
 * of one name each, some with a letter. What is unknown is complained about and
 * leaves its text. For cmd/ only: it prints.
 */
#ifndef BURSAR_FORMAT_H
#define BURSAR_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/table/member.h"

struct json_object;
struct tres_catalog;

/* What a program's formats choose from, and how it complains. */
struct format_types {
	const struct members *members;
	const char *kind;	/* "job": of an unknown letter */
	const char *kind_long;	/* the same of an unknown type */
	bool bare;		/* no "PROGRAM: error: " before a letter's */
	bool plurals;		/* hints are given for plurals, too */
	bool has_all;		/* -O all */
	int least;		/* -1: unpadded output can be asked for */
};

struct piece {
	const struct member *type; /* NULL: only its suffix is printed */
	bool right;
	int width;
	const char *suffix; /* NULL: none */
};

/* A line: what is before the first piece, and the pieces. */
struct format {
	const char *prefix;
	struct piece *v;
	size_t n, cap;
};

/* Take a format of -o, of -O apart. */
void format_read(struct format *, const struct format_types *, const char *text,
	struct arena *);
void format_read_long(struct format *, const struct format_types *,
	const char *text, struct arena *);

/* A line of the texts, one for each piece; `whole`: a type with this mark is
 * not cut where it is right-justified. */
void format_line(const struct format *, const char *const *texts,
	unsigned whole, bool csv);

/* The row as flat data (common/table/flat.h). */
struct json_object *format_record(const struct format *, const void *row,
	const struct tres_catalog *, struct arena *);

/* NULL: none. */
const struct member *type_by_letter(const struct members *, char);
const struct member *type_by_name(const struct members *, const char *);

/* For --helpformat, --helpFormat: letters, types; not the hidden ones. */
void print_letters(const struct members *);
void print_types(const struct members *);

#endif
