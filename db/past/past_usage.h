/*
 * Usage of a store that is moved through time (db/past/past.h): runs are
 * charged as they end, and changes of the log carried out with what they do to
 * usage. Internal to db/past/past*.c. Functions return 0, or -1 with the
 * store's error.
 */
#ifndef BURSAR_DB_PAST_USAGE_H
#define BURSAR_DB_PAST_USAGE_H

#include "db/past/past.h"
#include "db/store/undo_log.h"
#include "db/usage/fold.h"

/* For the store, once it is there. */
void past_usage_open(struct past *);
void past_usage_close(struct past *);

/* Makes usage anew of what ended after the bucket before `from` (INT64_MIN: all) and
 * up to `until`. */
int past_fold(struct past *, int64_t from, int64_t until);

/* Charges the runs that ended up to `at` and are not charged yet. */
int past_charge(struct past *, int64_t at);

/* For change_each: notes a fact that the operation brings or takes away, in a
 * struct usage_moving. */
int past_note_fact(
	void *moving, const char *table, int op, sqlite3_changeset_iter *);

/* Takes the change back, of runs that are charged. */
int past_undo(struct past *, const struct logged_change *);

/* Charges the runs that ended up to the change, then carries it out. */
int past_follow(struct past *, const struct logged_change *);

#endif
