/*
 * What an administrator hardly meant: checks of the table in check.c that SQL
 * alone does not answer. Internal to db/history/check*.c.
 */
#ifndef BURSAR_DB_CHECK_CONTENT_H
#define BURSAR_DB_CHECK_CONTENT_H

#include "db/history/check.h"

/* Parts of the words of a command. */
#define WORD "\x1f"

/* Adds a finding with its command, its words separated by WORD; NULL: none. */
struct finding *check_found(
	struct checking *, const char *text, const char *words, bool safe);

int check_default_accounts(struct checking *);
int check_reachable_qos(struct checking *);
int check_default_qos(struct checking *);
int check_child_limits(struct checking *);
int check_system_users(struct checking *);
int check_letter_case(struct checking *);
int check_leases(struct checking *);
int check_conf(struct checking *);

#endif
