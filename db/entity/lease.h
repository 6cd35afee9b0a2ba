/*
 * Leases: values that hold until a time (`modify ... set fairshare=100
 * until=2026-12-31`). The table `lease` keeps what comes back then; the value
 * itself stands where it always does, so that every reader sees it.
 *
 * When the time has passed, a writer puts the earlier value back and logs that,
 * as a change of that very time, before it does anything else; whoever only
 * reads has it put back in memory (db/store/overlay.h). So nobody sees a value
 * that is over. Leases of one value lie on one another: below the last is what
 * held before it, with a time of its own, or for good. A value that is set
 * without a time ends them all.
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

/* In the log, in front of what came back. Nobody can type it. */
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

/* Puts back what is over at `at`, in the open transaction, without a word in
 * the log. */
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
	/* What comes back. */
	bool unset;
	int64_t number;
	double real;
	const char *text;
};

struct lease_list {
	struct lease *v;
	size_t n, cap;
};

/* The member of an association or QOS that it sets, and of a list the TRES;
 * NULL: something else. */
const struct member *lease_member(const struct lease *, uint32_t *tres);

/* What is set, for people: "FairShare", "GrpTRES=cpu". */
const char *lease_setting(
	const struct lease *, const struct tres_catalog *, struct arena *);

/* Those that end up to `until`, in order of time; of one time by kind, owner,
 * field, the last set first. */
int lease_read(
	struct store *, int64_t until, struct arena *, struct lease_list *);

#endif
