/*
 * Roll-ups in the store: usage of every hour, day and month of a cluster
 * (spec/reporting.md 4.9 and 5), so that a report over years reads few rows.
 *
 * Hours up to `rollup_state.done` are kept; triggers (db/store/migrations.c) note
 * which of them a late or corrected record makes wrong. rollup_update computes
 * those again and goes on; where the store cannot be written rollup_load takes
 * what is missing from the records. The result is the same.
 */
#ifndef BURSAR_DB_ROLLUP_H
#define BURSAR_DB_ROLLUP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/rollup.h"
#include "db/store/store.h"

/* For a program that does nothing else with the store: reads ten million jobs in
 * little memory. */
int rollup_prepare(struct store *);

/* Brings the cluster's roll-ups up to the hour before the one store->now is in:
 * of that hour facts may still come in. Does nothing where the store cannot be
 * written now, or was rolled up with another local calendar.
 * Takes the write lock itself, a month of records at a time. The watch, which
 * may be NULL, is told of every day: the first roll-up of years takes minutes. */
struct rollup_watch {
	void (*tell)(int64_t from, int64_t at, int64_t until, void *arg);
	void *arg;
};
int rollup_update(
	struct store *, int64_t cluster, const struct rollup_watch *);

/* For those who record facts, after their commit: the same for every cluster, so
 * that no reader has to do it. Without `all` once an hour, by two pieces of two days
 * at most; and in a store of many jobs that was never rolled up not at all. */
int rollup_follow(struct store *, bool all);

/* The same before a purge, and up to the hour store->now is in: if the calendar
 * changed, rolls up again in the new one, unless something is kept already. */
int rollup_complete(struct store *, int64_t cluster);

/* Rolls everything up again, except times whose records were purged. */
int rollup_remake(struct store *, int64_t cluster);

/* Roll-ups of the time before `until` stay as they are from now on: its records
 * are about to be purged. In an open transaction. Refused where it was
 * rolled up with another calendar, or differs from the records. */
int rollup_keep(struct store *, int64_t cluster, int64_t until);

/* Until when that is so; 0: never. */
int rollup_kept(struct store *, int64_t cluster, int64_t *until);

/* Usage of a window. Amounts are in the order of `tres`. */
struct rollup_report {
	uint32_t *tres; /* every id the store knows, ascending */
	size_t n_tres;
	bool registered; /* its capacity was known in the window */
	struct cluster_usage *cluster; /* count: the average of the rows */
	struct usage_cells cells;
};

/* The window [start, end) in whole hours of the local clock; nothing is known
 * of what lies beyond store->now. */
int rollup_load(struct store *, int64_t cluster, int64_t start, int64_t end,
	struct arena *, struct rollup_report *);

/* The same straight from the records. */
int rollup_compute(struct store *, int64_t cluster, int64_t start, int64_t end,
	struct arena *, struct rollup_report *);

struct job;

/*
 * Calls `each` for every job that ran in [start, end), in no order, until it
 * returns not 0; gives that, or -1. Only who, what and when are read: id,
 * array_job, user, uid, gid, account, assoc, wckey, partition, reservation,
 * nodelist, start, end, suspended, suspended_since, tres_alloc, key. They live
 * in `scratch`, which is reset before every call.
 */
int rollup_each_job(struct store *, int64_t cluster, int64_t start, int64_t end,
	struct arena *scratch, int (*each)(const struct job *, void *arg),
	void *arg);

/* An association as reports need it, deleted ones too. */
struct rollup_assoc {
	int64_t key;
	const char *account, *user, *partition, *lineage;
};

struct rollup_assocs {
	struct rollup_assoc *v;
	size_t n, cap;
};

/* All of a cluster, in no order. */
int rollup_assocs_load(struct store *, int64_t cluster, struct arena *,
	struct rollup_assocs *);

#endif
