/*
 * Jobs and their steps in the store: one row for each submission
 * (spec/reporting.md 8; DESIGN.md "Usage and decay").
 *
 * Times are seconds since 1970, 0 where nothing is known. Text is never NULL.
 * Functions that write expect an open transaction (store_begin or
 * store_begin_bulk).
 */
#ifndef BURSAR_DB_JOB_H
#define BURSAR_DB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/conf/policy.h"
#include "common/text/jobstate.h"
#include "common/text/tres.h"
#include "db/store/store.h"

enum job_hold { HOLD_NONE, HOLD_USER, HOLD_ADMIN };

struct job {
	int64_t key;	 /* 0: not in the store yet */
	int64_t cluster; /* key */
	uint32_t id;
	int64_t submit;
	uint32_t array_job;	 /* 0: no array */
	uint32_t array_task;	 /* NO_VAL: none */
	const char *array_tasks; /* of the waiting rest: "1-10%2" */
	uint32_t array_max;
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
	const char *work_dir, *submit_line, *container;
	const char *std_in, *std_out, *std_err; /* with their patterns */

	uint32_t cpus_req, nodes_req;
	uint64_t mem_req; /* MiB of the whole job; NO_VAL64: not asked for */
	struct tres_list tres_req;
	/* How it may lie on nodes; 0: it did not say. */
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
	uint32_t usage_epoch; /* of the association, see db/usage/usage.h */
	uint32_t wall_limit;  /* time_limit or what the partition gave:
				 minutes, INFINITE; NO_VAL: unknown */
};

/* All members unset: times 0, texts "", NO_VAL where documented. */
void job_init(struct job *);

/* The nodes it asks for; `nodes_req` is how many it is thought to need, which
 * is more where a squeue said so that was imported. */
uint32_t job_least_nodes(const struct job *);

/*
 * The record of that submission, or with `submit` 0 the newest of that id.
 * 1: found, 0: none, -1. Memory is the arena's.
 */
int job_find(struct store *, int64_t cluster, uint32_t id, int64_t submit,
	struct arena *, struct job *);

/* The record of that key; otherwise as job_find. */
int job_by_key(struct store *, int64_t key, struct arena *, struct job *);

/* The newest record of that id that had started by `when` (0: the newest that
 * started at all). */
int job_find_run(struct store *, int64_t cluster, uint32_t id, int64_t when,
	struct arena *, struct job *);

/* Do two records say the same? */
bool job_same(const struct job *, const struct job *);

/*
 * Inserts the record or replaces the one with the same cluster, id and submit
 * time; sets job->key. What the earlier record added to the usage of its
 * association and QOS is taken out, what this one adds is put in: saving the
 * same again changes nothing. billing, usage_factor, assoc, qos and part_qos
 * must be set; usage_epoch is filled in.
 */
int job_save(struct store *, const struct policy *, struct job *);

/* The number after the highest in use on the cluster; 0 on errors. */
uint32_t job_next_id(struct store *, int64_t cluster);

/* An id as users write it: 210 (also every task of that array) or 210_2. */
struct job_ref {
	uint32_t id;
	uint32_t task; /* NO_VAL: any or none */
};

/* Which jobs. An empty list means any. */
struct job_cond {
	int64_t cluster; /* key; 0: any */
	uint32_t states; /* bits 1 << base state; 0: any */
	bool open;	 /* only those that have not ended */
	struct job_ref *ids;
	size_t n_ids;
	struct strv users, accounts, partitions, names, wckeys;
	struct strv qos; /* ids as text */
	/* Only those that existed between the two: submitted before `until`,
	 * not ended before `from`. 0: open. */
	int64_t from, until;
};

#define JOB_STATE_BIT(state) (1u << ((state)&JOB_BASE_MASK))

/*
 * Calls `each` for every job in order of submit time, array, task and id, until
 * it returns not 0; gives that, or -1 on errors, 0 at the end. The record and
 * all it points to live in `scratch`, which is reset before every call: memory
 * is flat.
 */
int job_each(struct store *, const struct job_cond *, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg);

struct job_list {
	struct job *v;
	size_t n, cap;
};

/* The same as a list in the arena. */
int job_load(struct store *, const struct job_cond *, struct arena *,
	struct job_list *);

/* When the last job that has ended did; 0: none has. */
int job_last_end(struct store *, int64_t cluster, int64_t *end);

/* ---- steps -------------------------------------------------------------- */

enum {
	STEP_INTERACTIVE = -6,
	STEP_BATCH = -5,
	STEP_EXTERN = -4,
};

/* Of all tasks together. NO_VAL64: unknown. Bytes, except where noted. */
struct step_usage {
	uint64_t max_rss, ave_rss, tot_rss;
	uint64_t max_vmem, ave_vmem;
	uint64_t max_read, ave_read, max_write, ave_write; /* disk */
	uint64_t max_pages, ave_pages;			   /* counts */
	uint64_t min_cpu, ave_cpu;			   /* milliseconds */
	const char *max_rss_node, *min_cpu_node;
	uint64_t max_rss_task, min_cpu_task;
};

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
	uint64_t energy;   /* joules */
	struct tres_list tres_alloc;
	struct step_usage usage;
	const char *killed_by, *submit_line;
};

void step_init(struct step *);

/* Inserts or replaces the step of that job and id. */
int step_save(struct store *, const struct step *);

int step_remove(struct store *, int64_t job, int32_t id);

/* 1: found, 0: none, -1. */
int step_find(
	struct store *, int64_t job, int32_t id, struct arena *, struct step *);

struct step_list {
	struct step *v;
	size_t n, cap;
};

/* All steps of a job in order of start as Slurm lists them: interactive,
 * batch, extern, then by number. */
int step_load(struct store *, int64_t job, struct arena *, struct step_list *);

/* "batch", "extern", "interactive" or the number; in the arena. */
const char *step_id_text(int32_t id, struct arena *);
int step_id_parse(const char *text, int32_t *id); /* -1: none of these */

#endif
