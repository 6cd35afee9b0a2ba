/*
 * Keeping the log short: its oldest changes and entries are deleted. They
 * cannot be undone then, and the past before them cannot be shown exactly.
 */
#ifndef BURSAR_DB_PRUNE_H
#define BURSAR_DB_PRUNE_H

#include <stdint.h>

#include "db/store/store.h"

/* Deletes the changes made before `time` (epoch seconds) and all but the last
 * `keep`; 0: no such limit. In a transaction of its own, and only when there
 * are some; META_PURGED_LOG tells it from then on. 0, or -1 with the store's
 * error. */
int undo_log_prune(struct store *, int64_t time, int64_t keep);

#endif
