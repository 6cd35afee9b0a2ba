/*
 * Archives that are SQL text, as Slurm wrote them once and still loads them
 * (`insert into job_table ...`): rows become records of archive.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "db/store/store.h"

/* Where the records go. */
struct archive_sink {
	void *arg;
	/* Takes a record: a line as in archive.h, and the number of the line of
	 * SQL that it comes from. 0, or -1 with store->err, which ends the
	 * reading. */
	int (*take)(void *arg, const char *line, size_t number);
	/* Called for each statement that is skipped: of a table that is not
	 * needed, or DELETE, DROP, TRUNCATE. */
	void (*pass_over)(void *arg);
};

/* Does the text begin like an SQL archive? */
bool archive_is_sql(const char *text);

/* Gives all rows of the SQL text to the sink. 0, or -1 with store->err; *line:
 * the line where reading ended, from 1. */
int archive_sql_read(struct store *, const char *text,
	const struct archive_sink *, size_t *line);
