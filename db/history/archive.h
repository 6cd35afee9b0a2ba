/*
 * Archives: old records as lines of JSON, and back (spec/sacctmgr.md 5.15).
 *
 * A line is one record: `kind` (event, job, reservation, step, suspension, txn),
 * then the columns of its table by their names, times in seconds since 1970. What
 * points to another record does so by name, so that an archive can be read
 * into another store: `cluster`, `qos` and `part_qos` are names, `assoc` is
 * [account, user, partition], `job` of a step or suspension is [cluster, id,
 * submit]. A member that is missing has its column's default. Jobs come before
 * their steps and suspensions.
 *
 * Usage is not touched: it stays when a job is purged, and a job that is loaded
 * is not charged again. Nor are roll-ups (db/history/rollup.h, rollup_keep).
 *
 * Functions that write expect an open transaction.
 */
#ifndef BURSAR_ARCHIVE_H
#define BURSAR_ARCHIVE_H

#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/store/store.h"

/* In the order in which a file has them. */
enum archive_kind {
	ARCHIVE_EVENT,
	ARCHIVE_JOB,
	ARCHIVE_RESERVATION,
	ARCHIVE_STEP,
	ARCHIVE_SUSPENSION,
	ARCHIVE_TXN,
	ARCHIVE_KINDS,
};

/*
 * Which records: finished ones that ended (for transactions: were made) in
 * [from, until); 0: open. Steps and suspensions go with their jobs. The lists,
 * but for the clusters, are about jobs and steps; an empty one means any.
 */
struct archive_cond {
	struct strv clusters, accounts, users, partitions;
	struct strv assocs, gids, jobs; /* numbers */
	int64_t from, until;
};

/* Writes them; adds to *count. */
int archive_write(struct store *, enum archive_kind,
	const struct archive_cond *, struct arena *, FILE *, uint64_t *count);

/* Erases the same; adds to *count. */
int archive_purge(struct store *, enum archive_kind,
	const struct archive_cond *, struct arena *, uint64_t *count);

struct archive_loaded {
	uint64_t records;
	uint64_t passed; /* statements of SQL that were skipped */
};

/* Reads an archive, or one of Slurm's that is SQL text (archive_sql.h); records
 * that are there already stay as they are. -1 with store->err that names file
 * and line. */
int archive_read(
	struct store *, FILE *, const char *name, struct archive_loaded *);

#endif
