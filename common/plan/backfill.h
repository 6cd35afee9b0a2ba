/*
 * The backfill pass (Slurm's src/plugins/sched/backfill/backfill.c,
 * _attempt_backfill()): in order of priority each pending job is planned on
 * nodes over time, around those promised to jobs planned before it; a job whose
 * slot begins now starts. Runs after the main pass on the same schedule. Pure:
 * the time is a parameter, the result is in the jobs (starts, plans, reasons)
 * and the report.
 *
 * The other policies are the same planner under other rules, without a main pass
 * before it:
 *
 * 	slurm		as slurmctld does, with all its parameters
 * 	conservative	no grid, no horizon: every job is promised its start
 * 	easy		only the first pending job of a partition is promised
 * 			its start, on the nodes that come free last
 * 	fcfs		no job starts before one ahead of it in the queue
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf.h"
#include "common/conf/sched_params.h"
#include "common/plan/nodespace.h"
#include "common/plan/schedule.h"

enum backfill_policy {
	BACKFILL_SLURM,
	BACKFILL_CONSERVATIVE,
	BACKFILL_EASY,
	BACKFILL_FCFS,
};

/* Slurm changed its rules for the table; the example in spec 6.1 is of the
 * older ones. */
enum backfill_release { RELEASE_26_05, RELEASE_20_11 };

enum backfill_exit {
	BACKFILL_END_OF_QUEUE,
	BACKFILL_MAX_JOB_START,
	BACKFILL_MAX_JOB_TEST,
	BACKFILL_STATE_CHANGED,
	BACKFILL_TABLE_FULL,
	BACKFILL_TIMEOUT,
	BACKFILL_EXITS,
};

/* What a pass did, for people and for simulations. */
struct backfill_report {
	enum backfill_exit exit;
	size_t jobs;   /* entries of the queue looked at */
	size_t tested; /* jobs for which nodes were tested */
	size_t tests;  /* tests of nodes, several for a job */
	size_t started, reserved;
	size_t preempted;  /* running jobs to be preempted */
	size_t same_shape; /* skipped: a job of the same shape found no slot */
	size_t records;	   /* of the table, at the end */
	size_t blocks;	   /* blocks of nodes, at the end; 0: not used */
};

struct backfill {
	enum backfill_policy policy;
	bool builtin; /* SchedulerType=sched/builtin: FCFS, on Slurm's nodes */
	enum backfill_release release;
	struct sched_params params;
	bool cores; /* plan CPUs of nodes, not whole nodes */
	/* Machines of at least so many nodes are planned in blocks of nodes
	 * where that gives the same result (common/plan/blocks.h); 0: never.
	 * `watch` then sees a table of blocks. */
	size_t blocks_from;
	bool skip_same_shape;
	bool only_times; /* nobody asks on which nodes jobs are planned */

	/* Hooks, or NULL. Called at every change of the table: */
	void (*watch)(void *arg, const struct nodespace *,
		const struct sched_job *, const struct sched_plan *);
	/* Microseconds since the pass began; NULL: it takes no time but
	 * test_cost for every job tested. */
	int64_t (*elapsed)(void *arg);
	/* Releases the locks for a while; true: something has changed. */
	bool (*yield)(void *arg);
	void *arg;
	int64_t test_cost; /* microseconds */

	struct backfill_report report; /* out */
};

/*
 * Sets policy, release and parameters: those of slurm.conf and over them those
 * of `policy` (NULL: none): "easy", "slurm", "slurm:bf_window=2880,bf_continue",
 * "slurm:release=20.11". Remarks are those of sched_params_parse. Returns 0, or
 * -1 with err (ERR_USAGE for an unknown policy, word or release).
 */
int backfill_read(struct backfill *, const struct conf *, const char *policy,
	struct strv *remarks, struct arena *, struct err *);

/* The main pass goes by the same policy and parameters. */
void backfill_lead(const struct backfill *, struct schedule *);

const char *backfill_policy_name(enum backfill_policy);

/* "End of job queue", as slurmctld's statistics say it. */
const char *backfill_exit_name(enum backfill_exit);

/* Runs the pass. Starts and plans of the jobs are in `arena`; what is allocated
 * in `scratch` is not needed afterwards. */
void backfill_pass(struct schedule *, struct backfill *, struct arena *arena,
	struct arena *scratch);
