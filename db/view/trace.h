/*
 * A trace of the store's own history (common/sim/trace.h): every job that has
 * ended, in the order of submission, with users, accounts, job names and
 * partitions as numbers. Also a site's policy for the jobs of a trace: the
 * association tree, limits and QOS as they are now, or as they would be. For
 * ssim and splan --advise.
 */
#pragma once

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
	/* Called before the first job is added, when trace->start is known, or
	 * NULL. -1, with the store's error, ends the reading. */
	int (*begin)(void *arg);
	/* Called for each job of the trace with its index, or NULL. Indexes are
	 * valid until store_trace_finish, which may sort the jobs. */
	void (*each)(void *arg, const struct job *, uint32_t index);
	void *arg;

	struct names *names; /* out: the names behind the numbers (name_of) */
};

/* Reads all jobs of the site's cluster that the caller may see. 0, or -1 with
 * the store's error; then store_trace_finish has to follow. */
int store_trace_read(struct store_trace *);

/* When the earliest of the last `jobs` ended jobs was submitted, as a value for
 * `from`; 0: there are fewer. -1: the store's error. */
int64_t store_trace_since(struct site *, size_t jobs);

/* trace_finish of the trace. */
void store_trace_finish(struct store_trace *, uint32_t procs);

/* The names of that kind, by number. */
const struct strv *names_of(const struct names *, enum name_kind);

/* The name behind a number of the trace; "" for numbers below 0. */
const char *name_of(const struct names *, enum name_kind, int64_t number);

/* A kind of jobs: jobs with the same tag (in struct trace, from 1) have the
 * same association, QOS, user, account and partition, and so the same limits.
 * For tag 0 all is empty. */
struct store_kind {
	int64_t assoc;
	uint32_t qos;
	const char *user, *account, *partition;
};

/* How many kinds there are: the largest tag. */
size_t store_trace_kinds(const struct store_trace *);
struct store_kind store_trace_kind(const struct store_trace *, uint32_t tag);

/* ---- a policy for the jobs of a trace ------------------------------------*/

struct store_policy {
	const struct store_trace *of;
	struct site *site; /* the trace's, or one with a changed store */
	const struct conf *conf;
	struct arena *arena;

	/* The result; in the arena, valid without the site. */
	struct sim_tree tree;
	struct sim_kind *kinds; /* by tag - 1 */
	uint32_t max_qos_priority, max_assoc_priority;
	struct preempt_rules preempt;
	struct strv remarks; /* words of slurm.conf that are not known */
};

/* Fills the result. 0, or -1 with the store's error. */
int store_policy_read(struct store_policy *);

/* Sets everything in the simulation that comes from the policy: all but the
 * machine and its parameters. The policy must outlive it. */
void store_policy_use(const struct store_policy *, struct sim_slurm *);
