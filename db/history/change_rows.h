/*
 * A changeset told in words: a line for each row that it adds (+), changes (~)
 * or takes away (-), with the values before and after. What is only kept for
 * the machine (times, keys, usage of others) is left out.
 */
#ifndef BURSAR_DB_CHANGE_ROWS_H
#define BURSAR_DB_CHANGE_ROWS_H

#include <stdbool.h>

#include "common/base/strv.h"
#include "db/store/store.h"

/* Rows that `before` it are there (taken away), or after it (the others): they
 * are named by what the store has at the moment. */
int change_rows(struct store *, const void *blob, int size, bool before,
	struct arena *, struct strv *lines);

/* The same where no more than so many lines are looked at: the others are there
 * to be counted, and may be empty. */
int change_rows_most(struct store *, const void *blob, int size, bool before,
	size_t most, struct arena *, struct strv *lines);

/* Does it do anything but note the time of a change that changed nothing? */
int change_tells(struct store *, const void *blob, int size, struct arena *,
	bool *tells);

#endif
