/*
 * Usage as a fold of facts: what is stored follows from the records of jobs, the
 * facts (db/usage/facts.h) and the policies, and can be made from them again, from
 * any bucket on. Internal to db/usage, db/past and db/undo.
 *
 * Functions return 0, or -1 with the store's error.
 */
#pragma once

#include "common/table/job.h"
#include "db/store/changeset.h"
#include "db/usage/facts.h"
#include "db/usage/usage.h"

/* What a second of a run adds to the amount of each TRES, ascending. */
struct run_rates {
	struct run_rate {
		int tres; /* or USAGE_WALL, USAGE_RAW */
		long double rate;
	} *v;
	size_t n, cap;
};

/* Lists them anew; with `raw` RawUsage alone. */
void usage_rates(
	const struct job *, bool raw, struct run_rates *, struct arena *);

/* Whom a run charges: how many owners. */
int usage_owners(const struct job *, int64_t owners[3]);

/* The ledger that a bulk writes to; NULL: the store's error. */
struct ledger *usage_bulk_ledger(struct usage_bulk *);

/* Adds the runs of a statement of query_open_members that selects
 * USAGE_RUN_COLUMNS, `sign` times, and closes it. */
int usage_bulk_add_rows(struct usage_bulk *, struct query *, int sign);

/* Adds what was kept of runs that ended in the bucket that ends at `at`. */
int usage_bulk_restore(struct usage_bulk *, int64_t owner, int64_t life,
	int64_t at, const struct usage_sums *, int sign);

/* Adds, and writes, the runs that ended in (from, until]; `past`: of past_job. */
int usage_bulk_add_ended(struct usage_bulk *, struct store *, bool past,
	int64_t from, int64_t until);

/* Adds, and writes, what was kept of runs whose records are gone: all of the buckets
 * that begin in [from, until). */
int usage_bulk_add_kept(struct usage_bulk *, struct store *, int64_t from,
	int64_t until);

/* Makes usage anew from the bucket on that lies after `from` (INT64_MIN: all),
 * of the runs that ended up to `until`. `past`: of a store that is moved
 * through time (db/past), whose jobs are in table past_job. */
int usage_fold(struct store *, const struct policy *, bool past, int64_t from,
	int64_t until);

/*
 * A change of facts or jobs that are recorded already: what depends on them is
 * taken out of the sums, the change is made, and it is put in again.
 *
 *	usage_moving_open(&m, store, policy, past, until);
 *	usage_moving_fact(&m, owner, id, time);	  (each that comes or goes)
 *	usage_moving_job(&m, key);		  (each that changes)
 *	usage_moving_out(&m);
 *	... the change ...
 *	usage_moving_in(&m);
 *	usage_moving_close(&m);
 */
struct usage_moving {
	struct store *store;
	struct usage_bulk *bulk;
	bool past;
	int64_t until;		   /* runs that ended later are not charged */
	struct moving_key *keys;   /* of jobs */
	struct moving_key *owners; /* of facts that come or go */
	struct usage_fact *facts;  /* that come or go */
	size_t n_facts, cap_facts;
	struct arena arena;
};

void usage_moving_open(struct usage_moving *, struct store *,
	const struct policy *, bool past, int64_t until);
int usage_moving_fact(
	struct usage_moving *, int64_t owner, int64_t id, int64_t time);
/* For change_each: notes a fact that the operation brings or takes away. */
int usage_moving_op(
	void *moving, const char *table, int op, sqlite3_changeset_iter *);
/* As usage_moving_fact, of one that comes, when no run is concerned. */
void usage_moving_begins(struct usage_moving *, int64_t owner, int64_t id);
void usage_moving_job(struct usage_moving *, int64_t key);
int usage_moving_out(struct usage_moving *);
int usage_moving_in(struct usage_moving *);
void usage_moving_close(struct usage_moving *);
