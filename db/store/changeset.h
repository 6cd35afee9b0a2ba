/*
 * Changesets as the undo log keeps them: compressed. Those of older stores, which
 * are not compressed, can be read too.
 */
#ifndef BURSAR_STORE_CHANGESET_H
#define BURSAR_STORE_CHANGESET_H

#include <stddef.h>

#include "common/base/err.h"

/* The changeset of `size` bytes in the form that the undo log keeps, `*packed`
 * bytes; free() it. */
void *changeset_pack(const void *blob, int size, int *packed);

/* Packs a part of a changeset that comes in pieces. */
struct changeset_packing;
struct changeset_packing *changeset_pack_begin(void);
void changeset_pack_piece(
	struct changeset_packing *, const void *piece, size_t size);
void changeset_pack_drop(struct changeset_packing *);

/* The changeset that the `n` parts make one after the other, in the form that
 * the undo log keeps, `*packed` bytes; free() it. The parts stay. NULL: it is larger
 * than a changeset may be, 2 GiB. */
void *changeset_pack_join(
	struct changeset_packing *const *parts, size_t n, int *packed);

/* The changeset that was packed, `*whole` bytes; free() it. NULL with err: it
 * is damaged. */
void *changeset_unpack(
	const void *kept, int size, int *whole, struct err *err);

/*
 * The rows of a table lie one after the other in a changeset. How many bytes
 * the first table takes, and its name; 0: the changeset is damaged.
 */
size_t changeset_table(
	const unsigned char *blob, size_t size, const char **table);

#endif
