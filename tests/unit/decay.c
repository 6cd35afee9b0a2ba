/*
 * Decay and resets: a checked case (with Slurm's constant and with ours),
 * properties, and the table of resets in zones with and without daylight
 * saving.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/fair/decay.h"
#include "tests/unit/unit.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 7 * DAY };

/* The first reset later than `after`; found between two moments of which the
 * later one knows of it. */
static time_t next_reset(enum usage_reset period, time_t after)
{
	time_t low = after, high = after + 400 * DAY;

	assert_true(usage_reset_last(period, after, high) > after);
	while (high - low > 1) {
		time_t middle = low + (high - low) / 2;

		if (usage_reset_last(period, after, middle) > after)
			high = middle;
		else
			low = middle;
	}
	assert_true(usage_reset_next(period, after) == high);
	return high;
}

static void near(long double got, long double want, long double tolerance)
{
	if (!(fabsl(got - want) <= tolerance))
		fail_msg("%.9Lf is not %.9Lf", got, want);
}

/* --- Decay --- */

static void half_lives(void **state)
{
	assert_true(decay_carry(100, 0, WEEK, WEEK) == 50);
	assert_true(decay_carry(100, 5, 5 + 3 * WEEK, WEEK) == 12.5);
	assert_true(decay_carry(100, 0, WEEK, 0) == 100);
	assert_true(decay_carry(100, 0, WEEK, -1) == 100);
	assert_true(decay_carry(100, WEEK, 0, WEEK) == 100);
	assert_true(decay_carry(0, 0, WEEK, WEEK) == 0);
	near(decay_carry(1, 0, 300, WEEK), 0.999656236094126L, 1e-14L);
}

/* The half-life at which 2^-(t/H) is the program's f^t, f = 1 - 0.693/h. */
static double half_life_of_program(double h)
{
	return (double)(-logl(2) / log1pl(-0.693L / h));
}

/* Spec 2.4: started at 23:16, ended at 25:47, 4.244140625 a second, H 300. */
static void checked_case(void **state)
{
	static const struct {
		time_t at;
		long double program, exact;
	} want[] = {
		{24 * MINUTE + 10, 215.450461L, 215.462888L},
		{25 * MINUTE + 10, 425.306464L, 425.357034L},
		{25 * MINUTE + 50, 537.189289L, 537.276154L},
		{26 * MINUTE + 10, 512.908303L, 513.013625L},
	};
	const time_t start = 23 * MINUTE + 16, end = 25 * MINUTE + 47;
	const double b = 4.244140625;

	for (size_t i = 0; i < LENGTH(want); i++) {
		near(decay_integral(b, start, end, want[i].at,
			     half_life_of_program(300)),
			want[i].program, 1e-6L);
		near(decay_integral(b, start, end, want[i].at, 300),
			want[i].exact, 1e-6L);
	}
}

static void default_settings(void **state)
{
	const double program = half_life_of_program(WEEK);

	near(decay_integral(1, 0, HOUR, HOUR, program), 3592.585195L, 1e-6L);
	near(decay_integral(1, 0, HOUR, HOUR + WEEK, program), 1796.556283L,
		1e-6L);
	near(decay_integral(16, 0, DAY, DAY, program), 1316174.513L, 1e-3L);
	near(decay_integral(1, 0, HOUR, HOUR, WEEK), 3592.583626L, 1e-6L);
	near(decay_integral(1, 0, HOUR, HOUR + WEEK, WEEK), 1796.291813L,
		1e-6L);
	near(decay_integral(16, 0, DAY, DAY, WEEK), 1316160.941337L, 1e-6L);
	near(decay_integral(1, 0, HOUR, HOUR, 0), 3600, 0);
	near(decay_integral(16, 0, DAY, DAY, 0), 1382400, 0);
}

static void nothing_is_nothing(void **state)
{
	static const double half_lives[] = {0, 1, WEEK, -3, NAN, HUGE_VAL};

	for (size_t i = 0; i < LENGTH(half_lives); i++) {
		double h = half_lives[i];

		assert_true(decay_integral(5, 100, 100, 200, h) == 0);
		assert_true(decay_integral(5, 100, 50, 200, h) == 0);
		assert_true(decay_integral(5, 100, 300, 100, h) == 0);
		assert_true(decay_integral(5, 100, 300, 50, h) == 0);
		assert_true(decay_integral(0, 100, 300, 400, h) == 0);
		assert_true(decay_integral(NAN, 100, 300, 400, h) == 0);
		assert_true(decay_carry(NAN, 100, 300, h) == 0);
		assert_true(isfinite(
			decay_integral(1, INT64_MIN, INT64_MAX, INT64_MAX, h)));
		assert_true(
			isfinite(decay_carry(1e300L, INT64_MIN, INT64_MAX, h)));
	}
}

/* A half-life that practically never comes gives the plain product. */
static void long_half_lives_keep_their_digits(void **state)
{
	near(decay_integral(4, 1000, 1001, 1001, 4294967236.0), 4, 1e-9L);
	near(decay_integral(1, 0, 10, 10, 1e15), 10, 1e-12L);
}

static void rates(void **state)
{
	assert_true(usage_rate(4.25, 2) == 8.5);
	assert_true(usage_rate(4.25, 0) == 0);
	assert_true(usage_rate(4.25, -1) == 4.25);
	assert_true(usage_rate(4.25, NAN) == 4.25);
}

struct rng {
	uint64_t state;
};

static time_t rnd(struct rng *rng, time_t below)
{
	rng->state ^= rng->state << 13;
	rng->state ^= rng->state >> 7;
	rng->state ^= rng->state << 17;
	return (time_t)((rng->state * 0x2545f4914f6cdd1dULL) >> 32) % below;
}

static void near_relative(long double a, long double b)
{
	near(a, b, 1e-15L * (1 + fabsl(a)));
}

static void properties(void **state)
{
	struct rng rng = {.state = 7};

	for (int i = 0; i < 10000; i++) {
		time_t s = rnd(&rng, WEEK), m = s + rnd(&rng, WEEK);
		time_t e = m + rnd(&rng, WEEK), t = e + rnd(&rng, 4 * WEEK);
		double h = (double)rnd(&rng, 2 * WEEK);
		long double rate = 1 + (long double)rnd(&rng, 1000) / 7;
		long double whole = decay_integral(rate, s, e, t, h);

		/* Decay twice is decay once. */
		near_relative(decay_carry(decay_carry(rate, s, m, h), m, e, h),
			decay_carry(rate, s, e, h));
		/* A run may be looked at in two steps, or cut in two. */
		near_relative(whole,
			decay_carry(decay_integral(rate, s, e, e, h), e, t, h));
		near_relative(whole, decay_integral(rate, s, m, t, h) +
					     decay_integral(rate, m, e, t, h));
		/* Still running and ended now are the same. */
		assert_true(decay_integral(rate, s, t, e, h) ==
			    decay_integral(rate, s, e, e, h));
		/* Taken out is gone; never more than undecayed. */
		assert_true(whole + decay_integral(-rate, s, e, t, h) == 0);
		assert_true(whole >= 0);
		assert_true(whole <= rate * (long double)(e - s) * 1.0000001L);
	}
}

/* --- Resets --- */

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static time_t local(int year, int month, int day, int hour, int minute)
{
	struct tm tm = {
		.tm_year = year - 1900,
		.tm_mon = month - 1,
		.tm_mday = day,
		.tm_hour = hour,
		.tm_min = minute,
		.tm_isdst = -1,
	};

	return mktime(&tm);
}

/* 29 July 2026 is a Wednesday. */
static void next_resets(void **state)
{
	static const struct {
		enum usage_reset period;
		int month, day, year;
	} want[] = {
		{RESET_DAILY, 7, 30, 2026},
		{RESET_WEEKLY, 8, 2, 2026},
		{RESET_MONTHLY, 8, 1, 2026},
		{RESET_QUARTERLY, 10, 1, 2026},
		{RESET_YEARLY, 1, 1, 2027},
	};
	static const char *const zones[] = {
		"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0"};

	for (size_t i = 0; i < LENGTH(want) * LENGTH(zones); i++) {
		size_t w = i % LENGTH(want);
		time_t next;

		set_zone(zones[i / LENGTH(want)]);
		next = local(want[w].year, want[w].month, want[w].day, 0, 0);
		assert_true(next_reset(want[w].period,
				    local(2026, 7, 29, 15, 30)) == next);
		assert_true(next_reset(want[w].period, next - 1) == next);
		assert_true(next_reset(want[w].period, next) > next);
	}
}

static void every_quarter(void **state)
{
	set_zone("UTC0");
	for (int month = 1; month <= 12; month++) {
		int next = (month + 2) / 3 * 3 + 1;

		assert_true(next_reset(RESET_QUARTERLY,
				    local(2026, month, 1, 0, 0)) ==
			    local(2026, next, 1, 0, 0));
	}
}

static void sunday_starts_a_week(void **state)
{
	set_zone("UTC0");
	assert_true(next_reset(RESET_WEEKLY, local(2026, 8, 2, 0, 0)) ==
		    local(2026, 8, 9, 0, 0));
	assert_true(next_reset(RESET_WEEKLY, local(2026, 8, 1, 23, 59)) ==
		    local(2026, 8, 2, 0, 0));
}

static void none_and_now_never_come(void **state)
{
	static const enum usage_reset never[] = {RESET_NONE, RESET_NOW};

	for (size_t i = 0; i < LENGTH(never); i++) {
		assert_true(
			usage_reset_last(never[i], 1000, INT32_MAX) == 1000);
	}
	assert_true(usage_reset_last(RESET_DAILY, 7, (time_t)INT64_MAX) == 7);
}

static void last_reset(void **state)
{
	time_t last, now;

	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	last = local(2026, 1, 10, 12, 0);
	now = local(2026, 7, 29, 15, 30);
	assert_true(usage_reset_last(RESET_DAILY, last, now) ==
		    local(2026, 7, 29, 0, 0));
	assert_true(usage_reset_last(RESET_WEEKLY, last, now) ==
		    local(2026, 7, 26, 0, 0));
	assert_true(usage_reset_last(RESET_MONTHLY, last, now) ==
		    local(2026, 7, 1, 0, 0));
	assert_true(usage_reset_last(RESET_QUARTERLY, last, now) ==
		    local(2026, 7, 1, 0, 0));
	/* 2026 began before the previous reset: none is due. */
	assert_true(usage_reset_last(RESET_YEARLY, last, now) == last);
	assert_true(usage_reset_last(RESET_DAILY, now, last) == now);
}

/* Days of 23 and 25 hours: still midnights, one a day. */
static void daylight_saving(void **state)
{
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	assert_true(next_reset(RESET_DAILY, local(2026, 3, 29, 12, 0)) ==
		    local(2026, 3, 30, 0, 0));
	assert_true(next_reset(RESET_DAILY, local(2026, 10, 25, 0, 0)) ==
		    local(2026, 10, 26, 0, 0));
	assert_true(local(2026, 10, 26, 0, 0) - local(2026, 10, 25, 0, 0) ==
		    25 * HOUR);
}

/* Whatever the zone does: resets come in order, and the last one up to now is
 * the one that stepping from reset to reset ends at. */
static void stepping_agrees(void **state)
{
	static const char *const zones[] = {"UTC0",
		"CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
		"<-03>3<-02>,M10.3.0/0,M2.3.0/0", /* no midnight once a year */
		"<+0530>-5:30"};
	struct rng rng = {.state = 3};

	for (int i = 0; i < 400; i++) {
		time_t last = 1700000000 + rnd(&rng, 2 * 365 * DAY);
		time_t now = last + rnd(&rng, 400 * DAY), at = last, next;
		enum usage_reset period =
			(enum usage_reset)(RESET_DAILY + rnd(&rng, 5));

		set_zone(zones[(size_t)i % LENGTH(zones)]);
		while ((next = next_reset(period, at)) <= now) {
			assert_true(next > at);
			at = next;
		}
		assert_true(usage_reset_last(period, last, now) == at);
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(half_lives),
	cmocka_unit_test(checked_case),
	cmocka_unit_test(default_settings),
	cmocka_unit_test(nothing_is_nothing),
	cmocka_unit_test(long_half_lives_keep_their_digits),
	cmocka_unit_test(rates),
	cmocka_unit_test(properties),
	cmocka_unit_test(next_resets),
	cmocka_unit_test(every_quarter),
	cmocka_unit_test(sunday_starts_a_week),
	cmocka_unit_test(none_and_now_never_come),
	cmocka_unit_test(last_reset),
	cmocka_unit_test(daylight_saving),
	cmocka_unit_test(stepping_agrees))
