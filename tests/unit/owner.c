/*
 * Nodes that belong to a user while that user's jobs run there.
 */
#include <string.h>

#include "common/plan/owner.h"
#include "tests/unit/unit.h"

enum { AMY, BOB, NOW = 1000, FIRST = 2000, SECOND = 3000 };

static struct arena arena;
static const uint32_t places[] = {0, 1, 2};
static struct sched_node nodes[3];
static struct sched_partition partitions[2];
static struct schedule s;
static struct sched_job of_amy, of_bob;

/* Amy has node 0 until FIRST, bob node 1 until SECOND; node 2 is idle. */
static int set_up(void **state)
{
	static uint32_t on[] = {0, 1};

	arena_reset(&arena);
	memset(nodes, 0, sizeof(nodes));
	memset(partitions, 0, sizeof(partitions));
	for (size_t i = 0; i < 3; i++)
		nodes[i] = (struct sched_node){.name = "n", .cpus = 4};
	for (size_t i = 0; i < 2; i++)
		partitions[i] = (struct sched_partition){.name = "p",
			.nodes = places,
			.n_nodes = 3,
			.max_cpus_per_node = UINT32_MAX};
	s = (struct schedule){.nodes = nodes,
		.n_nodes = 3,
		.partitions = partitions,
		.n_partitions = 2,
		.now = NOW};
	schedule_measure(&s, &arena);
	of_amy = (struct sched_job){.user = AMY, .cpus = 1, .nodes = 1};
	of_bob = (struct sched_job){.user = BOB, .cpus = 1, .nodes = 1};
	for (size_t i = 0; i < 2; i++)
		schedule_run(&s,
			&(struct sched_running){.job = i ? &of_bob : &of_amy,
				.partition = &partitions[0],
				.start = {.nodes = &on[i], .n_nodes = 1},
				.end = i ? SECOND : FIRST},
			&arena);
	return 0;
}

static bool filter(const struct sched_job *job, size_t partition, size_t least,
	int64_t from, uint64_t *left, int64_t *later)
{
	*left = 7;
	return owner_filter(
		&s, job, &partitions[partition], least, from, left, later);
}

static void test_nobodys(void **state)
{
	uint64_t left;
	int64_t later;

	assert_false(owner_matters(&s));
	assert_false(filter(&of_amy, 0, 3, NOW, &left, &later));
	assert_int_equal(left, 7);
	assert_int_equal(later, 0);
}

/* Where it runs, and where it wants to run. */
static void test_others_are_left_out(void **state)
{
	uint64_t left;
	int64_t later;

	for (size_t i = 0; i < 2; i++) {
		partitions[i].exclusive_user = true;
		partitions[1 - i].exclusive_user = false;
		assert_true(owner_matters(&s));
		assert_false(filter(&of_amy, 1, 1, NOW, &left, &later));
		assert_int_equal(left, 5);
		assert_int_equal(later, SECOND);
		assert_false(filter(&of_bob, 1, 1, NOW, &left, &later));
		assert_int_equal(left, 6);
	}
}

static void test_too_few(void **state)
{
	uint64_t left;
	int64_t later;

	partitions[0].exclusive_user = true;
	assert_true(filter(&of_amy, 0, 3, NOW, &left, &later));
	assert_int_equal(later, SECOND);
	assert_false(filter(&of_amy, 0, 3, SECOND, &left, &later));
	assert_int_equal(left, 7);
	assert_false(filter(&of_bob, 0, 3, FIRST, &left, &later));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nobodys, set_up),
		cmocka_unit_test_setup(test_others_are_left_out, set_up),
		cmocka_unit_test_setup(test_too_few, set_up),
	};

	arena_init(&arena);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
