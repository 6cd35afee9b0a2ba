#include "db/usage/half_life.h"

#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "db/store/query.h"

int half_lives_load(struct half_lives *lives, struct store *store,
	const struct policy *policy)
{
	struct query q;

	lives->n = 0;
	lives->policy = policy;
	lives->none = false;
	if (query_open(&q, store,
		    "SELECT since, half_life FROM (SELECT since, half_life"
		    " FROM decay ORDER BY since DESC LIMIT :most)"
		    " ORDER BY since"))
		return -1;
	query_bind_int(&q, ":most", MAX_HALF_LIVES);
	while (query_row(&q))
		lives->eras[lives->n++] = (struct era){
			query_int(&q, 0), (uint32_t)query_int(&q, 1)};
	if (!lives->n)
		lives->eras[lives->n++] = (struct era){0, policy->half_life};
	lives->eras[0].since = INT64_MIN;
	return query_close(&q);
}

static int64_t era_end(const struct half_lives *lives, size_t i)
{
	return i + 1 < lives->n ? lives->eras[i + 1].since : INT64_MAX;
}

int64_t half_lives_last_reset(const struct half_lives *lives, int64_t at)
{
	const time_t year = 400 * 86400;
	time_t reset;

	if (lives->none || lives->policy->reset == RESET_NONE || at < year)
		return INT64_MIN;
	reset = usage_reset_last(lives->policy->reset, at - year, at);
	return reset == at - year ? INT64_MIN : reset;
}

/* An amount true at `from` as it is at `to`, resets aside. */
static long double decay(const struct half_lives *lives, long double amount,
	int64_t from, int64_t to)
{
	if (lives->none)
		return amount;
	for (size_t i = 0; i < lives->n && from < to; i++) {
		int64_t end = smaller(era_end(lives, i), to);

		if (end <= from)
			continue;
		amount = decay_carry(
			amount, from, end, lives->eras[i].half_life);
		from = end;
	}
	return amount;
}

long double half_lives_decay(const struct half_lives *lives, long double amount,
	int64_t from, int64_t to, int64_t reset)
{
	return from < reset ? 0 : decay(lives, amount, from, to);
}

long double half_lives_worth(const struct half_lives *lives, int64_t start,
	int64_t end, int64_t at, int64_t reset)
{
	long double sum = 0;

	start = larger(start, reset);
	end = smaller(end, at);
	if (lives->none)
		return end > start ? (long double)(end - start) : 0;
	for (size_t i = 0; i < lives->n && start < end; i++) {
		int64_t stop = smaller(era_end(lives, i), end);

		if (stop <= start)
			continue;
		sum += decay(lives,
			decay_integral(
				1, start, stop, stop, lives->eras[i].half_life),
			stop, at);
		start = stop;
	}
	return sum;
}

int half_lives_note(struct store *store, const struct policy *policy)
{
	return store_run(store,
		"INSERT OR REPLACE INTO decay (since, half_life)"
		" SELECT iif(EXISTS (SELECT 1 FROM decay), :now, 0),"
		" :half_life WHERE :half_life IS NOT (SELECT half_life"
		" FROM decay ORDER BY since DESC LIMIT 1)",
		bind_int(":now", store->now),
		bind_int(":half_life", policy->half_life));
}

int half_lives_prepare(struct half_lives *lives, struct store *store,
	const struct policy *policy)
{
	return half_lives_note(store, policy) ||
			       half_lives_load(lives, store, policy)
		       ? -1
		       : 0;
}
