/*
 * Loads the association tree of a cluster with its usage
 * (common/fair/shares.h), and what the priorities of its jobs are made of
 * (common/fair/jobprio.h).
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/fair/shares.h"
#include "db/store/store.h"
#include "common/fair/jobprio.h"
#include "db/entity/site.h"

/*
 * Reads the cluster's associations that are not deleted, with their usage at
 * the time `at` (epoch seconds), all from one state of the store, and computes
 * fair-share. `details`: SHARES_... or-ed. 0, or -1 with the store's error; an
 * unknown cluster is one (ERR_USAGE). Memory is the arena's.
 */
int shares_load(struct store *, const struct policy *, const char *cluster,
	int64_t at, unsigned details, struct arena *, struct shares *);

/* Loads what all jobs of the cluster share (association tree, usage, QOS,
 * weights), as of the time `at`, epoch seconds. 0, or -1 with the store's
 * error; an unknown cluster, a bad PriorityWeightTRES or TRESBillingWeights is
 * one (ERR_USAGE). Memory is the arena's. */
int jobprio_open(struct jobprio *, struct site *, const char *cluster,
	int64_t at, struct arena *);
