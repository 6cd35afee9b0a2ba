/*
 * Multifactor job priority of one job in one partition under one QOS, factor by
 * factor (Slurm's src/plugins/priority/multifactor/priority_multifactor.c).
 * Pure. Used by sprio for its columns and explanations, by the planner and by
 * the simulator.
 */
#pragma once

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

/* What is the same for all jobs of a cluster at one time. */
struct priority_context {
	const struct policy *policy;
	struct tres_weights tres_weights; /* policy->weights.tres, parsed */
	time_t now;
	uint32_t nodes, cpus; /* of the cluster, every configured node */
	/* The highest priority of any association (accounts too), of any QOS,
	 * and the highest PriorityJobFactor. */
	uint32_t max_assoc_priority;
	uint32_t max_qos_priority;
	uint16_t max_partition_factor;
};

struct priority_partition {
	uint16_t job_factor; /* PriorityJobFactor */
	uint32_t max_time;   /* minutes; INFINITE, or NO_VAL: none */
	/* TRES of all its nodes; licenses and burst buffers of the cluster; and
	 * billing by the partition's weights (billing_compute). NULL: none. */
	const struct tres_list *totals;
};

/* Unknown numbers are NO_VAL, unknown times 0. */
struct priority_job {
	/* NO_VAL: the formula applies. Else a priority set by hand: all factors
	 * are 0 then; 0: held. */
	uint32_t direct;
	time_t accrue;		 /* age counts from then; 0: no age yet */
	uint32_t assoc_priority; /* of its association or the nearest above */
	double fairshare;	 /* of its association, 0 to 1 */
	uint32_t nodes;		 /* the minimum requested */
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
	double sum;	   /* all terms + site - nice, before any bounds */
	bool overflow;	   /* sum is above 4294967295 (Slurm logs an error) */
	uint32_t priority; /* sum truncated, 1 to 4294967295 */
};

/*
 * The priority of `job` in `partition` (NULL: none) under a QOS of priority
 * `qos_priority` (0: none). A job with several partitions or QOS is computed
 * once for each pair, each QOS with the priority that priority_qos gives.
 * `result->tres` is in the arena.
 */
void priority_compute(const struct priority_context *,
	const struct priority_job *, const struct priority_partition *,
	uint32_t qos_priority, struct priority_result *, struct arena *);

/* The QOS priority that counts for the i-th of the `n` QOS of a job: its own,
 * or the highest of the `n` when its own is 0 (spec 4.4). */
uint32_t priority_qos(const uint32_t *qos_priorities, size_t n, size_t i);

/* The priority to store when `fresh` was computed: with PRIO_INCR_ONLY in
 * `flags` (PriorityFlags) not less than `stored`. `stored` NO_VAL: nothing is
 * stored yet; 0: held, and stays so. */
uint32_t priority_update(uint32_t stored, uint32_t fresh, unsigned flags);

/* What the accrue time of a pending job depends on. Times 0: unknown. */
struct accrue {
	time_t submit;
	time_t begin;	 /* when it becomes eligible; may be in the future */
	time_t previous; /* the accrue time stored so far */
	bool held, dependent;
	bool enforced; /* AccountingStorageEnforce has limits */
	bool limited;  /* MaxJobsAccrue or GrpJobsAccrue applies to it */
	bool admitted; /* and it has an accrue slot under them */
};

/* The time from which the age of the job counts; 0: it has no age yet (spec
 * 4.2). `flags`: PriorityFlags. */
time_t priority_accrue(const struct accrue *, unsigned flags, time_t now);

/* The job-size factor alone, 0 to 1 (spec 4.3). */
double priority_job_size(const struct priority_context *,
	const struct priority_job *, const struct priority_partition *);
