/*
 * SchedulerParameters of slurm.conf (spec/backfill.md 4), one row each: name,
 * unit, default, range, what for. The rows feed the parser, `splan
 * --parameters`, --policy=slurm:... and the manual.
 */
#ifndef BURSAR_SCHED_PARAMS_H
#define BURSAR_SCHED_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"

enum hetjob_prio {
	HETJOB_PRIO_OFF,
	HETJOB_PRIO_MIN,
	HETJOB_PRIO_AVG,
	HETJOB_PRIO_MAX
};

/* Numbers in the units of the rows. */
struct sched_params {
	/* Backfill. */
	int64_t bf_interval;   /* s; -1: off */
	int64_t bf_max_time;   /* s */
	int64_t bf_window;     /* min */
	int64_t bf_resolution; /* s */
	int64_t bf_max_job_test, bf_node_space_size;
	int64_t bf_max_job_array_resv;
	int64_t bf_max_job_part, bf_max_job_user, bf_max_job_user_part;
	int64_t bf_max_job_assoc, bf_max_job_start;
	int64_t bf_job_part_count_reserve;
	int64_t bf_min_age_reserve, bf_min_prio_reserve;
	int64_t bf_window_linear;		   /* s; 0: doubling */
	int64_t bf_yield_interval, bf_yield_sleep; /* us */
	int64_t bf_yield_rpc_cnt, max_rpc_cnt;
	int64_t bf_topopt_iterations;
	int64_t bf_one_resv_per_job, bf_running_job_reserve, bf_licenses;
	int64_t bf_busy_nodes, bf_continue, bf_hetjob_immediate;
	int64_t bf_allow_magnetic_slot, bf_topopt_enable;
	int64_t bf_hetjob_prio; /* enum hetjob_prio */
	int64_t assoc_limit_stop, time_min_as_soft_limit;
	/* Main pass. */
	int64_t default_queue_depth, partition_job_depth;
	int64_t sched_interval, sched_min_interval, sched_max_job_start;
	int64_t max_sched_time, batch_sched_delay, build_queue_timeout;
	int64_t defer, defer_batch, delay_boot, max_switch_wait;
	int64_t reduce_completing_frag, pack_serial_at_end;
	int64_t ignore_numa, spec_cores_first, allow_zero_lic;
	int64_t max_array_tasks, bb_array_stage_cnt, correspond_after_task_cnt;
	int64_t requeue_delay, enable_user_top, extra_constraints;
	int64_t ignore_constraint_validation, ignore_prefer_validation;
};

enum sched_param_kind { PARAM_NUMBER, PARAM_FLAG, PARAM_HETJOB_PRIO };

/* What a planner without a daemon makes of it. */
enum sched_param_use {
	PARAM_PLANS,  /* decides where and when jobs go */
	PARAM_PACES,  /* how often and how long passes run */
	PARAM_UNUSED, /* has no meaning here */
};

struct sched_param {
	const char *name, *unit;
	enum sched_param_kind kind;
	enum sched_param_use use;
	size_t offset;
	int64_t initial, low, high;
	bool or_off; /* -1 is good too: off */
	const char *help;
};

extern const struct sched_param sched_param_rows[];
extern const size_t sched_param_count;

int64_t *sched_param_member(struct sched_params *, const struct sched_param *);

/*
 * Of "bf_window=1440,bf_continue,..."; NULL: the defaults. Unknown words pass.
 * A value out of range, or not a number, leaves the default and adds a sentence
 * to `remarks`, as slurmctld logs it.
 */
void sched_params_parse(struct sched_params *, const char *text,
	struct strv *remarks, struct arena *);

/* Sets one, "bf_window=1440" or "bf_continue"; -1 with the sentence: unknown,
 * or a bad value. Call sched_params_complete behind the last. */
int sched_params_set(struct sched_params *, const char *word, struct err *);

/* What follows from others: bf_max_time from bf_interval, ... ; limits that
 * contradict each other add a sentence. */
void sched_params_complete(
	struct sched_params *, struct strv *remarks, struct arena *);

/* All at their defaults, nothing completed. */
void sched_params_init(struct sched_params *);

#endif
