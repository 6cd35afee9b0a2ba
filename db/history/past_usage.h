/*
 * Usage of a store that is moved through time (db/history/past.h): runs are charged as
 * they end, changes of the log follow. Internal to db/history/past*.c.
 */
#ifndef BURSAR_DB_PAST_USAGE_H
#define BURSAR_DB_PAST_USAGE_H

#include "db/history/past.h"
#include "db/history/past_log.h"

/* Forgets all usage. */
int past_usage_clear(struct past *);

/* Runs that ended up to `at` and are not charged yet. */
int past_charge(struct past *, int64_t at);

/* Carries out one change, with what it did to usage. */
int past_follow(struct past *, const struct change *);

#endif
