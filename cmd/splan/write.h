/*
 * What the parts that write share: part of cmd/splan/splan.h.
 */
#pragma once

#include "cmd/splan/splan.h"

/* Records in the store that the job starts as planned, in the open transaction.
 * Returns 0, or -1 with err set. */
int start_job(struct plan *, const struct sched_job *, struct arena *scratch,
	struct err *);

/* ---- preemption (cmd/splan/preempt.c): return 0, or -1 -----------------------*/

/* Ends, requeues or suspends the victims of a start, as PreemptMode says. */
int preempt_victims(struct plan *, const struct sched_start *,
	const struct sched_job *by, struct arena *scratch);

/* Resumes suspended victims that have room again. */
int preempt_resume(struct plan *, struct arena *scratch);

/* Records warnings of victims whose grace time is not over; withdraws those that
 * are no longer needed. */
int preempt_warn(struct plan *);

/* Would any of these three write something? */
bool preempt_writes(const struct plan *);
