/*
 * Rows that a change only adds, by the thousand. The recorder of changes
 * (store_begin) keeps the key of every row that it hears of and looks each up at
 * the end, which takes as long as adding it; of these it does not hear, and the
 * end of the changeset is made of the rows themselves.
 *
 * For one who knows that no row has any of the names, and that nothing of them
 * is changed again in this change.
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

/* What the rows are in a changeset, piece by piece. */
int fresh_each(struct store *,
	int (*each)(void *arg, const void *piece, size_t size), void *arg);

#endif
