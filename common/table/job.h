/*
 * Jobs and their steps as records: one row of members for each fact that is
 * known of them (common/table/member.h), with what every program calls it: names,
 * widths and paths are those of sacct, `queue` has those of squeue and scontrol.
 * A new fact is a member of the struct, a row of job.c and a migration: the
 * store (db/job/job.h), sacct, squeue, scontrol and srecord import follow.
 *
 * Times are seconds since 1970, 0 where nothing is known. Text is never NULL.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/numbers.h"
#include "common/table/member.h"
#include "common/text/jobstate.h"
#include "common/text/tres.h"

enum job_hold { HOLD_NONE, HOLD_USER, HOLD_ADMIN };

struct job {
	int64_t key;	 /* 0: not in the store yet */
	int64_t cluster; /* key */
	uint32_t id;
	int64_t submit;
	uint32_t array_job;	 /* 0: no array */
	uint32_t array_task;	 /* NO_VAL: none */
	const char *array_tasks; /* of the waiting rest: "1-10%2" */
	uint32_t het_job, het_offset; /* 0, NO_VAL: none */

	const char *user;
	uint32_t uid, gid; /* NO_VAL: unknown */
	const char *group;
	const char *account;
	int64_t assoc; /* key; 0: none, its usage counts nowhere */
	const char *wckey;
	const char *name;
	const char *partition; /* a comma list while pending */
	uint32_t qos;	       /* id; 0: none */
	const char *qos_req;   /* as asked for, a comma list; "" */
	const char *constraints, *licenses, *gres, *reservation;
	const char *reservation_req; /* as asked for, where it differs */
	const char *work_dir, *submit_line, *container;
	const char *std_in, *std_out, *std_err; /* with their patterns */

	uint32_t cpus_req, nodes_req;
	uint64_t mem_req; /* MiB of the whole job; NO_VAL64: not asked for */
	struct tres_list tres_req;
	/* How it may be placed on nodes; 0: not asked for. */
	uint32_t nodes_max, tasks, cpus_per_task, tasks_per_node;
	uint64_t mem_per_node, mem_per_cpu; /* MiB */
	uint32_t gpus_per_task, gpus_per_socket;
	const char *nodes_wanted, *nodes_excluded; /* host lists */
	uint32_t time_limit; /* minutes; NO_VAL: the partition's; INFINITE */
	uint32_t time_min;   /* minutes; NO_VAL */

	int64_t eligible; /* may lie ahead; 0: held or dependent */
	int64_t accrue;	  /* from when age counts; 0: not yet (spec 4.2) */
	int64_t begin;	  /* as asked for */
	int64_t start, end;
	int64_t suspended; /* seconds */
	int64_t suspended_since;
	uint32_t state;			/* enum job_state */
	uint32_t exit_code, derived_ec; /* wait statuses */
	const char *comment, *admin_comment, *system_comment, *extra;
	const char *killed_by; /* uid as text, or a name without one; "" */
	uint32_t restarts;
	const char *failed_node;
	uint32_t flags;

	uint32_t nodes_alloc;
	const char *nodelist;
	struct tres_list tres_alloc; /* empty before it started */
	/* What it has on each node of the list, "10,1(x2)"; "": unknown. MiB. */
	const char *cpus_on, *mem_on;
	uint32_t exclusive;
	const char *exclusive_for; /* NO, USER, MCS or TOPO: not nodes of its own */
	const char *oversubscribe, *mcs_label, *block;
	uint32_t segment_size; /* nodes; 0: not asked for */

	const char *reason; /* why it waits, as squeue says it; "" */
	uint32_t hold;	    /* enum job_hold */
	const char *dependency;
	uint32_t priority; /* NO_VAL: by the formula; set by hand */
	uint32_t last_priority; /* what it came to last; NO_VAL: unknown */
	int32_t nice, site_factor;

	/* What it is charged with; usage of a run is billing * factor a
	 * second. */
	double billing;	      /* of the allocation, not truncated */
	double usage_factor;  /* of its QOS when it was recorded */
	uint32_t part_qos;    /* its partition's QOS, charged too; 0: none */
	int64_t usage_epoch; /* facts of usage up to then: db/usage/facts.h */
	uint32_t wall_limit;  /* time_limit or what the partition gave:
				 minutes, INFINITE; NO_VAL: unknown */
};

/* All members unset: times 0, texts "", NO_VAL where documented. */
void job_init(struct job *);

/* The nodes it asks for; `nodes_req` is how many it is thought to need, which
 * is more where a squeue said so that was imported. */
uint32_t job_least_nodes(const struct job *);

/* The id as people are shown it: "9", "9_[1-4]" with the list of an array's
 * tasks (or ""), "9_2" of one task (or NO_VAL), "9+1" of a part of a
 * heterogeneous job. In the arena. */
const char *job_shown_id(const struct job *, const char *tasks, uint32_t task,
	struct arena *);

/* Its group by name, or by number where no name is known. In the arena. */
const char *job_group(const struct job *, struct arena *);

/* "NODE", or as Slurm said; "". */
const char *job_exclusive(const struct job *);

/* The reservations it asked for. */
const char *job_reservation_asked(const struct job *);

/* How many seconds it was suspended up to its end, or to now. */
int64_t job_suspended(const struct job *, int64_t now);

/* ---- steps -------------------------------------------------------------- */

enum {
	STEP_INTERACTIVE = -6,
	STEP_BATCH = -5,
	STEP_EXTERN = -4,
};

/* What the tasks of a step used: lists of TRES, each with the mean, largest, least
 * or total amount, the task that had the extreme, or the node where that ran (its
 * place in the nodelist, from 0). CPU is in milliseconds, memory and disk in bytes. */
enum step_use {
	STEP_IN_AVE,
	STEP_IN_MAX,
	STEP_IN_MAX_NODE,
	STEP_IN_MAX_TASK,
	STEP_IN_MIN,
	STEP_IN_MIN_NODE,
	STEP_IN_MIN_TASK,
	STEP_IN_TOT,
	STEP_OUT_AVE,
	STEP_OUT_MAX,
	STEP_OUT_MAX_NODE,
	STEP_OUT_MAX_TASK,
	STEP_OUT_MIN,
	STEP_OUT_MIN_NODE,
	STEP_OUT_MIN_TASK,
	STEP_OUT_TOT,
	STEP_LISTS, /* how many */
};

/* One TRES of one of the lists, as columns of sacct show it. */
#define STEP_PART(list, tres) ((list) << 8 | (tres))

struct step {
	int64_t job; /* key */
	int32_t id;  /* STEP_BATCH ..., 0 and up */
	const char *name;
	uint32_t state, exit_code;
	int64_t start, end;
	const char *nodelist;
	uint32_t nodes, tasks;
	const char *task_dist; /* "Unknown" */
	uint32_t time_limit;   /* minutes; NO_VAL */
	uint64_t user_usec, sys_usec;
	uint64_t cpu_freq; /* kHz, average */
	/* As common/text/stepwords.h has them; 0: not asked for. */
	uint32_t freq_min, freq_max, freq_governor;
	uint64_t energy; /* joules */
	struct tres_list tres_alloc;
	struct tres_list used[STEP_LISTS];
	const char *killed_by, *submit_line, *container;
	const char *work_dir, *std_in, *std_out, *std_err;
};

void step_init(struct step *);

/* A list as far as it is known: where a step was only told some of what it used,
 * the mean of one task is its maximum, and so on. In the arena. */
struct tres_list step_used(const struct step *, enum step_use, struct arena *);

/* Of struct job: every column but key and modified. */
extern const struct members job_members;

/* Of struct step: every column. */
extern const struct members step_members;

/* Members of one of these two as a program names them, in the arena; others it
 * does not have. Those of ours squeue and scontrol call as sacct does, in JSON as
 * their column. */
enum job_view {
	SACCT_FIELDS,  /* names, heading, width */
	SACCT_JSON,    /* json */
	SQUEUE_TYPES,  /* names, letter, heading */
	QUEUE_JSON,    /* json: of squeue and scontrol */
	SCONTROL_KEYS, /* names */
};
struct members job_view(
	const struct members *, enum job_view, struct arena *);
