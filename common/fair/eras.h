/*
 * How usage decays: the policies that were in force, each from a time on, and
 * the buckets in which the usage of a time is summed up. Pure; all times are
 * epoch seconds.
 *
 * A bucket is a stretch (begin, end] that neither a reset nor another policy cuts,
 * no longer than the half-life. What a run in it is worth is told as of its end,
 * in whole parts (WORTH_PARTS of a second): such numbers can be added in any order
 * and taken out again, and nothing is left over.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/policy.h"

/* Parts of a TRES-second; a sum of them. */
#define WORTH_PARTS 4294967296.0L
__extension__ typedef __int128 worth;

/* A policy, in force for runs that end after `since`. */
struct era {
	int64_t since;
	uint32_t half_life; /* seconds; 0: no decay */
	enum usage_reset reset;
};

enum { MAX_ERAS = 64 };

struct eras {
	struct era v[MAX_ERAS]; /* newest last; the first since INT64_MIN */
	size_t n;
};

struct bucket {
	int64_t begin, end;
	int64_t reset; /* the last reset up to `begin`; INT64_MIN: none */
};

/* The bucket that the time lies in. `still`: of usage that neither decays nor is
 * reset (NoDecay). */
struct bucket eras_bucket(const struct eras *, bool still, int64_t at);

/* An amount true at `at`, of what happened after `begin` (that of its bucket, or
 * `at`). */
struct carried {
	int64_t begin, at;
};

/* What an amount of 1 has become by `to`. Back in time it has grown, but not beyond
 * where its bucket begins. 0: a reset came between, or at `to`. */
long double eras_factor(
	const struct eras *, bool still, struct carried, int64_t to);

/* As eras_factor, just before a reset at `to`, where a bucket ends. */
long double eras_carry(
	const struct eras *, bool still, struct carried, int64_t to);

/* What a run of 1 a second from `start` to `end` is worth at the end of the bucket
 * that `end` lies in, in seconds. */
long double eras_worth(const struct eras *, bool still, const struct bucket *,
	int64_t start, int64_t end);

/* Seconds as parts, rounded. */
worth worth_of(long double seconds);
long double worth_seconds(worth);
