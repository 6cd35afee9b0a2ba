/*
 * Changesets as the log keeps them: compressed. Those of older stores are not,
 * and are read as well.
 */
#ifndef BURSAR_STORE_CHANGESET_H
#define BURSAR_STORE_CHANGESET_H

#include <stddef.h>

#include "common/base/err.h"

/* What the log keeps; free() it. */
void *changeset_pack(const void *blob, int size, int *packed);

/* The same of one that comes in pieces. The end gives NULL when there were more
 * than a changeset may have: 2 GiB. */
struct changeset_packing;
struct changeset_packing *changeset_pack_begin(void);
int changeset_pack_piece(void *packing, const void *piece, size_t size);
void *changeset_pack_end(struct changeset_packing *, int *packed);

/* The changeset that was kept; free() it. NULL with err: it is damaged. */
void *changeset_unpack(
	const void *kept, int size, int *whole, struct err *err);

/*
 * The rows of a table lie one after the other in a changeset. How many bytes the
 * first table takes, and its name; 0: the changeset is damaged.
 */
size_t changeset_table(
	const unsigned char *blob, size_t size, const char **table);

#endif
