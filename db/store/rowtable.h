/*
 * Structs in memory as a table that SQL reads: one statement writes many rows
 * (INSERT INTO ... SELECT ... FROM it), at half of what a statement for each
 * costs. The columns are the members (row.h), by their names.
 */
#ifndef BURSAR_DB_ROWTABLE_H
#define BURSAR_DB_ROWTABLE_H

#include "db/store/row.h"
#include "db/store/store.h"

struct row_table {
	const struct row_member *members;
	size_t n_members;
	void *const *rows; /* what a statement sees when it begins */
	size_t n_rows;
};

/* Makes the table known to this connection. The struct must outlive it. */
int row_table_open(struct store *, const char *name, struct row_table *);

#endif
