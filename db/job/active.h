/*
 * Jobs that have not ended: they keep an association or a QOS from being
 * removed.
 */
#ifndef BURSAR_ACTIVE_H
#define BURSAR_ACTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "db/store/store.h"

struct active_job {
	uint32_t id;
	const char *cluster, *account, *user;
	const char *qos; /* "": none */
	const char *wckey;
};

struct active_job_list {
	struct active_job *v;
	size_t n, cap;
};

/* The jobs that have not ended, pending or running, of an association (key) or
 * a QOS (id), in order of their ids; in the arena. 0, or -1 with the store's
 * error. */
int active_jobs_of_assoc(struct store *, int64_t assoc_key, struct arena *,
	struct active_job_list *);
int active_jobs_of_qos(
	struct store *, uint32_t qos, struct arena *, struct active_job_list *);

#endif
