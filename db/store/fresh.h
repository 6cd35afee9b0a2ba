/*
 * Fast recording of associations and users that a change adds by the thousand.
 * SQLite's session (store_begin) keeps the key of every changed row and looks
 * each row up at the end, which takes as long as adding it. These rows are kept
 * out of the session; their part of the changeset is made from the rows
 * themselves.
 *
 * For a caller who knows that none of the rows existed before, and that none is
 * changed again in the same change.
 */
#ifndef BURSAR_STORE_FRESH_H
#define BURSAR_STORE_FRESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/strv.h"

struct query;
struct store;

/* Of the open transaction. */
struct fresh {
	bool on;
	int64_t first, last;	  /* keys of associations, one after the other */
	struct strv users;	  /* in the arena of the store */
};

/* From here to the end associations and users that are added are such rows, and
 * entries of the transaction log wait until there are enough of them
 * (db/store/txnpack.h). The change has been logged ahead (store_log_ahead). */
void fresh_begin(struct store *);
void fresh_end(struct store *);

/* Runs the statement that inserts an association, or a user. */
int fresh_run_assoc(struct query *);
int fresh_run_user(struct query *, const char *name);

/* Were there any? */
bool fresh_any(const struct store *);

/* Calls `each` with the rows' part of the changeset, piece by piece. */
int fresh_each(struct store *,
	int (*each)(void *arg, const void *piece, size_t size), void *arg);

#endif
