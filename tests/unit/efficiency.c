/* How well a job used what it was given. */
#include <math.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/fair/efficiency.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void near(double got, double want)
{
	if (got - want > 1e-6 || want - got > 1e-6)
		fail_msg("%.9f is not %.9f", got, want);
}

/* The sample of the backfill article: 2 nodes, 16 cores each. */
static void test_article(void **state)
{
	struct efficiency_step step = {.cpu_usec = 141259ULL * 1000000,
		.tot_mem = NO_VAL64,
		.max_mem = NO_VAL64,
		.ave_mem = NO_VAL64};
	struct efficiency_job job = {.elapsed = 4435,
		.cpus = 32,
		.nodes = 2,
		.mem = NO_VAL64,
		.steps = &step,
		.n_steps = 1};
	struct efficiency e = efficiency_of(&job);

	assert_int_equal(e.core_wall, 141920);
	assert_string_equal(efficiency_time(&arena, e.core_wall), "1-15:25:20");
	assert_string_equal(efficiency_time(&arena, e.cpu_used), "1-15:14:19");
	near(e.cpu_percent, 141259.0 / 141920 * 100);
	near(e.mem_percent, 0);
}

/* CPU time is rounded once, over all steps. */
static void test_rounding(void **state)
{
	struct efficiency_step steps[3] = {{.cpu_usec = 1400000},
		{.cpu_usec = 1400000}, {.cpu_usec = 700000}};
	struct efficiency_job job = {
		.elapsed = 10, .steps = steps, .n_steps = 3};

	assert_int_equal(efficiency_of(&job).cpu_used, 4);
	steps[2].cpu_usec = 699999;
	assert_int_equal(efficiency_of(&job).cpu_used, 3);
}

static void test_memory(void **state)
{
	static const uint64_t gib = 1ULL << 30;
	struct efficiency_step steps[] = {
		{.tot_mem = gib, .max_mem = gib, .ave_mem = gib, .tasks = 1},
		{.tot_mem = NO_VAL64,
			.max_mem = 3 * gib,
			.ave_mem = 2 * gib,
			.tasks = 4},
		{.tot_mem = NO_VAL64,
			.max_mem = NO_VAL64,
			.ave_mem = NO_VAL64,
			.tasks = 9},
	};
	struct efficiency_job job = {.elapsed = 1,
		.cpus = 4,
		.nodes = 2,
		.mem = 16384,
		.steps = steps,
		.n_steps = 3};
	struct efficiency e = efficiency_of(&job);

	near(e.mem_used, 8.0 * 1024 * 1024);
	near(e.mem_percent, 50);
	near(e.mem_share, 8.0 * 1024 * 1024);
	near(e.spread, 150);
	assert_false(e.mem_estimated);
	steps[1].ave_mem = NO_VAL64;
	job.mem_per_cpu = true;
	e = efficiency_of(&job);
	near(e.mem_used, 12.0 * 1024 * 1024);
	near(e.mem_share, 4.0 * 1024 * 1024);
	near(e.spread, 0);
	assert_true(e.mem_estimated);
}

/* Nothing known: no division by 0. */
static void test_nothing(void **state)
{
	struct efficiency_job job = {.mem = NO_VAL64};
	struct efficiency e = efficiency_of(&job);

	assert_int_equal(e.cpus, 1);
	assert_int_equal(e.nodes, 1);
	near(e.cpu_percent, 0);
	near(e.mem_percent, 0);
	near(e.mem_share, 0);
}

/* Needs 1 to 10; those in `stopped` (a bit each, from 1 on) are "at least". */
static const struct efficiency_need *needs(unsigned stopped)
{
	static struct efficiency_need v[10];

	for (unsigned i = 0; i < 10; i++)
		v[i] = (struct efficiency_need){i + 1, stopped >> i & 1};
	return v;
}

static void test_quantile(void **state)
{
	const struct efficiency_need *v = needs(0);

	near(efficiency_quantile(v, 10, 0.5), 5);
	near(efficiency_quantile(v, 10, 0.95), 10);
	near(efficiency_quantile(v, 10, 0.9), 9);
	near(efficiency_quantile(v, 10, 0), 1);
	near(efficiency_quantile(v, 10, 1), 10);
	near(efficiency_quantile(v, 0, 0.5), 0);
	near(efficiency_above(v, 10, 9), 0.1);
	near(efficiency_above(v, 10, 10), 0);
	near(efficiency_above(v, 10, 0), 1);
	near(efficiency_above(v, 0, 0), 0);
}

static void test_stopped(void **state)
{
	const struct efficiency_need *v = needs(1 << 9);

	near(efficiency_quantile(v, 10, 0.9), 9);
	assert_true(isinf(efficiency_quantile(v, 10, 0.91)));
	near(efficiency_above(v, 10, 100), 0.1);
	v = needs(1); /* it weighs on all that are larger alike */
	near(efficiency_quantile(v, 10, 0.5), 6);
	near(efficiency_quantile(v, 10, 1), 10);
	near(efficiency_above(v, 10, 1), 1);
	near(efficiency_above(v, 10, 2), 8.0 / 9);
	v = needs((1 << 10) - 1);
	assert_true(isinf(efficiency_quantile(v, 10, 0.01)));
	near(efficiency_above(v, 10, 100), 1);
}

static void test_order_of_needs(void **state)
{
	const struct efficiency_need done = {5, false}, stopped = {5, true},
				     more = {5.5, false};

	assert_true(efficiency_by_need(&done, &stopped) < 0);
	assert_true(efficiency_by_need(&stopped, &done) > 0);
	assert_true(efficiency_by_need(&stopped, &more) < 0);
	assert_true(efficiency_by_need(&more, &done) > 0);
	assert_int_equal(efficiency_by_need(&done, &done), 0);
}

/* Of any numbers: at most 1 - share lie above the quantile, and no smaller one
 * of them would do. */
static void test_quantile_property(void **state)
{
	struct efficiency_need v[40] = {0};

	srand(11);
	for (int round = 0; round < 500; round++) {
		size_t n = 1 + (size_t)rand() % 40;
		double share = (1 + rand() % 99) / 100.0, q;

		v[0].value = rand() % 10;
		for (size_t i = 1; i < n; i++)
			v[i].value = v[i - 1].value + rand() % 3;
		q = efficiency_quantile(v, n, share);
		assert_true(efficiency_above(v, n, q) <= 1 - share + 1e-6);
		assert_true(efficiency_above(v, n, q - 0.5) > 1 - share - 1e-6);
	}
}

static void test_sizes(void **state)
{
	assert_string_equal(efficiency_size(&arena, 0), "0.00 MB");
	assert_string_equal(efficiency_size(&arena, 0.5), "0.50 KB");
	assert_string_equal(efficiency_size(&arena, 1023), "1023.00 KB");
	assert_string_equal(efficiency_size(&arena, 1024), "1.00 MB");
	assert_string_equal(
		efficiency_size(&arena, 1.05 * 1024 * 1024), "1.05 GB");
	assert_string_equal(efficiency_time(&arena, 0), "00:00:00");
	assert_string_equal(efficiency_time(&arena, 86399), "23:59:59");
	assert_string_equal(efficiency_time(&arena, 86400), "1-00:00:00");
}

RUN_TESTS(NULL, teardown,
	cmocka_unit_test(test_article),
	cmocka_unit_test(test_rounding),
	cmocka_unit_test(test_memory),
	cmocka_unit_test(test_nothing),
	cmocka_unit_test(test_quantile),
	cmocka_unit_test(test_stopped),
	cmocka_unit_test(test_order_of_needs),
	cmocka_unit_test(test_quantile_property),
	cmocka_unit_test(test_sizes))
