/*
 * When jobs were suspended. The rows are written by a trigger of the job
 * (db/store/migrations.c): resuming a job recorded as suspended leaves an
 * interval. A total that was recorded or imported has no intervals.
 */
#ifndef BURSAR_DB_SUSPENSION_H
#define BURSAR_DB_SUSPENSION_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/text/suspension.h"
#include "db/store/store.h"

/* Suspensions of the job with that key; the seconds and the begin of the
 * present one (0: none) come from its record. Queries the store only if there
 * can be any. 0 or -1. */
int suspensions_load(struct store *, int64_t job, int64_t suspended,
	int64_t since, struct arena *, struct suspensions *);

/* What another system reports of a job in the store: past intervals, and the
 * begin of the present one (0: none). Marks roll-ups to be computed again.
 * Expects an open transaction. 1: something changed, 0, -1. */
int suspensions_put(struct store *, int64_t job, const struct suspension *,
	size_t n, int64_t since);

#endif
