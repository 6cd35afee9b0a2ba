/*
 * Reservations as the store keeps them (spec/sacctmgr.md 3.11).
 */
#ifndef BURSAR_RESERVATION_H
#define BURSAR_RESERVATION_H

#include <stdint.h>

#include "common/arena.h"
#include "common/fields.h"
#include "common/strv.h"
#include "common/tres.h"
#include "db/store.h"

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

extern const struct column reservation_columns[];

/* In order of cluster, start, name. */
int reservation_list(struct store *, const struct reservation_cond *,
	struct arena *, struct reservation_list *);

#endif
