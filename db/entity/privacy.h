/*
 * PrivateData for the caller of a program: which users and accounts are hidden,
 * and whether an error's text would tell a hidden name (common/conf/privacy.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/privacy.h"
#include "db/entity/site.h"

/* The caller's enum admin_level (Slurm's
 * src/plugins/accounting_storage/common/common_as.c,
 * is_user_min_admin_level()): ADMIN_ADMINISTRATOR when caller.super is set,
 * else that of the caller's user record; ADMIN_NONE without a record or when
 * the store cannot be read. */
uint32_t rights_level(struct site *, struct arena *);

/*
 * Fills the privacy: `on` if PrivateData of slurm.conf or slurmdbd.conf has one
 * of `what` (PRIVATE_JOBS, PRIVATE_USAGE, ...) and the caller is no operator;
 * then only what is the caller's own, or of an account that the caller
 * coordinates, may be shown.
 * site->store must show the present, not another time. Memory is the arena's.
 * 0, or -1 with the store's error.
 */
int privacy_open(
	struct privacy *, struct site *, unsigned what, struct arena *);

/* Does the text, of an error, hold the name of a user, account, wckey or
 * reservation that the caller must not see and did not type? Also true when
 * the store cannot be read. */
bool privacy_hides_text(const struct privacy *, struct store *,
	const char *text, const char *typed, struct arena *);
