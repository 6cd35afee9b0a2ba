/*
 * Who set it: the change of the log (db/store/txn.h) that a value of the store
 * comes from. Changes that were undone, and undo itself, do not count: an undone
 * value is of the change that had set it before.
 */
#ifndef BURSAR_DB_BLAME_H
#define BURSAR_DB_BLAME_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* A value: of a column, or of a row of a list. */
struct blame {
	const char *table; /* "assoc", "assoc_tres", ...; NULL: not asked for */
	const char *key;   /* its primary key, "5", or "5 0 1" for a list */
	const char *column; /* NULL: any of the row */
	/* Filled: */
	int64_t change, time; /* 0: the log does not say */
	const char *actor, *command;
};

/* The log is gone through once, from its end, until all is found. -1 with the
 * store's error. */
int blame_find(struct store *, struct arena *, struct blame *, size_t n);

#endif
