/*
 * Usage made anew from what it follows from: job records, facts and policies
 * (db/usage/fold.h), replacing the stored one, from which it never differs
 * unless the store was damaged.
 */
#pragma once

#include "db/usage/usage.h"

/* One amount that differs. */
struct rebuild_row {
	/* Of an association (qos is NULL), or of a QOS. */
	const char *account, *user, *partition;
	const char *qos;
	int tres;	     /* TRES, or USAGE_RAW, USAGE_WALL */
	long double was,
		is; /* stored and rebuilt, with running jobs: seconds */
};

struct rebuild_list {
	struct rebuild_row *v;
	size_t n, cap;
};

/* The command under which a rebuild is committed: undo without a number passes
 * it over. */
#define REBUILD_COMMAND "rebuild usage"

/* Rebuilds the usage of the clusters (`n` keys), in the open transaction.
 * lists[i]: the differences of clusters[i], associations before QOS, in the
 * arena. 0, or -1 with the store's error. */
int rebuild_usage(struct store *, const struct policy *,
	const int64_t *clusters, size_t n, struct arena *,
	struct rebuild_list *lists);
