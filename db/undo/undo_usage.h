/*
 * What undo and redo do to usage. Internal to db/undo/undo*.c.
 */
#ifndef BURSAR_DB_UNDO_USAGE_H
#define BURSAR_DB_UNDO_USAGE_H

#include "db/store/undo_log.h"
#include "db/usage/fold.h"

/* While the rows of a change are put into the store. */
struct undo_usage {
	struct usage_moving moving;
	struct store *store;
	const struct policy *policy;
	struct arena *arena;
	struct leaving *leaving; /* associations that are removed */
	int64_t *back; /* those that are there again */
	size_t n_back, cap_back;
	int deleted; /* number of the column of associations */
};

/*
 * Called before and after the rows of `change` are put into the store; of an
 * undo that is the inverse of the logged change. Usage follows the facts and jobs
 * that it changes; what an association that goes has used since goes to the one
 * above. 0, or -1 with the store's error; close either way.
 */
int undo_usage_before(struct undo_usage *, struct store *, const struct policy *,
	const struct logged_change *, struct arena *);
int undo_usage_after(struct undo_usage *);
void undo_usage_close(struct undo_usage *);

#endif
