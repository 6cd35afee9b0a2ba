/*
 * A changeset in words: a line for each row that it adds (+), changes (~) or
 * removes (-), with the values before and after. Columns for internal use
 * (times, keys, usage of others) are left out.
 */
#ifndef BURSAR_DB_CHANGE_ROWS_H
#define BURSAR_DB_CHANGE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strv.h"
#include "db/store/store.h"

/* Which rows. */
enum {
	CHANGE_AFTER = 0,	/* those that are there after it: added, changed */
	CHANGE_BEFORE = 1 << 0, /* those that it takes away */
	/* Not the kinds of which there can be millions, jobs and what they leave
	 * behind: for those there are change_count and change_jobs. */
	CHANGE_FEW = 1 << 1,
};

/* Rows are named by what the store has at the moment. The first `most` lines
 * have text; the others, which may be empty, are there to be counted. */
int change_rows(struct store *, const void *blob, int size, unsigned which,
	size_t most, struct arena *, struct strv *lines);

/* How many rows of one kind there are more, others, and fewer. */
struct change_count {
	const char *kind; /* in the plural: "jobs" */
	uint64_t added, changed, removed;
};

struct change_counts {
	struct change_count *v;
	size_t n, cap;
	uint64_t all;
};

/* The rows that change_rows tells of, counted by kind in the order of the
 * changeset. */
int change_count(struct store *, const void *blob, int size, struct arena *,
	struct change_counts *);

/* Does it change anything but times of modification? */
int change_tells(struct store *, const void *blob, int size, struct arena *,
	bool *tells);

#endif
