/*
 * Jobs and their steps in the store: one row for each submission.
 *
 * Times are seconds since 1970, 0 where nothing is known. Text is never NULL.
 * `cluster` is a key. Functions that return int: 0, or -1 with the store's
 * error, unless they say otherwise. Functions that write expect an open
 * transaction (store_begin or store_begin_bulk).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/conf/policy.h"
#include "common/table/job.h"
#include "common/text/jobid.h"
#include "db/store/store.h"

/*
 * The record of that id and submit time, or with `submit` 0 the newest of that
 * id. 1: found, 0: none, -1. Memory is the arena's.
 */
int job_find(struct store *, int64_t cluster, uint32_t id, int64_t submit,
	struct arena *, struct job *);

/* The record of that key; otherwise as job_find. */
int job_by_key(struct store *, int64_t key, struct arena *, struct job *);

/* The key of the record added last; 0: there is none. */
int job_newest_key(struct store *, int64_t *key);

/*
 * Calls `each` with the records of `n` keys, at most JOBS_AT_ONCE, in their
 * order; keys without a record are passed over. The record lives in `scratch`,
 * which is reset before every call. Ends when `each` returns anything but 0,
 * and returns that; else 0, or -1. Takes a third less time than job_by_key for
 * each.
 */
enum { JOBS_AT_ONCE = 32 };
int jobs_by_keys(struct store *, const int64_t *keys, size_t n,
	struct arena *scratch, int (*each)(struct job *, void *arg), void *arg);

/* The record of that id with the latest start up to `when` (0: of all that
 * started); otherwise as job_find. */
int job_find_run(struct store *, int64_t cluster, uint32_t id, int64_t when,
	struct arena *, struct job *);

/*
 * Inserts the record or replaces the one with the same cluster, id and submit
 * time; sets job->key. What the earlier record added to the usage of its
 * association and QOS is taken out, what this one adds is put in: saving the
 * same again changes nothing. billing, usage_factor, assoc, qos and part_qos
 * must be set; usage_epoch is filled in.
 */
int job_save(struct store *, const struct policy *, struct job *);

/* Has the cluster (by name) a job that is pending, running, or ended at `since`
 * or later? 1, 0, -1. */
int job_any(struct store *, const char *cluster, int64_t since);

/* The id after the highest in use on the cluster, or where that is the last there
 * may be, the first that is free; 0 on errors. */
uint32_t job_next_id(struct store *, int64_t cluster);

/* An id as users write it: 210 (also every task of that array) or 210_2. */
struct job_ref {
	uint32_t id;
	uint32_t task; /* NO_VAL: any or none */
};

/* Which jobs; reports have more (db/job/history.h). An empty list means any. */
struct job_cond {
	int64_t cluster; /* key; 0: any */
	uint32_t states; /* bits 1 << base state; 0: any */
	bool open;	 /* only jobs that have not ended */
	struct job_ref *ids;
	size_t n_ids;
	struct strv users, accounts, wckeys;
	/* Only jobs submitted before `until` and not ended before `from`. 0:
	 * open. */
	int64_t from, until;
};

#define JOB_STATE_BIT(state) (1u << ((state)&JOB_BASE_MASK))

/*
 * Calls `each` for every job in order of submit time, array, task and id, until
 * it returns anything but 0, and returns that; else 0, or -1. The record and
 * all it points to live in `scratch`, which is reset before every call: memory
 * is flat.
 */
int job_each(struct store *, const struct job_cond *, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg);

struct job_list {
	struct job *v;
	size_t n, cap;
};

/* The jobs of job_each, in its order, as a list in the arena. */
int job_load(struct store *, const struct job_cond *, struct arena *,
	struct job_list *);

/* Who keeps an association (key) or a QOS (id) from being removed: its jobs that
 * have not ended, in order of their ids, in the arena. Of each its key, cluster,
 * id, user, account, QOS and wckey. */
int jobs_open_of_assoc(
	struct store *, int64_t assoc, struct arena *, struct job_list *);
int jobs_open_of_qos(
	struct store *, uint32_t qos, struct arena *, struct job_list *);

/* *end: when the last job of the cluster ended; 0: none has. */
int job_last_end(struct store *, int64_t cluster, int64_t *end);

/* The name of a file of the job (std_out) with its patterns filled in. */
const char *job_file_expand(
	const struct job *, const char *name, struct arena *);

/* The same of a step, and without filling in: in its own folder. */
const char *step_file_expand(const struct job *, const struct step *,
	const char *name, struct arena *);
const char *step_file(const struct step *, const char *name, struct arena *);

/* ---- steps -------------------------------------------------------------- */

/* Inserts or replaces the step of that job (key) and id. */
int step_save(struct store *, const struct step *);

/* Deletes the step; no error without it. */
int step_remove(struct store *, int64_t job, int32_t id);

/* 1: found, in the arena; 0: none; -1. */
int step_find(
	struct store *, int64_t job, int32_t id, struct arena *, struct step *);

struct step_list {
	struct step *v;
	size_t n, cap;
};

/* All steps of a job (key) in the order of Slurm's listings: interactive,
 * batch, extern, then by number. In the arena. */
int step_load(struct store *, int64_t job, struct arena *, struct step_list *);

/* Without the lists of what they used (step.used), which takes half the time. */
int step_load_plain(
	struct store *, int64_t job, struct arena *, struct step_list *);

/* "batch", "extern", "interactive" or the number; in the arena. */
const char *step_id_text(int32_t id, struct arena *);
/* The id for such a text: 0, or -1 for any other text; sets no error. */
int step_id_parse(const char *text, int32_t *id);

/* A step that is asked for: `9.0`, `9_1.batch`; or, without one, all of a job.
 */
struct step_ref {
	struct job_id job;
	int32_t step;
	bool all;
};

/* Reads it. False: it is no such text. */
bool step_ref_parse(const char *text, struct step_ref *, struct arena *);

/* Is it about the job; and about that step of it? */
bool step_ref_is_of(const struct step_ref *, const struct job *);
bool step_ref_has(const struct step_ref *, const struct job *, int32_t step);
