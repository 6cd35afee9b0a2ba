/*
 * Statistics of the store: rows, size, age, integrity.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "db/store/store.h"

struct table_rows {
	const char *name;
	int64_t rows;
};

struct stats {
	struct table_rows *tables; /* by name */
	size_t n_tables, cap;
	int64_t page_size, pages, free_pages; /* the file: pages x page_size */
	int64_t since;			      /* when the store was made */
	int64_t jobs_open;
	int64_t oldest_job, newest_job; /* submit times; 0: no jobs */
	int64_t last_rollup;		/* 0: never */
	struct strv problems; /* of the integrity check; empty: all is well */
};

/* Counts every table and checks every page: takes its time in a big store. */
int stats_read(struct store *, struct arena *, struct stats *);
