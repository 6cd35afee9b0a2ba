/*
 * Multifactor job priority: one job in one partition under one QOS, factor by
 * factor (spec/priority.md 4). Pure; the same result feeds sprio's columns, its
 * explanations, the planner and the simulator.
 */
#ifndef BURSAR_PRIORITY_H
#define BURSAR_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/conf/policy.h"
#include "common/fair/billing.h"
#include "common/text/tres.h"

/* The factors with a weight of their own, in sprio's order. */
enum priority_factor {
	FACTOR_AGE,
	FACTOR_ASSOC,
	FACTOR_FAIRSHARE,
	FACTOR_JOB_SIZE,
	FACTOR_PARTITION,
	FACTOR_QOS,
	PRIORITY_FACTORS, /* how many */
};

/* What is the same for all jobs of one listing. */
struct priority_context {
	const struct policy *policy;
	struct tres_weights tres_weights; /* policy->weights.tres, parsed */
	time_t now;
	uint32_t nodes, cpus; /* of the cluster, every configured node */
	/* The highest of all: associations (accounts too), QOS, partitions. */
	uint32_t max_assoc_priority;
	uint32_t max_qos_priority;
	uint16_t max_partition_factor;
};

struct priority_partition {
	uint16_t job_factor; /* PriorityJobFactor */
	uint32_t max_time;   /* minutes; INFINITE, or NO_VAL: none */
	/* Of its nodes together; license and bb of the cluster; billing: its
	 * weights applied to these (billing_compute). NULL: no amounts. */
	const struct tres_list *totals;
};

/* Numbers are NO_VAL (times 0) where nothing is known. */
struct priority_job {
	/* NO_VAL: by the formula. Else set by hand: a fixed priority with all
	 * factors 0; 0: held. */
	uint32_t direct;
	time_t accrue;		 /* see priority_accrue; 0: none */
	uint32_t assoc_priority; /* the nearest one upwards */
	double fairshare;	 /* of its association, 0 to 1 */
	uint32_t nodes;		 /* the minimum asked for */
	uint32_t cpus_alloc, cpus_max, cpus_min;
	uint32_t time_limit;	      /* minutes; NO_VAL: the partition's */
	const struct tres_list *tres; /* allocated, else requested; with
				       * billing; mem as Slurm counts it */
	int32_t site, nice;
};

/* One TRES of PriorityWeightTRES: term = weight * factor. */
struct priority_tres {
	uint32_t id;
	double weight, factor, term;
};

struct priority_result {
	bool direct; /* set by hand or held: everything but priority is 0 */
	uint32_t weight[PRIORITY_FACTORS];
	double factor[PRIORITY_FACTORS]; /* 0 where the weight is 0 */
	double term[PRIORITY_FACTORS];	 /* weight * factor */
	struct priority_tres *tres;	 /* ascending by id, zero terms too */
	size_t n_tres;
	double tres_sum; /* of the TRES terms */
	int32_t site, nice;
	double sum;	   /* of all terms, + site - nice, as it comes out */
	bool overflow;	   /* sum is above 4294967295 (Slurm logs an error) */
	uint32_t priority; /* sum, at least 1, truncated, at most that */
};

/*
 * The priority of `job` in `partition` (NULL: none) under a QOS of priority
 * `qos_priority` (0: none). A job with several partitions or QOS is computed
 * once for each pair; with several QOS, pass the highest of the job's QOS for
 * one whose own is 0 (priority_qos). `result->tres` is the arena's.
 */
void priority_compute(const struct priority_context *,
	const struct priority_job *, const struct priority_partition *,
	uint32_t qos_priority, struct priority_result *, struct arena *);

/* The QOS priority that counts among the `n` of a job for its i-th: its own, or
 * when that is 0 the highest of them (spec 4.4). */
uint32_t priority_qos(const uint32_t *qos_priorities, size_t n, size_t i);

/* What is stored when `fresh` was computed: with PRIO_INCR_ONLY never less than
 * before. `stored` NO_VAL: nothing yet; 0 (held) stays. */
uint32_t priority_update(uint32_t stored, uint32_t fresh, unsigned flags);

/* What the accrue time of a pending job depends on. Times 0: unknown. */
struct accrue {
	time_t submit;
	time_t begin;	 /* when it became eligible; may be in the future */
	time_t previous; /* the accrue time so far */
	bool held, dependent;
	bool enforced; /* AccountingStorageEnforce has limits */
	bool limited;  /* MaxJobsAccrue or GrpJobsAccrue applies to it ... */
	bool admitted; /* ... and there is room for it among them */
};

/* The time from which age counts, 0 for none (spec 4.2). `flags`: policy's. */
time_t priority_accrue(const struct accrue *, unsigned flags, time_t now);

/* The job-size factor alone, 0 to 1 (spec 4.3). */
double priority_job_size(const struct priority_context *,
	const struct priority_job *, const struct priority_partition *);

#endif
