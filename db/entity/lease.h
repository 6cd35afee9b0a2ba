/*
 * Leases: values that hold until a time (`modify ... set fairshare=100
 * until=2026-12-31`). The table `lease` keeps the earlier value; the value
 * itself is stored in its usual place, so that every reader sees it.
 *
 * When the time has passed, a writer first puts the earlier value back and logs
 * that as a change of that very time; a reader has it put back in memory
 * (db/store/overlay.h). So no program sees an expired value. Leases of one
 * value form a stack: below the last is the value before it, with an end of its
 * own or for good. A value that is set without a time ends them all.
 */
#ifndef BURSAR_DB_LEASE_H
#define BURSAR_DB_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/policy.h"
#include "common/table/member.h"
#include "common/text/tres.h"
#include "db/store/store.h"

enum lease_kind {
	LEASE_ASSOC,	  /* a column of table assoc */
	LEASE_ASSOC_TRES, /* "kind tres" of assoc_tres */
	LEASE_ASSOC_QOS,  /* the list of QOS: "=1,=5", "+3", "" */
	LEASE_ASSOC_ROW,  /* the association itself: it goes */
	LEASE_QOS,	  /* a column of table qos */
	LEASE_QOS_TRES,	  /* "kind tres" of qos_tres */
	LEASE_USER,	  /* a column of table user; owned by its name */
	LEASE_KINDS,
};

/* In the log, before the restored value. It cannot be typed. */
#define LEASE_COMMAND "lease ended: "

/* Before a value is set: in a transaction with store->until it becomes a lease
 * and what is there comes back, else those there are end. `owner`: the key of
 * an association or QOS; of a user `name`. */
int lease_note(struct store *, enum lease_kind, int64_t owner,
	const char *name, const char *field);

/* The same for every TRES of a list that is set. */
struct setting;
int lease_note_tres(struct store *, enum lease_kind, int64_t owner,
	const struct setting *, struct arena *);

/* All of the owner, which goes. */
int lease_drop_assoc(struct store *, int64_t key);
int lease_drop_qos(struct store *, uint32_t id);
int lease_drop_user(struct store *, const char *name);

/* Puts back values whose leases are over at `at`, in the open transaction,
 * without logging it. */
int lease_expire(struct store *, const struct policy *, int64_t at);

/* The same for good up to store->now, each with its entry in the log. No
 * transaction may be open. */
int lease_settle(struct store *, const struct policy *);

/* store_options.leases: one of these two. */
int lease_resolve(struct store *, const struct policy *, bool for_good);

struct lease {
	enum lease_kind kind;
	int64_t owner;
	const char *name; /* of a user */
	const char *field;
	int64_t n; /* counts those of one value */
	int64_t until, set;
	const char *actor;
	/* The value that comes back. */
	bool unset;
	int64_t number;
	double real;
	const char *text;
};

struct lease_list {
	struct lease *v;
	size_t n, cap;
};

/* The member of an association or QOS that it sets and, in a list of TRES,
 * which one; NULL: something else. */
const struct member *lease_member(const struct lease *, uint32_t *tres);

/* What is set, for people: "FairShare", "GrpTRES=cpu". */
const char *lease_setting(
	const struct lease *, const struct tres_catalog *, struct arena *);

/* Those that end up to `until`, in order of time; of one time by kind, owner,
 * field, the last set first. */
int lease_read(
	struct store *, int64_t until, struct arena *, struct lease_list *);

#endif
