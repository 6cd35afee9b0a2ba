/*
 * What the parts of the simulation of Slurm share: the queue, what runs, what
 * is in use under limits. Private to common/sim/simulate_slurm*.c.
 */
#pragma once

#include "common/base/numbers.h"
#include "common/fair/priority.h"
#include "common/sim/simulate_slurm.h"

struct slurm_ledger;

/* A job that runs, as it is known while it does: what it asked for, and has. */
struct slurm_run {
	struct sched_job job; /* of sched_running, and of victims */
	uint32_t cpus, n_nodes;
	bool whole;
};

/* A job the scheduler knows; `choice` lasts as long as it. */
struct queued_job {
	uint32_t job; /* index in the trace */
	uint32_t priority;
	int64_t submit; /* seconds since 1970; later when it was requeued */
	struct sched_choice choice;
	struct tres_list tres;
	struct tres_count counts[3];
};

struct slurm {
	const struct sim_slurm *options;
	struct sim *sim;
	struct schedule s;
	struct backfill backfill;
	struct sim_share *share;
	struct priority_context context;
	/* Waiting jobs: s.jobs[i].record is waiting[i]. */
	struct queued_job **waiting;
	size_t cap;
	struct tres_list *totals; /* of the partitions */
	struct arena lasting, passing, scratch, spare;
	/* Limits that were met so far, and what is in use under them. */
	struct limit_chain **chains;
	size_t n_chains, cap_chains;
	struct arena usage;
	struct slurm_ledger *ledgers; /* of levels with limits on minutes */
	size_t n_ledgers, cap_ledgers;
	bool timed;	 /* some limit depends on what time goes by */
	int64_t counted; /* when that was counted */
	int64_t reset;	 /* before it nothing counts */
	unsigned passes;    /* since set up */
	int64_t base;	    /* of the trace's times: seconds since 1970 */
	int64_t computed;   /* when priorities were */
	bool recount;	    /* usage under limits is out of date */
	bool changed;	    /* since the last backfill pass began */
	int64_t backfilled; /* when the last one was over */
	int64_t main_at;    /* when the last main pass was */
	int64_t yields;
	/* Jobs suspended for others. */
	struct slurm_suspended {
		uint32_t job;
		bool whole; /* its nodes were its own */
	} * suspended;
	size_t n_suspended, cap_suspended;
	/* Those to be requeued after the pass. */
	uint32_t *requeued;
	size_t n_requeued, cap_requeued;
	/* Microseconds into the pass at which jobs started. */
	struct started {
		const struct sched_job *job;
		uint32_t id;
		int64_t at;
	} * started;
	size_t n_started, cap_started;
};

/* Slurm counts limits in minutes. */
static inline uint32_t slurm_minutes(int64_t seconds)
{
	int64_t minutes = (seconds + 59) / 60;

	return minutes < NO_VAL ? (uint32_t)minutes : NO_VAL - 1;
}

static inline const struct slurm_run *slurm_run_of(const struct sched_job *job)
{
	return (const struct slurm_run *)(const void *)job;
}

static inline uint32_t slurm_job_of(const struct sched_running *running)
{
	return running->job->id - 1;
}

const struct sim_kind *slurm_kind_of(const struct slurm *, uint32_t job);

/* Its index among the running; BUG where it is not. */
size_t slurm_find_running(const struct slurm *, uint32_t job);

/* When the last stretch of its run began, and when it ends as the scheduler
 * believes: seconds since 1970. */
int64_t slurm_last_began(const struct slurm *, uint32_t job);
int64_t slurm_expected_end(const struct slurm *, uint32_t job);

/* A stretch of the run has just ended: charges its usage. */
void slurm_stretch_over(struct slurm *, const struct slurm_run *);

/* ---- simulate_slurm_limits.c ---------------------------------------------*/

/* The limits above a job that is queued, which are counted from then on; NULL:
 * none. */
struct limit_chain *slurm_limits_of(struct slurm *, uint32_t job);

/* Counts what is in use where that is out of date, and ends the jobs that have
 * reached a limit on minutes. */
void slurm_limits_count(struct slurm *);

/* When limits have to be counted again even if nothing happens; SIM_NEVER. */
int64_t slurm_limits_wake(const struct slurm *);

/* A stretch of a run ends now; usage that lasts is written down. */
void slurm_limits_ran(struct slurm *, const struct slurm_run *);

void slurm_limits_close(struct slurm *);

/* ---- simulate_slurm_preempt.c --------------------------------------------*/

/* What the passes need to know of a job that has just started. */
void slurm_preempt_started(struct slurm *, struct sched_running *);

bool slurm_is_suspended(const struct slurm *, uint32_t job);

/* Before a pass: suspended jobs run on where there is room; when each running
 * one would be gone. */
void slurm_preempt_begin(struct slurm *);

/* The jobs preempted for the job that the pass started; those that go back to
 * the queue are in `requeued`. */
void slurm_preempt_act(struct slurm *, const struct sched_job *);

/* After a backfill pass: preempted jobs that end when their grace time is
 * over. */
void slurm_preempt_warn(struct slurm *);

/* When the next grace time ends; SIM_NEVER. */
int64_t slurm_preempt_wake(const struct slurm *);

/* Frees the CPUs of a suspended job on its nodes again, after the nodes were
 * rebuilt. */
void slurm_preempt_set_up(struct slurm *, size_t running);
