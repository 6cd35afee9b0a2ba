/*
 * PrivateData: what callers below Operator do not get to see (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_assoc.c, as_mysql_user.c). Set
 * in slurm.conf or in slurmdbd.conf.
 *
 * Every listing goes through one of these between reading and printing. They
 * give 0, or -1 when nothing at all may be shown and the refusal is out.
 */
#pragma once

#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/entity/privacy.h"
#include "db/entity/user.h"

struct session;

/* Refuses when private_hides. `last` is the second line of the refusal; NULL:
 * " Error with request: Access/permission denied". */
int private_refuse(struct session *, unsigned what, const char *last);

/* What the caller may see of such rows, for a listing that asks row by row. */
int private_ask(struct session *, unsigned what, struct privacy *);

/* accounts: those the caller coordinates; without any, refused. */
int private_accounts(struct session *, struct account_list *);

/* users: the caller. */
int private_users(struct session *, struct user_list *);

/* users: the caller's own rows, and all of accounts the caller coordinates.
 * accounts: of the rows of accounts, those of coordinated ones. */
int private_assocs(struct session *, struct assoc_list *);

/* users, accounts: clusters without the limits of their root row, whose key
 * becomes 0. Never refused. */
void private_clusters(struct session *, struct cluster_list *);
