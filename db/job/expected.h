/*
 * When pending jobs are expected to start, as the last `splan --record` of the
 * cluster found it. Functions that return int: 0, or -1 with the store's error.
 */
#ifndef BURSAR_DB_EXPECTED_H
#define BURSAR_DB_EXPECTED_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

struct expected {
	int64_t job;   /* key */
	int64_t start; /* epoch seconds */
	const char *nodes; /* a host list */
};

struct expected_list {
	struct expected *v; /* ascending by job */
	size_t n, cap;
};

/* Adds those of all jobs of the cluster (key) that have not started. Memory is
 * the arena's. */
int expected_load(struct store *, int64_t cluster, struct arena *,
	struct expected_list *);

/* The entry of the job (key) in the list; NULL: nothing is expected. */
const struct expected *expected_find(const struct expected_list *, int64_t job);

/* Replaces all that are stored of the cluster (key) by the list, in an open
 * transaction. */
int expected_replace(
	struct store *, int64_t cluster, const struct expected_list *);

#endif
