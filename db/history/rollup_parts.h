/*
 * What the parts of db/history/rollup*.c share. Callers include rollup.h.
 */
#ifndef BURSAR_DB_ROLLUP_PARTS_H
#define BURSAR_DB_ROLLUP_PARTS_H

#include "common/fair/rollup.h"
#include "db/history/rollup.h"
#include "db/store/query.h"
#include "db/store/rowtable.h"

enum { DAY = 86400 };

/* ---- the state ----------------------------------------------------------- */

/* Hours before `done` are rolled up, those before `kept` for good. */
struct rollup_state {
	bool found;
	int64_t done, kept;
	int64_t longest;    /* seconds from submit to end of any job */
	int64_t early;	    /* seconds any job began before its submit */
	bool same_calendar; /* as in the calling process */
};

int rollup_state_load(struct store *, int64_t cluster, struct rollup_state *);

/* The longest time from submission to end, and the first submit time
 * (INT64_MAX: no jobs). Looks at every job. */
int rollup_measure(
	struct store *, int64_t cluster, struct rollup_state *, int64_t *first);

/* ---- sweeping the records ------------------------------------------------ */

struct runs {
	struct rollup_run *v;
	size_t n, cap;
};

/* `sink` gets every chunk of hours; store, cluster, reach, tres, sink, arg,
 * piece and watch are the caller's to set. */
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
	struct runs alive;
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
	int64_t began, target; /* of all the work */
	int64_t piece;	       /* seconds under one write lock */
};

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

/* Before anything is inserted; the caller closes `insert`. */
int rollup_rows_open(struct rollup_rows *);
int rollup_rows_insert(struct rollup_rows *, enum span, int64_t start,
	const struct usage_cells *);
int rollup_rows_insert_cluster(struct rollup_rows *, enum span, int64_t start,
	const struct cluster_usage *);

/* Those that begin in [from, until). */
int rollup_rows_delete(
	struct rollup_rows *, enum span, int64_t from, int64_t until);
int rollup_rows_read(struct rollup_rows *, enum span, int64_t from,
	int64_t until, struct usage_cells *);
int rollup_rows_read_cluster(struct rollup_rows *, enum span, int64_t from,
	int64_t until,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg);

/* The same of an hour that is at hand. */
void rollup_hour_add(const struct rollup *, const struct rollup_hour *,
	struct usage_cells *,
	void (*each)(size_t index, const struct cluster_usage *, void *arg),
	void *arg);

#endif
