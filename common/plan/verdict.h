/*
 * Why a job waits and until when: what both passes have left in the schedule,
 * as the one answer that every program gives. Pure. Times are epoch seconds;
 * reasons are those of common/text/reason.h.
 */
#pragma once

#include "common/plan/schedule.h"

/*
 * Why it waits, in Slurm's word: what the backfill pass says of it, else the
 * main pass. Of one that starts now, what a pass says that did not come to it.
 * REASON_NONE: none of its partitions is known.
 */
unsigned verdict_reason(const struct sched_job *);

/* When it starts. */
enum verdict_start {
	VERDICT_NOW,	   /* there is room for it, and nothing forbids it */
	VERDICT_KEPT,	   /* then: nodes are kept for it */
	VERDICT_NOT_BEFORE, /* no earlier: nothing is kept, or a limit holds */
	VERDICT_OPEN,	/* when what it waits for has happened, whenever that is */
	VERDICT_BEYOND, /* later than the plan looks, or behind too many */
	VERDICT_NEVER,	/* unless it, or what forbids it, is changed */
};

struct verdict {
	const struct schedule *schedule;
	const struct sched_job *job;
	unsigned reason; /* verdict_reason() */
	int64_t since;	 /* when it became eligible, else was submitted */
	enum verdict_start when;
	int64_t start; /* NOW, KEPT, NOT_BEFORE; else 0 */
	const struct sched_plan *plan; /* where; NULL: it is not known */
	/* The limit that holds it back, and in which of its partitions; `limited`
	 * NULL: none. */
	struct limit_breach limit;
	const struct sched_choice *limited;
	bool decays; /* it is on what was used, which will be less at `start` */
};

/* Of a job that waits, after both passes. */
struct verdict verdict_of(const struct schedule *, const struct sched_job *);

/* What it waits for, in words for its user; "a change: ..." if waiting does not
 * help. */
const char *verdict_help(const struct verdict *, struct arena *);

/* What it asks for that none of its partitions has, even when empty: "asks for 3
 * nodes; of partition p it may have 2 at most". NULL: nothing. */
const char *verdict_misfit(
	const struct schedule *, const struct sched_job *, struct arena *);

/* When it starts: "at 2026-11-26T08:00:00", "never, without a change: ...". */
const char *verdict_start_text(const struct verdict *, const char *time_format,
	int64_t now, struct arena *);

/* The earliest start that the backfill pass planned for it; NULL: none. */
const struct sched_plan *verdict_plan(const struct sched_job *);

/* May the backfill pass say otherwise than the main pass, which was made? */
bool verdict_needs_backfill(const struct sched_job *);
