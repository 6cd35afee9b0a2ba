/*
 * Groups of jobs under two schedules; see compare.h.
 */
#include "common/sim/compare.h"

#include <stdlib.h>

#include "common/base/memory.h"

struct group_comparing {
	const struct trace *trace;
	const struct sim_result *before, *after;
	struct compare_group *out;
};

/* The wait here, less that in the other schedule. */
static void count_change(const struct group_comparing *c, size_t job,
	struct compare_group *group)
{
	double change;

	if (c->before->start[job] == SIM_NEVER)
		return;
	change = (double)(c->after->start[job] - c->before->start[job]);
	group->both++;
	group->change += change;
	group->longer += change > 0;
	group->shorter += change < 0;
	if (change > group->most_longer)
		group->most_longer = change;
	if (-change > group->most_shorter)
		group->most_shorter = -change;
}

static void count_job(const struct group_comparing *c, size_t job,
	struct compare_group *group)
{
	const struct trace_job *record = &c->trace->jobs[job];
	int64_t ran;

	if (c->after->start[job] == SIM_NEVER) {
		group->waiting++;
		return;
	}
	ran = sim_ran(c->trace, c->after, job);
	group->jobs++;
	group->work += (double)record->procs * (double)ran;
	group->bounded += metrics_bounded(c->trace, c->after, job);
	group->cut += ran < record->run;
	count_change(c, job, group);
}

/* Fills the waits of all groups, one behind the other. */
static void spread_waits(
	const struct group_comparing *c, const uint32_t *group_of, size_t n)
{
	size_t *first = memory_zeroed(n + 1, sizeof(*first));
	double *waits = memory_zeroed(c->trace->n + 1, sizeof(*waits));

	for (size_t g = 0; g < n; g++)
		first[g + 1] = first[g] + c->out[g].jobs;
	for (size_t i = 0; i < c->trace->n; i++)
		if (group_of[i] < n && c->after->start[i] != SIM_NEVER)
			waits[first[group_of[i]]++] =
				(double)(c->after->start[i] -
					 c->trace->jobs[i].submit);
	for (size_t g = 0; g < n; g++)
		metrics_spread(&c->out[g].wait,
			waits + first[g] - c->out[g].jobs, c->out[g].jobs);
	free(first);
	free(waits);
}

static void make_means(struct compare_group *group)
{
	if (group->jobs)
		group->bounded /= (double)group->jobs;
	if (group->both)
		group->change /= (double)group->both;
}

void compare_groups(const struct trace *trace, const struct sim_result *before,
	const struct sim_result *after, const uint32_t *group_of, size_t n,
	struct compare_group *out)
{
	const struct group_comparing c = {trace, before, after, out};
	const struct sim_broken *broken = &after->broken;

	for (size_t g = 0; g < n; g++)
		out[g] = (struct compare_group){0};
	for (size_t i = 0; i < trace->n; i++)
		if (group_of[i] < n)
			count_job(&c, i, &out[group_of[i]]);
	for (size_t i = 0; i < broken->n; i++)
		if (group_of[broken->stretches[i].job] < n)
			out[group_of[broken->stretches[i].job]].preempted++;
	spread_waits(&c, group_of, n);
	for (size_t g = 0; g < n; g++)
		make_means(&out[g]);
}
