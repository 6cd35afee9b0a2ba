/*
 * Reservations as the store keeps them (spec/sacctmgr.md 3.11).
 */
#ifndef BURSAR_RESERVATION_H
#define BURSAR_RESERVATION_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/fields.h"
#include "common/text/tres.h"
#include "db/store/store.h"

struct reservation {
	const char *cluster, *name;
	uint32_t id;
	int64_t start, end;
	const char *nodes;
	struct tres_list tres;
	const char *assocs; /* ids, a comma list */
	const char *flags, *comment;
	double unused; /* wall seconds */
};

struct reservation_cond {
	struct strv clusters, names, ids;
	struct strv nodes;   /* those that hold one of these nodes */
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

/* The newest of that name, with that number and start where these are not 0.
 * 1: found, 0: none, -1. */
int reservation_find(struct store *, int64_t cluster, const char *name,
	uint32_t id, int64_t start, struct arena *, struct reservation *);

/* Inserts it or replaces the one of that number and start; without a number it
 * gets the next. Expects an open transaction. */
int reservation_save(
	struct store *, int64_t cluster, const struct reservation *);

/* The numbers of the associations of these users in these accounts, as a list:
 * of the accounts themselves where no user is named. */
int reservation_assocs(struct store *, int64_t cluster,
	const struct strv *accounts, const struct strv *users, struct arena *,
	const char **list);

#endif
