/*
 * What the parts of db/usage/ share; other rooms include usage.h. Functions
 * that return int: 0, or -1 with the store's error.
 */
#ifndef BURSAR_DB_USAGE_PARTS_H
#define BURSAR_DB_USAGE_PARTS_H

#include "db/usage/half_life.h"
#include "db/usage/usage.h"

/* Whose usage: an association's (key), or (qos not 0) that of a QOS (id) on a
 * cluster (key). */
struct usage_owner {
	int64_t assoc;
	uint32_t qos;
	int64_t cluster;
};

/* One stored amount and the time it is true at; 0 and INT64_MIN when there is
 * none. `tres`: id, USAGE_RAW or USAGE_WALL. */
int usage_amount_read(struct store *, const struct usage_owner *, int tres,
	long double *amount, int64_t *at);
int usage_amount_write(struct store *, const struct usage_owner *, int tres,
	long double amount, int64_t at);
/* usage_amount_write() of an amount that is stored already: without a look whether
 * it is. */
int usage_amount_change(struct store *, const struct usage_owner *, int tres,
	long double amount, int64_t at);
int usage_amount_drop(struct store *, const struct usage_owner *, int tres);

/* Adds `rate` a second from `start` to `end` to one amount. */
int usage_amount_add_run(struct store *, const struct half_lives *,
	const struct usage_owner *, int tres, long double rate, int64_t start,
	int64_t end);

/* What a second of the run adds to the amount of a TRES, and to RawUsage. */
long double usage_tres_rate(const struct job *, const struct tres_count *);
long double usage_raw_rate(const struct job *);

/*
 * *target: the association that is charged for a run recorded in that epoch of
 * `assoc`: itself or, if deleted, its nearest ancestor that is not; 0: none.
 * *since: only the part of the run from then on counts; 0: all. *epoch -1 means
 * the present epoch, and is set to it.
 */
int usage_resolve(struct store *, int64_t assoc, int64_t *epoch,
	int64_t *target, int64_t *since);

/* As usage_read with details, of one association at store->now, without
 * `removed`. */
int usage_read_one(struct store *, const struct policy *, int64_t cluster,
	int64_t assoc, struct arena *, struct usage_list *);

/* *none: does the QOS have the flag NoDecay? */
int usage_no_decay(struct store *, uint32_t qos, bool *none);

#endif
