/*
 * The text of slurm.conf and slurmdbd.conf as lines of key=value pairs:
 * comments, escapes, continuation lines, quotes and Include are dealt with
 * here, what a key means is not.
 */
#ifndef BURSAR_CONF_LEX_H
#define BURSAR_CONF_LEX_H

#include <stddef.h>

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

/* A logical line; continuation lines belong to the first. Never empty. */
struct conf_line {
	struct conf_pairs pairs;
};

struct conf_lines {
	struct conf_line *v;
	size_t n, cap;
};

/*
 * Appends the lines of the file, those of included files in place of their
 * Include line. A relative Include is looked for beside the first file, as
 * Slurm does, then beside the including file; `%c` in it is the ClusterName
 * seen so far. -1: a file that cannot be read (ERR_SYSTEM), or text that is not
 * key=value (ERR_USAGE, "<file>:<line>: ...").
 */
int conf_lex_file(
	const char *path, struct arena *, struct conf_lines *, struct err *);

/* Appends a line that comes from no file; Include is not followed. */
int conf_lex_line(const char *text, struct arena *, struct conf_lines *,
	struct err *);

/* Removes the file and line number from an error about such a line. Returns
 * -1. */
int conf_err_nowhere(struct err *);

/* The value of the last pair with that key (any case), or NULL. */
const char *conf_pairs_get(const struct conf_pairs *, const char *key);

/* Puts "<file>:<line>: " before the error; control characters, which a file
 * of junk may have brought in, become `?`. Returns -1. */
int conf_err_at(struct err *, const char *file, int line);

#endif
