/*
 * What would help a job that waits (common/plan/remedy.h), of the store: each
 * change is typed as srecord or sacctmgr would take it, made in a what-if and
 * planned there, so that it does what it says.
 */
#pragma once

#include "common/plan/remedy.h"
#include "db/view/plan.h"

struct remedied {
	enum remedy_kind kind;
	uint64_t value;
	const char *words;   /* "mem=4G", "modify account lab set MaxJobs=3" */
	const char *instead; /* what it is now: "mem=500G", "MaxJobs=2" */
	const struct plan_outcome *then;
};

struct remedies {
	/* The caller's. */
	struct site *site; /* a hypothetical job is not in its store */
	const struct plan *plan; /* both passes with the job */
	const struct sched_job *job; /* of the plan */
	const char *words; /* that made it what it is; NULL: it waits as it is */
	bool is_new; /* it is hypothetical; else `words` have its id */
	struct plan_how how;
	struct plan_outcome now; /* plan_outcome of the job */
	struct arena *arena;
	/* In the order of common/plan/remedy.h. */
	struct remedied *v;
	size_t n;
	size_t best; /* n: nothing helps */
	size_t plans; /* that were made */
};

/* Fills them. What holds a job that no plan looks at (held, dependent, ...) is
 * not tried, nor anything where it starts now, nor what names whom the caller may
 * not list. Programs with rights of their own find none (db/whatif/whatif.h). 0,
 * or -1 with err. */
int remedies_try(struct remedies *, struct err *);
