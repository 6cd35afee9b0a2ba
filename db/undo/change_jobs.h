/*
 * The jobs of a changeset summed up by account and user. Of an import, which
 * may have millions of jobs, people are shown this instead of rows.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* How many jobs of the user in the account the changeset adds, changes and
 * removes, and by how much it changes their CPU time. */
struct change_jobs {
	const char *account, *user;
	uint64_t added, changed, removed;
	double cpu_seconds; /* below 0: less than before */
};

struct change_jobs_list {
	struct change_jobs *v;
	size_t n, cap;
};

/* Looks the jobs up in the stores `before` and `after` the changeset; running
 * jobs count until after->now. The list is in the arena, in order of account
 * and user. 0, or -1 with a store's error. */
int change_jobs(struct store *before, struct store *after, const void *blob,
	int size, struct arena *, struct change_jobs_list *);
