/*
 * Structs in memory as a table that SQL reads: one statement writes many rows
 * (INSERT INTO ... SELECT ... FROM it), at half the cost of a statement for
 * each. The columns are those of the members, each of which must have one.
 */
#pragma once

#include "common/table/member.h"
#include "db/store/store.h"

struct row_table {
	struct members members;
	void *const *rows; /* what a statement sees when it begins */
	size_t n_rows;
};

/* Makes the table known to this connection. The struct must outlive it. */
int row_table_open(struct store *, const char *name, struct row_table *);
