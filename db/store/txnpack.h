/*
 * Entries of the transaction log by the thousand. What a large load adds has one
 * entry each, alike but for a name and a number: a thousand of them are one row
 * of the table txn_pack, compressed. The last entry of a change is always a row
 * of the table txn, so that its numbers go on from there.
 */
#pragma once

#include <stdint.h>

#include "db/store/txn.h"

/* Every entry, in the place of a table's name behind FROM. */
#define TXN_ROWS                                                               \
	"(SELECT id, change, time, action, actor, cluster, name, info FROM txn" \
	" UNION ALL"                                                           \
	" SELECT CAST(p.first + e.number AS INTEGER), p.change, p.time,"       \
	"  e.action, p.actor, e.cluster, e.name, e.info"                       \
	" FROM txn_pack p, txn_entries(p.entries) e)"

/* The number and the change of each entry, of a pack only once. */
#define TXN_CHANGES                                                            \
	"(SELECT id, change FROM txn"                                          \
	" UNION ALL SELECT first, change FROM txn_pack)"

/* Makes txn_entries(blob) known to the connection. */
int txnpack_open(struct store *);

/* An entry of the change that was logged ahead (store_change_ahead), to be written
 * with others; the end writes those that are left. */
int txnpack_add(struct store *, enum txn_action, const char *cluster,
	const char *name, const char *info);
int txnpack_end(struct store *);

/* Of a change that was not made. */
void txnpack_drop(struct store *);

/* Makes rows of the table txn of all that were packed before that time, for
 * those who change the table; 0: of all. */
int txnpack_unfold(struct store *, int64_t before);
