/*
 * Slurm's scheduling in a simulation: that no machine is overfilled and nobody
 * forgotten whatever the parameters, that the main pass alone is first come
 * first served, that fair share, age and size decide as they should.
 */
#include <string.h>

#include "common/conf/conf.h"
#include "common/sim/metrics.h"
#include "common/sim/simulate_slurm.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"
#include "tests/unit/random_trace.h"

enum { ROUNDS = 60 };

static const struct spread spread = {300, 2000, 900};
static struct conf conf;

static void reset(void)
{
	arena_reset(&arena);
	conf_defaults(&conf);
}

static void begin(void)
{
	reset();
	begin_trace(NULL);
}

/* On nodes of `cpus` CPUs; the processors are a multiple of that. */
static void run(const char *policy, uint32_t cpus, struct sim_options *options,
	struct sim_result *result)
{
	struct sim_slurm slurm = {.policy = &conf.policy};
	struct err err = {0};

	if (backfill_read(&slurm.backfill, &conf, policy, NULL, &arena, &err))
		fail_msg("%s", err.text);
	sim_machine_plain(&slurm.machine, trace.procs / cpus, cpus, &arena);
	options->policy = &slurm;
	assert_int_equal(
		simulate(&trace, &sim_slurm_policy, options, result, &err), 0);
}

static void never_too_much(void **state)
{
	static const char *const policies[] = {
		"slurm",
		"slurm:bf_window=10,bf_resolution=30,bf_interval=5",
		"slurm:bf_max_job_test=3,bf_continue",
		"slurm:bf_interval=600,bf_max_job_user=1",
		"slurm:bf_running_job_reserve,bf_busy_nodes",
		"slurm:bf_interval=-1",
		"easy",
		"conservative",
	};
	struct sim_options options[] = {
		{0},
		{.predict = PREDICT_LAST2},
		{.test_cost = 0.5},
	};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++)
		for (size_t p = 0; p < sizeof(policies) / sizeof(*policies);
			p++)
			for (size_t o = 0; o < 3; o++) {
				struct sim_result result;

				reset();
				random_trace(seed * 3, &spread);
				conf.policy.weights.fairshare =
					seed % 2 ? 1000 : 0;
				conf.policy.weights.age = seed % 3 ? 1000 : 0;
				run(policies[p], 1, &options[o], &result);
				check_schedule(&result);
				sim_result_release(&result);
			}
}

/* Without priorities and backfill the main pass is strict. */
static void first_come_first_served(void **state)
{
	static const char *const policies[] = {"slurm:bf_interval=-1", "fcfs"};
	struct sim_options options = {0}, plain = {0};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++)
		for (size_t p = 0; p < 2; p++) {
			struct sim_result result, wanted;
			struct err err;

			reset();
			random_trace(seed, &spread);
			run(policies[p], 1, &options, &result);
			assert_int_equal(simulate(&trace, &sim_fcfs, &plain,
						 &wanted, &err),
				0);
			assert_memory_equal(result.start, wanted.start,
				trace.n * sizeof(*wanted.start));
			sim_result_release(&result);
			sim_result_release(&wanted);
		}
}

/* More jobs than the cluster is set up for at once. */
static void set_up_anew(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;

	begin();
	for (int64_t i = 0; i < 3000; i++)
		add(i * 7, 60 + i % 50, 1 + i % 4, 120, i % 9);
	trace_finish(&trace, 16);
	conf.policy.weights.fairshare = 1000;
	run("slurm", 4, &options, &result);
	for (size_t i = 0; i < trace.n; i++)
		assert_true(result.start[i] != SIM_NEVER);
	sim_result_release(&result);
}

/* User 1 has used the machine; then both want all of it. */
static void fair_share(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;

	for (int fair = 0; fair < 2; fair++) {
		begin();
		add(0, 3600, 4, 3600, 1);
		add(10, 600, 4, 600, 1);
		add(20, 600, 4, 600, 2);
		trace_finish(&trace, 4);
		conf.policy.weights.fairshare = fair ? 1000 : 0;
		run("slurm", 1, &options, &result);
		assert_int_equal(result.start[fair ? 2 : 1], 3600);
		assert_int_equal(result.start[fair ? 1 : 2], 4200);
		sim_result_release(&result);
	}
}

/* Usage fades: two half-lives later the one who used less lately is first. */
static void usage_fades(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;
	const int64_t day = 86400;

	begin();
	conf.policy.weights.fairshare = 1000;
	conf.policy.half_life = (uint32_t)day;
	add(0, 8000, 4, 8000, 1);
	add(20 * day, 4000, 4, 4000, 2);
	/* Someone else keeps the machine busy until both wait. */
	add(20 * day + 4000, 1000, 4, 1000, 3);
	add(20 * day + 4100, 100, 4, 100, 1);
	add(20 * day + 4000, 100, 4, 100, 2);
	trace_finish(&trace, 4);
	run("slurm", 1, &options, &result);
	/* Jobs are by submit: the fourth is that of user 2. */
	assert_int_equal(trace.users.numbers[trace.jobs[3].user], 2);
	assert_int_equal(result.start[4], 20 * day + 5000);
	assert_int_equal(result.start[3], 20 * day + 5100);
	sim_result_release(&result);
	/* Without decay what was long ago counts in full. */
	conf.policy.half_life = 0;
	run("slurm", 1, &options, &result);
	assert_int_equal(result.start[3], 20 * day + 5000);
	sim_result_release(&result);
}

static void large_first(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;

	begin();
	add(0, 100, 4, 120, 1);
	add(1, 100, 1, 120, 2);
	add(2, 100, 4, 120, 3);
	trace_finish(&trace, 4);
	conf.policy.weights.job_size = 1000;
	run("slurm:bf_interval=-1", 1, &options, &result);
	assert_int_equal(result.start[2], 100);
	assert_int_equal(result.start[1], 200);
	sim_result_release(&result);
}

/* Nodes of four CPUs: three jobs of three CPUs take three of them. */
static void nodes_of_more_cpus(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;

	begin();
	for (int i = 0; i < 3; i++)
		add(0, 100, 4, 120, 1);
	trace_finish(&trace, 8);
	run("slurm", 4, &options, &result);
	assert_int_equal(result.start[1], 0);
	assert_int_equal(result.start[2], 100);
	sim_result_release(&result);
}

/* A test takes 40 s: the one that may be backfilled is found late, and with
 * bf_max_time=30 not at all. */
static void a_slow_backfill(void **state)
{
	struct sim_options options = {.test_cost = 40};
	struct sim_result quick, slow, never;

	begin();
	add(0, 6000, 3, 6000, 1);
	add(1, 600, 4, 600, 1);
	add(2, 600, 4, 600, 1);
	add(3, 600, 1, 600, 2);
	trace_finish(&trace, 4);
	run("slurm:bf_max_time=3600,bf_continue,bf_yield_interval=10000000", 1,
		&options, &slow);
	run("slurm:bf_max_time=30,bf_interval=30", 1, &options, &never);
	options.test_cost = 0;
	run("slurm", 1, &options, &quick);
	assert_in_range(quick.start[3], 3, 60);
	assert_in_range(slow.start[3], 80, 300);
	assert_true(never.start[3] >= 6000);
	assert_true(slow.work.seconds >= 120);
	sim_result_release(&quick);
	sim_result_release(&slow);
	sim_result_release(&never);
}

static int release(void **state)
{
	teardown(state);
	return release_trace(state);
}

RUN_TESTS(setup, release,
	cmocka_unit_test(never_too_much),
	cmocka_unit_test(first_come_first_served),
	cmocka_unit_test(set_up_anew),
	cmocka_unit_test(fair_share),
	cmocka_unit_test(usage_fades),
	cmocka_unit_test(large_first),
	cmocka_unit_test(nodes_of_more_cpus),
	cmocka_unit_test(a_slow_backfill))
