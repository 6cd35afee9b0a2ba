/*
 * Checks of the table in check.c that SQL alone does not answer, mostly for
 * settings that an administrator probably did not intend. Internal to
 * db/check/check*.c.
 */
#pragma once

#include "db/check/check.h"

/* Stands between the words of a command. */
#define WORD "\x1f"

/* Adds a finding, and returns it to be completed. `words`: of the command that
 * mends it, separated by WORD; NULL: none does. */
struct finding *check_found(
	struct checking *, const char *text, const char *words, bool safe);

/* struct check.run: each adds its findings. 0, or -1 with the store's error. */
int check_default_accounts(struct checking *);
int check_reachable_qos(struct checking *);
int check_default_qos(struct checking *);
int check_child_limits(struct checking *);
int check_system_users(struct checking *);
int check_letter_case(struct checking *);
int check_leases(struct checking *);
int check_capacity(struct checking *);
int check_conf(struct checking *);
