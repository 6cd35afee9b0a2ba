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
#pragma once

#include "db/usage/sums.h"

/* What is known of facts, while nobody else writes; and how usage decays. */
struct ledger {
	struct store *store;
	struct eras eras;
	struct owner_facts *known;
	struct arena arena;
};

/* Reads how usage decays, by the policies that are recorded. */
int ledger_open(struct ledger *, struct store *, const struct policy *);
void ledger_close(struct ledger *);

/* Facts have changed. */
void ledger_forget(struct ledger *);

/* The fact is about to be recorded: it knows how the first life was, when the row
 * of the QOS is another already. */
int ledger_before(struct ledger *, const struct usage_fact *);

/* The life of the owner that began with the last fact up to that number (INT64_MAX:
 * the present one); NULL: the store's error. */
struct usage_fact *ledger_life(struct ledger *, int64_t owner, int64_t id);

/* A part of a run: what it adds to in that time. */
struct run_part {
	const struct usage_fact *life;
	int64_t start, end;
};

typedef int run_part_reader(void *arg, const struct run_part *);

/* Calls `each` for the parts of a run that the owner, or its heirs, are charged
 * for, the last one last. */
int ledger_walk(struct ledger *, int64_t owner, int64_t epoch, int64_t start,
	int64_t end, run_part_reader *each, void *arg);

/* Adds to a life of an owner, in a bucket; what its heir has follows. `last`: when
 * the last of what is added ended. */
int ledger_write(struct ledger *, const struct usage_fact *life,
	const struct bucket *, const struct usage_sums *, int64_t last);

/* The life that has what the life that the fact ends comes to; NULL: the store's
 * error. */
const struct usage_fact *ledger_heir(
	struct ledger *, const struct usage_fact *);

/*
 * A fact ends a life of the owner, and the heir of that life has what it came to. While
 * the fact (of that number) is held the heir does not have it: hold says so, detach
 * says so and takes it out of the heir's sums, attach ends that and puts it in again.
 * Facts are held until ledger_forget.
 */
typedef int ledger_handing(struct ledger *, int64_t owner, int64_t id);
ledger_handing ledger_hold, ledger_detach, ledger_attach;
