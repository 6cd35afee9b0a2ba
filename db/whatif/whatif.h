/*
 * What if: the store with hypothetical changes, and the policy as other
 * slurm.conf lines would make it. For sshare, sprio and squeue --what-if, and
 * splan --when. The store itself is only read, and the right to read it is
 * enough; only changed pages are copied, into memory.
 *
 * A change is one of
 *	modify account lab set fairshare=50	any add, modify, delete of
 *						sacctmgr
 *	job user=ann account=lab cpus=64	a job as srecord takes it
 *	PriorityDecayHalfLife=14-0		a Priority... keyword
 * The first two are the operations of db/change and db/record. They are tried
 * with the rights of an Administrator.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strv.h"
#include "db/entity/site.h"
#include "db/past/past.h"

struct whatif {
	/* The site as it would be: store, conf.policy, the time looked at. */
	struct site site;
	/* A change altered the store (not only the policy). */
	bool changed;
	struct past past; /* site.store as of another time, where one was asked */
};

/*
 * Carries all changes out, in order, and shows the result at the time `at`,
 * with all TRES amounts if `details` (db/past/past.h). -1: a change is not
 * valid or is refused, and the error names it; or there are changes and `at` is
 * in the past.
 */
int whatif_open(struct whatif *, struct site *, const struct strv *changes,
	int64_t at, bool details, struct err *);

/*
 * As whatif_open, with one submitted job as the only change, in srecord's
 * words: `defaults` first, which `words` may override. `key` gets the key of
 * the new record. Errors begin with `option` and the words.
 */
int whatif_submit(struct whatif *, struct site *, const char *option,
	const char *defaults, const char *words, int64_t *key, struct err *);

void whatif_close(struct whatif *);
