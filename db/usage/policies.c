#include "db/usage/policies.h"

#include "common/base/numbers.h"
#include "db/store/query.h"

int policies_load(
	struct eras *eras, struct store *store, const struct policy *policy)
{
	struct query q;

	eras->n = 0;
	if (query_open(&q, store,
		    "SELECT since, half_life, coalesce(reset, :reset) FROM"
		    " (SELECT * FROM decay WHERE since <= :until"
		    "  ORDER BY since DESC LIMIT :most)"
		    " ORDER BY since"))
		return -1;
	query_bind_int(&q, ":reset", policy ? policy->reset : RESET_NONE);
	query_bind_int(&q, ":until", store->is_past ? store->now : INT64_MAX);
	query_bind_int(&q, ":most", MAX_ERAS);
	while (query_row(&q))
		eras->v[eras->n++] = (struct era){query_int(&q, 0),
			(uint32_t)query_int(&q, 1),
			(enum usage_reset)query_int(&q, 2)};
	if (!eras->n && policy)
		eras->v[eras->n++] =
			(struct era){0, policy->half_life, policy->reset};
	if (!eras->n)
		eras->v[eras->n++] = (struct era){0};
	eras->v[0].since = INT64_MIN;
	return query_close(&q);
}

int policies_pending(
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

int policies_record(
	struct store *store, const struct policy *policy, int64_t since)
{
	return store_run(store,
		"INSERT OR REPLACE INTO decay (since, half_life, reset)"
		" VALUES (:since, :half_life, :reset)",
		bind_int(":since", since),
		bind_int(":half_life", policy->half_life),
		bind_int(":reset", policy->reset));
}
