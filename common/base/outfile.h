/*
 * Writes a file whole or not at all: under a temporary name in the same folder
 * (PATH.new-NUMBER), which is synced to disk and only then renamed over the old
 * file; the folder is synced too. After a kill, a full disk or a power cut the
 * old file is intact; the temporary one may be left; Ctrl-C removes it.
 *
 * Anything but a regular file (a pipe, /dev/stdout) is written directly. A
 * symbolic link stays; the file it leads to is replaced.
 *
 * Functions that return int: 0, or -1 with errno and `err` (ERR_SYSTEM) set.
 */
#pragma once

#include <stdio.h>

#include "common/base/err.h"

enum outfile_kind {
	OUTFILE_REPLACE, /* replaces a file, keeping its permissions */
	OUTFILE_NEW,	 /* EEXIST if there is a file; permissions 0600 */
	OUTFILE_APPEND,	 /* directly, at the end of the file */
	OUTFILE_OR_STDOUT, /* "-" is stdout, which stays open and whose
			    * errors the end of the program shows; any other
			    * name as OUTFILE_REPLACE */
};

struct outfile {
	FILE *file; /* print into this stream */
	char *path; /* of the file to replace, links followed */
	char *beside; /* temporary name; NULL: written directly, or published */
	const char *name; /* as the caller gave it, for messages */
	enum outfile_kind kind;
};

/* Opens it for writing. -1: nothing was created, and there is nothing to close.
 * `name` is not copied and must stay until the end. */
int outfile_open(struct outfile *, const char *name, enum outfile_kind,
	struct err *err);

/* Puts all that was written on disk and renames the temporary file into place.
 * More may be written to the stream then, and published by the next call. */
int outfile_publish(struct outfile *, struct err *err);

/* Publishes and closes; on an error closes and removes the temporary file. */
int outfile_close(struct outfile *, struct err *err);

/* Ctrl-C and other ends by a signal remove the file until it is spared, but in
 * programs with rights of their own. The path must stay until then. */
void outfile_doom(const char *path);
void outfile_spare(const char *path);

/* Closes and removes the temporary file if it was not published. Does nothing
 * for a zeroed struct. */
void outfile_discard(struct outfile *);
