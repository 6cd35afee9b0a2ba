/*
 * What undo and redo do to usage. Internal to db/history/undo*.c.
 */
#ifndef BURSAR_DB_UNDO_USAGE_H
#define BURSAR_DB_UNDO_USAGE_H

#include "common/conf/policy.h"
#include "db/history/past_log.h"

/*
 * Before and after the rows of `change` (what is to happen to the store, so of
 * an undo the inverse) are put: usage is moved by the difference between the
 * amounts before and after, as it has decayed since.
 */
int undo_usage_before(struct store *, const struct policy *,
	const struct change *, struct arena *);
int undo_usage_after(struct store *, const struct policy *,
	const struct change *, struct arena *);

#endif
