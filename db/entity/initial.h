/*
 * What a new store holds before anyone added anything, and the TRES that
 * slurm.conf asks for. Functions return 0, or -1 with store->err set.
 */
#pragma once

#include "db/store/store.h"

/* Fills an empty store, in the open transaction: Slurm's fixed TRES (cpu, mem,
 * energy, node, billing, fs/disk, vmem, pages), QOS normal, account and user
 * root, the cluster with its root associations, AccountingStorageTRES. */
int initial_fill(struct store *, const struct store_options *);

/* Adds the TRES of AccountingStorageTRES ("type" or "type/name") that the store
 * lacks, in a transaction of its own; `gres/gpu` brings gres/gpumem and
 * gres/gpuutil. Logs them and reads the TRES catalogue again. */
int initial_add_tres(struct store *, const struct strv *names);

/* As initial_add_tres, in the open transaction. */
int initial_put_tres(struct store *, const struct strv *names);

/* Only in store->tres, until it is read again: for who only reads. */
void initial_know_tres(struct store *, const struct strv *names);
/* Only in store->tres, of which there is none yet: the fixed ones. */
void initial_fixed_tres(struct store *);
