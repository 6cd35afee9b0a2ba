/*
 * Usage over time in closed form.
 */
#include "common/fair/decay.h"

#include <math.h>
#include <stdbool.h>

static const long double ln2 = 0.693147180559945309417232121458176568L;

/* In long double, where 64-bit times cannot overflow. */
static long double seconds(time_t from, time_t to)
{
	return (long double)to - (long double)from;
}

static bool decays(double half_life)
{
	return isfinite(half_life) && half_life > 0;
}

long double decay_carry(
	long double value, time_t since, time_t at, double half_life)
{
	if (!isfinite(value))
		return 0;
	if (!decays(half_life) || at <= since)
		return value;
	return value * exp2l(-seconds(since, at) / half_life);
}

long double decay_integral(
	long double rate, time_t start, time_t end, time_t at, double half_life)
{
	time_t stop = end < at ? end : at;
	long double run = seconds(start, stop), lambda;

	if (!isfinite(rate) || run <= 0)
		return 0;
	if (!decays(half_life))
		return rate * run;
	/* expm1 keeps the digits of runs much shorter than the half-life. */
	lambda = ln2 / half_life;
	return decay_carry(
		rate * -expm1l(-lambda * run) / lambda, stop, at, half_life);
}

double usage_rate(double billing, double usage_factor)
{
	return usage_factor >= 0 ? billing * usage_factor : billing;
}

/* --- Resets --- */

/* The start of the period `tm` lies in: the date only, mktime does the rest. */
static void to_period_start(enum usage_reset period, struct tm *tm)
{
	if (period == RESET_WEEKLY)
		tm->tm_mday -= tm->tm_wday;
	if (period >= RESET_MONTHLY)
		tm->tm_mday = 1;
	if (period == RESET_QUARTERLY)
		tm->tm_mon -= tm->tm_mon % 3;
	if (period == RESET_YEARLY)
		tm->tm_mon = 0;
}

/* The calendar makes days of 23 and 25 hours come out right; Slurm adds 86400
 * and is an hour off there. */
static time_t midnight(const struct tm *date)
{
	struct tm tm = {
		.tm_mday = date->tm_mday,
		.tm_mon = date->tm_mon,
		.tm_year = date->tm_year,
		.tm_isdst = -1,
	};

	return mktime(&tm);
}

time_t usage_reset_last(enum usage_reset period, time_t last, time_t now)
{
	struct tm tm;
	time_t start;

	if (period < RESET_DAILY || period > RESET_YEARLY ||
		!localtime_r(&now, &tm))
		return last;
	to_period_start(period, &tm);
	start = midnight(&tm);
	return start > last && start <= now ? start : last;
}

time_t usage_reset_next(enum usage_reset period, time_t now)
{
	/* Within so many days there is one. */
	static const int days[] = {[RESET_DAILY] = 2,
		[RESET_WEEKLY] = 8,
		[RESET_MONTHLY] = 32,
		[RESET_QUARTERLY] = 93,
		[RESET_YEARLY] = 367};
	time_t next, before;

	next = usage_reset_last(period, now, now + days[period] * 86400);
	while ((before = usage_reset_last(period, now, next - 1)) > now)
		next = before;
	return next > now ? next : 0;
}
