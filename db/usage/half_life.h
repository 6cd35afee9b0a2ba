/*
 * Decay of usage over time, with every PriorityDecayHalfLife that was ever in
 * force and PriorityUsageResetPeriod (spec/priority.md 2.4 to 2.6). Internal to
 * db/usage. Functions that return int: 0, or -1 with the store's error. Times
 * are epoch seconds.
 */
#ifndef BURSAR_DB_HALF_LIFE_H
#define BURSAR_DB_HALF_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/policy.h"
#include "db/store/store.h"

enum { MAX_HALF_LIVES = 64 };

/* A half-life and from when it was in force. */
struct era {
	int64_t since;
	uint32_t half_life; /* seconds; 0: no decay */
};

struct half_lives {
	struct era eras[MAX_HALF_LIVES]; /* newest last; at least one */
	size_t n;
	const struct policy *policy;
	bool none; /* set for a QOS with NoDecay: neither decay nor reset */
};

/* Reads the last MAX_HALF_LIVES half-lives in force; without any, the policy's
 * is taken to have been so always. */
int half_lives_load(struct half_lives *, struct store *, const struct policy *);

/* To be called before usage is written: when the policy's half-life is another
 * than the last recorded, records it as in force from store->now on. */
int half_lives_note(struct store *, const struct policy *);

/* half_lives_note, then half_lives_load. */
int half_lives_prepare(
	struct half_lives *, struct store *, const struct policy *);

/* The last scheduled reset up to `at`; INT64_MIN when there was none. */
int64_t half_lives_last_reset(const struct half_lives *, int64_t at);

/* What an amount true at `from` has decayed to at `to`; 0 if `from` is before
 * `reset`, the last reset up to `to`. */
long double half_lives_decay(const struct half_lives *, long double amount,
	int64_t from, int64_t to, int64_t reset);

/* What usage of 1 a second from `start` to `end` has decayed to at `at`, in
 * seconds; `reset`: the last reset up to `at`. */
long double half_lives_worth(const struct half_lives *, int64_t start,
	int64_t end, int64_t at, int64_t reset);

#endif
