/*
 * A trace of the store's own history (common/sim/trace.h): every job that has run
 * to its end, in the order of submission. Users, accounts, job names and
 * partitions become the numbers of a trace; the association tree comes along
 * for fair share, and the limits as they are now. For ssim and splan --advise.
 */
#ifndef BURSAR_DB_TRACE_H
#define BURSAR_DB_TRACE_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/fair/limits.h"
#include "common/sim/simulate_share.h"
#include "common/sim/trace.h"
#include "db/entity/site.h"
#include "db/job/job.h"

enum name_kind {
	NAME_USER,
	NAME_ACCOUNT,
	NAME_JOB,
	NAME_PARTITION,
	NAME_KINDS
};

struct names;

struct store_trace {
	struct site *site;
	const struct conf *conf; /* the site's, or another */
	struct arena *arena;
	struct err *err;
	struct trace *trace; /* trace_init has been called */
	int64_t from;	     /* submitted then or later; 0: all */
	/* Called with the first job, when trace->start is known; NULL. -1
	 * ends it all. */
	int (*begin)(void *arg);
	/* Called for each job that is in the trace, its index beside it; NULL.
	 * The order may change behind the last. */
	void (*each)(void *arg, const struct job *, uint32_t index);
	void *arg;

	/* What comes out. */
	struct names *names;	     /* for name_of; of users, accounts ... */
	const struct sim_tree *tree; /* fair share */
	struct limit_chain **chains; /* by tag of the jobs, from 1; NULL */
};

/* Reads all; -1 with the store's error. store_trace_finish has to follow. */
int store_trace_read(struct store_trace *);

/* When the last `jobs` of those that have ended began to be submitted, for
 * `from`; 0: there are no more than that. -1: the store's error. */
int64_t store_trace_since(struct site *, size_t jobs);

/* As trace_finish. */
void store_trace_finish(struct store_trace *, uint32_t procs);

void store_trace_release(struct store_trace *);

/* For sim_slurm.limits where there are chains; `arg` is the store_trace. */
struct limit_chain *store_trace_limits(const void *arg, uint32_t job);

/* The name that a number of the trace stands for. */
const char *name_of(const struct names *, enum name_kind, int64_t number);

#endif
