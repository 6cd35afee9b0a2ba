/*
 * Usage as it was at moments of the past, kept in the store (tables rollup_past
 * and rollup_past_usage), so that a look at the past starts at a moment near it
 * and not with the first job. A moment has the amounts that going through the
 * records has come to by then, to the last bit; so going on from there gives
 * the same as going through all. There is a moment every PAST_KEEP_RUNS runs.
 * The moments are a cache: triggers of the schema drop those that a change of
 * records or log makes wrong, and the next program that looks at the past and
 * may write makes them again. Internal to db/past/past*.c.
 *
 * Functions that return int: 0, or -1 with the store's error, unless they say
 * otherwise.
 */
#ifndef BURSAR_DB_PAST_KEEP_H
#define BURSAR_DB_PAST_KEEP_H

#include "db/past/past.h"

/* How many runs lie between two moments: the number of that name in the store's
 * meta table (db/store/meta.h), or PAST_KEEP_MANY. */
#define PAST_KEEP_RUNS "runs between moments of the past"
enum { PAST_KEEP_MANY = 10000 };

/* A moment: runs that ended up to `at` are charged, changes of the log up to
 * `last_id` carried out. */
struct past_moment {
	int64_t at, last_id;
	int64_t tree; /* past_keep_tree at that moment */
};

struct past_keep;

/* Called before a past is opened over the store `below` to look at the time
 * `at`. If new moments are worth making, and may be written, they are reserved
 * for this program. Never NULL; freed by past_keep_close. past.keep may be
 * NULL: no moments are used or made. */
struct past_keep *past_keep_open(
	struct store *below, const struct policy *, int64_t at,
	int64_t log_begins);
void past_keep_close(struct past_keep *);

/* The last moment up to `at`. 1: found, 0: there is none, or it was made with
 * other half-lives or resets, -1. */
int past_keep_find(struct past *, int64_t at, struct past_moment *);

/* *tree: a checksum of what decides who is charged: deleted associations and
 * their parents, epochs, QOS with NoDecay. */
int past_keep_tree(struct past *, int64_t *tree);

/* Loads the usage of the moment (NULL: none, usage is empty) and begins to
 * count runs and collect new moments from there. */
int past_keep_start(struct past *, const struct past_moment *);

/* Says that the kept moments are wrong (another tree than the log leads to):
 * past_keep_save deletes them. */
void past_keep_distrust(struct past *);

/* Is a new moment to be noted before a run that ended at `end` is charged, when
 * the run before it ended at `last_end`? */
bool past_keep_is_due(const struct past *, int64_t last_end, int64_t end);

/* Counts a run that has been charged. */
void past_keep_count(struct past *);

/* Collects the present usage as the moment `at`. */
int past_keep_note(struct past *, int64_t at);

/* Ends collecting: from here on usage depends on more than records and log,
 * such as leases that end in the future. */
void past_keep_stop(struct past *);

/* Writes the collected moments. Errors are ignored: moments that are missing
 * are made again by a later program. */
void past_keep_save(struct past *);

#endif
