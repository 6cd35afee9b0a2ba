/*
 * What if: a private copy of the store in which changes are carried out that
 * nobody has made, and the policy as other slurm.conf lines would make it. For
 * sshare and sprio --what-if. The store itself is only read.
 *
 * A change is one of
 *	modify account lab set fairshare=50	any add, modify, delete of
 *						sacctmgr
 *	job user=ann account=lab cpus=64	a job as srecord takes it
 *	PriorityDecayHalfLife=14-0		a Priority... keyword
 * The first two are carried out by the programs themselves, found beside the
 * one that runs, on the copy. The copy belongs to the caller, who is an
 * Administrator in it and may try everything.
 */
#ifndef BURSAR_DB_WHATIF_H
#define BURSAR_DB_WHATIF_H

#include <stdbool.h>

#include "common/strv.h"
#include "db/site.h"

struct whatif {
	struct site site; /* the site as it would be: store, conf.policy */
	bool changed;	  /* something in the store is not as it was */
	/* Usage fades otherwise: it is to be made anew from the records. */
	bool usage_anew;
};

/* Carries all changes out, in order. -1: one is none, or is refused; the error
 * names it. */
int whatif_open(struct whatif *, struct site *, const struct strv *changes,
	struct err *);

void whatif_close(struct whatif *);

#endif
