/*
 * Usage made anew from the job records and the log of changes, and put in the
 * place of what is kept (DESIGN.md "Usage and decay"). What RawUsage= has set
 * or reset, what half-lives there were and who was removed is in the log and
 * counts as it did. Without jobs or log that were purged it comes out as it
 * would have been kept.
 */
#ifndef BURSAR_DB_REBUILD_H
#define BURSAR_DB_REBUILD_H

#include "db/usage/usage.h"

/* One amount that comes out otherwise. */
struct rebuild_row {
	/* Of an association (qos is NULL), or of a QOS. */
	const char *account, *user, *partition;
	const char *qos;
	int tres;	     /* TRES, or USAGE_RAW, USAGE_WALL */
	long double was, is; /* seconds, now, without running jobs */
};

struct rebuild_list {
	struct rebuild_row *v;
	size_t n, cap;
};

/* The command under which a rebuild is committed: the log knows by it that the
 * amounts were not set by hand. */
#define REBUILD_COMMAND "rebuild usage"

/* Rebuilds the usage of the clusters (keys), in the open transaction. Rows by
 * cluster, associations before QOS, as many as there are differences. */
int rebuild_usage(struct store *, const struct policy *,
	const int64_t *clusters, size_t n, struct arena *,
	struct rebuild_list *lists);

/* What is missing to be exact: jobs that ended, changes that were made before
 * these times have been purged; 0: none were. */
struct rebuild_gaps {
	int64_t jobs, log;
};

int rebuild_gaps(struct store *, struct rebuild_gaps *);

/* The purge of archive.h tells of them: up to `until`. */
int rebuild_note_purge(struct store *, bool log, int64_t until);

#endif
