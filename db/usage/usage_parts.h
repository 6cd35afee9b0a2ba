/*
 * What the parts of db/usage/ share. Callers of usage include usage.h.
 */
#ifndef BURSAR_DB_USAGE_PARTS_H
#define BURSAR_DB_USAGE_PARTS_H

#include "db/usage/half_life.h"
#include "db/usage/usage.h"

/* Whose: an association, or (qos not 0) a QOS on a cluster. */
struct usage_owner {
	int64_t assoc;
	uint32_t qos;
	int64_t cluster;
};

/* Amount and time; 0 and INT64_MIN when there is none. */
int usage_amount_read(struct store *, const struct usage_owner *, int tres,
	long double *amount, int64_t *at);
int usage_amount_write(struct store *, const struct usage_owner *, int tres,
	long double amount, int64_t at);
int usage_amount_drop(struct store *, const struct usage_owner *, int tres);

/* Adds `rate` a second from start to end. */
int usage_amount_add_run(struct store *, const struct half_lives *,
	const struct usage_owner *, int tres, long double rate,
	const struct usage_run *);

/* What a second of the run adds to a TRES, and to the raw usage. */
long double usage_tres_rate(
	const struct usage_run *, const struct tres_count *);
long double usage_raw_rate(const struct usage_run *);

/*
 * Which association is charged for a run of that epoch, and from when on:
 * itself or, if deleted, its nearest ancestor that is not. 0: none. An epoch of -1
 * is the present one, and becomes it.
 */
int usage_resolve(struct store *, int64_t assoc, int64_t *epoch,
	int64_t *target, int64_t *since);

/* As usage_read, of one association now, with details. */
int usage_read_one(struct store *, const struct policy *, int64_t cluster,
	int64_t assoc, struct arena *, struct usage_list *);

/* Does the QOS keep what was used for good? */
int usage_no_decay(struct store *, uint32_t qos, bool *none);

#endif
