/*
 * Deleting accounts, users and associations, and the checks that can refuse it
 * (Slurm's src/plugins/accounting_storage/mysql/accounting_storage_mysql.c).
 */
#pragma once

#include "db/change/change.h"

/* `delete` of accounts or users. By name: the records, their associations on
 * all clusters and all rows below these. With conditions on associations: only
 * the rows that match, and all below them. 0, or -1 and the reason was
 * reported. */
int remove_accounts(struct session *, struct request *);
int remove_users(struct session *, struct request *);

/* 0 when none of the rows has pending or running jobs; else -1, and the jobs
 * were listed in a complaint. */
int check_active_jobs(struct session *, const struct assoc_list *);
