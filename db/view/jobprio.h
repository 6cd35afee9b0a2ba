/*
 * Loads what the priorities of a cluster's jobs are made of
 * (common/fair/jobprio.h).
 */
#ifndef BURSAR_DB_JOBPRIO_H
#define BURSAR_DB_JOBPRIO_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/jobprio.h"
#include "db/entity/site.h"

/* Loads what all jobs of the cluster share (association tree, usage, QOS,
 * weights), as of the time `at`, epoch seconds. 0, or -1 with the store's
 * error; an unknown cluster, a bad PriorityWeightTRES or TRESBillingWeights is
 * one (ERR_USAGE). Memory is the arena's. */
int jobprio_open(struct jobprio *, struct site *, const char *cluster,
	int64_t at, struct arena *);

#endif
