/*
 * What decides whom runs are charged to, beside the runs themselves (table
 * usage_fact): amounts set and reset, associations and QOS removed and revived,
 * flags of QOS. Each ends one life of an owner and begins the next.
 *
 * A run belongs to the lives that it ran in, from the one on in which it was
 * recorded (job.usage_epoch: the number of the last fact then): a run recorded
 * after a fact counts whole, whenever it ran.
 *
 * Internal to db/usage. Functions return 0, or -1 with the store's error.
 */
#ifndef BURSAR_DB_USAGE_FACTS_H
#define BURSAR_DB_USAGE_FACTS_H

#include "common/base/hash.h"
#include "db/usage/sums.h"

struct usage_fact {
	int64_t id; /* in the order in which they were recorded */
	int64_t owner, time;
	/* Who has the usage of the life that ends: another association (the owner
	 * is gone), the owner itself, or 0: nobody. */
	int64_t heir;
	double raw; /* RawUsage of the life that begins; NAN: it is inherited */
	bool was_still, still; /* the life that ends, and the one that begins,
				  neither decays nor is reset */
	int64_t until; /* fair-share counts what has gone until then */
};

struct owner_facts {
	int64_t owner;
	bool still; /* its first life */
	struct usage_fact *v;
	size_t n, cap;
	UT_hash_handle hh;
};

/* What is known of facts, while nobody else writes; and how usage decays. */
struct ledger {
	struct store *store;
	struct eras eras;
	struct owner_facts *known;
	struct held *held; /* facts whose heirs have nothing by them now */
	struct arena arena;
};

/* Reads how usage decays, by the policies that are recorded. */
int ledger_open(struct ledger *, struct store *, const struct policy *);
void ledger_close(struct ledger *);

/* Facts have changed. */
void ledger_forget(struct ledger *);

/* Those of an owner in their order; NULL: the store's error. */
const struct owner_facts *ledger_facts(struct ledger *, int64_t owner);

/* The fact is about to be recorded: it knows how the first life was, when the row
 * of the QOS is another already. */
int ledger_before(struct ledger *, const struct usage_fact *);

/* The place of the last fact up to that number; -1: there is none. */
ptrdiff_t ledger_place(const struct owner_facts *, int64_t id);

/* The life that the fact with that place begins; -1: the first. */
struct life ledger_life(const struct owner_facts *, ptrdiff_t place);

/* The present one. */
struct life ledger_last_life(const struct owner_facts *);

/* The number of the first fact that changes of the log after this one may
 * record. */
int64_t ledger_first_fact(int64_t change);

/* A part of a run: what it adds to in that time. */
struct run_part {
	const struct owner_facts *facts;
	ptrdiff_t place; /* of the fact that the life begins with */
	int64_t start, end;
};

/* Calls `each` for the parts of a run that the owner, or its heirs, are charged
 * for, the last one last. */
int ledger_walk(struct ledger *, int64_t owner, int64_t epoch, int64_t start,
	int64_t end, int (*each)(void *arg, const struct run_part *),
	void *arg);

/* Adds to a life of an owner, in a bucket; what its heir has follows. `last`: when
 * the last of what is added ended. */
int ledger_write(struct ledger *, const struct owner_facts *, ptrdiff_t place,
	const struct bucket *, const struct usage_sums *, int64_t last);

/* Whose life has what the life that the fact ends comes to. */
int ledger_heir(struct ledger *, const struct usage_fact *,
	const struct owner_facts **heir, ptrdiff_t *place);

/*
 * The heir of the life that the fact with that place ends has what that life comes
 * to; not while the fact is held. Detach takes it out, and holds; attach puts it in
 * again, of one that is held.
 */
int ledger_hold(struct ledger *, const struct owner_facts *, size_t place);
int ledger_detach(struct ledger *, const struct owner_facts *, size_t place);
int ledger_attach(struct ledger *, const struct owner_facts *, size_t place);

#endif
