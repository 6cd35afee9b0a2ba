/* SWF lines, and the values in lines of sacct. */
#include <stdlib.h>
#include <string.h>

#include "cmd/srecord/sacctline.c"
#include "common/text/swf.h"
#include "tests/unit/unit.h"

struct reader {
	struct arena arena;
	struct swf_header header;
	struct swf_job job;
	struct err err;
};

static int setup(void **state)
{
	struct reader *r = calloc(1, sizeof(*r));

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	arena_init(&r->arena);
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct reader *r = *state;

	arena_release(&r->arena);
	free(r);
	return 0;
}

static int line(struct reader *r, const char *text)
{
	return swf_line(text, &r->header, &r->arena, &r->job, &r->err);
}

static void swf_jobs(void **state)
{
	struct reader *r = *state;

	assert_int_equal(line(r, " 1  0 -1\t10.7 4 2.5 -1 4 60 -1 1 3 2 -1 0 1 -1 -1 "), 1);
	assert_int_equal(r->job.v[SWF_ID], 1);
	assert_int_equal(r->job.v[SWF_WAIT], -1);
	assert_int_equal(r->job.v[SWF_RUN], 10);
	assert_int_equal(r->job.v[SWF_CPU], 2);
	assert_int_equal(r->job.v[SWF_THINK], -1);
	assert_int_equal(line(r, ""), 0);
	assert_int_equal(line(r, "  \t"), 0);
	assert_int_equal(line(r, "1 2 3"), -1);
	assert_string_equal(r->err.text, "3 fields instead of 18");
	assert_int_equal(line(r, "1 2 x3 4"), -1);
	assert_string_equal(r->err.text, "field 3: 'x3' is not a number");
	assert_int_equal(line(r, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 x"), 1);
	assert_int_equal(line(r, "99999999999999999999999 2"), -1);
}

static void swf_comments(void **state)
{
	struct reader *r = *state;

	assert_int_equal(line(r, "; UnixStartTime: 843480031"), 0);
	assert_int_equal(line(r, ";   MaxProcs:  100"), 0);
	assert_int_equal(line(r, "; Queue: 2  batch long"), 0);
	assert_int_equal(line(r, "; Queue: 99999999 x"), 0);
	assert_int_equal(line(r, "; Note: UnixStartTime: 7"), 0);
	assert_int_equal(r->header.start, 843480031);
	assert_int_equal(r->header.procs, 100);
	assert_int_equal(r->header.queues.n, 3);
	assert_string_equal(r->header.queues.v[0], "");
	assert_string_equal(r->header.queues.v[2], "batch");
}

/* A number and what stands behind a blank; else the header says nothing. */
static void swf_header_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t number;
	} cases[] = {
		{"8", 8},
		{"8 (7 of them work)", 8},
		{"8x", 0},
		{"1,152", 0},
		{"-8", 0},
		{"many", 0},
		{"", 0},
		{"99999999999999999999", 0},
	};
	struct reader *r = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *const text = cases[i].text;

		r->header = (struct swf_header){0};
		line(r, arena_printf(&r->arena, "; MaxProcs: %s", text));
		line(r, arena_printf(&r->arena, "; MaxNodes: %s", text));
		line(r, arena_printf(&r->arena, "; UnixStartTime: %s", text));
		assert_int_equal(r->header.procs, cases[i].number);
		assert_int_equal(r->header.nodes, cases[i].number);
		assert_int_equal(r->header.start, cases[i].number);
	}
}

static void split_lines(void **state)
{
	char delimiter[16], text[] = "1|a|b|c|9", wide[] = "1^|^a^|b^|^", *v[8];

	assert_int_equal(sacct_delimiter("JobID|User", delimiter, 16), 1);
	assert_int_equal(sacct_delimiter("JobID^|^User", delimiter, 16), 3);
	assert_string_equal(delimiter, "^|^");
	assert_int_equal(sacct_delimiter("JobID", delimiter, 16), 0);
	assert_int_equal(sacct_count(wide, "^|^"), 3);
	assert_int_equal(sacct_split(wide, "^|^", v, 2), 3);
	assert_string_equal(v[1], "a^|b");
	sacct_unsplit(wide, "^|^", 3);
	assert_string_equal(wide, "1^|^a^|b^|^");
	assert_int_equal(sacct_count(text, "|"), 5);
	assert_int_equal(sacct_split(text, "|", v, 8), 5);
	sacct_join(v, 3, 1, 2, "|");
	assert_string_equal(v[0], "1");
	assert_string_equal(v[1], "a|b|c");
	assert_string_equal(v[2], "9");
}

static void job_ids(void **state)
{
	static const struct {
		const char *text;
		uint32_t job, task, het;
		const char *tasks, *step;
	} rows[] = {
		{"7", 7, 0, 0, NULL, NULL},
		{"7_3", 7, 3, 0, NULL, NULL},
		{"7_[1-5%2]", 7, 0, 0, "1-5%2", NULL},
		{"7+2.batch", 7, 0, 2, NULL, "batch"},
		{"7_3.0", 7, 3, 0, NULL, "0"},
	};
	static const char *const bad[] = {
		"", "x", "0", "7_", "7_[1", "7+", "7.", "7 ", "99999999999"};
	struct sacct_id id;
	char text[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		memcpy(text, rows[i].text, strlen(rows[i].text) + 1);
		assert_int_equal(sacct_id_parse(text, &id), 0);
		assert_int_equal(id.job, rows[i].job);
		assert_int_equal(id.task, rows[i].task);
		assert_int_equal(id.het, rows[i].het);
		assert_int_equal(!id.tasks, !rows[i].tasks);
		if (id.tasks)
			assert_string_equal(id.tasks, rows[i].tasks);
		assert_int_equal(!id.step, !rows[i].step);
		if (id.step)
			assert_string_equal(id.step, rows[i].step);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memcpy(text, bad[i], strlen(bad[i]) + 1);
		assert_int_equal(sacct_id_parse(text, &id), -1);
	}
}

static int64_t duration(const char *text)
{
	int64_t usec;

	return sacct_duration(text, &usec) ? -1 : usec;
}

static void durations(void **state)
{
	assert_int_equal(duration("90"), 90000000);
	assert_int_equal(duration("01:30"), 90000000);
	assert_int_equal(duration("01:30.250"), 90250000);
	assert_int_equal(duration("2-01:00:00"), 176400000000);
	assert_int_equal(duration("1-"), -1);
	assert_int_equal(duration("1:"), -1);
	assert_int_equal(duration("-5"), -1);
	assert_int_equal(duration("5 "), -1);
}

static void sizes(void **state)
{
	uint64_t bytes;
	char per;

	assert_int_equal(sacct_size("1.5G", 1, &bytes, &per), 0);
	assert_int_equal(bytes, 1610612736);
	assert_int_equal(sacct_size("4Gn", 1, &bytes, &per), 0);
	assert_int_equal(per, 'n');
	assert_int_equal(sacct_size("7", 1 << 20, &bytes, &per), 0);
	assert_int_equal(bytes, 7 << 20);
	assert_int_equal(sacct_size("4X", 1, &bytes, &per), -1);
	assert_int_equal(sacct_size("", 1, &bytes, &per), -1);
	assert_int_equal(sacct_size("99999999P", 1, &bytes, &per), -1);
}

static int64_t at(const char *text)
{
	static struct sacct_clock clock;
	int64_t when;

	return sacct_time(&clock, text, &when) ? -1 : when;
}

static void times(void **state)
{
	assert_int_equal(at("2026-01-01T00:00:00"), 1767222000);
	assert_int_equal(at("2026-07-01T12:34:56"), 1782902096);
	assert_int_equal(at("1767222000"), 1767222000);
	assert_int_equal(at("Unknown"), 0);
	assert_int_equal(at("None"), 0);
	assert_int_equal(at("2026-13-01T00:00:00"), -1);
	assert_int_equal(at("2026-01-01T24:00:00"), -1);
	assert_int_equal(at("2026-01-01"), -1);
	assert_int_equal(at("12:00"), -1);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(swf_jobs, setup, teardown),
	cmocka_unit_test_setup_teardown(swf_comments, setup, teardown),
	cmocka_unit_test_setup_teardown(
		swf_header_numbers, setup, teardown),
	cmocka_unit_test_setup_teardown(split_lines, setup, teardown),
	cmocka_unit_test(job_ids),
	cmocka_unit_test(durations),
	cmocka_unit_test(sizes),
	cmocka_unit_test_setup_teardown(times, setup, teardown))
