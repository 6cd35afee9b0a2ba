/*
 * The policies that were in force (table decay). Internal to db/usage.
 */
#ifndef BURSAR_DB_USAGE_POLICIES_H
#define BURSAR_DB_USAGE_POLICIES_H

#include "common/fair/eras.h"
#include "db/store/store.h"

/* Reads the last MAX_ERAS that were recorded; without any, the policy's (NULL: one
 * without decay) is taken to have been in force always. 0, or -1 with the store's error. */
int policies_load(struct eras *, struct store *, const struct policy *);

/* 1: the policy is another than the last one recorded, and in force since *since;
 * 0: it is recorded; -1. */
int policies_pending(struct store *, const struct policy *, int64_t *since);

/* Records it as in force since then. */
int policies_record(struct store *, const struct policy *, int64_t since);

#endif
