/*
 * Roll-up: usage of each hour of a cluster, from runs, pending jobs, node events
 * and reservations (spec/reporting.md 5). Pure arithmetic: who reads and
 * keeps the rows is db/history/rollup.c.
 *
 *	rollup_init(&r, from, until, tres, n_tres, arena);
 *	rollup_add_event(...); rollup_add_reservation(...);
 *	rollup_add_run(...);
 *	rollup_finish(&r);
 *	... r.hours[i].cluster, r.hours[i].cells ...
 *
 * Amounts are TRES-seconds and stay at INT64_MAX when they would grow beyond.
 * Energy is joules, spread over the run of its job.
 */
#ifndef BURSAR_ROLLUP_H
#define BURSAR_ROLLUP_H

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
	const char *wckey; /* without the `*` of a default; "" */
	int64_t *secs;	   /* by index in the list of TRES */
};

/* A set of them, in the order they came. */
struct usage_cells {
	struct arena *arena;
	struct usage_cell *v;
	size_t n, cap, n_tres;
	uint32_t *slots; /* hash table: index + 1, or 0 */
	size_t n_slots;
};

void usage_cells_init(struct usage_cells *, size_t n_tres, struct arena *);

/* The cell, created if needed; valid until the next call. */
struct usage_cell *usage_cells_at(
	struct usage_cells *, int64_t assoc, uint32_t qos, const char *wckey);

/* What the cluster as a whole did with one TRES. */
struct cluster_usage {
	int64_t count; /* capacity: the highest of the period */
	int64_t alloc, down, pdown, idle, plan, over;
};

void cluster_usage_add(struct cluster_usage *, const struct cluster_usage *);

/* `a + b`, at most INT64_MAX; neither is negative. */
int64_t usage_sum(int64_t a, int64_t b);

/* ---- input -------------------------------------------------------------- */

/* A job; times are 0 where nothing is known. */
struct rollup_run {
	int64_t eligible, start, end;
	int64_t assoc;
	uint32_t qos;
	const char *wckey;
	uint32_t cpus_req;
	uint32_t tasks; /* that wait: more than 1 for a pending array */
	const char *reservation; /* "" */
	const struct tres_list *alloc;
	struct suspensions suspended; /* CPUs are free then */
};

enum rollup_event_kind {
	ROLLUP_CAPACITY,	/* the cluster has these TRES */
	ROLLUP_CONTROLLER_DOWN, /* it has them, but no job could use them */
	ROLLUP_DOWN,		/* a node */
	ROLLUP_PLANNED_DOWN,
};

struct rollup_event {
	enum rollup_event_kind kind;
	int64_t start, end; /* end 0: still so */
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
	bool planned_down;		 /* MAINT */
	bool ignored;			 /* IGNORE_JOBS: takes nothing itself */
	const struct rollup_heir *heirs; /* are charged for the unused time */
	size_t n_heirs;
	int64_t *used; /* filled by rollup_add_reservation, by hour and TRES */
};

/* ---- the computation ---------------------------------------------------- */

struct rollup_hour {
	int64_t start, end;
	struct cluster_usage *cluster; /* by index in the list of TRES */
	int64_t *total;		       /* capacity seconds */
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

/* In the hours of the local clock (span.h). `from` begins one; `until` may lie
 * inside of one, which is then counted as far as that. The list of ids must
 * live as long. */
void rollup_init(struct rollup *, int64_t from, int64_t until,
	const uint32_t *tres, size_t n_tres, struct arena *);

void rollup_add_event(struct rollup *, const struct rollup_event *);

/* To be added before the runs, which look for their reservation. */
void rollup_add_reservation(struct rollup *, const struct rollup_reservation *);

void rollup_add_run(struct rollup *, const struct rollup_run *);

/* The clamps of 5.4. */
void rollup_finish(struct rollup *);

#endif
