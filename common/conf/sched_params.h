/*
 * Reads SchedulerParameters of slurm.conf (slurm.conf(5)). A table has a row
 * per parameter: name, unit, default, range and purpose; the parser, `splan
 * --parameters`, --policy=slurm:... and the manual use it.
 */
#pragma once

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

/* The values, in the units of their rows (`unit`); flags are 0 or 1. */
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

/* What a parameter means to Bursar, which plans without a daemon. */
enum sched_param_use {
	PARAM_PLANS,  /* it decides where and when jobs start */
	PARAM_PACES,  /* it decides how often and how long passes run */
	PARAM_UNUSED, /* it has no effect */
};

struct sched_param {
	const char *name, *unit;
	enum sched_param_kind kind;
	enum sched_param_use use;
	size_t offset; /* in struct sched_params */
	int64_t initial, low, high; /* default (-2: from others), range */
	bool or_off; /* -1 (off) is allowed too */
	const char *help;
};

extern const struct sched_param sched_param_rows[];
extern const size_t sched_param_count;

/* The row of the name of `len` bytes, in any case; NULL: none. */
const struct sched_param *sched_param_find(const char *name, size_t len);

/* The member that holds the value of the row's parameter. */
int64_t *sched_param_member(struct sched_params *, const struct sched_param *);

/*
 * Reads "bf_window=1440,bf_continue,..." (NULL: the defaults). An unknown word,
 * or a value that is not a number or out of range, changes nothing and appends
 * a sentence to `remarks` (which may be NULL). sched_params_complete must
 * follow, after any sched_params_set.
 */
void sched_params_parse(struct sched_params *, const char *text,
	struct strv *remarks, struct arena *);

/* Sets one parameter, by "bf_window=1440" or "bf_continue". Returns 0; -1 with
 * err (ERR_USAGE): unknown, or a bad value. Call sched_params_complete after
 * the last. */
int sched_params_set(struct sched_params *, const char *word, struct err *);

/* Computes the values that follow from others when not given (bf_max_time from
 * bf_interval, ...). A limit that contradicts another is dropped and appends a
 * sentence to `remarks` (which may be NULL). */
void sched_params_complete(
	struct sched_params *, struct strv *remarks, struct arena *);

/* Sets all parameters to their defaults; sched_params_complete must follow. */
void sched_params_init(struct sched_params *);
