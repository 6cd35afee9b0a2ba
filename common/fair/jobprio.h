/*
 * Priorities of the jobs of one cluster: what common/fair/priority.h needs is
 * taken from the configuration, the association tree and the QOS, and every
 * job gets one result for each pair of a partition and a QOS (spec/priority.md
 * 4, 7.2). For sprio, squeue and the planner; db/view/jobprio.h loads it. Pure.
 */
#ifndef BURSAR_JOBPRIO_H
#define BURSAR_JOBPRIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf.h"
#include "common/fair/accrue.h"
#include "common/fair/priority.h"
#include "common/fair/shares.h"
#include "common/table/job.h"

/* A partition as configured, with what its nodes have together. */
struct jobprio_partition {
	const struct conf_partition *conf;
	struct priority_partition priority;
	struct tres_list totals;
	struct tres_weights weights; /* TRESBillingWeights */
};

struct jobprio_qos {
	uint32_t id;
	const char *name;
	uint32_t priority;
};

/* One cluster at one time. */
struct jobprio {
	struct priority_context context;
	const struct conf *conf;
	const struct tres_catalog *tres;
	int64_t cluster; /* key */
	struct shares shares; /* none where there is no job */
	struct shares_index *index;
	struct jobprio_partition *partitions; /* as in conf */
	struct jobprio_qos *qos;
	size_t n_qos;
	const struct accrue_jobs *accrue; /* NULL: no such limit */
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

/*
 * Prepares what all jobs share; before it, context.policy and .now, conf, tres,
 * shares, accrue and qos must be set. A bad PriorityWeightTRES or
 * TRESBillingWeights is an error (ERR_USAGE). Memory is the arena's.
 */
int jobprio_prepare(struct jobprio *, struct arena *, struct err *);

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

/* When the age of the job begins to count; 0: not yet. */
int64_t jobprio_accrue(const struct jobprio *, const struct job *);

/* The highest priority among its rows: the one number squeue shows; 0 for a
 * held job. */
uint32_t jobprio_highest(
	const struct jobprio *, const struct job *, struct arena *scratch);

#endif
