/*
 * Changesets of SQLite: as the undo log keeps them, compressed (those of older stores,
 * which are not compressed, can be read too), and their operations.
 */
#pragma once

#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/store.h"

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

/* One operation (`op`: SQLITE_INSERT, _UPDATE or _DELETE) on a row. */
typedef int changeset_reader(
	void *arg, const char *table, int op, sqlite3_changeset_iter *);

/* Calls `each` with every operation of a changeset that is not packed until it
 * returns anything but 0, and returns that; else 0, or -1 with the store's error. */
int changeset_each(struct store *, const void *blob, int size,
	changeset_reader *each, void *arg);

/* The number of a column in changesets, where others may have come behind it;
 * -1: the table has none of that name; -2: the store's error. */
int op_column(struct store *, const char *table, const char *column);

/* Does the operation take the row away, or mark it as deleted? `deleted`: the
 * number of that column. */
bool op_is_removal(sqlite3_changeset_iter *, int op, int deleted);

/* The value of a column (counted from 0) before or after the operation; NULL
 * where the changeset does not have it, such as a column that an update leaves
 * alone. Valid until `each` returns. */
sqlite3_value *op_old(sqlite3_changeset_iter *, int column);
sqlite3_value *op_new(sqlite3_changeset_iter *, int column);

/* A column of the primary key of the row: its value, and as a number. */
sqlite3_value *op_key_value(sqlite3_changeset_iter *, int op, int column);
int64_t op_key(sqlite3_changeset_iter *, int op, int column);
