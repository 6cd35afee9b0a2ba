/*
 * What the parts that write share: part of cmd/splan/splan.h.
 */
#ifndef BURSAR_SPLAN_WRITE_H
#define BURSAR_SPLAN_WRITE_H

#include "cmd/splan/splan.h"

/* Starts in the store what the plan says of the job, in the transaction that is
 * open. */
int start_job(struct plan *, const struct sched_job *, struct arena *scratch,
	struct err *);

/* ---- preemption (cmd/splan/preempt.c) ------------------------------------*/

/* The victims of a start end, are queued again or suspended. */
int preempt_victims(struct plan *, const struct sched_start *,
	const struct sched_job *by, struct arena *scratch);

/* Jobs that were suspended and have room again run on. */
int preempt_resume(struct plan *, struct arena *scratch);

/* Victims whose grace time is not over are warned; warnings no longer needed
 * are withdrawn. */
int preempt_warn(struct plan *);

/* Is there anything of this to write? */
bool preempt_writes(const struct plan *);

#endif
