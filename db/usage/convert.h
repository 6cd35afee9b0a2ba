/*
 * Usage of stores of 0.1, from before it was a fold of facts: amounts of each TRES,
 * true at a time, and when an association was last set, reset or handed up. Part of
 * their migration (db/store/migrations.c).
 */
#pragma once

#include "common/conf/policy.h"

/* From now on, stores that are migrated get facts and sums of what their old tables
 * have, under the half-life they know and the reset period of the policy. What an
 * owner has used is what it was; what does not follow from the records that are left
 * is kept beside (table usage_kept). */
void usage_convert_when_migrated(const struct policy *);
