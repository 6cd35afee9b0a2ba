/*
 * Usage of a store that is moved through time (db/past/past.h): runs are
 * charged as they end, and changes of the log carried out with what they do to
 * usage. Internal to db/past/past*.c. Functions return 0, or -1 with the
 * store's error.
 */
#ifndef BURSAR_DB_PAST_USAGE_H
#define BURSAR_DB_PAST_USAGE_H

#include "db/past/past.h"
#include "db/past/undo_log.h"

/* For the store, once it is there. */
void past_usage_open(struct past *);
void past_usage_close(struct past *);

/* Associations, QOS or amounts have changed: what is known of them no longer
 * holds. */
void past_usage_changed(struct past *);

/* Deletes all usage; no run is charged then. */
int past_usage_clear(struct past *);

/* Charges the runs that ended up to `at` and are not charged yet. */
int past_charge(struct past *, int64_t at);

/* Charges the runs that ended up to the change, then carries it out, with what
 * it did to usage: settings of RawUsage, removed associations, flags of QOS,
 * jobs recorded late. */
int past_follow(struct past *, const struct logged_change *);

#endif
