/*
 * A changeset in words: a line for each row that it adds (+), changes (~) or
 * removes (-), with the values before and after. Columns for internal use
 * (times, keys, lineages) are left out. Functions return 0, or -1 with the
 * store's error.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strv.h"
#include "db/store/store.h"

/* Which rows change_rows tells of. */
enum {
	CHANGE_AFTER = 0,	/* rows that are added or changed */
	CHANGE_BEFORE = 1 << 0, /* rows that are removed */
	/* Not jobs, steps and events, of which there can be millions: for those
	 * there are change_count and change_jobs. */
	CHANGE_FEW = 1 << 1,
};

/* Adds a line for each such row, in the arena. Names are looked up in the store
 * as it is: ask for CHANGE_AFTER of a store with the change, for CHANGE_BEFORE
 * of one without. The first `most` lines have text; later ones, which may be
 * empty, are there to be counted. */
int change_rows(struct store *, const void *blob, int size, unsigned which,
	size_t most, struct arena *, struct strv *lines);

/* How many rows of one kind the changeset adds, changes and removes. */
struct change_count {
	const char *kind; /* in the plural: "jobs" */
	uint64_t added, changed, removed;
};

struct change_counts {
	struct change_count *v;
	size_t n, cap;
	uint64_t all; /* the sum */
};

/* Counts the rows that change_rows tells of, by kind in the order of the
 * changeset. */
int change_count(struct store *, const void *blob, int size, struct arena *,
	struct change_counts *);
