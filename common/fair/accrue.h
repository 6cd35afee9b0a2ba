/*
 * Limits on how many pending jobs may accrue age at once: MaxJobsAccrue and
 * GrpJobsAccrue (Slurm's src/slurmctld/acct_policy.c,
 * acct_policy_handle_accrue_time()). A pending job needs an accrue slot under
 * every limit that applies to it, first come first served; when a job that
 * holds slots starts or ends, the next job takes them and its age begins to
 * count at that moment. Pure.
 *
 * slurmctld counts slots at every pass; here the moments are computed from the
 * times at which jobs were submitted, started and ended. Times: epoch seconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/arena.h"

/* `leaves` of a job that has neither started nor ended: it is still pending. */
#define ACCRUE_STAYS ((time_t)INT64_MAX)

struct accrue_job {
	int64_t key;		/* the caller's; orders jobs of the same `since` */
	time_t since;		/* would accrue age from then, without limits */
	time_t leaves;		/* its start or end; or ACCRUE_STAYS */
	const uint32_t *scopes; /* limits that apply: indexes in `limits` */
	size_t n_scopes;
	time_t admitted; /* out: accrues age from then; 0: not yet */
};

/* Fills `admitted` of the `n` jobs from what had happened up to `at`. Sorts the
 * jobs by `since` and key, and raises `leaves` to `since` where it is earlier.
 * limits[scope]: how many jobs may hold a slot of that scope at once. */
void accrue_admit(struct accrue_job *, size_t n, const uint32_t *limits,
	size_t n_limits, time_t at, struct arena *scratch);

/* The jobs of a cluster to which an accrue limit applies, ascending by key. */
struct accrue_jobs {
	struct accrue_job *v;
	size_t n;
};

/* Does an accrue limit apply to the pending job with key `job`? Then *since
 * becomes the time its age begins to count, 0: not yet; else *since stays. The
 * jobs must have been sorted by accrue_sort; NULL: no limits. */
bool accrue_find(const struct accrue_jobs *, int64_t job, int64_t *since);

/* Sorts the jobs by key, as accrue_find needs them. */
void accrue_sort(struct accrue_jobs *);
