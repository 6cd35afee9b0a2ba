/*
 * Undo and redo: the rows of a logged change are put back as they were before
 * it (undo), or as it made them (redo), in the open transaction; the caller
 * commits that as a change of its own. If a later change has touched or needs
 * these rows, nothing is done and the error names that change. Usage is moved
 * by as much as the change moved it: what jobs added since stays.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/strv.h"
#include "common/conf/policy.h"
#include "db/store/store.h"

/* A change of the undo log. */
struct logged {
	int64_t id, time;
	int64_t undone; /* id of the change that undid it; 0: in force */
	bool reverses;	/* it is itself an undo or a redo */
	bool automatic; /* nobody typed it: AccountingStorageTRES, rebuilt
			   usage, ended leases */
	const char *actor, *command;
};

struct logged_list {
	struct logged *v;
	size_t n, cap;
};

/* Which changes are meant. With none of these: the last that can be undone; for
 * redo, all that the last undo took back. */
struct undo_cond {
	bool redo;
	int64_t id;	   /* this change alone; 0: any */
	int64_t since;	   /* made then or later; 0: any */
	const char *actor; /* made by; NULL: anybody */
};

/*
 * Lists the changes, in the arena: to be undone, newest first; to be redone,
 * oldest first. The change of an id is listed whether or not it can be undone.
 * 0, or -1 with the store's error.
 */
int undo_choose(struct store *, const struct undo_cond *, struct arena *,
	struct logged_list *);

/*
 * Undoes (or redoes) the changes in their order, in the open transaction, and
 * marks them. Calls `each` after every change with a line for each row that it
 * changed (change_rows.h; from the thousandth on a line may be empty). 0; -1:
 * it cannot be done, store->err says why, and the caller rolls back.
 */
int undo_run(struct store *, const struct policy *, const struct logged_list *,
	bool redo, struct arena *,
	void (*each)(void *arg, const struct logged *, const struct strv *rows),
	void *arg);

/* Keeps the log short: what is deleted cannot be undone, and the past before it
 * cannot be shown exactly. Deletes the changes made before `time` (epoch
 * seconds) and all but the last `keep`; 0: no such limit. In a transaction of
 * its own, and only when there are some; META_PURGED_LOG tells it from then on.
 * 0, or -1 with the store's error. */
int undo_log_prune(struct store *, int64_t time, int64_t keep);
