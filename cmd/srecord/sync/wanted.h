/*
 * The roster that Slurm's rows make (db/roster/roster.h): its QOS, accounts,
 * users and associations, to be compared with what the store has.
 */
#pragma once

#include "cmd/srecord/sync/sync.h"
#include "db/roster/roster.h"

enum { WANTED_COLUMNS = 64 };

/* The properties of a kind of record behind some fixed columns. */
struct wanted_columns {
	struct sync_column columns[WANTED_COLUMNS];
	const struct property *properties[WANTED_COLUMNS]; /* NULL: fixed */
	size_t n;
};

/* The last ones of those that are deleted. */
enum { Q_NAME, Q_ID, Q_FLAGS, Q_PREEMPT_MODE, Q_DESCRIPTION };
enum { A_ID, A_ACCOUNT, A_USER, A_PARTITION, A_PARENT };

/* What Slurm says. The columns of two tables are those of our own records. */
struct slurm_rows {
	struct sync_table qos_table, all_qos_table, assoc_table;
	struct sync_column all_qos_columns[Q_DESCRIPTION + 1];
	struct wanted_columns qos_columns, assoc_columns;
	struct sync_rows tres, qos, accounts, users, assocs, defaults,
		coordinators, wckeys;
	/* With those that are deleted. */
	struct sync_rows all_qos, all_accounts, all_users, all_assocs,
		all_wckeys;
	struct sync_shared shared;
};

int wanted_ask_qos(struct sync *, struct slurm_rows *);
int wanted_ask_all_qos(struct sync *, struct slurm_rows *);
int wanted_ask_assocs(struct sync *, struct slurm_rows *);
int wanted_ask_all_assocs(struct sync *, struct slurm_rows *);

/* Makes both rosters: of the store, and of what Slurm says. -1 with
 * session->err. */
int wanted_read(struct sync *, const struct slurm_rows *, struct session *,
	struct roster *store, struct roster *wanted);
