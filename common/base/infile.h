/*
 * A whole file of text in memory.
 */
#ifndef BURSAR_INFILE_H
#define BURSAR_INFILE_H

#include <stddef.h>
#include <stdio.h>

#include "common/base/err.h"

/* `-` is standard input. `*text` has a NUL behind its `*size` bytes; free() it.
 * -1 when it cannot be read or is not text (it has a NUL byte; /dev/zero). */
int infile_read(const char *path, char **text, size_t *size, struct err *);

/* The rest of an open file, likewise. -1 with errno (EILSEQ: no text), and
 * nothing to free. */
int infile_copy(FILE *, char **text, size_t *size);

#endif
