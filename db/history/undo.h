/*
 * Undo and redo: the rows of a logged change are put back as they were before
 * it, or as it made them, in the open transaction; the caller logs that as a
 * change of its own. Where a later change has touched or needs these rows it is
 * named, and nothing is done. Usage is moved by as much as the change moved it:
 * what jobs added since stays.
 */
#ifndef BURSAR_DB_UNDO_H
#define BURSAR_DB_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/strv.h"
#include "common/conf/policy.h"
#include "db/store/store.h"

/* A change of the log. */
struct logged {
	int64_t id, time;
	int64_t undone; /* by that change; 0: it is in force */
	bool reverses;	/* is itself an undo or a redo */
	bool automatic; /* follows slurm.conf or the job records */
	const char *actor, *command;
};

struct logged_list {
	struct logged *v;
	size_t n, cap;
};

/* Which changes are meant; all of these hold. Without any: the last. */
struct undo_cond {
	bool redo;
	int64_t id;	   /* 0: any */
	int64_t since;	   /* 0: any */
	const char *actor; /* NULL: any */
};

/*
 * The changes that can be undone, newest first; or redone, oldest first: the
 * last undo's. With an id its change is found whether or not it can
 * be undone.
 */
int undo_choose(struct store *, const struct undo_cond *, struct arena *,
	struct logged_list *);

/*
 * Undoes (or redoes) the changes in their order, and marks them. `rows` gets a
 * line for each row that becomes another (from the thousandth on perhaps an
 * empty one), `each` before the lines of each change. -1: it cannot be done, and
 * the error says why.
 */
int undo_run(struct store *, const struct policy *, const struct logged_list *,
	bool redo, struct arena *,
	void (*each)(void *arg, const struct logged *, const struct strv *rows),
	void *arg);

#endif
