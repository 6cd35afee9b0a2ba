/* Traces: what is left out, what is changed; predictions from a trace. */
#include <stdio.h>
#include <string.h>

#include "common/sim/predict.h"
#include "tests/unit/unit.h"
#include "tests/unit/trace_fixture.h"

static void add(const char *line)
{
	struct swf_header header = {0};
	struct arena arena;
	struct swf_job row;
	struct err err;

	arena_init(&arena);
	assert_int_equal(swf_line(line, &header, &arena, &row, &err), 1);
	assert_int_equal(trace_add(&trace, &row, &err), 0);
	arena_release(&arena);
}

static void count(enum trace_why why, uint64_t n, int64_t first)
{
	assert_int_equal(trace.counts[why].n, n);
	if (n)
		assert_int_equal(trace.counts[why].first, first);
}

static void left_out(void **state)
{
	struct trace_rules rules = {0};

	begin_trace(&rules);
	add("1 -1 0 10 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("2 0 0 0 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("3 0 0 -1 4 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1");
	add("4 0 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1");
	add("5 0 0 10 -1 -1 -1 0 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("6 0 0 10 4 -1 -1 4 60 -1 3 1 1 -1 -1 -1 -1 -1");
	add("7 0 0 10 9 -1 -1 -1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("8 0 0 10 9 -1 -1 6 60 -1 5 1 1 -1 -1 -1 -1 -1");
	add("9 0 0 10 9 -1 -1 99999999999 60 -1 1 1 1 -1 -1 -1 -1 -1");
	trace_finish(&trace, 8);
	count(TRACE_NO_SUBMIT, 1, 1);
	count(TRACE_NO_RUN, 2, 2);
	count(TRACE_NO_LIMIT, 1, 4);
	count(TRACE_NO_PROCS, 1, 5);
	count(TRACE_PART, 1, 6);
	count(TRACE_TOO_LARGE, 2, 7);
	assert_int_equal(trace.n, 1);
	assert_int_equal(trace.jobs[0].id, 8);
	assert_int_equal(trace.jobs[0].procs, 6);
	assert_int_equal(trace.rows, 9);
}

static void limits(void **state)
{
	struct trace_rules rules = {0};

	begin_trace(&rules);
	add("1 0 0 90 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	assert_int_equal(trace.jobs[0].run, 60);
	count(TRACE_OVER_LIMIT, 1, 1);
	rules.over = TRACE_RAISE;
	begin_trace(&rules);
	add("1 0 0 90 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	assert_int_equal(trace.jobs[0].limit, 90);
	rules.missing = TRACE_AS_RUN;
	begin_trace(&rules);
	add("1 0 0 90 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1");
	assert_int_equal(trace.jobs[0].limit, 90);
	count(TRACE_GIVEN_LIMIT, 1, 1);
	count(TRACE_OVER_LIMIT, 0, 0);
	rules = (struct trace_rules){.missing = TRACE_GIVE, .limit_given = 50};
	begin_trace(&rules);
	add("1 0 0 90 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1");
	assert_int_equal(trace.jobs[0].run, 50);
	count(TRACE_OVER_LIMIT, 1, 1);
}

static void windows(void **state)
{
	struct trace_rules rules = {
		.from = 10, .until = 20, .drop_cancelled = true};

	begin_trace(&rules);
	add("1 9 0 9 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("2 10 0 9 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("3 19 0 9 4 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1");
	add("4 20 0 9 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1");
	trace_finish(&trace, 4);
	count(TRACE_OUTSIDE, 2, 1);
	count(TRACE_CANCELLED, 1, 3);
	assert_int_equal(trace.n, 1);
}

/* Those of one moment stay as they came. */
static void order(void **state)
{
	static const int64_t wanted[] = {3, 5, 2, 4, 6, 1, 7};
	struct trace_rules rules = {0};

	begin_trace(&rules);
	add("1 9 0 9 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("2 5 0 9 1 -1 -1 1 60 -1 1 2 1 -1 -1 -1 -1 -1");
	add("3 2 0 9 1 -1 -1 1 60 -1 1 3 1 -1 -1 -1 -1 -1");
	add("4 5 0 9 1 -1 -1 1 60 -1 1 4 1 -1 -1 -1 -1 -1");
	add("5 2 0 9 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("6 5 0 9 1 -1 -1 1 60 -1 1 2 1 -1 -1 -1 -1 -1");
	add("7 9 0 9 1 -1 -1 1 60 -1 1 -1 1 -1 -1 -1 -1 -1");
	trace_finish(&trace, 4);
	count(TRACE_UNORDERED, 3, 2);
	for (size_t i = 0; i < trace.n; i++)
		assert_int_equal(trace.jobs[i].id, wanted[i]);
	assert_int_equal(trace.users.n, 5);
	assert_int_equal(trace.users.numbers[trace.jobs[6].user], -1);
	assert_int_equal(trace.jobs[2].user, trace.jobs[4].user);
}

static void many_names(void **state)
{
	struct trace_rules rules = {0};
	char line[128];

	begin_trace(&rules);
	for (int i = 0; i < 3000; i++) {
		snprintf(line, sizeof(line),
			"%d %d 0 9 1 -1 -1 1 60 -1 1 %d 1 -1 -1 -1 -1 -1",
			i + 1, i, i % 1000 * 1000);
		add(line);
	}
	trace_finish(&trace, 4);
	assert_int_equal(trace.users.n, 1000);
	for (size_t i = 0; i < trace.n; i++)
		assert_int_equal(trace.users.numbers[trace.jobs[i].user],
			i % 1000 * 1000);
}

static void last_two(void **state)
{
	struct trace_rules rules = {0};
	struct predict *p;

	begin_trace(&rules);
	add("1 0 0 11 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("2 0 0 20 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("3 0 0 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1");
	add("4 0 0 9 1 -1 -1 1 12 -1 1 1 1 -1 -1 -1 -1 -1");
	add("5 0 0 9 1 -1 -1 1 12 -1 1 2 1 -1 -1 -1 -1 -1");
	p = predict_new(&trace, PREDICT_LAST2, 0);
	assert_int_equal(predict_run(p, &trace.jobs[2]), 60);
	predict_learn(p, &trace.jobs[0]);
	assert_int_equal(predict_run(p, &trace.jobs[2]), 60);
	predict_learn(p, &trace.jobs[1]);
	assert_int_equal(predict_run(p, &trace.jobs[2]), 15);
	assert_int_equal(predict_run(p, &trace.jobs[3]), 12);
	predict_learn(p, &trace.jobs[2]);
	assert_int_equal(predict_run(p, &trace.jobs[2]), 40);
	assert_int_equal(predict_run(p, &trace.jobs[4]), 12);
	predict_free(p);
}

static void quantiles(void **state)
{
	struct trace_rules rules = {0};
	struct predict *p;
	struct trace_job job;

	begin_trace(&rules);
	add("1 0 0 11 1 -1 -1 1 900 -1 1 1 1 -1 -1 -1 -1 -1");
	p = predict_new(&trace, PREDICT_QUANTILE, 0.95);
	job = trace.jobs[0];
	for (int64_t run = 1; run <= 20; run++) {
		job.run = run * 10;
		predict_learn(p, &job);
	}
	assert_int_equal(predict_run(p, &job), 190);
	/* The oldest are forgotten. */
	job.run = 500;
	for (int i = 0; i < 100; i++)
		predict_learn(p, &job);
	assert_int_equal(predict_run(p, &job), 500);
	job.limit = 300;
	assert_int_equal(predict_run(p, &job), 300);
	predict_free(p);
}

static void corrections(void **state)
{
	int64_t planned = 100;

	for (uint32_t k = 0; k < 20; k++) {
		int64_t first = predict_first(planned, k < 11 ? k : 0);

		if (k < 11)
			assert_int_equal(first, 100);
		planned = predict_again(100, k, 1000000);
	}
	assert_int_equal(planned, 1000000);
	assert_int_equal(predict_again(100, 0, 1000000), 160);
	assert_int_equal(predict_again(100, 10, 1000000), 360100);
	assert_int_equal(predict_again(100, 1, 200), 200);
}

RUN_TESTS(NULL, release_trace,
	cmocka_unit_test(left_out),
	cmocka_unit_test(limits),
	cmocka_unit_test(windows),
	cmocka_unit_test(order),
	cmocka_unit_test(many_names),
	cmocka_unit_test(last_two),
	cmocka_unit_test(quantiles),
	cmocka_unit_test(corrections))
