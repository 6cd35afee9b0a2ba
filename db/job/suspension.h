/*
 * When jobs were suspended. A trigger of the table job (db/store/schema.sql)
 * writes the intervals: one each time a job recorded as suspended resumes. A
 * job recorded or imported with a total of seconds alone has no intervals.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/text/suspension.h"
#include "db/store/store.h"

/* The suspensions of a job (key), in the arena. The caller tells from its
 * record `suspended`, all seconds, and `since`, when the present suspension
 * began (0: none); the store is read only if there are such seconds. 0, or -1
 * with the store's error. */
int suspensions_load(struct store *, int64_t job, int64_t suspended,
	int64_t since, struct arena *, struct suspensions *);

/* Writes what another system reports of a job (key): `n` past intervals, and
 * when the present one began (0: none). Marks roll-ups to be computed again.
 * Expects an open transaction. 1: something changed, 0: nothing, -1. */
int suspensions_put(struct store *, int64_t job, const struct suspension *,
	size_t n, int64_t since);
