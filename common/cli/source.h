/*
 * Reads lines of a file or of standard input, compressed by gzip or not: zlib
 * passes plain text on as it is. For cmd/ only. Functions that return int: 0,
 * or -1 with err set, unless they say otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "common/base/arena.h"
#include "common/base/err.h"

struct source {
	gzFile gz;
	char *buffer;
	size_t start, end; /* of the bytes in `buffer` not yet returned */
	bool begun, at_end;
	bool cut;      /* the input ends within a line or compressed block */
	bool damaged;  /* the compressed data are cut or invalid */
	struct err failed; /* what stopped reading; source_peek does not say */
	bool too_long; /* source_line returned only the beginning of a line */
	uint64_t line; /* number of the line just returned, from 1 */
	int64_t size;  /* bytes on disk, compressed; 0: unknown */
	char identity[160]; /* same file with same content; "" for a pipe */
};

/* Opens the file; "-" is standard input. -1: ERR_SYSTEM. */
int source_open(struct source *, const char *path, struct err *);

/* Frees everything; does nothing for a zeroed struct. */
void source_close(struct source *);

/* Reads the next line: `*len` bytes without newline (or CR LF) and a NUL after
 * them, valid until the next call. Returns 1; 0 at the end, also where damaged
 * data end the input (see `damaged`); -1 with err. */
int source_line(struct source *, char **line, size_t *len, struct err *);

/* Copies the line just returned to the arena, where the caller may cut it up;
 * bytes that are not UTF-8 become U+FFFD. -1 (ERR_USAGE): the line was too long
 * (1 MiB), or holds a NUL byte. */
int source_copy(const struct source *, struct arena *, const char *line,
	size_t len, char **copy, struct err *);

/* Copies up to `size` of the next bytes without consuming them. Returns how
 * many: fewer than `size` at the end or at an error (`cut`, `damaged`,
 * `failed`; the next call of another function gives it). */
size_t source_peek(struct source *, char *bytes, size_t size);

/* Reads a pipe to its end into an unnamed temporary file, so that later reads
 * do not wait for its writer. Does nothing for a regular file. */
int source_spool(struct source *, struct err *);

/* Goes back to the beginning: of a regular file, or of a pipe after
 * source_spool. */
int source_rewind(struct source *, struct err *);

/* Reads up to `size` bytes, for input that does not consist of lines. Returns
 * how many; 0 at the end; -1 with err. */
int64_t source_read(struct source *, char *bytes, size_t size, struct err *);
