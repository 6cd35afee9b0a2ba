/* Numbers as decimal text are to the digit what printf writes. */
#include <stdio.h>
#include <string.h>

#include "common/base/digits.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"
#include "tests/unit/seeded.h"

static void same_fixed(double number, int digits)
{
	char wanted[400];

	snprintf(wanted, sizeof(wanted), "%.*f", digits, number);
	assert_string_equal(digits_fixed(&arena, number, digits), wanted);
}

static void test_whole_numbers(void **state)
{
	static const uint64_t numbers[] = {0, 1, 9, 10, 4294967295,
		9223372036854775807U, 9223372036854775808U, UINT64_MAX};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char wanted[40];

		snprintf(wanted, sizeof(wanted), "%llu",
			(unsigned long long)numbers[i]);
		assert_string_equal(digits_uint(&arena, numbers[i]), wanted);
		snprintf(wanted, sizeof(wanted), "%lld", (long long)numbers[i]);
		assert_string_equal(
			digits_int(&arena, (int64_t)numbers[i]), wanted);
	}
}

/* Halves go to the even digit, where they can be told exactly. */
static void test_halves_and_ends(void **state)
{
	static const double numbers[] = {0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375,
		0.0000005, 0.0000015, 1e-300, 5e-324, 0.999999499999, 0.9999995,
		1, 0.1, 1.0 / 3, 123456.789, 4503599627370495.5,
		9007199254740991, 9007199254740992, 1e17, 1.8e19, 1e300,
		18446744073709.551614, 18446744073709.5536};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		for (int digits = 0; digits <= 12; digits++) {
			same_fixed(numbers[i], digits);
			same_fixed(-numbers[i], digits);
		}
}

/* Any bits at all, and numbers of the size that listings have. */
static void test_random_numbers(void **state)
{
	seed = 20261122;
	for (int i = 0; i < 200000; i++) {
		uint64_t bits = (uint64_t)chance(1U << 22) << 42 |
				(uint64_t)chance(1U << 21) << 21 |
				chance(1U << 21);
		double any, usual = (double)(bits >> 11) / 9007199254740992.0;

		memcpy(&any, &bits, sizeof(any));
		same_fixed(any, (int)(bits % 10));
		same_fixed(usual, (int)(bits % 10));
		same_fixed(usual * 1e6, 6);
		if (i % 1000 == 0)
			arena_reset(&arena);
	}
}

RUN_TESTS(NULL, teardown,
	cmocka_unit_test(test_whole_numbers),
	cmocka_unit_test(test_halves_and_ends),
	cmocka_unit_test(test_random_numbers))
