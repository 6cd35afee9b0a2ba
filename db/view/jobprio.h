/*
 * Priorities of the jobs in the store: what common/fair/priority.h needs is taken
 * from the configuration, the association tree and the QOS, and every job gets
 * one result for each pair of a partition and a QOS (spec/priority.md 4, 7.2).
 * For sprio, squeue and the planner.
 */
#ifndef BURSAR_DB_JOBPRIO_H
#define BURSAR_DB_JOBPRIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/fair/priority.h"
#include "db/entity/site.h"
#include "db/job/job.h"
#include "db/view/shares.h"

struct jobprio_partition;
struct jobprio_qos;

/* One cluster at one time. */
struct jobprio {
	struct priority_context context;
	const struct conf *conf;
	const struct tres_catalog *tres;
	int64_t cluster; /* key */
	struct shares shares;
	struct shares_index *index;
	struct jobprio_partition *partitions; /* as in conf */
	struct jobprio_qos *qos;
	size_t n_qos;
	struct accrue_times *accrue; /* NULL: no such limit */
};

/* A job in one of its partitions under one of its QOS. */
struct jobprio_row {
	const struct job *job;
	const char *partition;
	const char *qos; /* NULL: it is gone */
	struct priority_result result;
};

struct jobprio_rows {
	struct jobprio_row *v;
	size_t n, cap;
};

/* Loads what all jobs of the cluster share, as of the time `at`. A bad
 * PriorityWeightTRES or TRESBillingWeights is an error (ERR_USAGE). Memory is
 * the arena's. */
int jobprio_open(struct jobprio *, struct site *, const char *cluster,
	int64_t at, struct arena *);

/* Does it compete: pending (running too with CALCULATE_RUNNING), eligible, not
 * held? */
bool jobprio_listed(const struct jobprio *, const struct job *);

/*
 * Appends the rows of a job: partitions by descending tier, QOS by descending
 * priority. A partition that is not configured gives none, unless no partition
 * is configured at all. The job must live as long as the rows.
 */
void jobprio_rows(const struct jobprio *, const struct job *, struct arena *,
	struct jobprio_rows *);

/* From when the age of the job counts; 0: not yet. */
int64_t jobprio_accrue(const struct jobprio *, const struct job *);

/* The highest priority among its rows: the one number squeue shows; 0 for a
 * held job. */
uint32_t jobprio_highest(
	const struct jobprio *, const struct job *, struct arena *scratch);

#endif
