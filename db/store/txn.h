/*
 * The transaction log (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_txn.c): one row for each kind
 * of thing a change did, in Slurm's numbers and words.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/fields.h"
#include "db/store/store.h"

enum txn_action {
	TXN_ADD_ACCOUNTS = 1402,
	TXN_ADD_ACCOUNT_COORDS = 1403,
	TXN_ADD_ASSOCS = 1404,
	TXN_ADD_CLUSTERS = 1405,
	TXN_ADD_USERS = 1406,
	TXN_CLUSTER_TRES = 1407,
	TXN_MODIFY_ACCOUNTS = 1428,
	TXN_MODIFY_ASSOCS = 1429,
	TXN_MODIFY_CLUSTERS = 1430,
	TXN_MODIFY_USERS = 1431,
	TXN_NODE_STATE = 1432,
	TXN_REGISTER_CLUSTER = 1434,
	TXN_REMOVE_ACCOUNTS = 1435,
	TXN_REMOVE_ACCOUNT_COORDS = 1436,
	TXN_REMOVE_ASSOCS = 1437,
	TXN_REMOVE_CLUSTERS = 1438,
	TXN_REMOVE_USERS = 1439,
	TXN_ADD_QOS = 1447,
	TXN_REMOVE_QOS = 1450,
	TXN_MODIFY_QOS = 1451,
	TXN_ADD_WCKEYS = 1452,
	TXN_REMOVE_WCKEYS = 1455,
	TXN_ADD_RESERVATION = 1461,
	TXN_MODIFY_RESERVATION = 1463,
	TXN_MODIFY_JOB = 1476,
	TXN_ADD_RESOURCES = 1477,
	TXN_REMOVE_RESOURCES = 1480,
	TXN_MODIFY_RESOURCES = 1481,
	TXN_REMOVE_CLUSTER_RESOURCES = 1483,
	TXN_MODIFY_CLUSTER_RESOURCES = 1484,
	TXN_ADD_TRES = 1485,
	TXN_ADD_FEDERATIONS = 1493,
	TXN_MODIFY_FEDERATIONS = 1496,
	TXN_REMOVE_FEDERATIONS = 1497,
	/* Ours: no message of Slurm has these numbers. */
	TXN_UNDO = 9001,
	TXN_REDO = 9002,
	TXN_LEASE_ENDED = 9003,
};

/* `name`: what it was done to; `info`: what was set ("" for removals). */
int txn_add(struct store *, enum txn_action, const char *cluster,
	const char *name, const char *info);

/* Deletes all entries from that time on, before those of another system are
 * put in their place. */
int txn_forget(struct store *, int64_t since);

/* "Add Users"; `MsgType=N` for a number without a name; in the arena. */
const char *txn_action_text(uint32_t action, struct arena *);

/* The action whose text starts with the word, case ignored; 0: none. */
uint32_t txn_action_parse(const char *text);

/* The number of the last change that was committed; 0: none, or an error. */
int64_t change_last(struct store *);

/* Lists the changes after number `id`, ten at most: "change 7 of ann: modify
 * user bob set maxjobs=3". */
int changes_since(struct store *, int64_t id, struct arena *,
	struct strv *lines);

struct txn {
	uint32_t id, action;
	int64_t time;
	const char *action_text, *actor, *cluster, *name, *info;
	const char *users, *accounts, *clusters; /* with association info */
	uint32_t change; /* the commit it belongs to; INFINITE: none */
	uint32_t undone; /* the commit that undid that one; INFINITE: none */
};

struct txn_cond {
	struct strv ids, actors, clusters, accounts, users;
	struct strv actions; /* numbers as text */
	int64_t start, end;  /* 0: open */
	bool with_assoc_info;
};

extern const struct members txn_columns;

/* Calls `each` for every row in order of time and id, until it returns not 0. */
int txn_list(struct store *, const struct txn_cond *, struct arena *,
	int (*each)(const struct txn *, void *arg), void *arg);
