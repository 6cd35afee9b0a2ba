/*
 * Buckets and decay under policies that change (common/fair/eras.h).
 */
#include <stdlib.h>

#include "common/fair/eras.h"
#include "tests/unit/unit.h"

enum { HOUR = 3600, DAY = 86400, WEEK = 604800, T0 = 2900 * WEEK };

static void utc(void)
{
	setenv("TZ", "UTC", 1);
}

static struct eras eras_of(const struct era *v, size_t n)
{
	struct eras eras = {.n = n};

	for (size_t i = 0; i < n; i++)
		eras.v[i] = v[i];
	eras.v[0].since = INT64_MIN;
	return eras;
}

static void assert_bucket(struct bucket bucket, int64_t begin, int64_t end)
{
	assert_int_equal(bucket.begin, begin);
	assert_int_equal(bucket.end, end);
}

/* A week at most, no longer than the half-life; the end belongs to it. */
static void widths(void **state)
{
	const struct eras week =
		eras_of(&(struct era){.half_life = 2 * WEEK}, 1);
	const struct eras hour =
		eras_of(&(struct era){.half_life = 2 * HOUR}, 1);

	assert_bucket(eras_bucket(&week, false, T0 + 1), T0, T0 + WEEK);
	assert_bucket(eras_bucket(&week, false, T0), T0 - WEEK, T0);
	assert_bucket(eras_bucket(&hour, false, T0 + 1), T0, T0 + HOUR);
	assert_bucket(eras_bucket(&hour, true, T0 + 1), T0, T0 + WEEK);
}

/* Neither another policy nor a reset lies in a bucket. */
static void cuts(void **state)
{
	const struct eras eras =
		eras_of((const struct era[]){{0, 2 * WEEK, RESET_NONE},
				{T0 + 3 * DAY + HOUR, 2 * WEEK, RESET_DAILY}},
			2);

	utc();
	assert_bucket(
		eras_bucket(&eras, false, T0 + 1), T0, T0 + 3 * DAY + HOUR);
	assert_bucket(eras_bucket(&eras, false, T0 + 3 * DAY + 2 * HOUR),
		T0 + 3 * DAY + HOUR, T0 + 4 * DAY);
}

/* A midnight is a reset only while it is said that it is one. */
static void resets_of_then(void **state)
{
	const struct eras eras =
		eras_of((const struct era[]){{0, 0, RESET_NONE},
				{T0 + HOUR, 0, RESET_DAILY},
				{T0 + 2 * HOUR, 0, RESET_NONE}},
			3);
	const struct carried before = {T0 - DAY, T0 - HOUR};

	utc();
	assert_true(eras_factor(&eras, false, before, T0 + 3 * HOUR) == 1);
	assert_true(eras_worth(&eras, false,
			    &(struct bucket){T0, T0 + WEEK, INT64_MIN},
			    T0 - HOUR, T0 + 3 * HOUR) == 4 * HOUR);
}

/* What is taken out leaves nothing, whatever is between. */
static void leaves_nothing(void **state)
{
	const struct eras eras = eras_of(&(struct era){.half_life = WEEK}, 1);
	worth sum = 0;

	for (int sign = 1; sign >= -1; sign -= 2)
		for (int i = 1; i < 1000; i++) {
			int64_t end = T0 + i * 7919 % WEEK + 1;
			struct bucket bucket = eras_bucket(&eras, false, end);

			sum += worth_of(sign * 0.1L * i *
					eras_worth(&eras, false, &bucket,
						end - i, end));
		}
	assert_true(!sum);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(widths),
	cmocka_unit_test(cuts),
	cmocka_unit_test(resets_of_then),
	cmocka_unit_test(leaves_nothing))
