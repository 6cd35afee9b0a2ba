#include "db/usage/fading.h"

#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "db/store/query.h"

int fading_load(
	struct fading *fading, struct store *store, const struct policy *policy)
{
	struct query q;

	fading->n = 0;
	fading->policy = policy;
	fading->none = false;
	if (query_open(&q, store,
		    "SELECT since, half_life FROM (SELECT since, half_life"
		    " FROM decay ORDER BY since DESC LIMIT :most)"
		    " ORDER BY since"))
		return -1;
	query_bind_int(&q, ":most", MAX_HALF_LIVES);
	while (query_row(&q))
		fading->eras[fading->n++] = (struct era){
			query_int(&q, 0), (uint32_t)query_int(&q, 1)};
	if (!fading->n)
		fading->eras[fading->n++] = (struct era){0, policy->half_life};
	fading->eras[0].since = INT64_MIN;
	return query_close(&q);
}

static int64_t era_end(const struct fading *fading, size_t i)
{
	return i + 1 < fading->n ? fading->eras[i + 1].since : INT64_MAX;
}

int64_t fading_last_reset(const struct fading *fading, int64_t at)
{
	const time_t year = 400 * 86400;
	time_t reset;

	if (fading->none || fading->policy->reset == RESET_NONE || at < year)
		return INT64_MIN;
	reset = usage_reset_last(fading->policy->reset, at - year, at);
	return reset == at - year ? INT64_MIN : reset;
}

/* An amount true at `from` as it is at `to`, resets aside. */
static long double fade(const struct fading *fading, long double amount,
	int64_t from, int64_t to)
{
	if (fading->none)
		return amount;
	for (size_t i = 0; i < fading->n && from < to; i++) {
		int64_t end = smaller(era_end(fading, i), to);

		if (end <= from)
			continue;
		amount = decay_carry(
			amount, from, end, fading->eras[i].half_life);
		from = end;
	}
	return amount;
}

long double fading_carry(const struct fading *fading, long double amount,
	int64_t from, int64_t to, int64_t reset)
{
	return from < reset ? 0 : fade(fading, amount, from, to);
}

long double fading_worth(const struct fading *fading, int64_t start,
	int64_t end, int64_t at, int64_t reset)
{
	long double sum = 0;

	start = larger(start, reset);
	end = smaller(end, at);
	if (fading->none)
		return end > start ? (long double)(end - start) : 0;
	for (size_t i = 0; i < fading->n && start < end; i++) {
		int64_t stop = smaller(era_end(fading, i), end);

		if (stop <= start)
			continue;
		sum += fade(fading,
			decay_integral(1, start, stop, stop,
				fading->eras[i].half_life),
			stop, at);
		start = stop;
	}
	return sum;
}

int fading_note(struct store *store, const struct policy *policy)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT OR REPLACE INTO decay (since, half_life)"
		    " SELECT iif(EXISTS (SELECT 1 FROM decay), :now, 0),"
		    " :half_life WHERE :half_life IS NOT (SELECT half_life"
		    " FROM decay ORDER BY since DESC LIMIT 1)"))
		return -1;
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":half_life", policy->half_life);
	return query_run(&q);
}

int fading_prepare(
	struct fading *fading, struct store *store, const struct policy *policy)
{
	return fading_note(store, policy) || fading_load(fading, store, policy)
		       ? -1
		       : 0;
}
