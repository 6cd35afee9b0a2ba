/*
 * Partitions of slurm.conf in the terms of common/plan/schedule.h, for the
 * planner over the store and for simulations.
 */
#pragma once

#include "common/conf/conf.h"
#include "common/plan/schedule.h"

/* Fills limits and nodes of the partition: indexes in conf->nodes, low weight
 * first; unknown node names are left out. The result is in the arena. */
void schedule_partition_of(const struct conf *, const struct conf_partition *,
	struct sched_partition *, struct arena *);
