#include "common/fair/eras.h"

#include <math.h>

#include "common/base/numbers.h"
#include "common/fair/decay.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 604800 };

/* The one in force for what ends then. */
static size_t era_at(const struct eras *eras, int64_t at)
{
	size_t i = eras->n - 1;

	while (i && eras->v[i].since >= at)
		i--;
	return i;
}

static int64_t era_end(const struct eras *eras, size_t i)
{
	return i + 1 < eras->n ? eras->v[i + 1].since : INT64_MAX;
}

/* The last reset up to then. */
static int64_t last_reset(enum usage_reset kind, int64_t at)
{
	const int64_t year = 400 * DAY;
	time_t reset;

	if (kind == RESET_NONE || kind == RESET_NOW || at < year)
		return INT64_MIN;
	reset = usage_reset_last(kind, at - year, at);
	return reset == at - year ? INT64_MIN : reset;
}

/* The last one of the era up to then. */
static int64_t reset_in(const struct eras *eras, size_t era, int64_t at)
{
	int64_t last = last_reset(eras->v[era].reset, at);

	return last > eras->v[era].since ? last : INT64_MIN;
}

/* The last reset up to then, in this era or before. */
static int64_t last_reset_until(const struct eras *eras, size_t era, int64_t at)
{
	int64_t last = reset_in(eras, era, at);

	while (last == INT64_MIN && era--)
		last = reset_in(eras, era, era_end(eras, era));
	return last;
}

/* The first reset from `at` on; `end` when there is none before. */
static int64_t next_reset(enum usage_reset kind, int64_t at, int64_t end)
{
	int64_t next = usage_reset_next(kind, at - 1);

	return next && next < end ? next : end;
}

/* No amount grows to more than twice within one. */
static int64_t width(const struct era *era, bool still)
{
	static const int64_t widths[] = {WEEK, DAY, HOUR, MINUTE, 1};
	size_t i = 0;

	if (still || !era->half_life)
		return era->reset == RESET_NONE || still ? WEEK : DAY;
	i = era->reset != RESET_NONE;
	while (widths[i] > era->half_life && widths[i] > 1)
		i++;
	return widths[i];
}

static int64_t floor_to(int64_t at, int64_t step)
{
	int64_t over = at % step;

	return at - (over < 0 ? over + step : over);
}

struct bucket eras_bucket(const struct eras *eras, bool still, int64_t at)
{
	size_t i = era_at(eras, at);
	const struct era *era = &eras->v[i];
	int64_t step = width(era, still);
	struct bucket b = {.reset = INT64_MIN};

	b.begin = floor_to(at - 1, step);
	b.end = b.begin + step;
	b.begin = larger(b.begin, era->since);
	b.end = smaller(b.end, era_end(eras, i));
	if (still)
		return b;
	b.reset = last_reset_until(eras, i, at - 1);
	b.begin = larger(b.begin, b.reset);
	b.end = next_reset(era->reset, at, b.end);
	return b;
}

/* Of what is not reset in between. */
static long double decay(const struct eras *eras, int64_t from, int64_t to)
{
	long double factor = 1;

	for (size_t i = era_at(eras, from + 1); i < eras->n && from < to; i++) {
		int64_t end = smaller(era_end(eras, i), to);

		factor *= decay_carry(1, from, end, eras->v[i].half_life);
		from = end;
	}
	return factor;
}

static bool was_reset(const struct eras *eras, int64_t begin, int64_t to)
{
	for (size_t i = era_at(eras, begin + 1); i < eras->n; i++) {
		int64_t end = smaller(era_end(eras, i), to);

		if (end <= begin || eras->v[i].since >= to)
			break;
		if (reset_in(eras, i, end) > begin)
			return true;
	}
	return false;
}

/* What resets up to `until` have left. */
static long double factor(const struct eras *eras, bool still,
	struct carried from, int64_t to, int64_t until)
{
	if (still)
		return 1;
	if (to < from.at)
		return 1 / decay(eras, larger(to, from.begin), from.at);
	return was_reset(eras, from.begin, until) ? 0
						  : decay(eras, from.at, to);
}

long double eras_factor(const struct eras *eras, bool still, struct carried from,
	int64_t to)
{
	return factor(eras, still, from, to, to);
}

long double eras_carry(const struct eras *eras, bool still, struct carried from,
	int64_t to)
{
	return factor(eras, still, from, to, to - 1);
}

long double eras_worth(const struct eras *eras, bool still,
	const struct bucket *bucket, int64_t start, int64_t end)
{
	long double sum = 0;

	start = larger(start, bucket->reset);
	if (still)
		return end > start ? (long double)(end - start) : 0;
	for (size_t i = era_at(eras, start + 1); i < eras->n && start < end;
		i++) {
		int64_t stop = smaller(era_end(eras, i), end);

		sum += decay_integral(1, start, stop, stop,
			       eras->v[i].half_life) *
		       decay(eras, stop, bucket->end);
		start = stop;
	}
	return sum;
}

worth worth_of(long double seconds)
{
	return (worth)roundl(seconds * WORTH_PARTS);
}

long double worth_seconds(worth parts)
{
	return (long double)parts / WORTH_PARTS;
}
