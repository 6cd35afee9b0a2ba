/*
 * How the CPUs of running jobs must lie on their nodes.
 */
#include <string.h>

#include "common/plan/layout.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static const uint32_t sizes[] = {16, 16, 16, 16};
static const uint32_t first_three[] = {0, 1, 2}, second[] = {1}, third[] = {2};

static struct layout_job on(const uint32_t *nodes, size_t n, uint32_t cpus,
	int64_t began, uint32_t *room)
{
	return (struct layout_job){.nodes = nodes,
		.n = n,
		.cpus = cpus,
		.each = 1,
		.most_on = UINT32_MAX,
		.even = true,
		.began = began,
		.on = room};
}

static void test_even_unless_squeezed(void **state)
{
	uint32_t a[3], b[1], c[1];
	static const uint32_t even[] = {4, 4, 4}, filled[] = {10, 1, 1};
	struct layout_job jobs[] = {on(first_three, 3, 12, 1, a),
		on(second, 1, 12, 2, b), on(third, 1, 12, 3, c)};

	layout_guess(jobs, 3, sizes, 4, &arena);
	assert_memory_equal(a, even, sizeof(even));
	jobs[2].cpus = 15;
	layout_guess(jobs, 3, sizes, 4, &arena);
	assert_memory_equal(a, filled, sizeof(filled));
}

/* In the order they began, beside what is known. */
static void test_filled(void **state)
{
	uint32_t a[3], b[3] = {15, 2, 0};
	static const uint32_t wanted[] = {1, 14, 10};
	struct layout_job jobs[] = {
		on(first_three, 3, 25, 1, a), on(first_three, 3, 17, 2, b)};

	jobs[1].told = true;
	layout_guess(jobs, 2, sizes, 4, &arena);
	assert_memory_equal(a, wanted, sizeof(wanted));
}

/* Jobs of a partition have no more of a node than it may (MaxCPUsPerNode). */
static void test_partition_limit(void **state)
{
	uint32_t a[3], b[3];
	static const uint32_t first[] = {6, 6, 2}, rest[] = {10, 5, 1};
	struct layout_job jobs[] = {
		on(first_three, 3, 14, 1, a), on(first_three, 3, 16, 2, b)};

	jobs[0].partition = 1;
	jobs[0].most_on = 6;
	layout_guess(jobs, 2, sizes, 4, &arena);
	assert_memory_equal(a, first, sizeof(first));
	assert_memory_equal(b, rest, sizeof(rest));
}

/* What began later on one node alone tells that the first left room there. */
static void test_gives_way(void **state)
{
	static const uint32_t two[] = {1, 2}, wanted[] = {9, 8};
	uint32_t a[2], b[1];
	struct layout_job jobs[] = {
		on(two, 2, 17, 1, a), on(second, 1, 7, 2, b)};

	layout_guess(jobs, 2, sizes, 4, &arena);
	assert_memory_equal(a, wanted, sizeof(wanted));
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(test_even_unless_squeezed),
	cmocka_unit_test(test_filled),
	cmocka_unit_test(test_partition_limit),
	cmocka_unit_test(test_gives_way))
