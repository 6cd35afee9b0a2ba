/*
 * Reservations as the store keeps them (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_resv.c). Functions return 0, or
 * -1 with store->err set, unless they say otherwise; results are in the arena.
 * Times are epoch seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/fields.h"
#include "common/text/tres.h"
#include "db/store/store.h"

struct reservation {
	const char *cluster, *name;
	uint32_t id;
	int64_t start, end; /* end 0: open */
	const char *nodes;  /* host list */
	struct tres_list tres;
	const char *assocs; /* ids, a comma list */
	const char *flags, *comment;
	double unused; /* unused wall time, seconds */
};

/* As Slurm shows it: is it there at that time, in its last second too? */
bool reservation_is_active(const struct reservation *, int64_t now);

/* Seconds; INFINITE64 when it is open. */
uint64_t reservation_duration(const struct reservation *);

/* Which reservations. An empty list means any. */
struct reservation_cond {
	struct strv clusters, names, ids;
	struct strv nodes;   /* reservations that hold one of these nodes */
	int64_t from, until; /* overlapping [from, until); 0: open */
};

struct reservation_list {
	struct reservation *v;
	size_t n, cap;
};

extern const struct members reservation_members;

/* In order of cluster, start, name. */
int reservation_list(struct store *, const struct reservation_cond *,
	struct arena *, struct reservation_list *);

/* The reservation of that name with the latest start; of that id and start,
 * where these are not 0. 1: found, 0: none, -1. */
int reservation_find(struct store *, int64_t cluster, const char *name,
	uint32_t id, int64_t start, struct arena *, struct reservation *);

/* Inserts the reservation, or replaces the one of the same id and start; with
 * id 0 it gets the cluster's next id. Expects an open transaction. */
int reservation_save(
	struct store *, int64_t cluster, const struct reservation *);

/* *list: a comma list of the ids of associations: of these users (in these
 * accounts, where any are named), or without users of the accounts
 * themselves. */
int reservation_assocs(struct store *, int64_t cluster,
	const struct strv *accounts, const struct strv *users, struct arena *,
	const char **list);
