/*
 * Roll-ups in the store: usage of every hour, day and month of a cluster
 * (Slurm's src/plugins/accounting_storage/mysql/as_mysql_rollup.c), so that a
 * report over years reads few rows.
 *
 * Hours up to `rollup_state.done` are rolled up; triggers
 * (db/store/schema.sql) note which of them a late or corrected record makes
 * wrong. rollup_update computes those again and goes on; where the store cannot
 * be written rollup_load computes what is missing from the records. The result
 * is the same.
 *
 * Functions return 0, or -1 with the store's error, unless they say otherwise.
 * `cluster` is a key; times are epoch seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/rollup.h"
#include "db/store/store.h"

/* Rolls up all hours that ended at least an hour before store->now (facts come
 * in late), and again those that have become wrong. Does nothing where the
 * store cannot be written now, or was rolled up with another local calendar.
 * Takes the write lock itself, for 31 days of records at a time. The watch,
 * which may be NULL, is told of every day: work began at `from`, is at `at` and
 * ends at `until`. The first roll-up of years takes minutes. */
struct rollup_watch {
	void (*tell)(int64_t from, int64_t at, int64_t until, void *arg);
	void *arg;
};
int rollup_update(
	struct store *, int64_t cluster, const struct rollup_watch *);

/* Called by programs that record facts, after their commit, so that readers
 * need not roll up. With `all`, rollup_update for every cluster. Without, at
 * most once an hour and two pieces of two days for a cluster, and nothing in a
 * store of more than 10000 jobs that was never rolled up. */
int rollup_follow(struct store *, bool all);

/* Before a purge: as rollup_update, but up to the hour store->now is in. If the
 * local calendar has changed, everything is rolled up again in the new one,
 * unless rollup_keep has been called before. */
int rollup_complete(struct store *, int64_t cluster);

/* Rolls everything up again, except times whose records were purged. */
int rollup_remake(struct store *, int64_t cluster);

/* From now on, roll-ups of the time before `until` are never computed again:
 * its records are about to be purged, in the open transaction. An error where
 * they are of another local calendar, or not up to date (rollup_complete). */
int rollup_keep(struct store *, int64_t cluster, int64_t until);

/* *first: from when on the cluster (key) has jobs; INT64_MAX: it has none. Looks at
 * every job. */
int rollup_first(struct store *, int64_t cluster, int64_t *first);

/* *until: what rollup_keep was last called with, in whole hours; 0: never. */
int rollup_kept(struct store *, int64_t cluster, int64_t *until);

/* Usage of a window, in TRES-seconds. */
struct rollup_report {
	uint32_t *tres; /* every TRES id the store knows, ascending */
	size_t n_tres;
	bool registered; /* the cluster has a row: of capacity or usage */
	struct cluster_usage *cluster; /* of n_tres, by index in `tres`; count:
					  the average of the rows */
	struct usage_cells cells;
};

/* Usage of the window [start, end), in whole hours of the local clock; ends at
 * store->now at the latest. Memory is the arena's. */
int rollup_load(struct store *, int64_t cluster, int64_t start, int64_t end,
	struct arena *, struct rollup_report *);

/* As rollup_load, from the records alone, without stored roll-ups. */
int rollup_compute(struct store *, int64_t cluster, int64_t start, int64_t end,
	struct arena *, struct rollup_report *);

struct job;

/*
 * Calls `each` for every job that ran in [start, end), in no order, until it
 * returns anything but 0, and returns that; else 0, or -1. Only these members
 * are read: id, array_job, user, uid, gid, account, assoc, wckey, partition,
 * reservation, nodelist, start, end, suspended, suspended_since, tres_alloc,
 * key. They live in `scratch`, which is reset before every call.
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

/* All associations of a cluster, in no order; in the arena. */
int rollup_assocs_load(struct store *, int64_t cluster, struct arena *,
	struct rollup_assocs *);
