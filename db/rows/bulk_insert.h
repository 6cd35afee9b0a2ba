/*
 * Associations and users that are added. One is written at once; those that a
 * change adds by the thousand wait in memory and are written many at once
 * (db/rows/rowtable.h), at half the cost of a statement for each. SQLite's
 * session (store_begin) would keep the key of every row and look each up at the
 * end, which takes as long as adding it: their part of the changeset is made
 * from the records instead.
 *
 * For a caller who knows that none of the rows existed before, and that none is
 * changed again in the same change. Every statement sees them: to open one
 * writes what waits (query_open_apart does not).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/store.h"

struct bulk_table;
struct members;

/* Of their parts of a changeset: undoing takes the last away first. */
enum bulk_which { BULK_USERS, BULK_ASSOCS, BULK_TABLES };

struct bulk_insert {
	bool on;	  /* from bulk_insert_begin to bulk_insert_end */
	size_t waiting;	  /* records of all tables */
	int64_t next_key; /* of associations; 0: not looked up */
	struct bulk_table *tables[BULK_TABLES]; /* NULL: never used */
};

/* A table, and the records that hold its rows. */
struct bulk_kind {
	enum bulk_which which;
	const char *name;
	const struct members *own, *rest; /* every column: members_columns() */
	size_t size;			  /* of a record */
	size_t most;			  /* that wait at once */
	/* The order in which those that wait are written; NULL: as they come.
	 */
	int (*compare)(const void *a, const void *b); /* records */
	const char *again; /* SQL for one that is there; NULL: none is */
};

/* From here to the end associations and users that are added are such rows, and
 * entries of the transaction log wait until there are enough of them
 * (db/store/txnpack.h). References between rows are not looked for: the caller
 * has seen to them. The change has been logged ahead (store_change_ahead). The
 * end writes what waits. Both: 0, or -1 with store->err. */
int bulk_insert_begin(struct store *);
int bulk_insert_end(struct store *);

/* Adds the row: at once, between bulk_insert_begin and bulk_insert_end a copy
 * of it waits. 0, or -1 with store->err. */
int bulk_insert_add(
	struct store *, const struct bulk_kind *, const void *record);

/* From bulk_insert_begin to bulk_insert_end. */
bool bulk_insert_is_on(const struct store *);
