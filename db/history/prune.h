/*
 * The log kept short: its oldest changes, with what undo knows of them, go.
 */
#ifndef BURSAR_DB_PRUNE_H
#define BURSAR_DB_PRUNE_H

#include <stdint.h>

#include "db/store/store.h"

/* Those made before `time`, and all but the last `keep`; 0: no such limit. In a
 * transaction of its own, and only when there are some. What was removed is
 * noted (rebuild_gaps). */
int log_prune(struct store *, int64_t time, int64_t keep);

#endif
