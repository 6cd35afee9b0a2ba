/*
 * How amounts fade over time, with every half-life that was ever in force and
 * the reset period (spec/priority.md 2.4 to 2.6). Internal to usage.
 */
#ifndef BURSAR_DB_FADING_H
#define BURSAR_DB_FADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/policy.h"
#include "db/store/store.h"

enum { MAX_HALF_LIVES = 64 };

/* A half-life and from when it was in force. */
struct era {
	int64_t since;
	uint32_t half_life; /* seconds */
};

struct fading {
	struct era eras[MAX_HALF_LIVES]; /* newest last; at least one */
	size_t n;
	const struct policy *policy;
	bool none; /* of a QOS with NoDecay: neither decay nor reset */
};

int fading_load(struct fading *, struct store *, const struct policy *);

/* Before anything is written: a new half-life rules from now on. */
int fading_note(struct store *, const struct policy *);

/* Both. */
int fading_prepare(struct fading *, struct store *, const struct policy *);

/* The last scheduled reset up to `at`; INT64_MIN when there was none. */
int64_t fading_last_reset(const struct fading *, int64_t at);

/* An amount true at `from` as it is at `to`; `reset` is the last one by then.
 */
long double fading_carry(const struct fading *, long double amount,
	int64_t from, int64_t to, int64_t reset);

/* What a rate of 1 from `start` to `end` is worth at `at`. */
long double fading_worth(const struct fading *, int64_t start, int64_t end,
	int64_t at, int64_t reset);

#endif
