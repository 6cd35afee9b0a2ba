/*
 * What undo and redo do to usage. Internal to db/undo/undo*.c.
 */
#ifndef BURSAR_DB_UNDO_USAGE_H
#define BURSAR_DB_UNDO_USAGE_H

#include "common/conf/policy.h"
#include "db/past/undo_log.h"

/*
 * Called before and after the rows of `change` are put into the store; of an
 * undo that is the inverse of the logged change. They move usage by the
 * difference between the amounts before and after the change, as it has decayed
 * since. 0, or -1 with the store's error.
 */
int undo_usage_before(struct store *, const struct policy *,
	const struct logged_change *, struct arena *);
int undo_usage_after(struct store *, const struct policy *,
	const struct logged_change *, struct arena *);

#endif
