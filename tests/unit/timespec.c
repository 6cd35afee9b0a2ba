/* Times and durations in a fixed zone, at a fixed moment. */
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/timespec.h"
#include "tests/unit/unit.h"

static struct arena arena;

/* 2024-05-15T10:30:20 in Berlin, a Wednesday. */
enum { NOW = 1715761820 };

static int setup(void **state)
{
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	return 0;
}

static int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}

static const char *read_at(const char *text, bool past)
{
	struct err err = {0};
	time_t when = 0;

	if (time_parse(text, NOW, past, &when, &err))
		return arena_strdup(&arena, err.text);
	return time_format(&arena, when, NULL, NOW);
}

static void test_forms(void **state)
{
	static const char *const cases[][2] = {
		{"uts1715761820", "2024-05-15T10:30:20"},
		{"1715761820", "2024-05-15T10:30:20"},
		{"@1715761820", "2024-05-15T10:30:20"},
		{"UTS1000000", "1970-01-12T14:46:40"},
		{"now", "2024-05-15T10:30:20"},
		{"NOW", "2024-05-15T10:30:20"},
		{" now ", "2024-05-15T10:30:20"},
		{"now\n", "2024-05-15T10:30:20"},
		{"now+90", "2024-05-15T10:31:50"},
		{"now+90seconds", "2024-05-15T10:31:50"},
		{"now+1second", "2024-05-15T10:30:21"},
		{"now+2hours", "2024-05-15T12:30:20"},
		{"now-1hour", "2024-05-15T09:30:20"},
		{"now - 10 Minutes", "2024-05-15T10:20:20"},
		{"now-1minute", "2024-05-15T10:29:20"},
		{"now-3days", "2024-05-12T10:30:20"},
		{"now+1day", "2024-05-16T10:30:20"},
		{"now-1week", "2024-05-08T10:30:20"},
		{"now+2weeks", "2024-05-29T10:30:20"},
		{"now-1daymidnight", "2024-05-14T00:00:00"},
		{"now+1day 12:00", "2024-05-16T12:00:00"},
		{"today", "2024-05-15T00:00:00"},
		{"Today", "2024-05-15T00:00:00"},
		{"tomorrow", "2024-05-16T00:00:00"},
		{"midnight", "2024-05-15T00:00:00"},
		{"noon", "2024-05-15T12:00:00"},
		{"elevenses", "2024-05-15T11:00:00"},
		{"fika", "2024-05-15T15:00:00"},
		{"teatime", "2024-05-15T16:00:00"},
		{"Teatime Tomorrow", "2024-05-16T16:00:00"},
		{"todaynoon", "2024-05-15T12:00:00"},
		{"9:05", "2024-05-15T09:05:00"},
		{"09:05:07", "2024-05-15T09:05:07"},
		{"12:00AM", "2024-05-15T00:00:00"},
		{"12:30 pm", "2024-05-15T12:30:00"},
		{"10:00pm", "2024-05-15T22:00:00"},
		{"10:00:01 Am", "2024-05-15T10:00:01"},
		{"0501", "2024-05-01T00:00:00"},
		{"0601", "2023-06-01T00:00:00"},
		{"1231", "2023-12-31T00:00:00"},
		{"0531", "2024-05-31T00:00:00"},
		{"123122", "2022-12-31T00:00:00"},
		{"5/1", "2024-05-01T00:00:00"},
		{"05/01/23", "2023-05-01T00:00:00"},
		{"05.01.23", "2023-05-01T00:00:00"},
		{"05.01", "2024-05-01T00:00:00"},
		{"05/01-13:30", "2024-05-01T13:30:00"},
		{"05/01/23-13:30:15", "2023-05-01T13:30:15"},
		{"05/01/23T1:30 pm", "2023-05-01T13:30:00"},
		{"05/01/23 13:30", "2023-05-01T13:30:00"},
		{"12:00 05/01/23", "2023-05-01T12:00:00"},
		{"2024-01-02", "2024-01-02T00:00:00"},
		{"2024-01-2", "2024-01-02T00:00:00"},
		{"2024-01-02T03:04", "2024-01-02T03:04:00"},
		{"2024-01-02T03:04:05", "2024-01-02T03:04:05"},
		{"2024-01-02 03:04:05", "2024-01-02T03:04:05"},
		{"2024-01-02-03:04", "2024-01-02T03:04:00"},
		{"2024-01-02Tnoon", "2024-01-02T12:00:00"},
		{"2024-02-29", "2024-02-29T00:00:00"},
		{"2038-01-20", "2038-01-20T00:00:00"},
		{"1850-01-01", "1850-01-01T00:00:00"},
		{"2024-03-31T02:30", "2024-03-31T03:30:00"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(read_at(cases[i][0], true), cases[i][1]);
}

static void test_future(void **state)
{
	static const char *const cases[][2] = {
		{"10:30", "2024-05-16T10:30:00"},
		{"10:31", "2024-05-15T10:31:00"},
		{"midnight", "2024-05-16T00:00:00"},
		{"0501", "2025-05-01T00:00:00"},
		{"0601", "2024-06-01T00:00:00"},
		{"0515", "2025-05-15T00:00:00"},
		{"05/15-10:31", "2024-05-15T10:31:00"},
		{"2020-01-01", "2020-01-01T00:00:00"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(read_at(cases[i][0], false), cases[i][1]);
}

static void test_bad_times(void **state)
{
	static const struct {
		const char *text;
		int pos;
	} cases[] = {
		{"", 0},
		{" ", 1},
		{"notatime", 0},
		{"0", 0},
		{"12", 2},
		{"uts", 0},
		{"uts5", 0},
		{"uts17157618x", 0},
		{"uts99999999999999999999", 0},
		{"uts9223372036854775807", 0},
		{"@253402300800", 0},
		{"now+99999999999weeks", 20},
		{"uts-1715761820", 0},
		{"nowx", 3},
		{"now+", 3},
		{"now+x", 3},
		{"now+2h", 5},
		{"now+2fortnights", 5},
		{"now+1day+1hour", 8},
		{"now+99999999999999999999", 22},
		{"now+9999999999999999weeks", 25},
		{"now 12:00", 4},
		{"24:00", 0},
		{"10:60", 3},
		{"10:00:60", 6},
		{"10:0", 4},
		{"13:00pm", 5},
		{"10:00pmx", 7},
		{"10:00 11:00", 11},
		{"today 0501", 10},
		{"0001", 0},
		{"1301", 0},
		{"0532", 2},
		{"01011", 5},
		{"0101-", 5},
		{"05/01/2023", 8},
		{"2024-13-01", 5},
		{"2024-1-01", 0},
		{"2024-01-32", 8},
		{"2024-01-01T10", 13},
		{"2024-01-01T10:00:00Z", 19},
		{"2024-01-01T", 11},
		{"20240101", 0},
		{"-0101", 0},
		{"1x24-01-01", 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(read_at(cases[i].text, true),
			arena_printf(&arena,
				"Invalid time specification (pos=%d): %s",
				cases[i].pos, cases[i].text));
}

/* A record of the 30th of February is not one of the 2nd of March. */
static void test_days_of_months(void **state)
{
	assert_string_equal(read_at("2026-02-30", true),
		"Invalid time specification (pos=10): 2026-02-30: month 2 of "
		"2026 has 28 days");
	assert_string_equal(read_at("04/31", true),
		"Invalid time specification (pos=5): 04/31: month 4 of 2024 "
		"has 30 days");
}

static void test_untouched_on_error(void **state)
{
	struct err err = {0};
	time_t when = 5;

	assert_int_equal(time_parse("bogus", NOW, true, &when, &err), -1);
	assert_int_equal(when, 5);
	assert_int_equal(err.kind, ERR_USAGE);
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint32_t minutes, seconds;
	} cases[] = {
		{"0", 0, 0},
		{"90", 90, 5400},
		{"1:30", 2, 90},
		{"0:01", 1, 1},
		{"2:00:00", 120, 7200},
		{"1:2:3", 63, 3723},
		{"1-0", 1440, 86400},
		{"1-12", 2160, 129600},
		{"1-12:30", 2190, 131400},
		{"7-00:00:01", 10081, 604801},
		{"100:00:00", 6000, 360000},
		{"-1", INFINITE, INFINITE},
		{"infinite", INFINITE, INFINITE},
		{"UnLimited", INFINITE, INFINITE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t minutes, seconds;
		struct err err;

		assert_int_equal(
			minutes_parse(cases[i].text, &minutes, &err), 0);
		assert_int_equal(
			seconds_parse(cases[i].text, &seconds, &err), 0);
		assert_int_equal(minutes, cases[i].minutes);
		assert_int_equal(seconds, cases[i].seconds);
	}
}

static void test_bad_durations(void **state)
{
	static const char *const cases[] = {"", " ", "abc", "5x", "5m", "-5",
		"1-", "-", ":", "1:", ":1", "1:2:3:4", "1-2-3", "1:2-3",
		"1-1:2:3:4", "4294967294", "99999999999999999999", "1 0", "1.5",
		"+5", "NONE"};
	uint32_t minutes = 7, seconds = 7;
	struct err err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(minutes_parse(cases[i], &minutes, &err), -1);
		assert_non_null(strstr(err.text, cases[i]));
		assert_int_equal(seconds_parse(cases[i], &seconds, &err), -1);
	}
	assert_int_equal(minutes, 7);
	assert_int_equal(minutes_parse("4294967293", &minutes, &err), 0);
	assert_int_equal(seconds_parse("4294967293", &seconds, &err), -1);
	assert_int_equal(seconds, 7);
}

static void test_duration_text(void **state)
{
	static const struct {
		uint64_t seconds;
		const char *text;
	} cases[] = {
		{0, "00:00:00"},
		{3723, "01:02:03"},
		{86399, "23:59:59"},
		{86400, "1-00:00:00"},
		{8640000 + 60, "100-00:01:00"},
		{INFINITE, "UNLIMITED"},
		{INFINITE64, "UNLIMITED"},
		{(uint64_t)INT64_MIN, "INVALID"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(duration_format(&arena, cases[i].seconds),
			cases[i].text);
}

static const char *relative(const char *text)
{
	struct err err;
	time_t when;

	assert_int_equal(time_parse(text, NOW, true, &when, &err), 0);
	return time_format(&arena, when, "relative", NOW);
}

static void test_time_text(void **state)
{
	assert_string_equal(time_format(&arena, 0, NULL, NOW), "Unknown");
	assert_string_equal(
		time_format(&arena, (time_t)INFINITE, "%s", NOW), "Unknown");
	assert_string_equal(
		time_format(&arena, (time_t)NO_VAL, NULL, NOW), "None");
	assert_string_equal(time_format(&arena, NOW, "%s", NOW), "1715761820");
	assert_string_equal(time_format(&arena, NOW, "standard", NOW),
		"2024-05-15T10:30:20");
	assert_string_equal(
		time_format(&arena, NOW, "", NOW), "2024-05-15T10:30:20");
	assert_string_equal(
		time_format(&arena, NOW, "bogus", NOW), "2024-05-15T10:30:20");
	assert_string_equal(time_format(&arena, NOW,
				    "%Y and a text that is far too long", NOW),
		"2024-05-15T10:30:20");
	assert_string_equal(relative("today"), "00:00:00");
	assert_string_equal(relative("now-1day"), "Ystday 10:30");
	assert_string_equal(relative("tomorrow"), "Tomorr 00:00");
	assert_string_equal(relative("now+3days"), "Sat 10:30");
	assert_string_equal(relative("now+7days"), "22 May 10:30");
	assert_string_equal(relative("now-3days"), "12 May 10:30");
	assert_string_equal(relative("2022-05-01"), "1 May 2022");
}

/* The turn of the year does not make yesterday far away. */
static void test_relative_new_year(void **state)
{
	struct err err;
	time_t when, now;

	time_parse("2024-01-01T08:00", NOW, true, &now, &err);
	time_parse("2023-12-31T09:15", NOW, true, &when, &err);
	assert_string_equal(
		time_format(&arena, when, "relative", now), "Ystday 09:15");
}

/* Every printed time reads back as itself, but for the doubled hour. */
static void test_round_trip(void **state)
{
	srand(11);
	for (int round = 0; round < 20000; round++) {
		time_t when = 1000000 + rand() % 2000000000, again;
		struct err err;
		struct tm tm;

		if (!localtime_r(&when, &tm) ||
			(tm.tm_hour == 2 && tm.tm_mday > 24))
			continue;
		assert_int_equal(time_parse(time_format(&arena, when, NULL, 0),
					 NOW, rand() % 2, &again, &err),
			0);
		assert_int_equal(when, again);
		arena_reset(&arena);
	}
}

/* mktime() answers by what it was asked before: summer or winter. */
static void ask_before(int month)
{
	struct tm tm = {
		.tm_year = 126, .tm_mon = month, .tm_mday = 1, .tm_isdst = -1};

	mktime(&tm);
}

static time_t local_at(int month, int day, int hour, int minute)
{
	struct tm tm = {.tm_year = 126,
		.tm_mon = month - 1,
		.tm_mday = day,
		.tm_hour = hour,
		.tm_min = minute};

	return time_local(&tm);
}

/* A zone, a time that comes twice and its first moment, a skipped one and the
 * moment it means. */
static const struct {
	const char *zone;
	int twice[4], shift;
	time_t first;
	int never[4];
	time_t later;
} clocks[] = {
	/* 2026-10-25T02:30+02:00; 2026-03-29T03:30+02:00 */
	{"CET-1CEST,M3.5.0,M10.5.0/3", {10, 25, 2, 30}, 3600, 1792888200,
		{3, 29, 2, 30}, 1774747800},
	/* midnight itself: 2026-11-01T00:00-04:00; 2026-03-08T01:00-04:00 */
	{"CST5CDT,M3.2.0/0,M11.1.0/1", {11, 1, 0, 0}, 3600, 1793505600,
		{3, 8, 0, 0}, 1772946000},
	/* half an hour: 2026-04-05T01:45+11; 2026-10-04T02:40+11 */
	{"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", {4, 5, 1, 45}, 1800,
		1775313900, {10, 4, 2, 10}, 1791042000},
};

static void clock_changes(void **state)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		const int *t = clocks[i].twice, *n = clocks[i].never;

		setenv("TZ", clocks[i].zone, 1);
		tzset();
		for (int month = 0; month < 12; month += 6) {
			ask_before(month);
			assert_int_equal(local_at(t[0], t[1], t[2], t[3]),
				clocks[i].first);
			ask_before(month);
			assert_int_equal(local_at(n[0], n[1], n[2], n[3]),
				clocks[i].later);
		}
		assert_int_equal(time_again(clocks[i].first),
			clocks[i].first + clocks[i].shift);
		assert_int_equal(
			time_again(clocks[i].first + clocks[i].shift), 0);
		assert_int_equal(time_again(clocks[i].later), 0);
	}
}

RUN_TESTS(setup, NULL,
	cmocka_unit_test_teardown(test_forms, teardown),
	cmocka_unit_test_teardown(test_future, teardown),
	cmocka_unit_test_teardown(test_bad_times, teardown),
	cmocka_unit_test_teardown(test_days_of_months, teardown),
	cmocka_unit_test_teardown(test_untouched_on_error, teardown),
	cmocka_unit_test_teardown(test_durations, teardown),
	cmocka_unit_test_teardown(test_bad_durations, teardown),
	cmocka_unit_test_teardown(test_duration_text, teardown),
	cmocka_unit_test_teardown(test_time_text, teardown),
	cmocka_unit_test_teardown(test_relative_new_year, teardown),
	cmocka_unit_test_teardown(test_round_trip, teardown),
	cmocka_unit_test(clock_changes))
