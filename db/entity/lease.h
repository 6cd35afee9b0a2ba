/*
 * Leases: values that hold until a time (`modify ... set fairshare=100
 * until=2026-12-31`). The leased value is stored in its usual place, so that
 * every reader sees it; the table `lease` keeps the earlier value, which comes
 * back at that time.
 *
 * When the time has passed, the next writer first puts the earlier value back
 * and logs that as a change of that very time; until then a reader has it put
 * back in memory (db/file/overlay.h). So no program sees an expired value: who
 * opens a store of a site, or moves its time, sees to that here.
 * Leases of one value form a stack: each keeps the value that it replaced. When
 * one ends below another, the other takes over its earlier value. Setting the
 * value without a time ends all its leases.
 *
 * Functions that return int: 0, or -1 with store->err set. Times are epoch
 * seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/table/member.h"
#include "common/text/tres.h"
#include "db/store/store.h"

enum lease_kind {
	LEASE_ASSOC,	  /* a column of table assoc */
	LEASE_ASSOC_TRES, /* a count of assoc_tres; field: "kind tres" */
	LEASE_ASSOC_QOS,  /* the association's own list of QOS: "=1,=5", "+3" */
	LEASE_ASSOC_ROW,  /* a user's association, removed when it ends */
	LEASE_QOS,	  /* a column of table qos */
	LEASE_QOS_TRES,	  /* a count of qos_tres; field: "kind tres" */
	LEASE_USER,	  /* a column of table user; owned by its name */
	LEASE_KINDS,
};

/* What the command of a logged change begins with that put values back. No
 * typed command begins so. */
#define LEASE_COMMAND "lease ended: "

/* What the open transaction sets from here on holds until then; 0, as it begins:
 * for good. */
void lease_until(struct store *, int64_t until);

/* To be called before a value is set, in the open transaction. With a time given
 * to lease_until, the new value becomes a lease until then, and the present
 * value is recorded as the one that comes back; without, all leases of the value
 * end, and the new one holds for good. `owner`: the key of the association or id of the
 * QOS; for LEASE_USER `name` counts instead. `field`: as in struct lease. */
typedef int lease_call(struct store *, enum lease_kind, int64_t owner,
	const char *name, const char *field);
lease_call lease_note;

/* Would lease_note change anything? 1, 0, -1. */
lease_call lease_differs;

/* Calls one of them for every TRES of the setting, which is a list of TRES, up
 * to the first that does not give 0. */
struct setting;
int lease_each_tres(struct store *, enum lease_kind, int64_t owner,
	const struct setting *, lease_call *, struct arena *);

/* Removes all leases of an association, QOS or user that is being removed; no
 * value is put back. */
int lease_drop_assoc(struct store *, int64_t key);
int lease_drop_qos(struct store *, uint32_t id);
int lease_drop_user(struct store *, const char *name);

/* The QOS has another number now: so have its leases, and the values that come
 * back have it where they name a QOS. */
int lease_renumber_qos(struct store *, int64_t from, int64_t to);

/* Ends all leases whose time is `at` or before, in the order of their times,
 * and puts the earlier values back, in the open transaction; nothing is
 * logged. */
int lease_expire(struct store *, const struct policy *, int64_t at);

/* Ends all leases whose time is store->now or before, for good: one transaction
 * and one logged change for each time and actor, dated that time; records how usage
 * decays. No
 * transaction may be open. */
int lease_settle(struct store *, const struct policy *);

/* Has the time of a lease come, or has slurm.conf another half-life or reset period than
 * the store has recorded? 1, 0, -1. */
int lease_due(struct store *, const struct policy *);

/* To be called after store_open with these options: puts back what has ended.
 * One who only reads, or may not write, gets it in memory: the store is opened
 * again, over the file. -1: it is closed. */
int lease_opened(struct store *, const struct store_options *,
	const struct policy *);

/* As store_open_private, with what has ended put back. */
int lease_open_private(
	struct store *copy, struct store *from, const struct policy *);

/* Was anything put back in memory only? */
bool lease_waits(const struct store *);

struct lease {
	enum lease_kind kind;
	int64_t owner;
	const char *name; /* of a user: the owner */
	const char *field; /* a column; "kind tres"; "" of a list or row */
	int64_t n; /* the place in the value's stack, from 1 */
	int64_t until, set; /* set: when the leased value was set */
	const char *actor; /* who set it */
	/* The value that comes back, in each form; unset: NULL. */
	bool unset;
	int64_t number;
	double real;
	const char *text;
};

struct lease_list {
	struct lease *v;
	size_t n, cap;
};

/* The member of struct assoc or struct qos that the lease is of, and in *tres,
 * for a list of TRES, the id of the TRES (else 0). NULL: it is of a user or of
 * the association itself. */
const struct member *lease_member(const struct lease *, uint32_t *tres);

/* The name of the leased setting for people: "FairShare", "GrpTRES=cpu". */
const char *lease_setting(
	const struct lease *, const struct tres_catalog *, struct arena *);

/* The leases whose time is `until` or before, in the arena, in order of time;
 * of one time by kind, owner, field, the top of the stack first. */
int lease_read(
	struct store *, int64_t until, struct arena *, struct lease_list *);
