/*
 * Pictures (common/draw/plot.h, common/draw/svg.h): blocks have the right height, ticks
 * are round and inside, nothing breaks on odd values.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/draw/plot.h"
#include "common/draw/svg.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void sparks(void **state)
{
	const double v[] = {0, 0.5, 1, NAN, 2, -1};
	const struct plot_series series = {v, 6};
	double low, high;

	assert_string_equal(plot_spark(&series, 0, 1, false, &arena), "▁▅█ █▁");
	assert_string_equal(plot_spark(&series, 0, 1, true, &arena), "_+# #_");
	plot_range(&series, &low, &high);
	assert_true(low == -1 && high == 2);
	plot_spark(&series, 1, 1, false, &arena);
	plot_range(&(struct plot_series){v + 3, 1}, &low, &high);
	assert_true(low == 0 && high == 0);
}

static void areas(void **state)
{
	const double v[] = {0, 0.25, 0.5, 1};
	struct plot_area area = {
		.series = {v, 4}, .from = 0, .to = 3, .high = 1, .rows = 2};
	struct strv lines = {0};

	plot_draw(&area, &lines, &arena);
	assert_int_equal(lines.n, 4);
	assert_string_equal(lines.v[0], "     1 ┤   █");
	assert_string_equal(lines.v[1], "     0 ┤ ▄██");
	area.colour = "32";
	plot_draw(&area, &lines, &arena);
	assert_string_equal(lines.v[4], "     1 ┤\033[32m   █\033[0m");
	area.colour = NULL;
	area.ascii = true;
	plot_draw(&area, &lines, &arena);
	assert_string_equal(lines.v[8], "     1 |   #");
	assert_string_equal(lines.v[9], "     0 | =##");
	for (const char *c = lines.v[10]; *c; c++)
		assert_true((unsigned char)*c < 0x80);
}

static void number_ticks(void **state)
{
	const double highs[] = {
		0, 1e-9, 0.7, 1, 3, 999, 1e6, 4.2e13, 1e300, HUGE_VAL, NAN, -3};

	for (size_t i = 0; i < sizeof(highs) / sizeof(*highs); i++) {
		struct plot_ticks ticks;
		double top;

		plot_number_ticks(&ticks, highs[i], 5, &arena);
		assert_true(ticks.n >= 2 && ticks.n <= 8);
		top = ticks.v[ticks.n - 1].at;
		assert_true(isfinite(top) && top > 0);
		if (isfinite(highs[i]))
			assert_true(top >= highs[i] * (1 - 1e-6));
	}
	assert_string_equal(plot_number(2500000, &arena), "2.5M");
	assert_string_equal(plot_number(0.125, &arena), "0.125");
	assert_string_equal(plot_number(0, &arena), "0");
}

static void time_ticks(void **state)
{
	const int64_t spans[] = {1, 59, 3600, 86400, 7 * 86400, 90 * 86400,
		3650 * 86400LL, 4000LL * 31536000};

	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		int64_t from = 1760000123, to = from + spans[i];
		struct plot_ticks ticks;

		plot_time_ticks(&ticks, from, to, 8, &arena);
		assert_true(ticks.n <= 9);
		for (size_t k = 0; k < ticks.n; k++) {
			assert_true(ticks.v[k].at >= (double)from);
			assert_true(ticks.v[k].at <= (double)to);
			assert_true(*ticks.v[k].label);
		}
		assert_true(spans[i] / plot_step(from, to, 72) <= 72);
	}
}

static void pictures(void **state)
{
	const double v[] = {0, NAN, 5, 2};
	struct plot_series series = {v, 4};
	const struct svg_panel panel = {"p", 0};
	const struct svg_line lines[] = {{"<&\">", &series, 0},
		{"a name that is wider than the legend", &series, 1}};
	const struct svg_chart chart = {"t", "", 0, 3, 1, &panel, 1, lines, 2};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	svg_draw(&chart, out, &arena);
	fclose(out);
	assert_non_null(strstr(text, "&lt;&amp;&quot;&gt;"));
	assert_non_null(strstr(text, ">a name that is wider than the legend<"));
	assert_null(strstr(text, "nan"));
	assert_non_null(strstr(text, "</svg>"));
	free(text);
}

/* Firsts of months, and local days on both sides of a clock change. */
static void calendar_ticks(void **state)
{
	struct plot_ticks ticks;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	/* 2026-01-01 to 2027-01-01 */
	plot_time_ticks(&ticks, 1767222000, 1798758000, 8, &arena);
	assert_int_equal(ticks.n, 7);
	assert_string_equal(ticks.v[2].label, "May 01");
	/* 2026-10-23 to 10-28: the 25th has 25 hours */
	plot_time_ticks(&ticks, 1792706400, 1793142000, 8, &arena);
	for (size_t i = 0; i < ticks.n; i++)
		assert_null(strchr(ticks.v[i].label, ':'));
	assert_int_equal(ticks.n, 6);
	setenv("TZ", "UTC", 1);
	tzset();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

RUN_TESTS(NULL, NULL,
	TEST(sparks),
	TEST(areas),
	TEST(number_ticks),
	TEST(time_ticks),
	TEST(pictures),
	TEST(calendar_ticks))
