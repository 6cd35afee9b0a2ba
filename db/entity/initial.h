/*
 * What a new store holds before anyone added anything, and the TRES that
 * slurm.conf asks for (spec/sacctmgr.md 5.1, 5.14).
 */
#ifndef BURSAR_INITIAL_H
#define BURSAR_INITIAL_H

#include "db/store/store.h"

/* Fills an empty store: fixed TRES, QOS normal, account and user root, the
 * cluster with its root associations. */
int initial_fill(struct store *, const struct store_options *);

/* Adds the TRES of AccountingStorageTRES that the store lacks (`gres/gpu`
 * brings gres/gpumem and gres/gpuutil). */
int initial_add_tres(struct store *, const struct strv *names);

/* The same inside of a transaction that is open. */
int initial_put_tres(struct store *, const struct strv *names);

#endif
