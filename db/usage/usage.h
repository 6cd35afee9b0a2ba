/*
 * Usage of associations and QOS (spec/priority.md 2; DESIGN.md "Usage and
 * decay"): kept per association by itself, not summed up the tree, as amounts
 * with the time they are valid at, which decay with the half-life. Finished
 * runs are in the stored amounts; running jobs are computed on every read.
 *
 * `policy` gives the half-life, the reset period and the calculation period. A
 * half-life that differs from the one in force is recorded by the first
 * function here that writes, and is in force from then on; usage from before
 * decays as it did.
 *
 * RawUsage=N wipes what was recorded so far. A job recorded before that counts
 * only from then on (its association's `epoch` has increased); a job recorded
 * later counts whole, whenever it ran.
 *
 * Functions that return int: 0, or -1 with the store's error. Functions that
 * write expect an open transaction. Times are epoch seconds; amounts are
 * TRES-seconds, RawUsage is billing-seconds. `assoc` and `cluster` are keys.
 */
#ifndef BURSAR_DB_USAGE_H
#define BURSAR_DB_USAGE_H

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
 * and QOS (sign 1), or takes them out again (sign -1), the same QOS once; a job
 * that does not have 0 < start < end is passed over. Their order does not matter.
 * They are summed up in memory: the caller
 * begins a transaction, opens one of these, calls add for each run and write, and
 * commits; add writes too when there are sums of many owners. Close frees it.
 * Begin is for one that goes on in another transaction. */
struct usage_bulk;
struct usage_bulk *usage_bulk_open(struct store *, const struct policy *);
void usage_bulk_raw(struct usage_bulk *, bool raw); /* RawUsage alone? */
void usage_bulk_close(struct usage_bulk *);
void usage_bulk_begin(struct usage_bulk *); /* forgets what was not written */
int usage_bulk_add(struct usage_bulk *, const struct job *, int sign);
int usage_bulk_write(struct usage_bulk *);
/* Writes, and goes on with what it knows of associations and amounts: for who has
 * the store alone, and calls usage_bulk_begin after any change but this. */
int usage_bulk_flush(struct usage_bulk *);
/* The epoch of the association: how many times its usage was set, reset, handed
 * up or revived. */
int usage_bulk_epoch(struct usage_bulk *, int64_t assoc, int64_t *epoch);

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

/* To be called before the flags of a QOS (id) change: brings its usage up to
 * now as the old flags have it, so that it decays by the new ones from now
 * on. */
int usage_settle_qos(struct store *, const struct policy *, uint32_t qos);

/* How a change of the log moved one amount of a QOS on a cluster: from `from`,
 * true at from_at, to `to`, true at to_at. Not `known`: the number stayed as it
 * was, and only its time became to_at. */
struct usage_move {
	uint32_t qos;
	int64_t cluster;
	int tres; /* TRES id, USAGE_RAW or USAGE_WALL */
	bool known;
	long double from, to;
	int64_t from_at, to_at;
};

/* Moves the amount by the same difference in a store where it has another
 * value. */
int usage_follow_qos(
	struct store *, const struct policy *, const struct usage_move *);

/* For undo and redo: one amount is to be moved from `from`, true at from_at, to
 * `to`, true at to_at. Of an association, or of a QOS (not 0) on a cluster. */
struct usage_shift {
	int64_t assoc, cluster;
	uint32_t qos;
	int tres; /* TRES id, USAGE_RAW or USAGE_WALL */
	long double from, to;
	int64_t from_at, to_at;
};

/* Moves the amount, as it is now, by that difference, as it has decayed. */
int usage_shift_amount(
	struct store *, const struct policy *, const struct usage_shift *);

/* From when on jobs recorded so far count for an association: from `since`, as
 * RawUsage= set it, with `removed` shown until `until`; or, not `known`, from
 * their start. */
struct usage_since {
	int64_t assoc;
	bool known;
	int64_t since, until;
	double removed;
};

/* For undo and redo: stores it, with a new epoch. */
int usage_put_since(struct store *, const struct usage_since *);

/* A new epoch whose `since` stays: no job counts otherwise, but readers of the
 * log (db/past/past.h) take the amounts of this change from it. */
int usage_next_epoch(struct store *, int64_t assoc);

/* An amount as it is stored, of finished runs alone. */
struct usage_amount {
	int64_t owner; /* association (key) or QOS (id) */
	int tres; /* TRES id, USAGE_RAW or USAGE_WALL */
	double amount; /* true at `at` */
	int64_t at;
	long double now; /* what it has decayed to by store->now */
};

struct usage_amounts {
	struct usage_amount *v;
	size_t n, cap;
};

/* All amounts of a cluster's associations or, with `qos`, of QOS on it, in the
 * arena, ascending by owner and tres. */
int usage_amounts(struct store *, const struct policy *, bool qos,
	int64_t cluster, struct arena *, struct usage_amounts *);

/* Writes the amount (without `now`), or deletes it. */
int usage_put_amount(
	struct store *, bool qos, int64_t cluster, const struct usage_amount *);
int usage_drop_amount(
	struct store *, bool qos, int64_t cluster, const struct usage_amount *);

/* *text: all that decides how usage decays until `at` (half-lives, last reset),
 * in the arena: with the same text the same runs come to the same amounts. */
int usage_rules(struct store *, const struct policy *, int64_t at,
	struct arena *, char **text);

/* For commands that only read, outside of a transaction: records the policy's
 * half-life if it has changed and the store can be written. */
int usage_sync(struct store *, const struct policy *);

/* Adds the usage of an association that is being removed to its parent's, as of
 * store->now. To be called before the row is erased or marked deleted. `parent`
 * 0: the usage is dropped. */
int usage_hand_up(
	struct store *, const struct policy *, int64_t assoc, int64_t parent);

/* As usage_hand_up, as of `at`, or of the time of an amount if that is
 * later. */
int usage_hand_up_at(struct store *, const struct policy *, int64_t assoc,
	int64_t parent, int64_t at);

/* To be called when a removed association is revived: usage recorded so far
 * stays with the parent, jobs recorded from now on are charged to itself. */
int usage_revive(struct store *, int64_t assoc);

#endif
