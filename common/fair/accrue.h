/*
 * Limits on how many jobs may gather age at once: MaxJobsAccrue, GrpJobsAccrue
 * (spec/priority.md 4.2). A pending job needs an accrue slot under every limit
 * that applies to it, first come first served; when a job that holds slots starts
 * or ends, the age of the next one begins at that moment. Pure.
 *
 * slurmctld counts at every pass; here the moments follow from when jobs were
 * submitted, started and ended.
 */
#ifndef BURSAR_ACCRUE_H
#define BURSAR_ACCRUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/arena.h"

/* Neither its start nor its end is known. */
#define ACCRUE_STAYS ((time_t)INT64_MAX)

struct accrue_job {
	int64_t key;		/* the caller's; orders jobs of the same `since` */
	time_t since;		/* from when it would gather age */
	time_t leaves;		/* started or gone; ACCRUE_STAYS */
	const uint32_t *scopes; /* limits that apply: indexes in `limits` */
	size_t n_scopes;
	time_t admitted; /* out: from when it does; 0: not yet */
};

/* Fills `admitted` for what had happened up to `at`. Sorts the jobs by `since`
 * and key. `limits`: how many at once, for each scope. */
void accrue_admit(struct accrue_job *, size_t n, const uint32_t *limits,
	size_t n_limits, time_t at, struct arena *scratch);

/* Those of a cluster that are limited, by key. */
struct accrue_jobs {
	struct accrue_job *v;
	size_t n;
};

/* Is the pending job (key) limited? Then *since is when its age begins to
 * count; 0: not yet. `accrue` may be NULL: no limits. */
bool accrue_find(const struct accrue_jobs *, int64_t job, int64_t *since);

/* Puts them in the order that accrue_find wants. */
void accrue_sort(struct accrue_jobs *);

#endif
