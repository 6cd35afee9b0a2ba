/*
 * What runs and other facts come to, in the store (table usage_sum): of each
 * owner, life and bucket (common/fair/eras.h) what was added in it, and what the
 * life has come to by its end. Table usage has what the present life of each
 * owner has come to by its last bucket.
 *
 * Sums are whole numbers and do not depend on the order of what is added; what
 * they come to follows from them, bucket by bucket, to the last bit.
 *
 * An owner is an association (its key) or a QOS on a cluster (below 0). A life
 * begins with a fact (db/usage/facts.h), and is called by its number; 0 is the
 * first.
 *
 * Internal to db/usage. Functions return 0, or -1 with the store's error.
 */
#pragma once

#include "common/base/arena.h"
#include "common/fair/eras.h"
#include "db/store/query.h"
#include "db/store/store.h"

/* The owner that is a QOS (id) on a cluster (key), and back. */
static inline int64_t owner_of_qos(uint32_t qos, int64_t cluster)
{
	return -(cluster << 32 | qos);
}

static inline uint32_t qos_of_owner(int64_t owner)
{
	return (uint32_t)-owner;
}

/* One TRES (id, USAGE_RAW or USAGE_WALL). */
struct usage_sum {
	int tres;
	worth added;
	double carried; /* seconds, true at the end of the bucket */
};

/* Ascending by TRES. */
struct usage_sums {
	struct usage_sum *v;
	size_t n, cap;
};

/* The sum of a TRES, which is made when there is none. */
struct usage_sum *sums_at(struct usage_sums *, int tres, struct arena *);

/* Adds what was added to another. */
void sums_add(
	struct usage_sums *, const struct usage_sums *, struct arena *);

/* A column of table usage_sum. */
int sums_read(struct query *, int column, struct usage_sums *, struct arena *);

/* Nothing was added. */
bool sums_none(const struct usage_sums *);

/* A fact about an owner, and the life that it begins; the first one without any. */
struct usage_fact {
	int64_t id; /* in the order in which they were recorded; 0: the first life */
	int64_t owner, time;
	/* Who has the usage of the life that ends: another association (the owner
	 * is gone), the owner itself, or 0: nobody. */
	int64_t heir;
	double raw; /* RawUsage of the life that begins; NAN: it is inherited */
	bool was_still, still; /* the life that ends, and the one that begins,
				  neither decays nor is reset */
	int64_t until; /* fair-share counts what has gone until then */
	/* Of those that db/usage/facts.h has, an owner's one after the other: */
	bool is_last; /* of the present life */
	bool is_held; /* the heir has nothing by it now */
};

/* The fact that ends the life; NULL: it is the present one. */
static inline const struct usage_fact *life_after(const struct usage_fact *life)
{
	return life->is_last ? NULL : life + 1;
}

/* What a bucket has, or a life has come to by its last bucket up to a time. `n` 0:
 * nothing. */
struct balance {
	struct carried when;
	struct usage_sums sums;
};

/* By the last bucket that ends before or at `at`. */
int balance_read(struct store *, const struct eras *, const struct usage_fact *life,
	int64_t at, struct arena *, struct balance *);

/* Adds to a bucket, and brings all that follows up to it. `last`: when the last
 * run of those ended. */
int sums_write(struct store *, const struct eras *, const struct usage_fact *life,
	const struct bucket *, const struct usage_sums *, int64_t last,
	struct arena *);

/* Adds to what is kept of runs of the bucket whose records are gone (table
 * usage_kept). */
int sums_keep(struct store *, const struct usage_fact *life, const struct bucket *,
	const struct usage_sums *, struct arena *);

/* Makes what the present life begins with what table usage has of its owner. */
int usage_head_write(
	struct store *, const struct eras *, const struct usage_fact *life);
