/*
 * What add, modify, `apply` and `load` do to a single record or association:
 * the checks of its values, the change with all that follows from it, its entry
 * in the transaction log and its effect; and first, whether the caller of the
 * program may. (A verb asks before it looks for records, too.)
 * Functions that return int give 0 unless stated otherwise; all give -1 with
 * session->err.
 */
#pragma once

#include "db/change/change.h"

/* Without a description or organization it gets its name there; as organization
 * that of the parent which is not root. */
int op_add_account(struct session *, const char *name, const char *parent,
	const struct settings *);
/* Writes one log entry for all accounts. */
int op_modify_accounts(
	struct session *, const struct account_list *, const struct settings *);

int op_add_user(struct session *, const char *name, uint32_t admin_level);
/* Its record, and its defaults on the cluster. 1: refused, and messages or
 * effects say why. */
int op_modify_user(struct session *, const char *cluster, const char *user,
	const struct settings *);
/* Every user has a default account, unless the site allows that there is none:
 * who has none on the cluster gets that of the first association. *account: the
 * default, or "". */
int op_give_default(struct session *, const char *cluster, const char *user,
	const char **account);
int op_add_coordinator(
	struct session *, const char *account, const char *user);
/* 1: added, 0: the user has it already. */
int op_add_wckey(struct session *, const char *cluster, const char *name,
	const char *user, bool is_default);

/*
 * Adds a user's association, which may become the user's default in place of
 * another. Its default QOS must be in its QOS list; since rows that only
 * inherit are alike, for them the account is checked, once: `*checked` keeps
 * its key from call to call, at first 0. Returns the key of the new row.
 */
int64_t op_add_user_row(
	struct session *, const struct assoc_new *, int64_t *checked);
/* Adds an account's association, whose own default QOS must be in its QOS list.
 * Returns its key. */
int64_t op_add_account_row(struct session *, const struct assoc_new *);

/* Of an account Parent moves it, and all rows below it. 1: a default QOS would
 * not be in the row's QOS list; that was reported. */
int op_modify_assoc(
	struct session *, const struct assoc *, const struct settings *);

int op_modify_cluster(
	struct session *, const struct cluster *, const struct settings *);

int op_add_qos(struct session *, const char *name, const struct settings *);
/* Writes one log entry for all QOS. */
int op_modify_qos(
	struct session *, const struct qos_list *, const struct settings *);
