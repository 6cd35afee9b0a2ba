/*
 * The jobs of a changeset summed up by account and user: for an import there is
 * nothing else to be read.
 */
#ifndef BURSAR_DB_CHANGE_JOBS_H
#define BURSAR_DB_CHANGE_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

/* So many jobs are more, others and fewer, and by so much their CPU time is
 * more. */
struct change_jobs {
	const char *account, *user;
	uint64_t added, changed, removed;
	double cpu_seconds;
};

struct change_jobs_list {
	struct change_jobs *v;
	size_t n, cap;
};

/* Looks the jobs up in the stores `before` and `after` the changeset. In order of
 * account and user. */
int change_jobs(struct store *before, struct store *after, const void *blob,
	int size, struct arena *, struct change_jobs_list *);

#endif
