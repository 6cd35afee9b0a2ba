/*
 * Preemption as slurm.conf and the QOS have it (spec/backfill.md 5.4), in the
 * terms of the passes: the rules, how jobs of a QOS are preempted, and which QOS
 * they may preempt. For plans and simulations.
 */
#ifndef BURSAR_DB_PREEMPT_SITE_H
#define BURSAR_DB_PREEMPT_SITE_H

#include "common/conf/conf.h"
#include "common/plan/schedule.h"
#include "db/entity/qos.h"

struct preempt_site {
	struct preempt_rules rules;
	struct store *store;
	const struct conf *conf;
	struct strv *remarks; /* words that are not known */
	struct arena *arena;
	uint32_t mode;	 /* PreemptMode, enum preempt_mode, or-ed */
	uint32_t exempt; /* PreemptExemptTime, seconds */
	struct qos_list qos;
	const uint32_t **pushes; /* of each QOS: those it lists, 0 ends */
};

/* -1 with the store's error. Without preemption only the rules are read. */
int preempt_site_load(struct preempt_site *, struct store *,
	const struct conf *, struct strv *remarks, struct arena *);

/* Which QOS jobs of this one may preempt; as in struct sched_choice. */
struct preempt_push {
	const uint32_t *preempts;
	bool own, lower;
};

struct preempt_push preempt_site_push(const struct preempt_site *, uint32_t qos);

/* How they are preempted there. Seconds. `partition`: NULL where it is not known. */
struct preempt_way {
	enum preempted_how how;
	uint32_t exempt_time, grace_time;
	uint32_t qos_priority;
};

struct preempt_way preempt_site_way(struct preempt_site *, uint32_t qos,
	const struct conf_partition *partition);

#endif
