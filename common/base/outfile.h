/*
 * A file that is written whole or not at all: it is written under another name
 * in the same folder (PATH.new-NUMBER), synced to disk, and only then renamed
 * over the old one; the folder is synced too. After a kill, a full disk or a
 * power cut the old file is intact, and perhaps the temporary one is left.
 *
 * Anything but a regular file (a pipe, /dev/stdout) is written directly; a
 * symbolic link stays and its target is replaced.
 */
#ifndef BURSAR_OUTFILE_H
#define BURSAR_OUTFILE_H

#include <stdio.h>

#include "common/base/err.h"

enum outfile_kind {
	OUTFILE_REPLACE, /* in place of what is there, with its permissions */
	OUTFILE_NEW,	 /* nothing may be there (EEXIST); for the owner only */
	OUTFILE_APPEND,	 /* at the end of what is there, in its place */
};

struct outfile {
	FILE *file; /* to print into */
	char *path; /* where it goes, links followed */
	char *beside; /* the temporary name; NULL: written directly */
	const char *name; /* as it was given */
	enum outfile_kind kind;
};

/* -1 when nothing was created; errno says why, beside `err`. `name` is not
 * copied. */
int outfile_open(struct outfile *, const char *name, enum outfile_kind,
	struct err *err);

/* All of it is on the disk and in its place; it can be written on, and what is
 * written then is there after the next call. */
int outfile_publish(struct outfile *, struct err *err);

/* The end: publishes and closes, or, at an error, removes what is beside. */
int outfile_close(struct outfile *, struct err *err);

/* Closes; what was not published is removed. For one that was never opened
 * too, when it is all zeros. */
void outfile_discard(struct outfile *);

#endif
