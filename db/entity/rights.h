/*
 * What a caller may do in a store (Slurm's
 * src/plugins/accounting_storage/common/common_as.c,
 * is_user_min_admin_level()).
 */
#ifndef BURSAR_DB_RIGHTS_H
#define BURSAR_DB_RIGHTS_H

#include <stdint.h>

#include "common/base/arena.h"
#include "db/entity/site.h"

/* The caller's enum admin_level: ADMIN_ADMINISTRATOR when caller.super is set,
 * else that of the caller's user record; ADMIN_NONE without a record or when
 * the store cannot be read. */
uint32_t rights_level(struct site *, struct arena *);

#endif
