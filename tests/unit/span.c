/*
 * Hours, days and months of the local calendar (common/text/span.h) beside what the
 * clock itself shows, in zones of all kinds and around their changes.
 */
#include <string.h>

#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"
#include "tests/unit/clock_grid.h"
#include "tests/unit/seeded.h"

enum { DAY = 86400, FEB_2025 = 1738368000, Y1972 = 63072000 };

/* Each from its own rules, or the zone files where those are needed: then with
 * the hours it is ahead, in seconds, to see that they are there. */
static const struct zone {
	const char *name;
	int64_t from; /* 300 days from there */
	long ahead;
} zones[] = {
	{"UTC", FEB_2025, 0},
	{"CET-1CEST,M3.5.0,M10.5.0/3", FEB_2025, 3600},
	/* half an hour */
	{"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", FEB_2025, 39600},
	{"IST-5:30", FEB_2025, 19800},
	{"<+0545>-5:45", FEB_2025, 20700},
	/* a minute after midnight: yesterday comes again */
	{"NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01", FEB_2025, -12600},
	/* no midnight, and two of them */
	{"<-04>4<-03>,M9.1.0/0,M4.1.0/0", FEB_2025, -10800},
	{"CST5CDT,M3.2.0/0,M11.1.0/1", FEB_2025, -18000},
	{"Australia/Lord_Howe", FEB_2025, 39600},
	{"Asia/Kolkata", FEB_2025, 19800},
	{"Asia/Kathmandu", FEB_2025, 20700},
	/* 44:30 on, over midnight */
	{"Africa/Monrovia", Y1972 - 30 * DAY, -2670},
	/* 15 minutes on: 1986 */
	{"Asia/Kathmandu", Y1972 + (13 * 365 + 100) * DAY, 19800},
	/* a day that never was: December 30th, 2011 */
	{"Pacific/Apia", Y1972 + (39 * 365 + 100) * DAY, -36000},
};
enum { ZONES = sizeof(zones) / sizeof(*zones), DAYS = 300 };

static struct clock_grid hours, grid;

/* The grid and the functions tell the same. */
static void check_span(enum span span)
{
	const struct clock_grid *g = span == SPAN_HOUR ? &hours : &grid;

	if (g == &grid)
		clock_dates(&grid, &hours, span);
	assert_true(g->n > 8 && g->n < GRID_MOST);
	for (size_t i = 0; i + 1 < g->n; i++) {
		int64_t start = g->v[i], next = g->v[i + 1];
		int64_t within = start + chance((uint32_t)(next - start));

		assert_int_equal(span_next(start, span), next);
		assert_int_equal(span_floor(start, span), start);
		assert_int_equal(span_floor(within, span), start);
		assert_int_equal(span_floor(next - 1, span), start);
		assert_int_equal(span_ceil(start, span), start);
		assert_int_equal(span_ceil(start + 1, span), next);
		assert_int_equal(span_ceil(next - 1, span), next);
	}
}

static void like_the_clock(void **state)
{
	seed = 4711;
	for (size_t i = 0; i < ZONES; i++) {
		set_zone(zones[i].name);
		if (clock_at(zones[i].from).tm_gmtoff != zones[i].ahead) {
			print_message("no zone %s here\n", zones[i].name);
			continue;
		}
		clock_hours(&hours, zones[i].from,
			zones[i].from + DAYS * (int64_t)DAY);
		for (enum span span = 0; span < SPANS; span++)
			check_span(span);
	}
	set_zone("UTC");
}

/* A day is whole hours, a month whole days. */
static void nested(void **state)
{
	seed = 815;
	for (size_t i = 0; i < ZONES; i++) {
		set_zone(zones[i].name);
		for (int n = 0; n < 500; n++) {
			int64_t t = zones[i].from + chance(DAYS * DAY);
			int64_t day = span_floor(t, SPAN_DAY);
			int64_t month = span_floor(t, SPAN_MONTH);

			assert_int_equal(span_floor(day, SPAN_HOUR), day);
			assert_int_equal(span_floor(month, SPAN_DAY), month);
			assert_true(span_next(span_floor(t, SPAN_HOUR),
					    SPAN_HOUR) <= t + SPAN_HOUR_MOST);
		}
	}
	set_zone("UTC");
}

static void same_name(const char *a, const char *b, int64_t until, bool same)
{
	const char *name;

	set_zone(a);
	name = calendar_name(&arena, until);
	set_zone(b);
	assert_int_equal(!strcmp(name, calendar_name(&arena, until)), same);
	set_zone("UTC");
}

/* Two calendars are one while their clocks show the same. */
static void names(void **state)
{
	static const char lord_howe[] = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0";

	same_name("UTC", "GMT0", FEB_2025, true);
	same_name("UTC", "IST-5:30", FEB_2025, false);
	same_name("IST-5:30", "<+0545>-5:45", FEB_2025, false);
	same_name(lord_howe, "<+1030>-10:30", FEB_2025, false);
	/* changes an hour, and a week, later */
	same_name(lord_howe, "<+1030>-10:30<+11>-11,M10.1.0/3,M4.1.0", FEB_2025,
		false);
	same_name(lord_howe, "<+1030>-10:30<+11>-11,M10.1.0,M4.2.0", FEB_2025,
		false);
	/* before the first of them */
	same_name("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1", 30 * DAY, true);
	same_name("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1", 120 * DAY, false);
}

/* As of today, but not as of 1972. */
static void names_of_the_past(void **state)
{
	set_zone("Africa/Monrovia");
	if (clock_at(0).tm_gmtoff == 0)
		skip();
	same_name("UTC", "Africa/Monrovia", FEB_2025, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_the_clock),
		cmocka_unit_test(nested),
		cmocka_unit_test(names),
		cmocka_unit_test(names_of_the_past),
	};

	set_zone("UTC");
	return cmocka_run_group_tests(tests, setup, teardown);
}
