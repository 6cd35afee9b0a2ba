/*
 * A trace of the store's own history (common/sim/trace.h): every job that has run
 * to its end, in the order of submission. Users, accounts, job names and
 * partitions become the numbers of a trace. And what a site's policy makes of
 * them: the association tree, limits and QOS as they are now, or as they would
 * be. For ssim and splan --advise.
 */
#ifndef BURSAR_DB_TRACE_H
#define BURSAR_DB_TRACE_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/fair/limits.h"
#include "common/sim/simulate_slurm.h"
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
	struct arena *arena;
	struct err *err;
	struct trace *trace; /* trace_init has been called */
	int64_t from;	     /* submitted then or later; 0: all */
	/* Called with the first job, when trace->start is known; NULL. -1
	 * ends it all. */
	int (*begin)(void *arg);
	/* Called for each job of the trace with its index; NULL. The order may
	 * change after the last call. */
	void (*each)(void *arg, const struct job *, uint32_t index);
	void *arg;

	struct names *names; /* comes out, for name_of; of users, accounts ... */
};

/* Reads all; -1 with the store's error. store_trace_finish has to follow. */
int store_trace_read(struct store_trace *);

/* When the earliest of the last `jobs` ended jobs was submitted, as a value for
 * `from`; 0: there are not more than that. -1: the store's error. */
int64_t store_trace_since(struct site *, size_t jobs);

/* As trace_finish. */
void store_trace_finish(struct store_trace *, uint32_t procs);

void store_trace_release(struct store_trace *);

/* The name behind a number of the trace. */
const char *name_of(const struct names *, enum name_kind, int64_t number);

/* Jobs of one kind (the tag of a trace's job, from 1) are subject to the same
 * limits and QOS. Of the tag 0 all is empty. */
struct store_kind {
	int64_t assoc;
	uint32_t qos;
	const char *user, *account, *partition;
};

size_t store_trace_kinds(const struct store_trace *);
struct store_kind store_trace_kind(const struct store_trace *, uint32_t tag);

/* ---- what a policy makes of them -----------------------------------------*/

struct store_policy {
	const struct store_trace *of;
	struct site *site; /* the trace's, or as it would be */
	const struct conf *conf;
	struct arena *arena;

	/* The result; in the arena, valid without the site. */
	struct sim_tree tree;
	struct limit_chain **chains; /* by kind; NULL: not enforced */
	struct sim_kind *kinds;
	uint32_t max_qos_priority, max_assoc_priority;
	struct preempt_rules preempt;
	struct strv remarks; /* words of slurm.conf that are not known */
};

/* -1 with the store's error. */
int store_policy_read(struct store_policy *);
void store_policy_release(struct store_policy *);

/* All of it but the machine and its parameters; the policy has to last. */
void store_policy_use(const struct store_policy *, struct sim_slurm *);

#endif
