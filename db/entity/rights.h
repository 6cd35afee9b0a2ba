/*
 * What a caller may do in a store (spec/sacctmgr.md 5.9).
 */
#ifndef BURSAR_DB_RIGHTS_H
#define BURSAR_DB_RIGHTS_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/entity/site.h"

/* The caller's admin level: ADMIN_ADMINISTRATOR for the site's super users,
 * else what the store says; ADMIN_NONE where that cannot be told. */
uint32_t rights_level(struct site *, struct arena *);

#endif
