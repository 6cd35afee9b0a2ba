/*
 * Replaying a trace on a machine under a policy. At an instant first all jobs
 * that end leave, then all that are submitted join, then the policy makes one
 * pass. Pure: time is the trace's, not the clock's; the same input gives the
 * same result.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/chance.h"
#include "common/base/err.h"
#include "common/sim/predict.h"
#include "common/sim/trace.h"

#define SIM_NEVER INT64_MAX

/* What the planner believes of a job's length. */
enum sim_estimates {
	SIM_USER,
	SIM_PERFECT, /* the run time */
	SIM_DOUBLE,  /* twice the user's */
	SIM_RANDOM,  /* run time * 1 to `factor`, evenly (the f-model) */
};

struct sim_options {
	enum sim_estimates estimates;
	enum predict_method predict; /* overrides the estimates */
	double quantile; /* 0 to 1 */
	double factor;	 /* of SIM_RANDOM */
	uint64_t seed;
	double test_cost;   /* seconds that looking at one job takes */
	const void *policy; /* options of the policy; sim_slurm for Slurm's */
	/* Called now and then with the jobs that have ended; NULL. */
	void (*progress)(void *arg, size_t done);
	void *progress_arg;
};

/* What the scheduler itself did. */
struct sim_work {
	uint64_t passes;
	uint64_t tests;	  /* jobs looked at */
	uint64_t largest; /* of a pass */
	uint64_t steps;	  /* most in a profile or table */
	double seconds;	  /* by the test cost */
};

struct sim_event {
	int64_t at;
	uint32_t job;
	uint32_t times; /* how often it outran its prediction */
};

/* A binary heap, the earliest first; all its entries are v[0 .. n - 1]. */
struct sim_events {
	struct sim_event *v;
	size_t n, cap;
};

void sim_event_push(struct sim_events *, struct sim_event);
struct sim_event sim_event_pop(struct sim_events *);

/* A stretch of a run that did not end the job: after it the job was suspended
 * or requeued. */
struct sim_stretch {
	uint32_t job;
	int64_t from, until;
};

/* How a job ran that was preempted or cut; the times are those of its last
 * run. */
struct sim_run {
	int64_t last; /* when its last stretch began */
	int64_t end;
	int64_t before; /* seconds it had run before that stretch */
	int64_t ran;	/* seconds in all: less than in the trace if it was cut */
	uint32_t times; /* how often it outran its prediction; set by suspend */
};

/* What preemption and limits on minutes did. */
struct sim_broken {
	struct sim_run *runs; /* of each job; NULL: all ran as in the trace */
	struct sim_stretch *stretches;
	size_t n, cap;
	uint64_t requeued, suspended; /* times */
	uint64_t preempted, limited;  /* jobs that were cut, and for what */
	uint64_t lost; /* processor seconds of runs lost to a requeue */
};

struct sim {
	const struct trace *trace;
	const struct sim_options *options;
	const struct sim_policy *policy;
	void *state; /* the policy's */

	int64_t now;
	uint32_t free;	  /* processors */
	int64_t *planned; /* length of each job as the planner believes it */
	int64_t *start;	  /* SIM_NEVER: not yet */
	int64_t *promise; /* the first start it was promised; SIM_NEVER */
	struct sim_broken broken;
	struct sim_events running; /* by end */
	struct sim_events overruns;
	size_t joined, ended;
	struct sim_work work;
	struct chance chance;
	uint64_t tests; /* of this pass */
	/* The first of the jobs that never start, and why; set by the policy
	 * when it is closed. REASON_NONE: all start. */
	uint32_t left;
	unsigned left_reason;
	bool delayed;	/* a start of this pass came later than `now` */
};

/*
 * A policy. `leave` and `revise` come before `arrive` at an instant, then
 * `pass`, which starts jobs by sim_start and gives the next moment at which it
 * wants to be asked even if nothing happens; SIM_NEVER: none.
 */
struct sim_policy {
	const char *name;
	bool own_time; /* computes itself how long its passes take */
	int (*open)(struct sim *, struct err *);
	void (*close)(struct sim *);
	void (*arrive)(struct sim *, uint32_t job);
	void (*leave)(struct sim *, uint32_t job); /* or NULL */
	/* The job outran its prediction `was`; sim->planned is the new one.
	 * NULL: that does not matter. */
	void (*revise)(struct sim *, uint32_t job, int64_t was);
	int64_t (*pass)(struct sim *);
};

extern const struct sim_policy sim_fcfs, sim_easy, sim_sjbf, sim_conservative;

/* What a run gives, one entry for each job of the trace. A job that was
 * requeued has the start of its last run. */
struct sim_result {
	int64_t *start;	  /* SIM_NEVER: it never could */
	int64_t *promise; /* the first; SIM_NEVER: none was made */
	struct sim_broken broken;
	struct sim_work work;
	uint32_t left; /* as in struct sim */
	unsigned left_reason;
};

/* Runs the simulation. Returns 0, or -1 with err when the policy cannot be
 * opened. The caller frees the result (sim_result_release), after 0 only. */
int simulate(const struct trace *, const struct sim_policy *,
	const struct sim_options *, struct sim_result *, struct err *);
void sim_result_release(struct sim_result *);

/* Of a job that started: seconds it ran, and when it ended. */
static inline int64_t sim_ran(
	const struct trace *trace, const struct sim_result *result, size_t job)
{
	return result->broken.runs ? result->broken.runs[job].ran
				   : trace->jobs[job].run;
}

static inline int64_t sim_end(
	const struct trace *trace, const struct sim_result *result, size_t job)
{
	return result->broken.runs ? result->broken.runs[job].end
				   : result->start[job] + trace->jobs[job].run;
}

/* When the last stretch of its run began. */
static inline int64_t sim_last(const struct sim_result *result, size_t job)
{
	return result->broken.runs ? result->broken.runs[job].last
				   : result->start[job];
}

/* ---- for policies --------------------------------------------------------*/

/* Starts the job now, or later by the time the pass has taken so far. */
void sim_start(struct sim *, uint32_t job);

/* Starts the job `seconds` from now; its processors are taken at once. */
void sim_start_later(struct sim *, uint32_t job, int64_t seconds);

/*
 * A running job stops: its processors are free from now on, and the policy,
 * which is not called back, has taken it off its nodes. It starts again later
 * (sim_start), resumes (sim_resume), or has ended: `limited` by a limit, else
 * by preemption.
 */
void sim_requeue(struct sim *, uint32_t job);
void sim_suspend(struct sim *, uint32_t job);
void sim_resume(struct sim *, uint32_t job);
void sim_cut(struct sim *, uint32_t job, bool limited);

/* Seconds the run has lasted so far, without those it was suspended. */
int64_t sim_lasted(const struct sim *, uint32_t job);

/* When the next job ends or is submitted; SIM_NEVER: no more. */
int64_t sim_next_event(const struct sim *);

static inline void sim_promise(struct sim *sim, uint32_t job, int64_t start)
{
	if (sim->promise[job] == SIM_NEVER)
		sim->promise[job] = start;
}

/* When it ends as the planner believes; of a running job. */
static inline int64_t sim_expected_end(const struct sim *sim, uint32_t job)
{
	const struct sim_run *run =
		sim->broken.runs ? &sim->broken.runs[job] : NULL;

	return run ? run->last - run->before + sim->planned[job]
		   : sim->start[job] + sim->planned[job];
}
