/*
 * What a schedule was worth; see metrics.h.
 */
#include "common/sim/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"

enum { BOUND = 10 };

static double highest(double a, double b)
{
	return a > b ? a : b;
}

/* ---- spreads -------------------------------------------------------------*/

static int by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t below = (size_t)at;
	double part = at - (double)below;

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

void metrics_spread(struct metrics_spread *s, double *values, size_t n)
{
	long double sum = 0;

	*s = (struct metrics_spread){0};
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	qsort(values, n, sizeof(*values), by_size);
	s->mean = (double)(sum / n);
	s->median = quantile(values, n, 0.5);
	s->p95 = quantile(values, n, 0.95);
	s->max = values[n - 1];
}

/* Seconds, and processors, of a job that started. */
struct job_times {
	double wait, response, run, procs;
};

static struct job_times facts_of(
	const struct trace *trace, const struct sim_result *result, size_t i)
{
	const struct trace_job *job = &trace->jobs[i];

	return (struct job_times){
		.wait = (double)(result->start[i] - job->submit),
		.response = (double)(sim_end(trace, result, i) - job->submit),
		.run = (double)sim_ran(trace, result, i),
		.procs = job->procs,
	};
}

static double wait_of(const struct job_times *f)
{
	return f->wait;
}

static double response_of(const struct job_times *f)
{
	return f->response;
}

/* A job that was ended at its start counts as having run for a second. */
static double slowdown_of(const struct job_times *f)
{
	return f->response / highest(1, f->run);
}

static double bounded_of(const struct job_times *f)
{
	return highest(1, f->response / highest(f->run, BOUND));
}

double metrics_bounded(
	const struct trace *trace, const struct sim_result *result, size_t job)
{
	struct job_times facts = facts_of(trace, result, job);

	return bounded_of(&facts);
}

static double by_procs(const struct job_times *f)
{
	return highest(1, f->response / f->procs / highest(f->run, BOUND));
}

static void spreads(const struct trace *trace, const struct sim_result *result,
	struct metrics *m)
{
	const struct {
		struct metrics_spread *to;
		double (*of)(const struct job_times *);
	} all[] = {
		{&m->wait, wait_of},
		{&m->response, response_of},
		{&m->slowdown, slowdown_of},
		{&m->bounded_slowdown, bounded_of},
		{&m->proc_slowdown, by_procs},
	};
	double *values = memory_zeroed(trace->n, sizeof(*values));

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		size_t n = 0;

		for (size_t i = 0; i < trace->n; i++)
			if (result->start[i] != SIM_NEVER) {
				struct job_times facts =
					facts_of(trace, result, i);

				values[n++] = all[k].of(&facts);
			}
		metrics_spread(all[k].to, values, n);
	}
	free(values);
}

/* ---- fairness ------------------------------------------------------------*/

static void user_spread(const struct trace *trace,
	const struct sim_result *result, struct metrics *m)
{
	double *sums = memory_zeroed(trace->users.n, sizeof(*sums));
	uint64_t *counts = memory_zeroed(trace->users.n, sizeof(*counts));
	double sum = 0, squares = 0, mean;
	size_t n = 0;

	for (size_t i = 0; i < trace->n; i++)
		if (result->start[i] != SIM_NEVER) {
			sums[trace->jobs[i].user] +=
				metrics_bounded(trace, result, i);
			counts[trace->jobs[i].user]++;
		}
	for (size_t u = 0; u < trace->users.n; u++)
		if (counts[u]) {
			double user = sums[u] / (double)counts[u];

			n++;
			sum += user;
			squares += user * user;
		}
	mean = n ? sum / (double)n : 0;
	m->user_spread =
		n ? sqrt(highest(0, squares / (double)n - mean * mean)) / mean
		  : 0;
	free(sums);
	free(counts);
}

static void promises(const struct trace *trace, const struct sim_result *result,
	struct metrics *m)
{
	int64_t earliest = SIM_NEVER;

	for (size_t i = trace->n; i-- > 0;) {
		int64_t start = result->start[i];

		if (start == SIM_NEVER)
			continue;
		m->overtaken += earliest < start;
		if (start < earliest)
			earliest = start;
		if (start <= result->promise[i])
			continue;
		m->late++;
		m->late_most = highest(
			m->late_most, (double)(start - result->promise[i]));
	}
}

/* ---- over time -----------------------------------------------------------*/

/* Something happens to a job: 0 ends, 1 is submitted, 2 starts. */
struct job_moment {
	int64_t at;
	uint32_t job;
	uint32_t what;
};

enum { ENDS, IS_SUBMITTED, STARTS };

static int by_time(const void *x, const void *y)
{
	const struct job_moment *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

static void add(struct job_moment **to, int64_t at, size_t job, uint32_t what)
{
	*(*to)++ = (struct job_moment){at, (uint32_t)job, what};
}

/* Who stops before its end waits again. */
static struct job_moment *make_changes(
	const struct trace *trace, const struct sim_result *result, size_t *n)
{
	const struct sim_broken *broken = &result->broken;
	struct job_moment *changes =
		memory_zeroed(3 * (trace->n + broken->n), sizeof(*changes));
	struct job_moment *to = changes;

	for (size_t i = 0; i < trace->n; i++) {
		add(&to, trace->jobs[i].submit, i, IS_SUBMITTED);
		if (result->start[i] == SIM_NEVER)
			continue;
		add(&to, sim_last(result, i), i, STARTS);
		add(&to, sim_end(trace, result, i), i, ENDS);
	}
	for (size_t i = 0; i < broken->n; i++) {
		const struct sim_stretch *stretch = &broken->stretches[i];

		add(&to, stretch->from, stretch->job, STARTS);
		add(&to, stretch->until, stretch->job, ENDS);
		add(&to, stretch->until, stretch->job, IS_SUBMITTED);
	}
	*n = (size_t)(to - changes);
	qsort(changes, *n, sizeof(*changes), by_time);
	return changes;
}

/* Pending jobs by processors: a Fenwick tree that tells whether any asks for so
 * few. */
struct waiting_sizes {
	int32_t *tree;
	uint32_t n;
};

static void sizes_add(struct waiting_sizes *sizes, uint32_t procs, int32_t by)
{
	for (uint32_t i = procs; i <= sizes->n; i += i & -i)
		sizes->tree[i] += by;
}

static int32_t sizes_upto(const struct waiting_sizes *sizes, uint32_t procs)
{
	int32_t n = 0;

	for (uint32_t i = procs < sizes->n ? procs : sizes->n; i; i -= i & -i)
		n += sizes->tree[i];
	return n;
}

struct procs_state {
	double used, waiting;
};

static void apply(struct procs_state *state, const struct trace_job *job,
	uint32_t what, struct waiting_sizes *sizes)
{
	double procs = job->procs;

	state->used += what == STARTS ? procs : what == ENDS ? -procs : 0;
	if (what == ENDS)
		return;
	state->waiting += what == IS_SUBMITTED ? 1 : -1;
	if (sizes)
		sizes_add(sizes, job->procs, what == IS_SUBMITTED ? 1 : -1);
}

static uint32_t largest(const struct trace *trace)
{
	uint32_t procs = 0;

	for (size_t i = 0; i < trace->n; i++)
		if (trace->jobs[i].procs > procs)
			procs = trace->jobs[i].procs;
	return procs;
}

static void over_time(const struct trace *trace,
	const struct sim_result *result, struct metrics *m)
{
	struct waiting_sizes sizes = {.n = largest(trace)};
	struct procs_state state = {0};
	double lost = 0, queue = 0;
	size_t n;
	struct job_moment *changes = make_changes(trace, result, &n);

	sizes.tree = memory_zeroed((size_t)sizes.n + 1, sizeof(*sizes.tree));
	for (size_t i = 0; i < n; i++) {
		const struct job_moment *c = &changes[i];
		double idle, time;

		apply(&state, &trace->jobs[c->job], c->what, &sizes);
		if (i + 1 == n || changes[i + 1].at == c->at)
			continue;
		idle = trace->procs - state.used;
		time = (double)(changes[i + 1].at - c->at);
		queue += state.waiting * time;
		if (sizes_upto(&sizes, (uint32_t)highest(0, idle)))
			lost += idle * time;
	}
	if (m->makespan > 0) {
		m->loss_of_capacity = lost / (m->makespan * trace->procs);
		m->mean_queue = queue / m->makespan;
	}
	free(changes);
	free(sizes.tree);
}

/* ---- all -----------------------------------------------------------------*/

static void totals(const struct trace *trace, const struct sim_result *result,
	struct metrics *m)
{
	long double work = result->broken.lost, accuracy = 0;

	m->from = trace->n ? trace->jobs[0].submit : 0;
	m->until = m->from;
	for (size_t i = 0; i < trace->n; i++) {
		const struct trace_job *job = &trace->jobs[i];

		if (result->start[i] == SIM_NEVER) {
			m->waiting++;
			continue;
		}
		m->jobs++;
		work += (long double)job->procs * sim_ran(trace, result, i);
		accuracy += (long double)job->run / job->limit;
		if (sim_end(trace, result, i) > m->until)
			m->until = sim_end(trace, result, i);
	}
	m->makespan = (double)(m->until - m->from);
	if (m->makespan > 0)
		m->utilization = (double)(work / (m->makespan * trace->procs));
	if (m->jobs)
		m->accuracy = (double)(accuracy / m->jobs);
}

void metrics_compute(const struct trace *trace, const struct sim_result *result,
	struct metrics *m)
{
	*m = (struct metrics){.work = result->work};
	m->requeued = result->broken.requeued;
	m->suspended = result->broken.suspended;
	m->preempted = result->broken.preempted;
	m->limited = result->broken.limited;
	m->lost = (double)result->broken.lost;
	totals(trace, result, m);
	spreads(trace, result, m);
	user_spread(trace, result, m);
	promises(trace, result, m);
	over_time(trace, result, m);
}

/* ---- curves --------------------------------------------------------------*/

/* `value` over [from, until) into the parts it touches. */
static void put(double *parts, const struct metrics_curves *c, double value,
	double from, double until)
{
	double width = (double)(c->until - c->from) / (double)c->n;
	size_t i, last;

	if (!parts || !(until > from) || !(value > 0))
		return;
	i = (size_t)(from / width);
	last = (size_t)(until / width);
	for (; i <= last && i < c->n; i++) {
		double begin = highest(from, width * (double)i);
		double end = fmin(until, width * (double)(i + 1));

		if (end > begin)
			parts[i] += value * (end - begin) / width;
	}
}

void metrics_curves(const struct trace *trace, const struct sim_result *result,
	const struct metrics_curves *c)
{
	struct procs_state state = {0};
	double *all[] = {c->used, c->waiting};
	size_t n;
	struct job_moment *changes = make_changes(trace, result, &n);
	double span = (double)(c->until - c->from);

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
		if (all[k])
			memset(all[k], 0, c->n * sizeof(*all[k]));
	for (size_t i = 0; i + 1 < n; i++) {
		double from = (double)(changes[i].at - c->from);
		double until = (double)(changes[i + 1].at - c->from);

		apply(&state, &trace->jobs[changes[i].job], changes[i].what,
			NULL);
		from = highest(from, 0);
		until = fmin(until, span);
		put(c->used, c, state.used, from, until);
		put(c->waiting, c, state.waiting, from, until);
	}
	free(changes);
}
