/*
 * Small things a program wants to know again: numbers by name.
 */
#ifndef BURSAR_DB_META_H
#define BURSAR_DB_META_H

#include <stdint.h>

#include "db/store/store.h"

/* Is this store kept as a running Slurm is (srecord sync)? */
#define META_FOLLOWS "follows slurmdbd"

/* Unchanged when there is none. 0, or -1 on errors. */
int meta_get_int(struct store *, const char *key, int64_t *value);
int meta_set_int(struct store *, const char *key, int64_t value);
/* The same as a change of its own, outside of a transaction. */
int meta_note_int(struct store *, const char *key, int64_t value);
int meta_remove(struct store *, const char *key);

/* Another number after another program has written to the store. */
int meta_others(struct store *, int64_t *number);

#endif
