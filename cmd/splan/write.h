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

#endif
