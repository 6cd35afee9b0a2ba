/*
 * What the parts of db/rollup/rollup*.c share. Callers include rollup.h.
 * Functions that return int: 0, or -1 with the store's error.
 */
#pragma once

#include "common/fair/rollup.h"
#include "db/rollup/rollup.h"
#include "db/rows/rowtable.h"
#include "db/store/query.h"

enum { DAY = 86400 };

/* ---- the state ----------------------------------------------------------- */

/* What is rolled up of a cluster: hours before `done`, those before `kept` for
 * good (rollup_keep). */
struct rollup_state {
	bool found; /* something is */
	int64_t done, kept;
	int64_t longest;    /* most seconds from submit to end of any job */
	int64_t early;	    /* most seconds any job was eligible or started
			       before its submit */
	bool same_calendar; /* rolled up in this process's local calendar */
};

int rollup_state_load(struct store *, int64_t cluster, struct rollup_state *);

/* Sets state->longest and ->early, and *first to the earliest time a job could
 * count from (INT64_MAX: no jobs). Looks at every job. */
int rollup_measure(
	struct store *, int64_t cluster, struct rollup_state *, int64_t *first);

/* ---- sweeping the records ------------------------------------------------ */

struct rollup_runs {
	struct rollup_run *v;
	size_t n, cap;
};

/* Going through the records of a stretch of time. The caller sets store,
 * cluster, reach, tres, n_tres, sink, arg and, as needed, watch, piece and
 * target. `sink` gets the hours of one local day at a time; 0, or -1, which
 * ends the sweep. */
struct rollup_sweep {
	struct store *store;
	int64_t cluster;
	struct rollup_state reach;
	const uint32_t *tres;
	size_t n_tres;
	struct arena arena; /* events and reservations */
	struct rollup_event *events;
	size_t n_events, cap_events;
	struct rollup_reservation *reservations;
	size_t n_reservations, cap_reservations;
	/* Runs that go on after the chunk, in one of two arenas by turns. */
	struct rollup_runs alive;
	struct arena keep[2];
	struct arena chunk;
	/* The record read ahead. */
	struct query jobs;
	bool more;
	int64_t submit;
	struct rollup_run next;
	struct arena ahead;
	int (*sink)(const struct rollup *, void *arg);
	void *arg;
	const struct rollup_watch *watch;
	int64_t began, target; /* for the watch: where all work begins, ends */
	int64_t piece;	       /* seconds of records under one write lock */
};

/* Gives every hour of [from, until) to the sink. */
int rollup_sweep_run(struct rollup_sweep *, int64_t from, int64_t until);

/* ---- rows ---------------------------------------------------------------- */

struct rollup_rows {
	struct store *store;
	int64_t cluster;
	const uint32_t *tres;
	size_t n_tres;
	struct arena scratch;
	struct row_table table; /* of the cells to be inserted */
	struct query insert;
};

/* Needed before rollup_rows_insert; the caller closes `insert`. */
int rollup_rows_open(struct rollup_rows *);

/* Inserts the rows of the hour, day or month that begins at `start`: of
 * associations (cells), of the cluster (n_tres elements, by index in
 * `tres`). */
int rollup_rows_insert(struct rollup_rows *, enum span, int64_t start,
	const struct usage_cells *);
int rollup_rows_insert_cluster(struct rollup_rows *, enum span, int64_t start,
	const struct cluster_usage *);

/* The rows of hours, days or months that begin in [from, until): deletes them;
 * adds those of associations up in the cells; gives those of the cluster to
 * `each`, with the TRES as its index in `tres`. */
int rollup_rows_delete(
	struct rollup_rows *, enum span, int64_t from, int64_t until);
int rollup_rows_read(struct rollup_rows *, enum span, int64_t from,
	int64_t until, struct usage_cells *);
int rollup_rows_read_cluster(struct rollup_rows *, enum span, int64_t from,
	int64_t until,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg);

/* As both reads, for an hour that was just computed and not stored. */
void rollup_hour_add(const struct rollup *, const struct rollup_hour *,
	struct usage_cells *,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg);
