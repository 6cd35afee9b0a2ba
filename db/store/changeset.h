/*
 * Changesets as the log keeps them: compressed. Those of older stores are not,
 * and are read as well.
 */
#ifndef BURSAR_STORE_CHANGESET_H
#define BURSAR_STORE_CHANGESET_H

#include "common/base/err.h"

/* What the log keeps; free() it. */
void *changeset_pack(const void *blob, int size, int *packed);

/* The changeset that was kept; free() it. NULL with err: it is damaged. */
void *changeset_unpack(
	const void *kept, int size, int *whole, struct err *err);

#endif
