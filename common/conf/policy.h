/*
 * The site's priority policy, from the Priority... keywords of slurm.conf: how
 * usage decays, which fair-share algorithm is used, and the weight of each
 * priority factor (slurm.conf(5)).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum fairshare_algorithm {
	FAIRSHARE_FAIR_TREE,
	FAIRSHARE_CLASSIC,
	FAIRSHARE_DEPTH_OBLIVIOUS,
};

/* PriorityUsageResetPeriod: when all usage is set to 0. */
enum usage_reset {
	RESET_NONE,
	RESET_NOW,
	RESET_DAILY,
	RESET_WEEKLY,
	RESET_MONTHLY,
	RESET_QUARTERLY,
	RESET_YEARLY,
};

/* PriorityFlags, or-ed. DEPTH_OBLIVIOUS and NO_FAIR_TREE set `algorithm`
 * instead. */
enum priority_flag {
	PRIO_ACCRUE_ALWAYS = 1 << 0,
	PRIO_CALCULATE_RUNNING = 1 << 1,
	PRIO_INCR_ONLY = 1 << 2,
	PRIO_MAX_TRES = 1 << 3,
	PRIO_MAX_TRES_GRES = 1 << 4,
	PRIO_NO_NORMAL_ASSOC = 1 << 5,
	PRIO_NO_NORMAL_PART = 1 << 6,
	PRIO_NO_NORMAL_QOS = 1 << 7,
	PRIO_NO_NORMAL_TRES = 1 << 8,
	PRIO_SMALL_RELATIVE_TO_TIME = 1 << 9,
};

/* How the billing of a job comes from its weighted TRES: their sum, or by
 * MAX_TRES or MAX_TRES_GRES of PriorityFlags. */
enum billing_rule { BILLING_SUM, BILLING_MAX_TRES, BILLING_MAX_TRES_GRES };

/* The PriorityWeight... keywords. */
struct priority_weights {
	uint32_t age, assoc, fairshare, job_size, partition, qos;
	const char *tres; /* the PriorityWeightTRES list as written, or NULL */
};

struct policy {
	bool multifactor;	   /* PriorityType is priority/multifactor */
	const char *priority_type; /* as written */
	enum fairshare_algorithm algorithm;
	uint16_t dampening;	/* FairShareDampeningFactor */
	uint32_t half_life;	/* of usage, seconds; 0: no decay */
	uint32_t calc_period;	/* seconds */
	enum usage_reset reset; /* PriorityUsageResetPeriod */
	int64_t since; /* when slurm.conf was last changed: epoch seconds */
	uint32_t max_age;	/* PriorityMaxAge, seconds */
	bool favor_small;	/* PriorityFavorSmall */
	unsigned flags; /* enum priority_flag */
	enum billing_rule billing;
	struct priority_weights weights;
};
