/*
 * A trace for tests of the simulator: by hand, or by chance, and what must hold
 * of any schedule of it. Include after cmocka.h.
 */
#pragma once

#include "common/base/chance.h"
#include "common/sim/simulate.h"
#include "tests/unit/trace_fixture.h"

static struct chance chance;

enum { MOST = 60 }; /* jobs of a random trace, at most */

/* cmocka's own compares floats. */
static inline void assert_near(double got, double wanted)
{
	double most = 1e-9 * (1 + (wanted < 0 ? -wanted : wanted));

	assert_in_range((uint64_t)(got > wanted - most && got < wanted + most),
		1, 1);
}

static inline uint32_t below(uint64_t n)
{
	return (uint32_t)chance_below(&chance, n);
}

/* Three groups have the users in turn. */
static inline void add(
	int64_t submit, int64_t run, int64_t procs, int64_t limit, int64_t user)
{
	struct swf_job row;
	struct err err;

	for (size_t i = 0; i < SWF_FIELDS; i++)
		row.v[i] = -1;
	row.v[SWF_ID] = (int64_t)trace.rows + 1;
	row.v[SWF_SUBMIT] = submit;
	row.v[SWF_RUN] = run;
	row.v[SWF_REQ_PROCS] = procs;
	row.v[SWF_REQ_TIME] = limit;
	row.v[SWF_USER] = user;
	row.v[SWF_GROUP] = user % 3;
	assert_int_equal(trace_add(&trace, &row, &err), 0);
}

/* Seconds: each trace draws its own below these. */
struct spread {
	uint32_t gap;	 /* between two arrivals */
	uint32_t length; /* of a run */
	uint32_t over;	 /* times 0, 1 or 2: asked for and not used */
};

/* A few widths of time and size, so that ties and full machines are common. */
static inline void random_trace(uint64_t seed, const struct spread *spread)
{
	uint32_t n, machine, gap, length;
	int64_t submit = 0;

	chance.state = seed;
	begin_trace(NULL);
	machine = 1 + below(12);
	n = 2 + below(MOST - 2);
	gap = 1 + below(spread->gap);
	length = 1 + below(spread->length);
	for (uint32_t i = 0; i < n; i++) {
		int64_t run = 1 + below(length);

		submit += below(gap);
		add(submit, run, 1 + below(machine),
			run + below(3) * below(spread->over), below(4));
	}
	trace_finish(&trace, machine);
}

static inline int64_t used_at(const int64_t *start, int64_t at)
{
	int64_t used = 0;

	for (size_t i = 0; i < trace.n; i++)
		if (start[i] <= at && at < start[i] + trace.jobs[i].run)
			used += trace.jobs[i].procs;
	return used;
}

/* All run, none before it came, and never more at once than there is. */
static inline void check_schedule(const struct sim_result *result)
{
	for (size_t i = 0; i < trace.n; i++) {
		assert_true(result->start[i] != SIM_NEVER);
		assert_true(result->start[i] >= trace.jobs[i].submit);
		assert_true(used_at(result->start, result->start[i]) <=
			    trace.procs);
	}
}
