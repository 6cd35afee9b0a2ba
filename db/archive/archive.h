/*
 * Archives: old records as lines of JSON, and back.
 *
 * A line is one record: `kind` (event, job, reservation, step, suspension,
 * txn), then the columns of its table by their names, times in seconds since
 * 1970. A column that points to another record has names instead of keys, so
 * that an archive can be read into another store: `cluster`, `qos` and
 * `part_qos` are names, `assoc` is [account, user, partition], `job` of a step
 * or suspension is [cluster, id, submit]. A member that is missing has its
 * column's default. Jobs come before their steps and suspensions.
 *
 * Usage does not change: it stays when a job is purged, and a job that is
 * loaded is not charged again. Roll-ups do not change either (rollup_keep in
 * db/rollup/rollup.h).
 *
 * Functions return 0, or -1 with store->err set; those that write to the store
 * expect an open transaction.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/store/store.h"

/* In the order in which an archive has its records. */
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
 * [from, until); 0: open. Steps and suspensions go with their jobs. Lists other
 * than `clusters` count for jobs and steps alone; an empty list means any.
 */
struct archive_cond {
	struct strv clusters, accounts, users, partitions;
	struct strv assocs, gids, jobs; /* numbers */
	int64_t from, until;
};

/* Writes the records of one kind as lines; adds their number to *count. */
int archive_write(struct store *, enum archive_kind,
	const struct archive_cond *, struct arena *, FILE *, uint64_t *count);

/* Erases the records that archive_write writes; adds their number to *count.
 * Notes the purge (META_PURGED_JOBS) and keeps the roll-ups (rollup_keep). */
int archive_purge(struct store *, enum archive_kind,
	const struct archive_cond *, struct arena *, uint64_t *count);

struct archive_loaded {
	uint64_t records;
	uint64_t passed; /* SQL statements that were skipped */
	/* Given: after so many records the transaction is committed, and another
	 * begun; 0: never. */
	uint64_t piece;
	uint64_t committed; /* records; these are passed over when it is read again */
};

/* Reads an archive, or one of Slurm's that is SQL text (archive_sql.h), into
 * the store; records that are there already stay as they are. `name`: of the
 * file, for errors, which tell the line too. */
int archive_read(
	struct store *, FILE *, const char *name, struct archive_loaded *);
