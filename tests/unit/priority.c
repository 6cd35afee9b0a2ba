/*
 * Job priority: a table of sprio from its inputs, every factor and
 * flag, the borders of the sum.
 */
#include <math.h>
#include <string.h>

#include "common/fair/priority.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

enum { GPU = 1001, DAY = 86400, NOW = 1800000000 };

static void near(double got, double want)
{
	if (!(fabs(got - want) < 1e-9))
		fail_msg("%.12g is not %.12g", got, want);
}

/* A cluster of 4 nodes with 16 CPUs each, nothing weighs anything. */
static struct policy policy;
static struct priority_context ctx;
static struct priority_partition partition;
static struct priority_job job;

static int reset(void **state)
{
	arena_reset(&arena);
	policy = (struct policy){.multifactor = true, .max_age = 7 * DAY};
	ctx = (struct priority_context){
		.policy = &policy, .now = NOW, .nodes = 4, .cpus = 64};
	partition = (struct priority_partition){
		.job_factor = 1, .max_time = NO_VAL};
	job = (struct priority_job){
		.direct = NO_VAL,
		.nodes = 1,
		.cpus_alloc = NO_VAL,
		.cpus_max = NO_VAL,
		.cpus_min = 8,
		.time_limit = NO_VAL,
	};
	return 0;
}

static struct priority_result compute(uint32_t qos_priority)
{
	struct priority_result result;

	priority_compute(&ctx, &job, &partition, qos_priority, &result, &arena);
	return result;
}

/* Job 4 in `debug` and in `gpu`. */
static void the_sprio_table(void **state)
{
	static struct tres_weight weights[] = {
		{TRES_CPU, 1000}, {TRES_MEM, 2000}, {GPU, 3000}};
	static struct tres_count total[] = {
		{TRES_CPU, 16}, {TRES_MEM, 64000}, {GPU, 4}};
	static struct tres_count asked[] = {
		{TRES_CPU, 3}, {TRES_MEM, 6144}, {GPU, 1}};
	struct tres_list totals = {total, 3, 3}, request = {asked, 3, 3};
	struct priority_result r;

	policy.weights = (struct priority_weights){.age = 100000,
		.assoc = 500,
		.fairshare = 10000,
		.job_size = 1000,
		.partition = 1000,
		.qos = 2000};
	ctx.tres_weights = (struct tres_weights){weights, 3, 3};
	ctx.max_assoc_priority = 10;
	ctx.max_qos_priority = 100;
	ctx.max_partition_factor = 5;
	partition.totals = &totals;
	job.assoc_priority = 4;
	job.fairshare = 1;
	job.cpus_min = 3;
	job.tres = &request;
	r = compute(100);
	near(r.factor[FACTOR_AGE], 0);
	near(r.factor[FACTOR_ASSOC], 0.4);
	near(r.factor[FACTOR_FAIRSHARE], 1);
	near(r.factor[FACTOR_JOB_SIZE], 0.1484375);
	near(r.factor[FACTOR_PARTITION], 0.2);
	near(r.factor[FACTOR_QOS], 1);
	near(r.term[FACTOR_JOB_SIZE], 148.4375);
	near(r.term[FACTOR_PARTITION], 200);
	assert_int_equal(r.n_tres, 3);
	near(r.tres[0].factor, 3.0 / 16);
	near(r.tres[0].term, 187.5);
	near(r.tres[1].term, 192);
	near(r.tres[2].term, 750);
	near(r.tres_sum, 1129.5);
	near(r.sum, 200 + 10000 + 148.4375 + 200 + 2000 + 1129.5);
	assert_int_equal(r.priority, 13677);
	assert_int_equal(r.weight[FACTOR_QOS], 2000);
	/* The other partition has a term of its own. */
	partition.job_factor = 5;
	r = compute(100);
	near(r.term[FACTOR_PARTITION], 1000);
	assert_int_equal(r.priority, 14477);
	/* Without a partition: no such factor, no amounts. */
	priority_compute(&ctx, &job, NULL, 0, &r, &arena);
	near(r.term[FACTOR_PARTITION], 0);
	near(r.tres_sum, 0);
	near(r.term[FACTOR_QOS], 0);
}

static double age(time_t accrue)
{
	policy.weights.age = 1;
	job.accrue = accrue;
	return compute(0).factor[FACTOR_AGE];
}

static void ages(void **state)
{
	near(age(0), 0);
	near(age(NOW + 1), 0);
	near(age(NOW), 0);
	near(age(NOW - 7 * DAY / 2), 0.5);
	near(age(NOW - 70 * DAY), 1);
	policy.max_age = 0;
	near(age(NOW), 1);
	near(age(0), 0);
	near(age(NOW + 1), 0);
}

static void normal_or_raw(void **state)
{
	struct priority_result r;

	policy.weights.assoc = policy.weights.partition = 1;
	policy.weights.qos = 1;
	job.assoc_priority = 30;
	partition.job_factor = 7;
	r = compute(40);
	near(r.factor[FACTOR_ASSOC], 0); /* no highest */
	near(r.factor[FACTOR_PARTITION], 7);
	near(r.factor[FACTOR_QOS], 0);
	ctx.max_assoc_priority = 60;
	ctx.max_qos_priority = 160;
	ctx.max_partition_factor = 14;
	r = compute(40);
	near(r.factor[FACTOR_ASSOC], 0.5);
	near(r.factor[FACTOR_PARTITION], 0.5);
	near(r.factor[FACTOR_QOS], 0.25);
	policy.flags =
		PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART | PRIO_NO_NORMAL_QOS;
	r = compute(40);
	near(r.factor[FACTOR_ASSOC], 30);
	near(r.factor[FACTOR_PARTITION], 7);
	near(r.factor[FACTOR_QOS], 40);
	assert_int_equal(r.priority, 77);
	job.assoc_priority = NO_VAL;
	near(compute(INFINITE).sum, 7);
}

static void tres_terms(void **state)
{
	static struct tres_weight weights[] = {
		{TRES_CPU, -10}, {TRES_MEM, 100}, {GPU, 5}};
	static struct tres_count total[] = {{TRES_CPU, 4}, {GPU, 0}};
	static struct tres_count asked[] = {
		{TRES_CPU, 8}, {TRES_MEM, 1024}, {GPU, 2}};
	struct tres_list totals = {total, 2, 2}, request = {asked, 3, 3};
	struct priority_result r;

	ctx.tres_weights = (struct tres_weights){weights, 3, 3};
	partition.totals = &totals;
	job.tres = &request;
	r = compute(0);
	near(r.tres[0].factor, 2); /* not clamped */
	near(r.tres[0].term, -20);
	near(r.tres[1].factor, 0); /* none in the partition */
	near(r.tres[2].factor, 0);
	near(r.sum, -20);
	assert_int_equal(r.priority, 1);
	policy.flags = PRIO_NO_NORMAL_TRES;
	r = compute(0);
	near(r.tres_sum, -80 + 102400 + 10);
	job.tres = NULL;
	near(compute(0).tres_sum, 0);
}

/* Weights beyond any sense: the priority is at one of its borders. */
static void tres_weights_without_bounds(void **state)
{
	static const double signs[][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
	static struct tres_count asked[] = {{TRES_CPU, 8}, {TRES_MEM, 1024}};
	struct tres_list request = {asked, 2, 2};

	job.tres = &request;
	policy.flags = PRIO_NO_NORMAL_TRES;
	for (size_t i = 0; i < LENGTH(signs); i++) {
		struct tres_weight weights[] = {{TRES_CPU, signs[i][0] * 1e308},
			{TRES_MEM, signs[i][1] * 1e308}};
		struct priority_result r;

		ctx.tres_weights = (struct tres_weights){weights, 2, 2};
		r = compute(0);
		assert_true(isfinite(r.sum) && isfinite(r.tres_sum));
		assert_int_equal(r.overflow, r.priority == UINT32_MAX);
		assert_int_equal(r.priority, i ? 1 : UINT32_MAX);
	}
}

/* Spec 4.3: 4 nodes, 64 CPUs, one node and 8 CPUs. */
static double size(bool favor_small, bool relative, uint32_t minutes)
{
	policy.favor_small = favor_small;
	policy.flags = relative ? PRIO_SMALL_RELATIVE_TO_TIME : 0;
	job.time_limit = minutes;
	return priority_job_size(&ctx, &job, &partition);
}

static void job_sizes(void **state)
{
	near(size(false, false, 10), 0.1875);
	near(size(true, false, 10), 0.8125);
	near(size(false, true, 10), 0.025);
	near(size(false, true, 1440), 0.25 / 1440);
	near(size(true, true, 10), 0.975);
	near(size(true, true, 1440), 1 - 0.25 / 1440);
}

static void job_size_edges(void **state)
{
	/* Allocated before maximal before minimal CPUs. */
	job.cpus_max = 16;
	near(size(false, false, 1), (0.25 + 0.25) / 2);
	job.cpus_alloc = 32;
	near(size(false, false, 1), (0.25 + 0.5) / 2);
	job.cpus_alloc = job.cpus_max = job.cpus_min = 0;
	near(size(false, false, 1), 0.25);
	near(size(true, false, 1), 0.75);
	/* More than there is. */
	job.nodes = 9;
	job.cpus_alloc = 128;
	near(size(false, false, 1), 1);
	near(size(true, false, 1), 0);
	/* Time limits: the partition's, unlimited, no partition, 0. */
	job.nodes = 1;
	job.cpus_alloc = 16;
	partition.max_time = 10;
	near(size(false, true, NO_VAL), 0.025);
	partition.max_time = NO_VAL;
	near(size(false, true, NO_VAL), 0.25 / INFINITE);
	near(size(false, true, INFINITE), 0.25 / INFINITE);
	near(size(false, true, 0), 0.25);
	job.time_limit = NO_VAL;
	near(priority_job_size(&ctx, &job, NULL), 0.25);
	ctx.cpus = 0;
	near(size(false, true, 1), 0);
	ctx.cpus = 64;
	ctx.nodes = 0;
	near(size(true, false, 1), 0);
}

static uint32_t sum_of(uint32_t fairshare, int32_t site, int32_t nice)
{
	policy.weights.fairshare = fairshare;
	job.fairshare = 1;
	job.site = site;
	job.nice = nice;
	return compute(0).priority;
}

static void the_sum_and_its_borders(void **state)
{
	struct priority_result r;

	assert_int_equal(sum_of(1000, 50, 100), 950);
	assert_int_equal(sum_of(1000, -50, -100), 1050);
	assert_int_equal(sum_of(0, 0, 0), 1);
	assert_int_equal(sum_of(10, 0, 2147483645), 1);
	assert_int_equal(sum_of(UINT32_MAX, 0, 0), UINT32_MAX);
	assert_false(compute(0).overflow);
	assert_int_equal(
		sum_of(UINT32_MAX, 2147483645, -2147483645), UINT32_MAX);
	r = compute(0);
	assert_true(r.overflow);
	assert_true(r.sum == 4294967295.0 + 2 * 2147483645.0);
	/* Truncated, not rounded. */
	sum_of(1000, 0, 0);
	job.fairshare = 0.9999;
	assert_int_equal(compute(0).priority, 999);
	job.fairshare = NAN;
	assert_int_equal(compute(0).priority, 1);
	job.fairshare = 7;
	assert_int_equal(compute(0).priority, 1000);
}

static void set_by_hand(void **state)
{
	struct priority_result r;

	policy.weights.fairshare = 1000;
	job.fairshare = 1;
	job.nice = 100;
	job.direct = 5000;
	r = compute(0);
	assert_true(r.direct);
	assert_int_equal(r.priority, 5000);
	near(r.factor[FACTOR_FAIRSHARE], 0);
	near(r.sum, 0);
	assert_int_equal(r.nice, 0);
	assert_int_equal(r.n_tres, 0);
	job.direct = 0;
	assert_int_equal(compute(0).priority, 0);
}

static void around_the_formula(void **state)
{
	static const uint32_t qos[] = {100, 20, 0}, zero[] = {0};

	assert_int_equal(priority_qos(qos, 3, 1), 20);
	assert_int_equal(priority_qos(qos, 3, 2), 100);
	assert_int_equal(priority_qos(zero, 1, 0), 0);
	assert_int_equal(priority_update(NO_VAL, 7, PRIO_INCR_ONLY), 7);
	assert_int_equal(priority_update(9, 7, PRIO_INCR_ONLY), 9);
	assert_int_equal(priority_update(9, 11, PRIO_INCR_ONLY), 11);
	assert_int_equal(priority_update(9, 7, 0), 7);
	assert_int_equal(priority_update(0, 7, 0), 0);
}

static void accrue_times(void **state)
{
	static const struct {
		struct accrue a;
		unsigned flags;
		time_t want;
	} cases[] = {
		/* Always: nothing else matters. */
		{{.submit = 10, .begin = 500, .held = true, .enforced = true},
			PRIO_ACCRUE_ALWAYS, 10},
		/* Limits not enforced. */
		{{.submit = 10, .begin = 20}, 0, 20},
		{{.submit = 10, .begin = 20, .previous = 15, .held = true}, 0,
			15},
		{{.submit = 10}, 0, 0},
		/* Enforced. */
		{{.submit = 10, .begin = 20, .enforced = true}, 0, 20},
		{{.begin = 20, .enforced = true, .held = true}, 0, 0},
		{{.begin = 20, .enforced = true, .dependent = true}, 0, 0},
		{{.begin = 101, .enforced = true}, 0, 0},
		{{.enforced = true}, 0, 0},
		{{.begin = 20, .previous = 40, .enforced = true}, 0, 40},
		{{.begin = 20, .enforced = true, .limited = true}, 0, 0},
		{{.begin = 20,
			 .enforced = true,
			 .limited = true,
			 .admitted = true},
			0, 100},
		{{.begin = 20,
			 .previous = 60,
			 .enforced = true,
			 .limited = true},
			0, 60},
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
		assert_int_equal(
			priority_accrue(&cases[i].a, cases[i].flags, 100),
			cases[i].want);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test_setup(the_sprio_table, reset),
	cmocka_unit_test_setup(ages, reset),
	cmocka_unit_test_setup(normal_or_raw, reset),
	cmocka_unit_test_setup(tres_terms, reset),
	cmocka_unit_test_setup(tres_weights_without_bounds, reset),
	cmocka_unit_test_setup(job_sizes, reset),
	cmocka_unit_test_setup(job_size_edges, reset),
	cmocka_unit_test_setup(the_sum_and_its_borders, reset),
	cmocka_unit_test_setup(set_by_hand, reset),
	cmocka_unit_test_setup(around_the_formula, reset),
	cmocka_unit_test_setup(accrue_times, reset))
