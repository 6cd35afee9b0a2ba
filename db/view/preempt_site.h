/*
 * Preemption as slurm.conf and the QOS have it (slurm.conf(5), sacctmgr(1)), in
 * the terms of the passes: the rules, how jobs of a QOS are preempted, and
 * which QOS they may preempt. For plans and simulations.
 */
#pragma once

#include "common/conf/conf.h"
#include "common/plan/schedule.h"
#include "db/entity/qos.h"

struct preempt_site {
	struct preempt_rules rules;
	struct store *store;
	const struct conf *conf;
	struct strv *remarks; /* of the caller: words that are not known */
	struct arena *arena;
	uint32_t mode;	 /* PreemptMode, enum preempt_mode, or-ed */
	uint32_t exempt; /* PreemptExemptTime, seconds */
	struct qos_list qos;
	const uint32_t **pushes; /* by index in `qos`: ids of the QOS in its
				    Preempt list, ended by 0 */
};

/* Fills it; with PreemptType=preempt/none only the rules. `qos`: all there are.
 * Memory is the arena's. */
void preempt_site_open(struct preempt_site *, struct store *,
	const struct conf *, const struct qos_list *qos, struct strv *remarks,
	struct arena *);

/* What the QOS lets its jobs do; NULL: they have none. Without a site nothing is
 * preempted. */
struct sched_rights preempt_site_rights(
	const struct preempt_site *, const struct qos *);

/* How running jobs of a QOS (id) in a partition (NULL: unknown) are preempted;
 * times in seconds. */
struct preempt_way {
	enum preempted_how how;
	uint32_t exempt_time, grace_time;
	uint32_t qos_priority;
};

struct preempt_way preempt_site_way(struct preempt_site *, uint32_t qos,
	const struct conf_partition *partition);
