/*
 * What jobs ask for in the terms of the pass: part of db/plan.h.
 */
#ifndef BURSAR_DB_PLAN_REQUEST_H
#define BURSAR_DB_PLAN_REQUEST_H

#include "db/plan.h"

/* Kinds of gres and licenses, from slurm.conf. */
void plan_kinds(struct plan *);

/* How much of each kind a node has. */
void plan_node_gres(
	const struct plan *, const struct conf_node *, uint64_t *gres);

/* CPUs, memory, gres and licenses of the job; `tres`: its request, or what it
 * was given. */
void plan_request(struct plan *, const struct job *,
	const struct tres_list *tres, struct sched_job *);

/* Why the job waits for others; REASON_NONE: it does not any more. */
unsigned plan_dependency(struct plan *, const struct job *);

#endif
