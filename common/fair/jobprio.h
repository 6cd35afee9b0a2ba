/*
 * Priorities of the jobs of one cluster: takes what common/fair/priority.h
 * needs from the configuration, the association tree and the QOS, and computes
 * one result for each job, partition and QOS (Slurm's
 * src/plugins/priority/multifactor/priority_multifactor.c). For sprio, squeue
 * and the planner; db/view/jobprio.h loads it. Pure.
 */
#pragma once

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
#include "common/table/qos.h"

/* A partition of slurm.conf, with the TRES of all its nodes (`totals`). */
struct jobprio_partition {
	const struct conf_partition *conf;
	struct priority_partition priority;
	struct tres_list totals;
	struct tres_weights weights; /* TRESBillingWeights */
};

/* One cluster at one time. */
struct jobprio {
	struct priority_context context;
	const struct conf *conf;
	const struct tres_catalog *tres;
	int64_t cluster; /* key */
	struct shares shares; /* empty where there is no job */
	struct shares_index *index;
	struct jobprio_partition *partitions; /* indexed as in conf */
	struct qos_list qos;
	const struct accrue_jobs *accrue; /* NULL: no such limit */
};

/* A job in one of its partitions under one of its QOS. */
struct jobprio_row {
	const struct job *job;
	const char *partition;
	const char *qos; /* NULL: no longer in the database */
	struct priority_result result;
};

struct jobprio_rows {
	struct jobprio_row *v;
	size_t n, cap;
};

/*
 * Prepares what all jobs have in common: partitions, index and the rest of
 * context. The caller has set context.policy and .now, conf, tres, shares,
 * accrue and qos. Returns 0, or -1 for a bad PriorityWeightTRES or
 * TRESBillingWeights (ERR_USAGE). What is made is in the arena.
 */
int jobprio_prepare(struct jobprio *, struct arena *, struct err *);

/* Does sprio list the job: is it pending (or running, with CALCULATE_RUNNING),
 * eligible (with ACCRUE_ALWAYS: submitted) and not held? */
bool jobprio_listed(const struct jobprio *, const struct job *);

/*
 * Appends the rows of a job: partitions by descending tier, within one QOS by
 * descending priority. A partition that is not in slurm.conf gives no row,
 * unless slurm.conf has no partition at all. The rows are in the arena and
 * point to the job.
 */
void jobprio_rows(const struct jobprio *, const struct job *, struct arena *,
	struct jobprio_rows *);

/* The accrue time: epoch seconds from which the age of the job counts; 0: not
 * yet. */
int64_t jobprio_accrue(const struct jobprio *, const struct job *);

/* The highest priority among the rows of the job, which is what squeue shows; 0
 * for a held job. */
uint32_t jobprio_highest(
	const struct jobprio *, const struct job *, struct arena *scratch);
