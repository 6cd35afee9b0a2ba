/*
 * The store as it was, or will be: a private store (store_open_private), whose
 * pages in memory are moved to a time and never written back. Shares and limits
 * follow the log of changes (table `change`), jobs their own times, usage is
 * computed from the job records.
 *
 * The past: every association as the log has it; before the log begins, all
 * associations that it ever adds, as they were created. The future: the tree
 * stays as it is, except for leases that end; running jobs end at their time
 * limits, pending jobs stay pending, usage decays.
 *
 * Functions that return int: 0, or -1 with the error of the store.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/policy.h"
#include "db/store/store.h"

struct usage_bulk;

struct past {
	struct store *store; /* store->now is the time it shows */
	struct store own;    /* past_open: `store` points here */
	const struct policy *policy;
	int64_t now;	    /* the present: `now` of the store underneath */
	int64_t log_begins; /* time of the first change; INT64_MAX: none */
	bool details;	    /* usage of each TRES and wall time too, not
			       RawUsage alone */
	bool one_half_life; /* usage decays at all times with the policy's */
	/* How far it has been moved. all_exist: it is before the log begins,
	 * and all associations are there. */
	bool moved, rewound, all_exist;
	int64_t at, last_id; /* changes up to last_id are carried out */
	int64_t charged;     /* runs that ended up to then are charged */
	int64_t last_kept;   /* a bucket with purged runs begins then */
	int64_t shown;	     /* the table job has those not ended then */
	struct usage_bulk *bulk; /* what runs are charged with */
};

/*
 * Opens the store as it is now, to be moved by past_move. The store, which has
 * no open transaction, and the policy must outlive it.
 */
int past_open(struct past *, struct store *, const struct policy *,
	bool details, bool one_half_life);

/* As past_open, in a store that is private already and stays the caller's. */
int past_open_in(struct past *, struct store *, const struct policy *,
	bool details, bool one_half_life);

/* Moves to `at` (epoch seconds): the first time to any, then only forward.
 * Small steps cost little. Going back is BUG(): open it again for that. */
int past_move(struct past *, int64_t at);

void past_close(struct past *);
