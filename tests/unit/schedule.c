/*
 * The main pass: what starts, what blocks whom, where jobs lie; and that no
 * set of starts ever exceeds what nodes, licenses and limits have.
 */
#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "common/text/reason.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

enum { NODES = 4, CPUS = 16, MEM = 64000, MOST_JOBS = 40 };

static struct sched_node nodes[NODES];
static struct sched_partition parts[2];
static struct sched_job jobs[MOST_JOBS];
static struct sched_choice choices[MOST_JOBS][2];
static uint64_t gres[NODES], gres_used[NODES], wants_gres[MOST_JOBS];
static uint64_t licenses[1], licenses_used[1], wants_license[MOST_JOBS];
static struct tres_list tres[MOST_JOBS];
static struct schedule s;

static const uint32_t all_nodes[NODES] = {0, 1, 2, 3};

/* Four nodes of 16 CPUs and two GPUs; both partitions have them all. */
static int reset(void **state)
{
	arena_reset(&arena);
	memset(gres_used, 0, sizeof(gres_used));
	memset(wants_gres, 0, sizeof(wants_gres));
	memset(wants_license, 0, sizeof(wants_license));
	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < NODES; i++) {
		gres[i] = 2;
		nodes[i] = (struct sched_node){.name = "n",
			.cpus = CPUS,
			.mem = MEM,
			.gres = &gres[i],
			.gres_used = &gres_used[i]};
	}
	for (size_t i = 0; i < 2; i++)
		parts[i] = (struct sched_partition){.name = "p",
			.nodes = all_nodes,
			.n_nodes = NODES,
			.tier = 1,
			.max_time = INFINITE,
			.default_time = NO_VAL,
			.max_nodes = INFINITE,
			.max_cpus_per_node = INFINITE};
	licenses[0] = 2;
	licenses_used[0] = 0;
	s = (struct schedule){.nodes = nodes,
		.n_nodes = NODES,
		.partitions = parts,
		.n_partitions = 2,
		.jobs = jobs,
		.n_gres = 1,
		.n_licenses = 1,
		.licenses = licenses,
		.licenses_used = licenses_used};
	return 0;
}

/* In the first partition. */
static struct sched_job *add(uint32_t cpus, uint32_t priority)
{
	size_t i = s.n_jobs++;

	tres[i] = (struct tres_list){0};
	tres_list_set(&tres[i], &arena, TRES_CPU, cpus);
	tres_list_set(&tres[i], &arena, TRES_NODE, 1);
	choices[i][0] = (struct sched_choice){
		.partition = &parts[0], .priority = priority, .tres = &tres[i]};
	jobs[i] = (struct sched_job){.id = (uint32_t)i + 1,
		.submit = 1000 + (int64_t)i,
		.cpus = cpus,
		.nodes = 1,
		.gres = &wants_gres[i],
		.gres_node = &wants_gres[i],
		.licenses = &wants_license[i],
		.time_limit = 60,
		.tasks = 1,
		.startable = 1,
		.choices = choices[i],
		.n_choices = 1};
	return &jobs[i];
}

static void pass(void)
{
	schedule_main(&s, &arena);
}

static void is(const struct sched_job *job, const char *reason)
{
	assert_string_equal(reason_name(job->reason), reason);
	assert_int_equal(job->n_starts, 0);
}

static void runs(const struct sched_job *job, uint32_t first_node)
{
	assert_int_equal(job->n_starts, 1);
	assert_int_equal(job->reason, REASON_NONE);
	assert_int_equal(job->starts[0].nodes[0], first_node);
}

/* ---- order ---------------------------------------------------------------*/

static void strict_order(void **state)
{
	struct sched_job *low = add(1, 10), *big = add(16, 30);
	struct sched_job *all = add(64, 20), *other = add(1, 5);

	all->nodes = 4;
	pass();
	runs(big, 0);
	is(all, "Resources");
	is(low, "Priority");
	is(other, "Priority");
}

static void earlier_first(void **state)
{
	struct sched_job *second = add(16, 10), *first = add(16, 10);

	first->submit = 1;
	pass();
	runs(first, 0);
	runs(second, 1);
}

static void tier_before_priority(void **state)
{
	struct sched_job *low = add(64, 1), *high = add(64, 100);

	low->nodes = high->nodes = 4;
	parts[1].tier = 9;
	low->choices[0].partition = &parts[1];
	pass();
	runs(low, 0);
	is(high, "Resources");
}

/* Nodes kept for the first are no other partition's either. */
/* Those that have nodes of their own come before all tiers. */
static void reservation_before_tier(void **state)
{
	static const uint64_t all = 15;
	static const struct sched_reservation kept = {0, 1000000, &all};
	struct sched_job *urgent = add(16, 90), *reserved = add(16, 10);

	s.reservations = &kept;
	s.n_reservations = 1;
	reserved->reservation = 1;
	choices[0][0].partition = &parts[1];
	parts[1].tier = 9;
	pass();
	runs(reserved, 0);
	is(urgent, "Resources");
}

static void overlapping_partitions(void **state)
{
	struct sched_job *running = add(8, 100), *wide = add(64, 50);
	struct sched_job *other = add(1, 10);

	wide->nodes = 4;
	other->choices[0].partition = &parts[1];
	pass();
	runs(running, 0);
	is(wide, "Resources");
	is(other, reason_name(REASON_NODES_DOWN));
}

static void limits_do_not_block(void **state)
{
	struct limit_level level;
	struct limit_usage usage = {0};
	struct limit_chain chain = {.levels = &level,
		.n = 1,
		.usage_factor = 1,
		.default_time = NO_VAL,
		.max_time = INFINITE};
	struct tres_catalog none = {0};
	struct sched_job *blocked = add(8, 100), *free = add(8, 1);

	chain.catalog = &none;
	limit_level_init(&level);
	level.all = &usage;
	level.number[LIMIT_MAX_JOBS] = 0;
	blocked->choices[0].limits = &chain;
	pass();
	is(blocked, "AssocMaxJobsLimit");
	runs(free, 0);
	s.limit_stops = true;
	memset(gres_used, 0, sizeof(gres_used));
	pass();
	is(free, "Priority");
}

/* ---- reasons -------------------------------------------------------------*/

static void never_fits(void **state)
{
	struct sched_job *cpus = add(65, 9), *mem = add(1, 8);
	struct sched_job *gpus = add(1, 7), *next = add(1, 1);

	mem->mem = MEM + 1;
	wants_gres[2] = 3;
	pass();
	is(cpus, "PartitionConfig");
	is(mem, "PartitionConfig");
	is(gpus, "PartitionConfig");
	runs(next, 0);
}

static void partition_bounds(void **state)
{
	struct sched_job *time = add(1, 9), *wide = add(2, 8);
	struct sched_job *held = add(1, 7), *any = add(1, 6);

	parts[0].max_time = 30;
	parts[0].max_nodes = 1;
	wide->nodes = 2;
	wide->time_limit = NO_VAL;
	held->waits = REASON_HELD_USER;
	any->choices[0].may.any_time = true;
	pass();
	is(time, "PartitionTimeLimit");
	is(wide, "PartitionNodeLimit");
	is(held, "JobHeldUser");
	runs(any, 0);
}

static void partition_down(void **state)
{
	struct sched_job *job = add(1, 1);

	parts[0].refuses = REASON_PARTITION_DOWN;
	pass();
	is(job, "PartitionDown");
	job->n_choices = 2;
	choices[0][1] = choices[0][0];
	choices[0][1].partition = &parts[1];
	pass();
	runs(job, 0);
}

static void nodes_down(void **state)
{
	struct sched_job *wide = add(2, 9), *small = add(1, 1);

	wide->nodes = 2;
	nodes[0].down = nodes[1].down = nodes[2].down = true;
	pass();
	is(wide, reason_name(REASON_NODES_DOWN));
	is(small, "Priority");
}

static void licenses_run_out(void **state)
{
	struct sched_job *a = add(1, 9), *b = add(1, 8), *c = add(1, 7);

	wants_license[0] = 2;
	wants_license[1] = 1;
	pass();
	runs(a, 0);
	is(b, "Licenses");
	runs(c, 0);
}

/* ---- nodes ---------------------------------------------------------------*/

static void fills_nodes(void **state)
{
	struct sched_job *a = add(10, 9), *b = add(10, 8), *c = add(6, 7);

	pass();
	runs(a, 0);
	runs(b, 1);
	runs(c, 0);
	assert_int_equal(nodes[0].cpus_used, 16);
}

static void more_nodes_for_cpus(void **state)
{
	struct sched_job *job = add(40, 9);

	pass();
	runs(job, 0);
	assert_int_equal(job->starts[0].n_nodes, 3);
	assert_int_equal(nodes[0].cpus_used, 16);
	assert_int_equal(nodes[2].cpus_used, 8);
	assert_int_equal(tres_list_get(job->starts[0].tres, TRES_NODE), 3);
}

/* The large node has no GPU: a job of GPUs takes two small ones, and one that
 * would need three goes nowhere and is in nobody's way. */
static void nodes_that_hold_it(void **state)
{
	struct sched_job *two = add(32, 30), *never = add(64, 20);
	struct sched_job *behind = add(1, 10);

	gres[0] = gres[3] = 0;
	nodes[0].cpus = 64;
	wants_gres[0] = wants_gres[1] = 1;
	pass();
	runs(two, 1);
	assert_int_equal(two->starts[0].n_nodes, 2);
	is(never, "PartitionConfig");
	runs(behind, 3);
}

static void whole_nodes(void **state)
{
	struct sched_job *a = add(1, 9), *b = add(2, 8), *c = add(1, 7);

	b->exclusive = true;
	b->mem_per_cpu = 10;
	pass();
	runs(a, 0);
	runs(b, 1);
	assert_int_equal(b->starts[0].cpus, 16);
	/* Of all its CPUs, as slurmctld counts it: tests/plans/random03, job 4. */
	assert_int_equal(nodes[1].mem_used, 160);
	assert_int_equal(tres_list_get(b->starts[0].tres, TRES_CPU), 16);
	runs(c, 0);
	assert_true(nodes[1].whole);
}

static void spread(void **state)
{
	const uint32_t caps[] = {2, 16, 16};
	uint32_t shares[3];

	assert_true(schedule_spread(13, caps, 3, shares));
	assert_int_equal(shares[0], 2);
	assert_int_equal(shares[0] + shares[1] + shares[2], 13);
	assert_true(shares[1] - shares[2] <= 2);
	assert_true(schedule_spread(34, caps, 3, shares));
	assert_false(schedule_spread(35, caps, 3, shares));
	assert_true(schedule_spread(2, caps, 3, shares));
	assert_int_equal(shares[2], 0);
}

/* A running job lies where its start had put it, and leaves nothing behind. */
static void occupied_as_started(void **state)
{
	struct sched_job *job = add(37, 2), *small = add(2, 1);
	struct sched_running again;
	uint32_t used[NODES];

	pass();
	assert_int_equal(s.n_running, 2);
	for (size_t i = 0; i < NODES; i++)
		used[i] = nodes[i].cpus_used;
	again = s.running[0];
	schedule_end(&s, 0);
	assert_int_equal(s.n_running, 1);
	assert_ptr_equal(s.running[0].job, small);
	assert_int_equal(nodes[small->starts[0].nodes[0]].cpus_used, 2);
	schedule_run(&s, &again, &arena);
	for (size_t i = 0; i < NODES; i++)
		assert_int_equal(nodes[i].cpus_used, used[i]);
	schedule_end(&s, 0);
	schedule_end(&s, 0);
	for (size_t i = 0; i < NODES; i++)
		assert_true(!nodes[i].cpus_used && !nodes[i].jobs);
	assert_int_equal(job->n_starts, 1);
}

static void arrays(void **state)
{
	struct sched_job *job = add(16, 9);

	job->tasks = job->startable = 10;
	pass();
	assert_int_equal(job->n_starts, 4);
	assert_string_equal(reason_name(job->reason), "Resources");
	reset(state);
	job = add(1, 9);
	job->tasks = 10;
	job->startable = 3;
	pass();
	assert_int_equal(job->n_starts, 3);
	assert_string_equal(reason_name(job->reason), "JobArrayTaskLimit");
}

/* ---- properties ----------------------------------------------------------*/

static unsigned below(unsigned n)
{
	return (unsigned)rand() % n;
}

static void random_jobs(void)
{
	for (size_t i = 0; i < MOST_JOBS; i++) {
		struct sched_job *job = add(1 + below(40), below(100));

		job->nodes = 1 + below(3);
		job->mem = below(MEM * 2);
		job->exclusive = !below(6);
		job->choices[0].partition = &parts[below(2)];
		wants_gres[i] = below(4) ? 0 : 1 + below(3);
		wants_license[i] = !below(5);
	}
	nodes[below(NODES)].down = true;
	nodes[below(NODES)].cpus = 4;
}

static void check_nodes(void)
{
	for (size_t i = 0; i < NODES; i++) {
		assert_true(nodes[i].cpus_used <= nodes[i].cpus);
		assert_true(nodes[i].mem_used <= nodes[i].mem);
		assert_true(gres_used[i] <= gres[i]);
		assert_true(!nodes[i].whole || nodes[i].jobs == 1);
		assert_true(!nodes[i].down || !nodes[i].jobs);
	}
	assert_true(licenses_used[0] <= licenses[0]);
}

static void never_too_much(void **state)
{
	for (unsigned seed = 1; seed <= 500; seed++) {
		reset(state);
		srand(seed);
		random_jobs();
		pass();
		check_nodes();
		for (size_t i = 0; i < s.n_jobs; i++)
			assert_true(!jobs[i].n_starts ==
				    (jobs[i].reason != REASON_NONE));
	}
}

/* As slurmctld does: who names reserved nodes waits for their end, others do
 * without them; a job may outlast its own reservation, not come before it. */
static void reservations_by_slurm(void **state)
{
	uint64_t named = 1, set = 15;
	struct sched_reservation r[] = {{100, 200, &named}, {200, 300, &named}};
	struct schedule here = {.n_nodes = 4,
		.reservations = r,
		.n_reservations = 2};
	struct sched_job job = {.required = &named};
	int64_t from = 50, until;

	assert_true(schedule_reserved(&here, &job, 100, &from, &set, &until));
	assert_int_equal(from, 300);
	assert_int_equal(set, 15);
	job.required = NULL;
	from = 50;
	assert_true(schedule_reserved(&here, &job, 100, &from, &set, &until));
	assert_int_equal(from, 50);
	assert_int_equal(set, 14);
	assert_int_equal(until, 200);
	job.reservation = 1;
	assert_false(schedule_reserved(&here, &job, 100, &from, &set, &until));
	from = 150;
	assert_true(schedule_reserved(&here, &job, 100, &from, &set, &until));
}

#define TEST(f) cmocka_unit_test_setup(f, reset)

RUN_TESTS(setup, teardown,
	TEST(strict_order),
	TEST(earlier_first),
	TEST(tier_before_priority),
	TEST(reservation_before_tier),
	TEST(overlapping_partitions),
	TEST(limits_do_not_block),
	TEST(never_fits),
	TEST(partition_bounds),
	TEST(partition_down),
	TEST(nodes_down),
	TEST(licenses_run_out),
	TEST(fills_nodes),
	TEST(more_nodes_for_cpus),
	TEST(nodes_that_hold_it),
	TEST(whole_nodes),
	TEST(spread),
	TEST(occupied_as_started),
	TEST(arrays),
	TEST(reservations_by_slurm),
	TEST(never_too_much))
