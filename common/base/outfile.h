/*
 * A file that is written whole or not at all: it grows beside its place under
 * another name (PLACE.new-NUMBER), goes to the disk, and only then takes the
 * place of the one before; the folder goes to the disk too. A kill, a full disk
 * or a power cut leaves the file before whole, and perhaps the one beside it.
 *
 * What is no regular file (a pipe, /dev/stdout) is written as it is; a link
 * stays, what it leads to is replaced.
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
	char *beside; /* where it grows; NULL: in its place */
	const char *name; /* as it was given */
	enum outfile_kind kind;
};

/* -1: nothing was made, and errno says why beside `err`. `name` is not copied.
 */
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
