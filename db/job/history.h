/*
 * Jobs and their steps as reports ask for them (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_jobacct_process.c): which
 * existed, waited, ran or ended between two times, newest submission only or
 * all. Rows stream; memory is flat for any number of them. Functions return 0,
 * or -1 with the store's error, unless they say otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/job/job.h"
#include "db/store/store.h"

/* A job as users write it: 210, 210_2, 210_[1-9:2], 5+1, 201.batch,
 * s0123456789ABC. */
struct history_ref {
	uint64_t sluid; /* 0: by `id` and the rest */
	uint32_t id;
	uint32_t task;	 /* first array task; NO_VAL: any or none */
	uint32_t last, every; /* last task; every n-th from the first, 1: all */
	uint32_t offset; /* of a heterogeneous job; NO_VAL: any or none */
	int32_t step;	 /* its id; HISTORY_ALL: the job and all its steps */
};

#define HISTORY_ALL INT32_MIN

/* Inclusive; max 0: exactly min; both 0: any. */
struct history_range {
	uint32_t min, max;
};

/* Which jobs. An empty list means any. */
struct history_cond {
	const int64_t *clusters; /* keys */
	size_t n_clusters;
	const struct history_ref *refs;
	size_t n_refs;
	/* Heterogeneous jobs, without an offset: */
	bool whole_het;	  /* the id of any component means all components */
	bool leader_only; /* the id of the first means the first alone, else all
			     components */
	struct strv users, accounts, partitions, names, wckeys, reasons;
	struct strv uids, groups, gids, qos, assocs; /* numbers as text */
	struct strv constraints; /* parts of the text, all of them */
	struct strv nodes;	 /* ran on any of these */
	struct history_range n_nodes, n_cpus; /* of the allocation */
	/* Time limit in minutes, as a history_range; limit_min INFINITE: jobs
	 * without limit, limit_max INFINITE: or those. */
	uint32_t limit_min, limit_max;
	uint32_t flags;			      /* any of these */
	bool no_flags;			      /* jobs that have none */
	/* JOB_STATE_BIT of base states, and JOB_REQUEUED, JOB_RESIZING,
	 * JOB_REVOKED: any of these, as spec 3.3 has it. */
	uint32_t states, state_flags;
	int64_t from, until; /* [from, until) */
	bool duplicates;     /* all submissions of an id, not only the newest */
	bool steps;	     /* rows with their steps */
	bool plain_steps;    /* without the lists of what they used */
	/* Only rows of this user or in these accounts; NULL: all. */
	const char *only_user;
	struct strv only_accounts;
};

/* Sets only_user and only_accounts for the site's caller: under
 * PrivateData=jobs only operators and administrators see all jobs, others their
 * own and those of accounts that they coordinate. */
struct site;
int history_privacy(struct history_cond *, struct site *, struct arena *);

struct history_row {
	struct job job;
	struct step_list steps; /* those wanted that overlap the window */
	bool whole; /* the job is asked for, not only some of its steps */
};

/* To be called once after the store was opened: large sorts go to a file, and
 * little of the store stays in memory. */
int history_prepare(struct store *);

/*
 * Calls `each` for every job in order of submit time, array, task and id, until
 * it returns anything but 0, and returns that; else 0, or -1. The row lives in
 * `scratch`, which is reset before every call.
 */
int history_each(struct store *, const struct history_cond *,
	struct arena *scratch, int (*each)(struct history_row *, void *arg),
	void *arg);

/* For tests: adds the lines of SQLite's query plan for the condition, in the
 * arena. */
int history_explain(struct store *, const struct history_cond *, struct arena *,
	struct strv *lines);

/* ---- names of what a job points to; "" or 0 when there is none ----------- */

struct history_assoc {
	uint32_t id;
	const char *partition;
};

/* The association of that key, a deleted one too. */
int history_assoc(
	struct store *, int64_t key, struct arena *, struct history_assoc *);

/* The id of the user's wckey on the cluster (key). */
int history_wckey(struct store *, int64_t cluster, const char *user,
	const char *name, uint32_t *id);

/* The id of the reservation that the job names: the one it began in, else the
 * newest of that name. */
int history_reservation(struct store *, const struct job *, uint32_t *id);
