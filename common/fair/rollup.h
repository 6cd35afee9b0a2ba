/*
 * Roll-up: usage of each hour of a cluster, from runs, pending jobs, node
 * events and reservations (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_rollup.c). Pure arithmetic: who
 * reads and keeps the rows is db/rollup/rollup.c.
 *
 * 	rollup_init(&r, from, until, tres, n_tres, arena);
 * 	rollup_add_event(...); rollup_add_reservation(...);
 * 	rollup_add_run(...);
 * 	rollup_finish(&r);
 * 	... r.hours[i].cluster, r.hours[i].cells ...
 *
 * Times are epoch seconds. Amounts are TRES-seconds, at most INT64_MAX. Energy
 * is joules, spread evenly over the run of its job.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/text/span.h"
#include "common/text/suspension.h"
#include "common/text/tres.h"

/* ---- who used what ------------------------------------------------------ */

/* What one association used under one QOS and one wckey. */
struct usage_cell {
	int64_t assoc; /* key; 0: none */
	uint32_t qos;
	const char *wckey; /* without the `*` of a default; "": none */
	int64_t *secs;	   /* TRES-seconds, by index in rollup.tres */
};

/* A set of cells, in the order in which they were created. */
struct usage_cells {
	struct arena *arena;
	struct usage_cell *v;
	size_t n, cap, n_tres;
	uint32_t *slots; /* hash table: index + 1, or 0 */
	size_t n_slots;
};

void usage_cells_init(struct usage_cells *, size_t n_tres, struct arena *);

/* The cell of that association, QOS and wckey, created if needed. The pointer
 * is valid until the next call. */
struct usage_cell *usage_cells_at(
	struct usage_cells *, int64_t assoc, uint32_t qos, const char *wckey);

/* What the whole cluster did with one TRES in a period. TRES-seconds but for
 * `count`. */
struct cluster_usage {
	int64_t count; /* the largest number of that TRES it had */
	/* Allocated, down, planned down, idle, planned for (pending jobs waited
	 * for idle ones), overcommitted. */
	int64_t alloc, down, pdown, idle, plan, over;
};

/* Adds the second to the first; of the counts the larger stays. */
void cluster_usage_add(struct cluster_usage *, const struct cluster_usage *);

/* `a + b`, at most INT64_MAX; neither is negative. */
int64_t usage_sum(int64_t a, int64_t b);

/* `count` for so many seconds, at most INT64_MAX; not negative. */
int64_t usage_product(uint64_t count, int64_t seconds);

/* All that was reported of it: what was allocated, down, idle and planned. */
int64_t cluster_usage_reported(const struct cluster_usage *);

/* ---- input -------------------------------------------------------------- */

/* A job, or a part of one. Unknown times, and the end of a running job, are
 * 0. */
struct rollup_run {
	int64_t eligible, start, end;
	int64_t assoc;
	uint32_t qos;
	const char *wckey;
	uint32_t cpus_req;
	uint32_t tasks; /* pending array tasks in this record; else 0 or 1 */
	const char *reservation; /* "": none */
	const struct tres_list *alloc;
	struct suspensions suspended; /* its CPUs do not count then */
};

enum rollup_event_kind {
	ROLLUP_CAPACITY,	/* the cluster has these TRES */
	ROLLUP_CONTROLLER_DOWN, /* it has them, but they count as down */
	ROLLUP_DOWN,		/* a node is down */
	ROLLUP_PLANNED_DOWN,	/* a node is down as planned */
};

struct rollup_event {
	enum rollup_event_kind kind;
	int64_t start, end; /* end 0: still going on */
	const struct tres_list *tres;
};

/* Who may use a reservation, and the QOS under which its unused time is charged
 * to them. */
struct rollup_heir {
	int64_t assoc; /* key */
	uint32_t qos;
};

struct rollup_reservation {
	const char *name;
	int64_t start, end;
	const struct tres_list *tres;
	bool planned_down;		 /* MAINT: counts as planned down */
	bool ignored;			 /* IGNORE_JOBS: counts as nothing */
	const struct rollup_heir *heirs; /* charged for its unused time */
	size_t n_heirs;
	/* TRES-seconds its runs used: used[hour * n_tres + index of the TRES].
	 * Made by rollup_add_reservation. */
	int64_t *used;
};

/* ---- the computation ---------------------------------------------------- */

struct rollup_hour {
	int64_t start, end;
	struct cluster_usage *cluster; /* by index in rollup.tres */
	int64_t *total;		       /* capacity in TRES-seconds, likewise */
	struct usage_cells cells;
};

struct rollup {
	struct arena *arena;
	int64_t from, until;
	const uint32_t *tres; /* ids */
	size_t n_tres;
	struct rollup_hour *hours;
	size_t n_hours, cap_hours;
	struct rollup_reservation *reservations;
	size_t n_reservations, cap_reservations;
};

/* Prepares the hours of the local clock (span.h) in [from, until). `from` is
 * the start of an hour; `until` may lie inside of one, which is then counted up
 * to there. `tres` (n_tres ids) must live as long as the roll-up. */
void rollup_init(struct rollup *, int64_t from, int64_t until,
	const uint32_t *tres, size_t n_tres, struct arena *);

void rollup_add_event(struct rollup *, const struct rollup_event *);

/* Copies the struct, not what it points to. Add all reservations before the
 * runs, which are counted in their reservation. */
void rollup_add_reservation(struct rollup *, const struct rollup_reservation *);

void rollup_add_run(struct rollup *, const struct rollup_run *);

/* After all input: charges unused time of reservations to their heirs, then
 * bounds the amounts of the cluster (spec 5.4). */
void rollup_finish(struct rollup *);
