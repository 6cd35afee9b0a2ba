/*
 * From when pending jobs accrue age under MaxJobsAccrue, GrpJobsAccrue and the
 * accrue limits of their QOS (common/fair/accrue.h), out of the store. Jobs
 * count in the job's QOS, never in that of the partition, in their association
 * and all above; an array that waits in one record counts once. In a store
 * moved to another time (db/past/past.h) jobs that had ended by then are not
 * known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/accrue.h"
#include "db/store/store.h"

struct accrue_times;

/* Computes the times of the cluster's (key) jobs as of `at`, epoch seconds.
 * *times is NULL when no such limit is set. Memory is the arena's. 0, or -1
 * with the store's error. */
int accrue_load(struct store *, int64_t cluster, int64_t at, struct arena *,
	struct accrue_times **times);

/* The jobs under such limits, by key; NULL where `times` is. */
const struct accrue_jobs *accrue_jobs(const struct accrue_times *);

/* A limit that such jobs count in. */
struct accrue_limit {
	const char *word; /* sacctmgr's: "GrpJobsAccrue" */
	uint32_t limit, used; /* used: jobs that accrue age */
	bool of_qos;
	int64_t key; /* of the QOS or association that has it */
};

/* Fills `limits` with those for jobs of the association and QOS (id; 0: none)
 * at `at`, the QOS's before the associations', and returns how many: at most
 * ACCRUE_MOST. `user`, `account`: of the jobs, for limits per user or account
 * of the QOS. */
enum { ACCRUE_MOST = 64 };
size_t accrue_limits(struct accrue_times *, int64_t assoc, int64_t qos,
	const char *user, const char *account, int64_t at,
	struct accrue_limit limits[ACCRUE_MOST]);
