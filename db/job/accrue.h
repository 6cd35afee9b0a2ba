/*
 * From when waiting jobs gather age under MaxJobsAccrue, GrpJobsAccrue and
 * those of their QOS (spec/priority.md 4.2, common/fair/accrue.h), out of the store.
 * Jobs count in the job's QOS, never in that of the partition, in their
 * association and all above; an array that waits in one record counts once.
 *
 * At a time of the past, jobs that have left since are not looked for.
 */
#ifndef BURSAR_DB_ACCRUE_H
#define BURSAR_DB_ACCRUE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/accrue.h"
#include "db/store/store.h"

struct accrue_times;

/* Of the cluster (key) at that time; *times is NULL when no such limit is set.
 * Memory is the arena's. */
int accrue_load(struct store *, int64_t cluster, int64_t at, struct arena *,
	struct accrue_times **times);

/* The jobs that are limited; NULL where there are no times. */
const struct accrue_jobs *accrue_jobs(const struct accrue_times *);

/* A limit that such jobs count in. */
struct accrue_limit {
	const char *word; /* sacctmgr's: "GrpJobsAccrue" */
	uint32_t limit, used;
	bool of_qos;
	int64_t key; /* of the QOS or association that has it */
};

/* The limits for jobs of the association and QOS (0: none); 0 to ACCRUE_MOST.
 * Without `user` the limits of its account alone. */
enum { ACCRUE_MOST = 64 };
size_t accrue_limits(struct accrue_times *, int64_t assoc, int64_t qos,
	const char *user, const char *account, int64_t at,
	struct accrue_limit limits[ACCRUE_MOST]);

#endif
