/*
 * What a site knows, for completion (common/table/complete.h): names of its
 * store and of slurm.conf, jobs. Nothing is shown that PrivateData hides.
 */
#pragma once

#include "common/table/complete.h"

/* Offers what comes from there; `stored` of a completion. Without a site it
 * opens the store to read it (without one slurm.conf may be enough), never makes
 * one, and is silent where something is wrong with it. */
void offer_stored(struct completion *, enum value_source);
