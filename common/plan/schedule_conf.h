/*
 * Partitions of slurm.conf in the terms of common/plan/schedule.h, for the
 * planner over the store and for simulations.
 */
#ifndef BURSAR_SCHEDULE_CONF_H
#define BURSAR_SCHEDULE_CONF_H

#include "common/conf/conf.h"
#include "common/plan/schedule.h"

/* Its limits and nodes: indexes in conf->nodes, those of low weight first;
 * unknown names are left out. Memory is the arena's. */
void schedule_partition_of(const struct conf *, const struct conf_partition *,
	struct sched_partition *, struct arena *);

#endif
