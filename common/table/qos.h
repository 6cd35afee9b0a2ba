/*
 * Quality of service: limits, priority, preemption (Slurm's
 * src/common/slurmdb_defs.c).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/table/attr.h"
#include "common/table/fields.h"
#include "common/table/member.h"
#include "common/table/preemptmode.h"

enum qos_tres {
	QOS_GRP_TRES,
	QOS_GRP_TRES_MINS,
	QOS_GRP_TRES_RUN_MINS,
	QOS_MAX_TRES_PA,
	QOS_MAX_TRES_PJ,
	QOS_MAX_TRES_PN,
	QOS_MAX_TRES_PU,
	QOS_MAX_TRES_MINS_PJ,
	QOS_MAX_TRES_RUN_MINS_PA,
	QOS_MAX_TRES_RUN_MINS_PU,
	QOS_MIN_TRES_PJ,
	QOS_TRES_KINDS,
};

/* Flag bits, as the store keeps them. */
enum qos_flag {
	QOS_DENY_ON_LIMIT = 1 << 0,
	QOS_ENFORCE_USAGE_THRESHOLD = 1 << 1,
	QOS_PARTITION_MIN_NODES = 1 << 2,
	QOS_PARTITION_MAX_NODES = 1 << 3,
	QOS_PARTITION_TIME_LIMIT = 1 << 4,
	QOS_REQUIRES_RESERVATION = 1 << 5,
	QOS_OVER_PART_QOS = 1 << 6,
	QOS_NO_RESERVE = 1 << 7,
	QOS_NO_DECAY = 1 << 8,
	QOS_RELATIVE = 1 << 9,
	QOS_USAGE_FACTOR_SAFE = 1 << 10,
};

struct qos {
	uint32_t id;
	const char *name;
	const char *description;
	bool deleted;
	int64_t created;
	uint32_t flags;
	uint32_t grace_time; /* seconds */
	uint32_t grp_jobs, grp_jobs_accrue, grp_submit_jobs, grp_wall;
	uint32_t max_jobs_pa, max_jobs_pu;
	uint32_t max_jobs_accrue_pa, max_jobs_accrue_pu;
	uint32_t max_submit_jobs_pa, max_submit_jobs_pu;
	uint32_t max_wall_pj, min_prio_thresh;
	uint32_t preempt_mode; /* enum preempt_mode, or-ed */
	uint32_t preempt_exempt_time; /* seconds */
	uint32_t priority;
	double usage_factor, usage_thres, limit_factor;
	double usage_raw; /* RawUsage=: can be set, is not shown */
	struct tres_list tres[QOS_TRES_KINDS];
	struct strv preempt;	  /* names it may preempt, sorted */
	const char *preempt_text; /* `preempt`, joined by commas */
	const char *flags_text;
	const char *preempt_mode_text;
};

/* The members of struct qos that are stored, printed or can be set. */
extern const struct members qos_members;

/* The row that sets a member of struct qos. */
#define qos_attr(member) member_at(&qos_members, offsetof(struct qos, member))

extern const struct flag_word qos_flag_words[];

struct qos_list {
	struct qos **v;
	size_t n, cap;
};

/* Sets all limits to unset, priority to 0, usage factor to 1. */
void qos_init(struct qos *);

/* Fills preempt_text, flags_text and preempt_mode_text from the other members;
 * in the arena. */
void qos_texts(struct qos *, struct arena *);
