/*
 * Reads a whole text file into memory, without the byte order mark that editors
 * of Windows begin it with.
 */
#pragma once

#include <stddef.h>

#include "common/base/err.h"

/* Reads the file at `path`; "-" is standard input. Returns 0; *text has *size
 * bytes and a NUL after them, and the caller frees it with free(). -1 with err
 * (ERR_USAGE): the file cannot be read, or is not text because it holds a NUL
 * byte (such as /dev/zero); *text is then NULL. */
int infile_read(const char *path, char **text, size_t *size, struct err *);

/* The text of a file, of whatever name; NULL with errno set (EILSEQ: not text). */
char *infile_text(const char *path, size_t *size);
