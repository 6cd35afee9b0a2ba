/*
 * When waiting jobs are expected to start, as the last `splan --record` of the
 * cluster found it (spec/backfill.md 3.5).
 */
#ifndef BURSAR_DB_EXPECTED_H
#define BURSAR_DB_EXPECTED_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

struct expected {
	int64_t job; /* key */
	int64_t start;
	const char *nodes; /* a host list */
};

struct expected_list {
	struct expected *v; /* by job */
	size_t n, cap;
};

/* All of the cluster (key). Memory is the arena's. */
int expected_load(struct store *, int64_t cluster, struct arena *,
	struct expected_list *);

/* NULL: nothing is expected. */
const struct expected *expected_find(const struct expected_list *, int64_t job);

/* Puts these in the place of all that were; in an open transaction. */
int expected_replace(
	struct store *, int64_t cluster, const struct expected_list *);

#endif
