/*
 * Places for gathering age (common/fair/accrue.h): one limit has a closed form,
 * several must hold at every moment and nobody waits beside a free place.
 * Chance is seeded.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/fair/accrue.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"
#include "tests/unit/seeded.h"

enum { JOBS = 60, SCOPES = 4, ROUNDS = 200, AT = 1000 };

static const uint32_t scope_lists[][3] = {{0}, {1}, {0, 1}, {2, 3}, {0, 2, 3}};
static const size_t scope_counts[] = {1, 1, 2, 2, 3};

static void chance_jobs(struct accrue_job *jobs, size_t n, uint32_t lists)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t list = chance(lists);

		jobs[i] = (struct accrue_job){
			.key = (int64_t)i,
			.since = 1 + chance(AT),
			.leaves = ACCRUE_STAYS,
			.scopes = scope_lists[list],
			.n_scopes = scope_counts[list],
		};
		if (chance(3))
			jobs[i].leaves = jobs[i].since + chance(AT / 2);
	}
}

static int compare_times(const void *a, const void *b)
{
	time_t x = *(const time_t *)a, y = *(const time_t *)b;

	return (x > y) - (x < y);
}

/* Of the jobs ahead that waited when it came, all but limit - 1 must leave. */
static time_t closed_form(
	const struct accrue_job *jobs, size_t i, uint32_t limit)
{
	time_t left[JOBS], when = jobs[i].since;
	size_t n = 0;

	for (size_t j = 0; j < i; j++)
		if (jobs[j].leaves > jobs[i].since)
			left[n++] = jobs[j].leaves;
	qsort(left, n, sizeof(*left), compare_times);
	if (!limit)
		return 0;
	if (n >= limit)
		when = left[n - limit];
	return when <= AT && (when < jobs[i].leaves || when == jobs[i].since)
		       ? when
		       : 0;
}

static void one_limit(void **state)
{
	struct accrue_job jobs[JOBS];

	seed = 17;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t limit = chance(6);

		chance_jobs(jobs, JOBS, 1);
		accrue_admit(jobs, JOBS, &limit, 1, AT, &arena);
		/* In the moment in which it goes nobody cares. */
		for (size_t i = 0; i < JOBS; i++)
			if (jobs[i].admitted != jobs[i].leaves)
				assert_int_equal(jobs[i].admitted,
					closed_form(jobs, i, limit));
	}
}

static uint32_t inside(
	const struct accrue_job *jobs, uint32_t scope, time_t when)
{
	uint32_t n = 0;

	for (size_t i = 0; i < JOBS; i++)
		for (size_t s = 0; s < jobs[i].n_scopes; s++)
			n += jobs[i].scopes[s] == scope && jobs[i].admitted &&
			     jobs[i].admitted <= when && when < jobs[i].leaves;
	return n;
}

static void check_moment(
	const struct accrue_job *jobs, const uint32_t *limits, time_t when)
{
	bool room[SCOPES];

	for (uint32_t s = 0; s < SCOPES; s++) {
		assert_true(inside(jobs, s, when) <= limits[s]);
		room[s] = inside(jobs, s, when) < limits[s];
	}
	for (size_t i = 0; i < JOBS; i++) {
		bool all = true;

		if (jobs[i].since > when || jobs[i].leaves <= when ||
			(jobs[i].admitted && jobs[i].admitted <= when))
			continue;
		for (size_t s = 0; s < jobs[i].n_scopes; s++)
			all &= room[jobs[i].scopes[s]];
		assert_false(all);
	}
}

static void many_limits(void **state)
{
	struct accrue_job jobs[JOBS];

	seed = 23;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t limits[SCOPES];

		for (int s = 0; s < SCOPES; s++)
			limits[s] = chance(8);
		chance_jobs(jobs, JOBS, 5);
		accrue_admit(jobs, JOBS, limits, SCOPES, AT, &arena);
		for (time_t when = 1; when <= AT; when += 7)
			check_moment(jobs, limits, when);
	}
}

static void nothing(void **state)
{
	struct accrue_job job = {.since = AT + 1, .leaves = ACCRUE_STAYS};

	accrue_admit(NULL, 0, NULL, 0, AT, &arena);
	accrue_admit(&job, 1, NULL, 0, AT, &arena);
	assert_int_equal(job.admitted, 0);
	accrue_admit(&job, 1, NULL, 0, AT + 1, &arena);
	assert_int_equal(job.admitted, AT + 1);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(one_limit),
	cmocka_unit_test(many_limits),
	cmocka_unit_test(nothing))
