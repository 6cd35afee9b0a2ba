/*
 * What the verbs add and modify, and `load`, do to a single record or row: the
 * change with everything that follows from it, the checks of its values, its
 * entry in the log and its effect. Rights were checked before. All of them: -1
 * with session->err.
 */
#ifndef BURSAR_CHANGE_OPERATIONS_H
#define BURSAR_CHANGE_OPERATIONS_H

#include "db/change/change.h"

int op_add_account(struct session *, const char *name, const char *description,
	const char *organization, uint32_t flags);
/* One entry in the log for all. */
int op_modify_accounts(
	struct session *, const struct account_list *, const struct settings *);

int op_add_user(struct session *, const char *name, uint32_t admin_level);
int op_set_admin_level(
	struct session *, const char *user, uint32_t admin_level);
int op_add_coordinator(
	struct session *, const char *account, const char *user);
/* 1: added, 0: the user has it. */
int op_add_wckey(struct session *, const char *cluster, const char *name,
	const char *user, bool is_default);

/*
 * A row of a user, which may be the default one then, in place of another. Its
 * default QOS must be one of those it may use; rows that only inherit are all
 * alike, so for them the account is looked at, once: `checked` keeps its key
 * from row to row, first 0. Gives the key.
 */
int64_t op_add_user_row(
	struct session *, const struct assoc_new *, int64_t *checked);
/* A row of an account. Gives the key. */
int64_t op_add_account_row(struct session *, const struct assoc_new *);

/* 1: a default QOS would not be one that the row may use, and was told so. */
int op_modify_assoc(
	struct session *, const struct assoc *, const struct settings *);
/* The account with all below it. */
int op_move_account(
	struct session *, const struct assoc *, const struct assoc *parent);

int op_add_qos(struct session *, const char *name, const struct settings *);
/* One entry in the log for all. */
int op_modify_qos(
	struct session *, const struct qos_list *, const struct settings *);

#endif
