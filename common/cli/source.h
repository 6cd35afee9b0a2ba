/*
 * Lines of a file or of standard input, compressed or not: zlib passes plain
 * text on as it is. For cmd/ only: it reads.
 */
#ifndef BURSAR_SOURCE_H
#define BURSAR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "common/base/arena.h"
#include "common/base/err.h"

struct source {
	gzFile gz;
	char *buffer;
	size_t start, end; /* of what was not yet given away */
	bool begun, at_end;
	bool cut;      /* the file ends within a line or compressed block */
	bool damaged;  /* the compressed data are cut or no such data */
	bool too_long; /* the line just given is only its beginning */
	uint64_t line; /* number of the line just given */
	int64_t size;  /* bytes on the disk; 0: unknown */
	char identity[160]; /* of the file and what it held; "" for a pipe */
};

int source_open(struct source *, const char *path, struct err *);
void source_close(struct source *);

/* The next line without its end, NUL behind it, valid until the next call. 1,
 * 0 at the end, -1. */
int source_line(struct source *, char **line, size_t *len, struct err *);

/* A copy of the line just given, to be taken to pieces; bytes that are no UTF-8
 * become U+FFFD. -1: it is too long, or holds a NUL. */
int source_copy(const struct source *, struct arena *, const char *line,
	size_t len, char **copy, struct err *);

/* Peeks at up to `size` of the next bytes without consuming them. */
size_t source_peek(struct source *, char *bytes, size_t size);

/* Reads a pipe to its end into an unnamed temporary file, so that later reads
 * do not wait for the other side. Does nothing for a file. */
int source_spool(struct source *, struct err *);

/* Starts over from the beginning: a file, or a pipe after source_spool. */
int source_rewind(struct source *, struct err *);

/* Bytes, for input that is not made of lines. 0 at the end, -1. */
int64_t source_read(struct source *, char *bytes, size_t size, struct err *);

#endif
