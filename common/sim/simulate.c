/*
 * The event loop; see simulate.h.
 */
#include "common/sim/simulate.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"

enum { PROGRESS_EVERY = 64 };

/* ---- events --------------------------------------------------------------*/

static bool earlier(const struct sim_event *a, const struct sim_event *b)
{
	return a->at < b->at || (a->at == b->at && a->job < b->job);
}

void sim_event_push(struct sim_events *events, struct sim_event event)
{
	size_t i = events->n;

	*MEMORY_PUSH(events->v, events->n, events->cap) = event;
	for (; i && earlier(&event, &events->v[(i - 1) / 2]); i = (i - 1) / 2)
		events->v[i] = events->v[(i - 1) / 2];
	events->v[i] = event;
}

struct sim_event sim_event_pop(struct sim_events *events)
{
	struct sim_event top = events->v[0], last = events->v[--events->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < events->n) {
		if (child + 1 < events->n &&
			earlier(&events->v[child + 1], &events->v[child]))
			child++;
		if (!earlier(&events->v[child], &last))
			break;
		events->v[i] = events->v[child];
		i = child;
	}
	events->v[i] = last;
	return top;
}

/* Removes the job's event; false when it has none. */
static bool take_event(
	struct sim_events *events, uint32_t job, struct sim_event *event)
{
	size_t i = 0, n;

	while (i < events->n && events->v[i].job != job)
		i++;
	if (i == events->n)
		return false;
	*event = events->v[i];
	events->v[i] = events->v[--events->n];
	n = events->n;
	/* The rest is inserted again: one by one, the heap grows. */
	for (events->n = i; events->n < n;)
		sim_event_push(events, events->v[events->n]);
	return true;
}

static int64_t first_event(const struct sim_events *events)
{
	return events->n ? events->v[0].at : SIM_NEVER;
}

/* ---- one job -------------------------------------------------------------*/

static struct sim_run run_of(const struct sim *sim, uint32_t job)
{
	int64_t start = sim->start[job], run = sim->trace->jobs[job].run;

	return (struct sim_run){
		.last = start,
		.end = start == SIM_NEVER ? SIM_NEVER : start + run,
		.ran = run,
	};
}

static void watch_overrun(struct sim *sim, uint32_t job, uint32_t times)
{
	if (sim->trace->jobs[job].run > sim->planned[job])
		sim_event_push(&sim->overruns,
			(struct sim_event){
				sim_expected_end(sim, job), job, times});
}

void sim_start_later(struct sim *sim, uint32_t job, int64_t seconds)
{
	const struct trace_job *record = &sim->trace->jobs[job];

	if (record->procs > sim->free || sim->start[job] != SIM_NEVER)
		BUG("a job is started that cannot be");
	sim->start[job] = sim->now + seconds;
	sim->free -= record->procs;
	if (sim->broken.runs)
		sim->broken.runs[job] = run_of(sim, job);
	sim_event_push(&sim->running,
		(struct sim_event){sim->start[job] + record->run, job, 0});
	watch_overrun(sim, job, 0);
}

void sim_start(struct sim *sim, uint32_t job)
{
	double spent = (double)sim->tests * sim->options->test_cost;

	sim->delayed |= spent >= 1;
	sim_start_later(sim, job, (int64_t)spent);
}

/* ---- runs that are broken ------------------------------------------------*/

static struct sim_run *broken_run(struct sim *sim, uint32_t job)
{
	size_t n = sim->trace->n;

	if (!sim->broken.runs) {
		sim->broken.runs =
			memory_resize(NULL, n, sizeof(*sim->broken.runs));
		for (size_t i = 0; i < n; i++)
			sim->broken.runs[i] = run_of(sim, (uint32_t)i);
	}
	return &sim->broken.runs[job];
}

int64_t sim_lasted(const struct sim *sim, uint32_t job)
{
	const struct sim_run *run = sim->broken.runs;

	return run ? run[job].before + sim->now - run[job].last
		   : sim->now - sim->start[job];
}

/* It holds no processor any more. */
static struct sim_run *stop(struct sim *sim, uint32_t job)
{
	struct sim_run *run = broken_run(sim, job);
	struct sim_event event;

	if (!take_event(&sim->running, job, &event))
		BUG("a job is stopped that does not run");
	sim->free += sim->trace->jobs[job].procs;
	/* It may have been about to start. */
	if (run->last > sim->now)
		run->last = sim->now;
	return run;
}

static void note_stretch(
	struct sim *sim, uint32_t job, const struct sim_run *run)
{
	struct sim_broken *b = &sim->broken;

	*MEMORY_PUSH(b->stretches, b->n, b->cap) =
		(struct sim_stretch){job, run->last, sim->now};
}

static void forget_overrun(struct sim *sim, uint32_t job)
{
	struct sim_event unused;

	(void)take_event(&sim->overruns, job, &unused);
}

void sim_requeue(struct sim *sim, uint32_t job)
{
	struct sim_run *run = stop(sim, job);

	forget_overrun(sim, job);
	note_stretch(sim, job, run);
	sim->broken.requeued++;
	sim->broken.lost += (uint64_t)sim_lasted(sim, job) *
			    sim->trace->jobs[job].procs;
	sim->start[job] = SIM_NEVER;
	*run = run_of(sim, job);
}

void sim_cut(struct sim *sim, uint32_t job, bool limited)
{
	struct sim_run *run = stop(sim, job);

	forget_overrun(sim, job);
	run->ran = sim_lasted(sim, job);
	run->end = sim->now;
	sim->broken.limited += limited;
	sim->broken.preempted += !limited;
	sim->ended++;
}

/* Until it runs on, `last` is when that is, as far as it is known: now. */
void sim_suspend(struct sim *sim, uint32_t job)
{
	struct sim_run *run = stop(sim, job);
	struct sim_event overrun = {0};

	(void)take_event(&sim->overruns, job, &overrun);
	run->times = overrun.times;
	note_stretch(sim, job, run);
	sim->broken.suspended++;
	run->before = sim_lasted(sim, job);
	run->last = sim->now;
}

void sim_resume(struct sim *sim, uint32_t job)
{
	const struct trace_job *record = &sim->trace->jobs[job];
	struct sim_run *run = &sim->broken.runs[job];

	if (record->procs > sim->free)
		BUG("a job runs on that cannot");
	sim->free -= record->procs;
	run->last = sim->now;
	run->end = sim->now + record->run - run->before;
	sim_event_push(&sim->running, (struct sim_event){run->end, job, 0});
	watch_overrun(sim, job, run->times);
}

/* ---- what the planner believes -------------------------------------------*/

static int64_t estimate(
	struct sim *sim, const struct trace_job *job, struct predict *predict)
{
	double factor;

	if (predict)
		return predict_run(predict, job);
	switch (sim->options->estimates) {
	case SIM_PERFECT:
		return job->run;
	case SIM_DOUBLE:
		return 2 * job->limit;
	case SIM_RANDOM:
		factor = chance_real(&sim->chance) * (sim->options->factor - 1);
		return job->run + (int64_t)((double)job->run * factor);
	default:
		return job->limit;
	}
}

/* ---- an instant ----------------------------------------------------------*/

static void leave(struct sim *sim, struct predict *predict)
{
	while (first_event(&sim->running) == sim->now) {
		uint32_t job = sim_event_pop(&sim->running).job;

		sim->free += sim->trace->jobs[job].procs;
		if (sim->policy->leave)
			sim->policy->leave(sim, job);
		if (predict)
			predict_learn(predict, &sim->trace->jobs[job]);
		sim->ended++;
		if (sim->options->progress && sim->ended % PROGRESS_EVERY == 0)
			sim->options->progress(
				sim->options->progress_arg, sim->ended);
	}
}

static void revise(struct sim *sim)
{
	while (first_event(&sim->overruns) == sim->now) {
		struct sim_event event = sim_event_pop(&sim->overruns);
		uint32_t job = event.job;
		int64_t was = sim->planned[job];

		sim->planned[job] =
			predict_again(predict_first(was, event.times),
				event.times, sim->trace->jobs[job].limit);
		watch_overrun(sim, job, event.times + 1);
		if (sim->policy->revise)
			sim->policy->revise(sim, job, was);
	}
}

static int64_t next_submit(const struct sim *sim)
{
	return sim->joined < sim->trace->n
		       ? sim->trace->jobs[sim->joined].submit
		       : SIM_NEVER;
}

static void join(struct sim *sim, struct predict *predict)
{
	while (next_submit(sim) == sim->now) {
		uint32_t job = (uint32_t)sim->joined++;

		sim->planned[job] =
			estimate(sim, &sim->trace->jobs[job], predict);
		sim->policy->arrive(sim, job);
	}
}

/* When the scheduler is free again and when it wants to be asked. */
static int64_t pass(struct sim *sim, int64_t *busy)
{
	int64_t wake;
	double spent;

	sim->tests = 0;
	sim->delayed = false;
	wake = sim->policy->pass(sim);
	spent = (double)sim->tests * sim->options->test_cost;
	sim->work.passes++;
	sim->work.tests += sim->tests;
	if (sim->tests > sim->work.largest)
		sim->work.largest = sim->tests;
	if (sim->policy->own_time)
		return wake;
	sim->work.seconds += spent;
	*busy = sim->now + (int64_t)ceil(spent);
	return wake;
}

int64_t sim_next_event(const struct sim *sim)
{
	return smaller(next_submit(sim), first_event(&sim->running));
}

static void replay(struct sim *sim, struct predict *predict)
{
	int64_t wake = SIM_NEVER, busy = INT64_MIN;

	for (;;) {
		int64_t next = smaller(sim_next_event(sim),
			smaller(first_event(&sim->overruns), wake));

		if (next == SIM_NEVER)
			return;
		sim->now = next;
		leave(sim, predict);
		revise(sim);
		join(sim, predict);
		if (busy > sim->now)
			wake = busy;
		else
			wake = pass(sim, &busy);
		if (wake <= sim->now)
			BUG("a policy that wants to be asked again at once");
	}
}

/* ---- all -----------------------------------------------------------------*/

static int64_t *make_times(size_t n, int64_t value)
{
	int64_t *times = memory_resize(NULL, n, sizeof(*times));

	for (size_t i = 0; i < n; i++)
		times[i] = value;
	return times;
}

int simulate(const struct trace *trace, const struct sim_policy *policy,
	const struct sim_options *options, struct sim_result *result,
	struct err *err)
{
	struct sim sim = {
		.trace = trace,
		.options = options,
		.policy = policy,
		.free = trace->procs,
		.chance = {options->seed},
		.now = trace->n ? trace->jobs[0].submit : 0,
	};
	struct predict *predict = predict_new(
		trace, options->predict, options->quantile);
	int failed;

	sim.start = make_times(trace->n, SIM_NEVER);
	sim.promise = make_times(trace->n, SIM_NEVER);
	sim.planned = make_times(trace->n, 0);
	failed = policy->open(&sim, err);
	if (!failed) {
		replay(&sim, predict);
		policy->close(&sim);
	}
	predict_free(predict);
	free(sim.planned);
	free(sim.running.v);
	free(sim.overruns.v);
	*result = (struct sim_result){sim.start, sim.promise, sim.broken,
		sim.work, sim.left, sim.left_reason};
	if (failed)
		sim_result_release(result);
	return failed;
}

void sim_result_release(struct sim_result *result)
{
	free(result->start);
	free(result->promise);
	free(result->broken.runs);
	free(result->broken.stretches);
	*result = (struct sim_result){0};
}
