/*
 * Usage of associations and QOS (spec/priority.md 2; DESIGN.md "Usage and
 * decay"): kept per association by itself, not summed up the tree, as amounts
 * with the time they are valid at, which decay with the half-life. Finished
 * runs are in the stored amounts; running jobs are computed on every read.
 *
 * `policy` gives the half-life, the reset period and the calculation period. A
 * half-life that differs from the one in force is noted by the first function
 * here that writes, and is in force from then on; usage from before decays as it
 * did.
 *
 * RawUsage=N wipes what was recorded so far. A job recorded before that counts
 * only from then on (its association's `epoch` has increased); a job recorded
 * later counts whole, whenever it ran.
 *
 * Functions that write expect an open transaction.
 */
#ifndef BURSAR_DB_USAGE_H
#define BURSAR_DB_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/text/tres.h"
#include "db/store/store.h"

/* Amounts with numbers of their own beside the TRES. */
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
	long double raw;     /* RawUsage of its own */
	long double removed; /* taken away by RawUsage=0, but fair-share
				factors count raw + removed still */
	/* Only with `details`: */
	long double wall;	 /* seconds */
	struct usage_tres *tres; /* ascending by id */
	size_t n_tres;
};

/* Ascending by key; those without any usage are not there. */
struct usage_list {
	struct usage *v;
	size_t n, cap;
};

/*
 * Own usage of every association of the cluster (its key) at the time `at`,
 * running jobs included. Usage of deleted associations has gone to their
 * parents. One query over the amounts, one over the open jobs.
 */
int usage_read(struct store *, const struct policy *, int64_t cluster,
	int64_t at, bool details, struct arena *, struct usage_list *);

/* The same for QOS on the cluster; `assoc` holds the QOS id. */
int usage_read_qos(struct store *, const struct policy *, int64_t cluster,
	int64_t at, bool details, struct arena *, struct usage_list *);

/* The entry of a key, or one that is all zero. */
const struct usage *usage_of(const struct usage_list *, int64_t key);

/* One run of a job, as it is charged. */
struct usage_run {
	int64_t cluster;
	int64_t assoc;		/* key; 0: none */
	uint32_t epoch;		/* usage_epoch when it was first recorded */
	uint32_t qos, part_qos; /* ids; 0: none; charged once if the same */
	double billing;		/* not truncated */
	double factor;		/* UsageFactor */
	const struct tres_list *alloc; /* usage_bulk: NULL, RawUsage alone */
	int64_t start, end; /* nothing is charged unless 0 < start < end */
};

/* How many times usage of the association was set or reset; -1 on errors. */
int64_t usage_epoch(struct store *, int64_t assoc);

/* Adds the run (sign 1) or takes it out exactly (sign -1). The order of calls
 * does not matter. Called by job_save. */
int usage_add_run(struct store *, const struct policy *,
	const struct usage_run *, int sign);

/* The same for many runs: summed up in memory, written at the end of each
 * transaction or when there are sums of many owners. Its begin and write lie
 * inside of the caller's. */
struct usage_bulk;
struct usage_bulk *usage_bulk_open(struct store *, const struct policy *);
void usage_bulk_close(struct usage_bulk *);
int usage_bulk_begin(struct usage_bulk *); /* forgets what was not written */
int usage_bulk_add(struct usage_bulk *, const struct usage_run *, int sign);
int usage_bulk_write(struct usage_bulk *);
int usage_bulk_epoch(struct usage_bulk *, int64_t assoc, int64_t *epoch);

/* RawUsage=N: the association's own RawUsage is `value` from now on. Its
 * per-TRES amounts stay. */
int usage_set_raw(
	struct store *, const struct policy *, int64_t assoc, double value);

/* RawUsage=0 of these associations: all own amounts are 0 at once; what was
 * taken away shows in usage.removed until the next calculation period. */
int usage_reset(
	struct store *, const struct policy *, const int64_t *assocs, size_t n);

/* RawUsage=N of a QOS on every cluster; 0 clears its per-TRES amounts too. */
int usage_set_qos(
	struct store *, const struct policy *, uint32_t qos, double value);

/* Before the flags of a QOS change: its usage decays until now as it did,
 * and from now on by the new flags. */
int usage_settle_qos(struct store *, const struct policy *, uint32_t qos);

/* How a change moved one amount of a QOS: from what it was to what it became;
 * unless `known`, to the number that it was before. */
struct usage_move {
	uint32_t qos;
	int64_t cluster;
	int tres;
	bool known;
	long double from, to;
	int64_t from_at, to_at;
};

/* Moves it by as much in a store where it has another value. */
int usage_follow_qos(
	struct store *, const struct policy *, const struct usage_move *);

/* For undo: how one amount was moved by a change that is taken back, or carried
 * out again. Of an association, or of a QOS (not 0) on a cluster. */
struct usage_shift {
	int64_t assoc, cluster;
	uint32_t qos;
	int tres;
	long double from, to;
	int64_t from_at, to_at;
};

/* Moves the amount, as it is now, by the difference as it has decayed. */
int usage_shift_amount(
	struct store *, const struct policy *, const struct usage_shift *);

/* The reset of an association that is in force: none (not `known`), or as
 * RawUsage= made it. */
struct usage_since {
	int64_t assoc;
	bool known;
	int64_t since, until;
	double removed;
};

/* Puts it, with a new epoch: what was recorded up to now counts from `since`
 * on. */
int usage_put_since(struct store *, const struct usage_since *);

/* A new epoch from the same moment as before: nothing counts otherwise, but the
 * log follows the amounts as they are now. */
int usage_next_epoch(struct store *, int64_t assoc);

/* An amount as it is stored, of finished runs alone. */
struct usage_amount {
	int64_t owner; /* association (key) or QOS (id) */
	int tres;
	double amount; /* true at `at` */
	int64_t at;
	long double now; /* what it has decayed to */
};

struct usage_amounts {
	struct usage_amount *v;
	size_t n, cap;
};

/* All of a cluster's associations or QOS, ascending by owner and tres. */
int usage_amounts(struct store *, const struct policy *, bool qos,
	int64_t cluster, struct arena *, struct usage_amounts *);

int usage_put_amount(
	struct store *, bool qos, int64_t cluster, const struct usage_amount *);
int usage_drop_amount(
	struct store *, bool qos, int64_t cluster, const struct usage_amount *);

/* How what is used decays until `at`, as text: where it is the same, the same
 * runs come to the same amounts. */
int usage_rules(struct store *, const struct policy *, int64_t at,
	struct arena *, char **text);

/* For reading commands that may write: notes a half-life that has changed, in a
 * transaction of its own (none may be open). Does nothing otherwise. */
int usage_sync(struct store *, const struct policy *);

/* Usage of an association that is being removed goes to its parent, now. Call it
 * before the row is erased or marked deleted. */
int usage_hand_up(
	struct store *, const struct policy *, int64_t assoc, int64_t parent);

/* The same at that time, or as it is where an amount is of a later one. */
int usage_hand_up_at(struct store *, const struct policy *, int64_t assoc,
	int64_t parent, int64_t at);

/* An association that was removed is there again: what was recorded so far
 * stays where it went, jobs that are recorded from now on are its own. */
int usage_revive(struct store *, int64_t assoc);

#endif
