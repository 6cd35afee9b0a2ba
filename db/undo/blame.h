/*
 * Who set a value: the change of the undo log that a value of the
 * store comes from. Changes that were undone, and undo and redo themselves, do
 * not count: after an undo the value is of the change that had set it before.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* A value: a column of a row, or a row of a list. */
struct blame {
	const char *table; /* "assoc", "assoc_tres", ...; NULL: not asked for */
	const char *key;   /* the row's primary key: "5"; of a list "5 0 1", or
			      its beginning: the latest of all such rows */
	const char *column; /* NULL: any of the row */
	/* Filled by blame_find: */
	int64_t change, time; /* id, epoch seconds; 0: the log does not say */
	const char *actor, *command; /* in the arena; "": unknown */
};

/* Fills all `n` values, going through the undo log once, from its end, until all are
 * found. 0, or -1 with the store's error. */
int blame_find(struct store *, struct arena *, struct blame *, size_t n);
