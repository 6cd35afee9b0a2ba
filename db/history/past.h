/*
 * The store as it was, or will be: pages in memory over it (store_open_private)
 * are moved to a time, never written back. Shares and limits follow the log of
 * changes (table `change`), jobs their own times, usage is computed from the
 * job records.
 *
 * The past: every association as the log has it; before the log begins all
 * associations of the log as they were created. The future: the tree stays as it is, running
 * jobs end at their time limits, pending jobs stay pending, usage decays.
 */
#ifndef BURSAR_DB_PAST_H
#define BURSAR_DB_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/policy.h"
#include "db/store/store.h"

/* Where usage of the present comes from. That of another time always comes
 * from the records and the log. */
enum past_from {
	PAST_FROM_STORE,    /* as it is kept */
	PAST_FROM_RECORDS,  /* from the job records and the log too */
	PAST_ONE_HALF_LIFE, /* so, and the policy's half-life counts as if it
			       had always been so */
};

struct past_keep;

struct past {
	struct store *store; /* its `now` is the time it shows */
	struct store own;    /* that, unless it is the caller's */
	const struct policy *policy;
	int64_t now;	    /* of the store that is laid over */
	int64_t log_begins; /* time of the first change; INT64_MAX: none */
	bool details;	    /* TRES and wall too, not RawUsage alone */
	bool usage_only;    /* set by who moves it: jobs are asked for nothing
			       but what they charge, and have no other column */
	enum past_from from;
	/* How far it has been moved. */
	bool moved, rewound, all_exist;
	int64_t at, last_id; /* of the changes carried out */
	int64_t charged;     /* runs that ended up to then are */
	int64_t shown;	     /* jobs are those that were open then */
	const char *as_then; /* the statement that shows them */
	struct past_keep *keep; /* moments to start from; or NULL */
};

/* An exact copy in a new file that only the caller may read. */
int store_copy_file(struct store *from, const char *path);

/*
 * Opens the store as it is now, to be moved by past_move, first of all to `at`.
 * What is pointed to must live as long. -1 with the error of the store.
 */
int past_open(struct past *, struct store *, const struct policy *,
	bool details, enum past_from, int64_t at);

/* The same in a store that is private already, which stays the caller's. */
int past_open_in(struct past *, struct store *, const struct policy *,
	bool details, enum past_from);

/* Moves forward to `at`. Small steps cost little; going back is our own
 * mistake: open it again for that. */
int past_move(struct past *, int64_t at);

void past_close(struct past *);

#endif
