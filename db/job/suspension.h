/*
 * When jobs were suspended. The rows are written by a trigger of the job
 * (db/store/migrations.c): whoever lets a job go on that is on record as suspended
 * leaves an interval. A total that was recorded or imported has none.
 */
#ifndef BURSAR_DB_SUSPENSION_H
#define BURSAR_DB_SUSPENSION_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/text/suspension.h"
#include "db/store/store.h"

/* Of the job with that key, with the seconds and the begin of the one that
 * lasts (0: none) that its record has. Asks the store only where there is
 * something to know. 0 or -1. */
int suspensions_load(struct store *, int64_t job, int64_t suspended,
	int64_t since, struct arena *, struct suspensions *);

/* What another system says of a job that is in the store: the intervals that are
 * over, and the begin of one that lasts (0: none). Roll-ups are told. Expects an
 * open transaction. 1: something changed, 0, -1. */
int suspensions_put(struct store *, int64_t job, const struct suspension *,
	size_t n, int64_t since);

#endif
