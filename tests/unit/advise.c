/*
 * The arithmetic of advice: the article's example, rounding, numbers of a
 * history.
 */

#include "common/base/chance.h"
#include "common/base/numbers.h"
#include "common/plan/advise.h"
#include "tests/unit/unit.h"

static void test_article(void **state)
{
	const struct advise_pace pace = {0.02, 0.002, 60, 1, 0.5, 3};
	struct advise_depth depth;

	advise_depth(&pace, &depth);
	assert_true(depth.mean > 0.0109999 && depth.mean < 0.0110001);
	assert_int_equal(advise_whole(depth.work), 40);
	assert_int_equal(advise_whole(depth.jobs), 3636);
	assert_int_equal(advise_whole(depth.partition), 1212);
	assert_int_equal(advise_whole(depth.full_tests), 2000);
}

static void test_window(void **state)
{
	assert_int_equal(advise_window(0), 1440);
	assert_int_equal(advise_window(60), 1440);
	assert_int_equal(advise_window(1441), 2880);
	assert_int_equal(advise_window(7 * 1440), 7 * 1440);
	assert_int_equal(advise_window(INFINITE), 43200);
	/* The defaults of Slurm, and the article's large system. */
	assert_int_equal(advise_resolution(1440, 100, 600), 60);
	assert_int_equal(advise_resolution(43200, 3600, 43200), 3600);
	assert_int_equal(advise_resolution(43200, 100, 43200), 1800);
	/* Short jobs keep it fine. */
	assert_int_equal(advise_resolution(43200, 3600, 10), 300);
	assert_int_equal(advise_resolution(43200, 3600, 0), 60);
}

static void test_limits(void **state)
{
	assert_int_equal(advise_round_limit(0), 1);
	assert_int_equal(advise_round_limit(61), 2);
	assert_int_equal(advise_round_limit(1800), 30);
	assert_int_equal(advise_round_limit(1801), 60);
	assert_int_equal(advise_round_limit(12 * 3600 + 1), 1440);
	assert_int_equal(advise_round_limit(25 * 3600), 2880);
	assert_int_equal(advise_round_count(0), 0);
	assert_int_equal(advise_round_count(40), 50);
	assert_int_equal(advise_round_count(123), 160);
	assert_int_equal(advise_round_count(10000), 13000);
}

static void test_quantile(void **state)
{
	int64_t v[20];

	for (int i = 0; i < 20; i++)
		v[i] = 20 - i;
	assert_int_equal(advise_quantile(v, 20, 0.95), 19);
	assert_int_equal(advise_quantile(v, 20, 0.5), 10);
	assert_int_equal(advise_quantile(v, 20, 1), 20);
	assert_int_equal(advise_quantile(v, 20, 0), 1);
	assert_int_equal(advise_quantile(v, 0, 0.5), 0);
}

/* By asking at every moment. */
static size_t slow_deepest(const int64_t *from, const int64_t *to, size_t n)
{
	size_t most = 0;

	for (int64_t t = 0; t < 200; t++) {
		size_t here = 0;

		for (size_t i = 0; i < n; i++)
			here += from[i] <= t && t < to[i];
		if (here > most)
			most = here;
	}
	return most;
}

static size_t slow_busiest(const int64_t *v, size_t n, int64_t span)
{
	size_t most = 0;

	for (int64_t t = 0; t < 200; t++) {
		size_t here = 0;

		for (size_t i = 0; i < n; i++)
			here += v[i] >= t && v[i] < t + span;
		if (here > most)
			most = here;
	}
	return most;
}

static void test_history(void **state)
{
	struct chance chance = {7};
	int64_t from[30], to[30], moments[30];

	for (int round = 0; round < 300; round++) {
		size_t n = chance_below(&chance, 31), deepest, busiest;
		int64_t span = 1 + (int64_t)chance_below(&chance, 40);

		for (size_t i = 0; i < n; i++) {
			from[i] = (int64_t)chance_below(&chance, 100);
			to[i] = from[i] + (int64_t)chance_below(&chance, 50);
			moments[i] = (int64_t)chance_below(&chance, 150);
		}
		deepest = slow_deepest(from, to, n);
		busiest = slow_busiest(moments, n, span);
		assert_int_equal(advise_deepest(from, to, n), deepest);
		assert_int_equal(advise_busiest(moments, n, span), busiest);
	}
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_article),
	cmocka_unit_test(test_window),
	cmocka_unit_test(test_limits),
	cmocka_unit_test(test_quantile),
	cmocka_unit_test(test_history))
