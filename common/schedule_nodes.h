/*
 * Where a job fits: part of common/schedule.h.
 */
#ifndef BURSAR_SCHEDULE_NODES_H
#define BURSAR_SCHEDULE_NODES_H

#include "common/schedule.h"

/* Fills what the functions below need to know of a partition. */
void measure_partition(
	const struct schedule *, struct sched_partition *, struct arena *);

/* How many nodes of the partition the job takes: as many as it asks for, more
 * where its CPUs need them; 0: it would not fit if all were free. */
size_t nodes_needed(const struct schedule *, const struct sched_job *,
	const struct sched_partition *);

/* Nodes of the partition that are up and not kept for another job. */
size_t nodes_up(const struct schedule *, const struct sched_partition *);

/* Chooses start->n_nodes of the choice's partition; false: too few are free. */
bool place_job(struct schedule *, const struct sched_job *,
	struct sched_start *, struct arena *);

#endif
