/*
 * Splits the text of slurm.conf and slurmdbd.conf into lines of key=value
 * pairs: handles comments, escapes, continuation lines, quotes and Include, but
 * not the meaning of keys.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"

struct conf_pair {
	const char *key; /* as written */
	const char *value;
	const char *file;
	int line;
};

struct conf_pairs {
	struct conf_pair *v;
	size_t n, cap;
};

/* A logical line: continuation lines belong to the first. It has at least one
 * pair. */
struct conf_line {
	struct conf_pairs pairs;
};

struct conf_lines {
	struct conf_line *v;
	size_t n, cap;
	int64_t changed; /* the newest of the files: epoch seconds */
};

/*
 * Appends the lines of the file; those of an included file take the place of
 * the Include line. A relative Include is looked for in the folder of the first
 * file, as Slurm does, then in that of the including file; `%c` in it is the
 * ClusterName seen so far. Returns 0; -1: a file cannot be read (ERR_SYSTEM),
 * or text is not key=value (ERR_USAGE, "<file>:<line>: ...").
 */
int conf_lex_file(
	const char *path, struct arena *, struct conf_lines *, struct err *);

/* Appends the lines of a text that does not come from a file; Include is not
 * followed. Returns 0, or -1 with an error without file and line. */
int conf_lex_line(const char *text, struct arena *, struct conf_lines *,
	struct err *);

/* The value of the last pair with that key (any case), or NULL. */
const char *conf_pairs_get(const struct conf_pairs *, const char *key);

/* Puts "<file>:<line>: " before the error. Control characters in the error,
 * which may come from a binary file, become `?`. Returns -1. */
int conf_err_at(struct err *, const char *file, int line);
