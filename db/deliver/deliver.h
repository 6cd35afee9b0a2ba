/*
 * What waits in the spool of a replica (db/shared/spool.h) is carried out, in order,
 * each as by who told it and when: facts of srecord, many in one transaction, and
 * changes of sacctmgr, one in each.
 */
#pragma once

#include "db/record/record.h"
#include "db/shared/spool.h"

/* The first word of a change: then its verb and what follows that in sacctmgr. */
#define DELIVER_CHANGE "sacctmgr"

/* What became of all that waited. `refused`: of those nobody waited for, which
 * are kept. */
struct delivered {
	size_t facts, refused;
};

/* Carries out what waits in the spool, which is held, and answers each. In
 * transactions of its own. The user is told of those that are refused. */
int deliver(struct recording *, struct spool *, struct delivered *);

/* The same for a program that has opened the site to write, if anything waits and
 * nobody else is about it. -1 with the store's error, which the user is told. */
int deliver_here(struct site *, struct delivered *);
