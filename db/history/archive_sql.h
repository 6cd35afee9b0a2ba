/*
 * Archives that are SQL text, as Slurm wrote them once and still loads them
 * (`insert into job_table ...`): rows become records of archive.h.
 */
#ifndef BURSAR_ARCHIVE_SQL_H
#define BURSAR_ARCHIVE_SQL_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/store.h"

/* What takes the records. */
struct archive_sink {
	void *arg;
	/* A line of archive.h and the number of its line in the text; -1 with
	 * store->err. */
	int (*take)(void *arg, const char *line, size_t number);
	/* A statement that is skipped. */
	void (*pass_over)(void *arg);
};

/* Does the text begin like one? */
bool archive_is_sql(const char *text);

/* All rows of `text`. -1 with store->err; *line: where it ended. */
int archive_sql_read(struct store *, const char *text,
	const struct archive_sink *, size_t *line);

#endif
