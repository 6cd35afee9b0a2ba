/*
 * Groups of jobs under two schedules, against plain loops over all jobs; and
 * what they say of jobs that never start or are stopped.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sim/compare.h"
#include "tests/unit/unit.h"
#include "tests/unit/random_trace.h"

enum { GROUPS = 4, ROUNDS = 200 };

static uint32_t group_of[MOST];

/* Some jobs start later than they came, some never. */
static void random_starts(struct sim_result *r)
{
	*r = (struct sim_result){
		.start = calloc(trace.n, sizeof(*r->start)),
	};
	for (size_t i = 0; i < trace.n; i++)
		r->start[i] = below(8) ? trace.jobs[i].submit + below(50)
				       : SIM_NEVER;
}

/* The q-th smallest wait of the group, by looking for it. */
static double plain_quantile(
	const struct sim_result *r, uint32_t group, double q)
{
	double sorted[MOST];
	size_t n = 0;

	for (double wait = 0; wait < 50; wait++)
		for (size_t i = 0; i < trace.n; i++)
			if (group_of[i] == group && r->start[i] != SIM_NEVER &&
				(double)(r->start[i] - trace.jobs[i].submit) ==
					wait)
				sorted[n++] = wait;
	if (!n)
		return 0;
	q *= (double)(n - 1);
	return sorted[(size_t)floor(q)] +
	       (q - floor(q)) *
		       (sorted[(size_t)ceil(q)] - sorted[(size_t)floor(q)]);
}

static void check(const struct sim_result *a, const struct sim_result *b,
	uint32_t group, const struct compare_group *got)
{
	double wait = 0, work = 0, change = 0, longer = 0, shorter = 0;
	uint64_t jobs = 0, never = 0, both = 0, n_longer = 0, n_shorter = 0;

	for (size_t i = 0; i < trace.n; i++) {
		double moved = (double)(b->start[i] - a->start[i]);

		if (group_of[i] != group)
			continue;
		if (b->start[i] == SIM_NEVER) {
			never++;
			continue;
		}
		jobs++;
		wait += (double)(b->start[i] - trace.jobs[i].submit);
		work += (double)(trace.jobs[i].procs * trace.jobs[i].run);
		if (a->start[i] == SIM_NEVER)
			continue;
		both++;
		change += moved;
		n_longer += moved > 0;
		n_shorter += moved < 0;
		longer = fmax(longer, moved);
		shorter = fmax(shorter, -moved);
	}
	assert_int_equal(got->jobs, jobs);
	assert_int_equal(got->waiting, never);
	assert_int_equal(got->both, both);
	assert_int_equal(got->longer, n_longer);
	assert_int_equal(got->shorter, n_shorter);
	assert_near(got->work, work);
	assert_near(got->change, both ? change / (double)both : 0);
	assert_near(got->most_longer, longer);
	assert_near(got->most_shorter, shorter);
	assert_near(got->wait.mean, jobs ? wait / (double)jobs : 0);
	assert_near(
		got->wait.median, plain_quantile(b, group, 0.5));
	assert_near(got->wait.p95, plain_quantile(b, group, 0.95));
	assert_near(got->wait.max, plain_quantile(b, group, 1));
}

static void like_the_plain_one(void **state)
{
	static const struct spread spread = {30, 90, 20};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct compare_group got[GROUPS];
		struct sim_result a, b;

		random_trace(seed, &spread);
		for (size_t i = 0; i < trace.n; i++)
			group_of[i] = below(GROUPS + 1) ? below(GROUPS)
							: COMPARE_NO_GROUP;
		random_starts(&a);
		random_starts(&b);
		compare_groups(&trace, &a, &b, group_of, GROUPS, got);
		for (uint32_t g = 0; g < GROUPS; g++)
			check(&a, &b, g, &got[g]);
		sim_result_release(&a);
		sim_result_release(&b);
	}
}

/* The first began anew, the second was cut to half its run. */
static void stopped(void **state)
{
	int64_t before[] = {0, 10}, start[] = {50, 20};
	struct sim_stretch stretches[] = {{0, 0, 30}};
	struct sim_run runs[] = {
		{.last = 50, .end = 150, .ran = 100},
		{.last = 20, .end = 70, .ran = 50},
	};
	const struct sim_result a = {.start = before};
	const struct sim_result b = {.start = start,
		.broken = {.runs = runs, .stretches = stretches, .n = 1}};
	const uint32_t groups[] = {0, 1};
	struct compare_group got[2];

	begin_trace(NULL);
	add(0, 100, 2, 100, 1);
	add(0, 100, 3, 100, 2);
	trace_finish(&trace, 4);
	compare_groups(&trace, &a, &b, groups, 2, got);
	assert_int_equal(got[0].preempted, 1);
	assert_int_equal(got[0].cut, 0);
	assert_near(got[0].work, 200);
	assert_near(got[0].bounded, 1.5);
	assert_int_equal(got[1].preempted, 0);
	assert_int_equal(got[1].cut, 1);
	assert_near(got[1].work, 150);
	assert_near(got[1].bounded, 1.4);
}

RUN_TESTS(NULL, release_trace,
	cmocka_unit_test(like_the_plain_one),
	cmocka_unit_test(stopped))
