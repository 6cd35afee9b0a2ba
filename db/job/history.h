/*
 * Jobs and their steps as reports ask for them (spec/reporting.md 3.2, 3.3):
 * which existed, waited, ran or ended between two times, newest submission
 * only or all. Rows stream; memory is flat for any number of them.
 */
#ifndef BURSAR_DB_HISTORY_H
#define BURSAR_DB_HISTORY_H

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
	uint64_t sluid; /* 0: by number */
	uint32_t id;
	uint32_t task;	 /* NO_VAL: any or none; else the first of them */
	uint32_t last, every; /* tasks up to this one, each so many */
	uint32_t offset; /* of a heterogeneous job; NO_VAL: any or none */
	int32_t step;	 /* HISTORY_ALL: the job and all its steps */
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
	bool whole_het;	  /* one component stands for all */
	bool leader_only; /* the number of the first stands for it alone */
	struct strv users, accounts, partitions, names, wckeys, reasons;
	struct strv uids, groups, gids, qos, assocs; /* numbers as text */
	struct strv constraints; /* parts of the text, all of them */
	struct strv nodes;	 /* ran on any of these */
	struct history_range n_nodes, n_cpus; /* of the allocation */
	uint32_t limit_min, limit_max;	      /* minutes; 0: any */
	uint32_t flags;			      /* any of these */
	bool no_flags;			      /* jobs that have none */
	/* JOB_STATE_BIT of base states, and JOB_REQUEUED, JOB_RESIZING,
	 * JOB_REVOKED: any of these, as spec 3.3 has it. */
	uint32_t states, state_flags;
	int64_t from, until; /* [from, until) */
	bool duplicates;     /* all submissions of a number */
	bool steps;
	/* Rows of another user pass only in these accounts; NULL: all pass. */
	const char *only_user;
	struct strv only_accounts;
};

/* Under PrivateData=jobs only operators and above see everything: fills
 * only_user and only_accounts for the caller. */
struct site;
int history_privacy(struct history_cond *, struct site *, struct arena *);

struct history_row {
	struct job job;
	struct step_list steps; /* those that overlap the window */
	bool whole; /* the job was asked for, not only steps of it */
};

/* Once, after the store was opened: what must be sorted goes to a file when it
 * is much, and little of the store stays in memory. */
int history_prepare(struct store *);

/*
 * Calls `each` for every job in order of submit time, array, task and number
 * until it returns not 0; gives that, or -1 on errors, 0 at the end. The row
 * lives in `scratch`, which is reset before every call.
 */
int history_each(struct store *, const struct history_cond *,
	struct arena *scratch, int (*each)(struct history_row *, void *arg),
	void *arg);

/* The query of the condition and SQLite's plan of it, for tests: lines in the
 * arena. */
int history_explain(struct store *, const struct history_cond *, struct arena *,
	struct strv *lines);

/* ---- names of what a job points to; "" or 0 when there is none ----------- */

struct history_assoc {
	uint32_t id;
	const char *partition;
};

int history_assoc(
	struct store *, int64_t key, struct arena *, struct history_assoc *);

/* Of a QOS that may be deleted. */
int history_qos(struct store *, uint32_t id, struct arena *, const char **name);

int history_wckey(struct store *, int64_t cluster, const char *user,
	const char *name, uint32_t *id);

/* The reservation of that name the job began in, else the newest. */
int history_reservation(struct store *, const struct job *, uint32_t *id);

#endif
