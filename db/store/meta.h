/*
 * Numbers by name, which programs keep in the store from one run to the next.
 */
#pragma once

#include <stdint.h>

#include "db/store/store.h"

/* Key: the store follows a running Slurm (srecord sync). */
#define META_FOLLOWS "follows slurmdbd"

/* Keys: jobs that ended, and changes that were made, before then are gone. */
#define META_PURGED_JOBS "purged_jobs"
#define META_PURGED_LOG "purged_log"

/* `*value` is left unchanged when there is no such key. These functions return
 * 0, or -1 with the store's error. */
int meta_get_int(struct store *, const char *key, int64_t *value);
int meta_set_int(struct store *, const char *key, int64_t value);
/* meta_set_int, unless it is larger already; none counts as 0. */
int meta_raise_int(struct store *, const char *key, int64_t value);
/* meta_set_int in a transaction of its own; outside of any other. */
int meta_note_int(struct store *, const char *key, int64_t value);
int meta_remove(struct store *, const char *key);

/* A number that differs from the last one given when another program has
 * written to the store in between. */
int meta_others(struct store *, int64_t *number);
