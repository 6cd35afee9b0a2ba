/*
 * Usage as it was at moments of the past, kept in the store (tables
 * rollup_past), so that a look at the past starts near it and not with the first
 * job. Kept is the state that going through the records has at such a moment,
 * to the last bit; going on from there gives what going through all would.
 * A moment comes after so many runs. It is a cache: whoever changes what it was made
 * of drops it (triggers of the schema), and the next who looks and may write makes
 * it again. Internal to db/history/past*.c.
 */
#ifndef BURSAR_DB_PAST_KEEP_H
#define BURSAR_DB_PAST_KEEP_H

#include "db/history/past.h"

/* How many runs lie between two moments: a number of the store's own (db/store/
 * meta.h), or this. */
#define PAST_KEEP_RUNS "runs between moments of the past"
enum { PAST_KEEP_MANY = 10000 };

/* A moment: runs that ended up to `at` are charged, changes up to `last_id`
 * carried out. */
struct past_moment {
	int64_t at, last_id;
	int64_t tree; /* past_keep_tree then */
};

struct past_keep;

/* Before `p` is opened over `below`, to look at the time `at`. NULL stands for
 * one that keeps nothing. */
struct past_keep *past_keep_open(
	struct store *below, const struct policy *, int64_t at,
	int64_t log_begins);
void past_keep_close(struct past_keep *);

/* The last moment up to `at`: 1, 0 when there is none, -1. */
int past_keep_find(struct past *, int64_t at, struct past_moment *);

/* What decides who is charged, of associations and QOS as they stand, as one
 * number. */
int past_keep_tree(struct past *, int64_t *tree);

/* Usage is at the moment, if any, from where new ones are collected. */
int past_keep_start(struct past *, const struct past_moment *);

/* The moment is not as the log has it. */
void past_keep_distrust(struct past *);

/* Is there a moment to be before a run that ended then? */
bool past_keep_is_due(const struct past *, int64_t last_end, int64_t end);

/* A run has been charged. */
void past_keep_count(struct past *);

/* Here it is. */
int past_keep_note(struct past *, int64_t at);

/* From here on the state is not one that others come by. */
void past_keep_stop(struct past *);

/* Writes what was collected. What cannot be written is made again by others. */
void past_keep_save(struct past *);

#endif
