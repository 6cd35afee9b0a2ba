/*
 * Usage of associations and QOS: kept per association by itself, not summed up the tree. It is a
 * fold of facts: what runs were worth, and what was set, reset or handed up between them
 * (db/usage/facts.h). What is stored are sums of these by bucket (db/usage/sums.h), which do not
 * depend on the order of records; running jobs are computed on every read.
 *
 * `policy` gives the half-life and the reset period. One that differs from the last
 * recorded is in force since slurm.conf was changed (policy.since), and is recorded
 * by the first function here that writes; usage from before decays as it did.
 *
 * RawUsage=N wipes what was recorded so far. A job recorded before that counts
 * only from then on (by job.usage_epoch); a job recorded later counts whole,
 * whenever it ran.
 *
 * Functions that return int: 0, or -1 with the store's error. Functions that
 * write expect an open transaction. Times are epoch seconds; amounts are
 * TRES-seconds, RawUsage is billing-seconds. `assoc` and `cluster` are keys.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/table/job.h"
#include "common/text/tres.h"
#include "db/store/store.h"

/* Amounts that are kept beside those of TRES, in the place of a TRES id. */
enum {
	USAGE_WALL = -1, /* wall seconds x usage factor */
	USAGE_RAW = 0,	 /* billing x seconds x usage factor: RawUsage */
};

/* One TRES of an association (or QOS) by itself. */
struct usage_tres {
	uint32_t id;
	long double seconds;	 /* TRES-seconds used: GrpTRESRaw x 60 */
	long double run_seconds; /* what running jobs may use yet:
				    TRESRunMins x 60 */
};

struct usage {
	int64_t assoc;	     /* key; of QOS: its id */
	long double raw;     /* its own RawUsage, without associations below */
	long double removed; /* taken away by RawUsage=0; until the next
				calculation period fair-share factors count
				raw + removed */
	/* Only with `details`: */
	long double wall;	 /* seconds */
	struct usage_tres *tres; /* ascending by id */
	size_t n_tres;
};

/* Ascending by key; associations (QOS) without usage are not in it. */
struct usage_list {
	struct usage *v;
	size_t n, cap;
};

/*
 * Own usage of every association of the cluster at the time `at`, running jobs
 * included. Usage of deleted associations has gone to their parents. One query
 * over the amounts, one over the open jobs. The list is in the arena.
 */
int usage_read(struct store *, const struct policy *, int64_t cluster,
	int64_t at, bool details, struct arena *, struct usage_list *);

/* Associations that the caller has by index. */
struct usage_rows {
	uint32_t n;
	/* The index of a key; UINT32_MAX: not among them. */
	uint32_t (*find)(void *arg, int64_t key);
	void *arg;
	long double *raw;     /* all 0; what each used is added */
	long double *removed; /* NULL where nothing was, else in the arena */
};

/* As usage_read without details, put into the rows: for a tree of a million
 * users a list would be larger than the tree. */
int usage_read_rows(struct store *, const struct policy *, int64_t cluster,
	int64_t at, struct arena *, struct usage_rows *);

/* As usage_read, for QOS on the cluster; `assoc` holds the QOS id. */
int usage_read_qos(struct store *, const struct policy *, int64_t cluster,
	int64_t at, bool details, struct arena *, struct usage_list *);

/* The entry of a key (of QOS: id), or one that is all zero; never NULL. */
const struct usage *usage_of(const struct usage_list *, int64_t key);

/* The columns of a job that say whom its run charges with what; with :details 0
 * not for what TRES. */
#define USAGE_RUN_COLUMNS                                                      \
	"cluster, assoc, usage_epoch, qos, part_qos, billing, usage_factor,"   \
	" start, end, iif(:details, tres_alloc, '') AS tres_alloc"

/* Charges the runs of jobs (members of USAGE_RUN_COLUMNS) to their associations
 * and QOS (sign 1), or takes them out again (sign -1); a QOS that is also the
 * partition's is charged once. A job that does not have 0 < start < end is passed
 * over. The order of jobs does not matter. They are summed up in memory: the caller
 * begins a transaction, opens a bulk, calls add for each run, then write, and commits;
 * add writes, too, when there are many sums. Close frees the bulk. Begin is called
 * where it goes on in another transaction, or after another change of the store. */
struct usage_bulk;
struct usage_bulk_options {
	bool raw;  /* RawUsage alone */
	bool kept; /* runs whose records are purged (1), or come back (-1): usage
		      does not change */
	int64_t bound; /* not for buckets that end up to then */
	int64_t all_runs; /* those who wait are shown how many of these are in */
};
struct usage_bulk *usage_bulk_open(struct store *, const struct policy *,
	const struct usage_bulk_options *); /* or NULL */
void usage_bulk_close(struct usage_bulk *);
void usage_bulk_begin(struct usage_bulk *); /* forgets what was not written */
int usage_bulk_add(struct usage_bulk *, const struct job *, int sign);
int usage_bulk_add_key(struct usage_bulk *, int64_t job, int sign);
int usage_bulk_write(struct usage_bulk *);
/* *epoch: that of a job that is recorded now. */
int usage_bulk_epoch(struct usage_bulk *, int64_t *epoch);

/* RawUsage=N: the association's own RawUsage is `value` from now on. Its
 * per-TRES amounts stay. */
int usage_set_raw(
	struct store *, const struct policy *, int64_t assoc, double value);

/* RawUsage=0 of `n` associations, all of one cluster: all own amounts are 0 at
 * once; what was taken away is in usage.removed until the next calculation
 * period. */
int usage_reset(
	struct store *, const struct policy *, const int64_t *assocs, size_t n);

/* RawUsage=N of a QOS (id) on every cluster; 0 clears its per-TRES amounts
 * too. */
int usage_set_qos(
	struct store *, const struct policy *, uint32_t qos, double value);

/* To be called when the flags of a QOS (id) may have changed: usage so far decays as
 * it did (`was_still`: it had NoDecay), and by the new flags from now on. */
int usage_settle_qos(struct store *, const struct policy *, uint32_t qos,
	bool was_still);

/* *still: has the QOS (id) the flag NoDecay? */
int usage_is_still(struct store *, uint32_t qos, bool *still);

/* To be called before a QOS (id) is removed: a QOS with its number that comes later
 * has used nothing. */
int usage_drop_qos(struct store *, uint32_t qos);

/* To be called before a cluster (key) is removed: all usage on it is dropped. */
int usage_drop_cluster(struct store *, int64_t cluster);

/* The QOS has another number (id). */
int usage_renumber_qos(struct store *, int64_t from, int64_t to);

/* Records a policy that differs from the last one, and makes the usage since then
 * anew. */
int usage_settle_policy(struct store *, const struct policy *);

/* 1: the policy is not recorded yet, so that what is stored does not hold; 0; -1. */
int usage_policy_pending(struct store *, const struct policy *);

/* Adds the usage of an association that is being removed to its parent's, as of
 * store->now, and jobs that are recorded from now on. To be called before the row
 * is erased or marked deleted. `parent` 0: the usage is dropped. */
int usage_hand_up(
	struct store *, const struct policy *, int64_t assoc, int64_t parent);

/* To be called when a removed association is revived: usage recorded so far
 * stays with the parent, jobs recorded from now on are charged to itself. */
int usage_revive(struct store *, int64_t assoc);

/* To be called when the row of an association is erased. */
int usage_forget(struct store *, int64_t assoc);
