/*
 * The policies that were in force (table decay): one that is not recorded yet.
 */
#include "common/base/numbers.h"
#include "db/store/query.h"
#include "db/usage/fold.h"

/* 1: the policy is another than the last one recorded, and in force since *since
 * (0: always); 0: it is recorded; -1. */
static int find_pending(
	struct store *store, const struct policy *policy, int64_t *since)
{
	struct query q;
	bool found, pending = true;
	int64_t last = 0;

	if (query_open(&q, store,
		    "SELECT since, half_life = :half_life"
		    " AND coalesce(reset, :reset) = :reset"
		    " FROM decay ORDER BY since DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":half_life", policy->half_life);
	query_bind_int(&q, ":reset", policy->reset);
	found = query_row(&q);
	if (found) {
		last = query_int(&q, 0);
		pending = !query_int(&q, 1);
	}
	if (query_close(&q))
		return -1;
	*since = policy->since ? smaller(policy->since, store->now) : store->now;
	*since = found ? larger(last + 1, *since) : 0;
	return pending;
}

int usage_settle_policy(struct store *store, const struct policy *policy)
{
	int64_t since;
	int pending = policy ? find_pending(store, policy, &since) : 0;

	if (pending <= 0)
		return pending;
	if (store_run(store,
		    "INSERT OR REPLACE INTO decay (since, half_life, reset)"
		    " VALUES (:since, :half_life, :reset)",
		    bind_int(":since", since),
		    bind_int(":half_life", policy->half_life),
		    bind_int(":reset", policy->reset)))
		return -1;
	return since ? usage_fold(store, policy, false, since, INT64_MAX) : 0;
}

int usage_policy_pending(struct store *store, const struct policy *policy)
{
	int64_t since;
	int pending = find_pending(store, policy, &since);

	return pending > 0 && !since ? 0 : pending;
}
