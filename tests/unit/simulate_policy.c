/*
 * What a site's policy does in a simulation of Slurm: preemption, and limits on
 * minutes; by hand, and checked second by second by plain sums over random
 * traces.
 */
#include <math.h>
#include <string.h>

#include "common/conf/conf.h"
#include "common/sim/metrics.h"
#include "common/sim/simulate_slurm.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"
#include "tests/unit/random_trace.h"

enum { ROUNDS = 60, GROUPS = 3 };

static struct conf conf;
static struct sim_slurm slurm;
static enum predict_method predict;

/* Of the users 0, 3, 6 ..., who may push the others aside, and of those; each in
 * every group. */
static struct sim_kind kinds[2][GROUPS];

/* Each group of the trace is a level of its own below the root. */
static struct limit_level levels[GROUPS][2];
static struct limit_usage usage[GROUPS + 1];
static struct limit_chain chains[GROUPS];

static void tag_jobs(void)
{
	for (size_t i = 0; i < trace.n; i++) {
		struct trace_job *job = &trace.jobs[i];
		int64_t user = trace.users.numbers[job->user];
		int64_t group = trace.groups.numbers[job->group];

		job->tag = (uint32_t)((user % 3 != 0) * GROUPS + group) + 1;
	}
}

static void begin(void)
{
	arena_reset(&arena);
	conf_defaults(&conf);
	begin_trace(NULL);
	slurm = (struct sim_slurm){
		.policy = &conf.policy, .kinds = &kinds[0][0]};
	for (size_t k = 0; k < 2; k++)
		for (size_t g = 0; g < GROUPS; g++)
			kinds[k][g] = (struct sim_kind){
				.assoc_priority = NO_VAL, .usage_factor = 1};
	sched_params_init(&slurm.backfill.params);
	sched_params_complete(&slurm.backfill.params, NULL, &arena);
}

static void run(struct sim_result *result)
{
	struct sim_options options = {.policy = &slurm, .predict = predict};
	struct err err;

	sim_machine_plain(&slurm.machine, trace.procs, 1, &arena);
	tag_jobs();
	if (simulate(&trace, &sim_slurm_policy, &options, result, &err))
		fail_msg("%s", err.text);
}

static void preempting(enum preempted_how how, uint32_t grace)
{
	static const uint32_t low[] = {2, 0};

	for (size_t g = 0; g < GROUPS; g++) {
		kinds[0][g].qos = 1;
		kinds[0][g].qos_priority = 10;
		kinds[0][g].may.preempts = low;
		kinds[1][g].qos = 2;
		kinds[1][g].how = how;
		kinds[1][g].grace_time = grace;
	}
	slurm.preempt.by = PREEMPT_BY_QOS;
	slurm.max_qos_priority = 10;
	conf.policy.multifactor = true;
	conf.policy.weights.qos = 1000;
}

static void limiting(uint64_t cpu_minutes)
{
	memset(usage, 0, sizeof(usage));
	for (size_t g = 0; g < GROUPS; g++) {
		limit_level_init(&levels[g][0]);
		limit_level_init(&levels[g][1]);
		levels[g][0].all = &usage[g];
		levels[g][1].all = &usage[GROUPS];
		tres_list_set(&levels[g][0].tres[LIMIT_GRP_MINS], &arena,
			TRES_CPU, cpu_minutes);
		chains[g] = (struct limit_chain){
			.levels = levels[g],
			.n = 2,
			.usage_factor = 1,
			.default_time = NO_VAL,
			.max_time = INFINITE,
		};
		kinds[0][g].limits = kinds[1][g].limits = &chains[g];
	}
}

/* ---- stretches, plainly --------------------------------------------------*/

/* Did the job run then? */
static bool runs_at(const struct sim_result *r, size_t job, int64_t at)
{
	if (r->start[job] != SIM_NEVER && sim_last(r, job) <= at &&
		at < sim_end(&trace, r, job))
		return true;
	for (size_t i = 0; i < r->broken.n; i++)
		if (r->broken.stretches[i].job == job &&
			r->broken.stretches[i].from <= at &&
			at < r->broken.stretches[i].until)
			return true;
	return false;
}

static int64_t used(const struct sim_result *r, int64_t at)
{
	int64_t procs = 0;

	for (size_t i = 0; i < trace.n; i++)
		procs += runs_at(r, i, at) ? trace.jobs[i].procs : 0;
	return procs;
}

/* Seconds the job ran in all, those of runs that began anew too. */
static int64_t lasted(const struct sim_result *r, size_t job)
{
	int64_t sum = sim_end(&trace, r, job) - sim_last(r, job);

	for (size_t i = 0; i < r->broken.n; i++)
		if (r->broken.stretches[i].job == job)
			sum += r->broken.stretches[i].until -
			       r->broken.stretches[i].from;
	return sum;
}

/* ---- preemption ----------------------------------------------------------*/

/* The first holds the machine; the second may push it aside. */
static void by_hand(void **state)
{
	static const struct {
		enum preempted_how how;
		uint32_t grace;
		int64_t second, start, end, ran;
	} cases[] = {
		{PREEMPTED_NEVER, 0, 3600, 0, 3600, 3600},
		{PREEMPTED_CANCEL, 0, 100, 0, 100, 100},
		{PREEMPTED_REQUEUE, 0, 100, 700, 4300, 3600},
		{PREEMPTED_SUSPEND, 0, 100, 0, 4200, 3600},
		{PREEMPTED_REQUEUE, 300, 400, 1000, 4600, 3600},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sim_result r;

		begin();
		preempting(cases[i].how, cases[i].grace);
		add(0, 3600, 4, 3600, 1);
		add(100, 600, 4, 600, 3);
		trace_finish(&trace, 4);
		run(&r);
		assert_int_equal(r.start[1], cases[i].second);
		assert_int_equal(r.start[0], cases[i].start);
		assert_int_equal(sim_end(&trace, &r, 0), cases[i].end);
		assert_int_equal(sim_ran(&trace, &r, 0), cases[i].ran);
		sim_result_release(&r);
	}
}

/* What is lost, what is in use, how long it takes. */
static void what_it_cost(void **state)
{
	struct sim_result r;
	struct metrics m;

	begin();
	preempting(PREEMPTED_REQUEUE, 0);
	add(0, 1000, 4, 1020, 1);
	add(500, 500, 2, 540, 3);
	trace_finish(&trace, 4);
	run(&r);
	metrics_compute(&trace, &r, &m);
	assert_int_equal(m.requeued, 1);
	assert_near(m.lost, 2000);
	assert_near(m.makespan, 2000);
	assert_near(m.utilization, 7000.0 / 8000);
	assert_near(m.wait.max, 1000);
	/* It waits, and could not run, while the other holds two. */
	assert_near(m.mean_queue, 0.25);
	assert_near(m.loss_of_capacity, 0);
	sim_result_release(&r);
}

static void whatever_makes_way(void **state)
{
	static const struct spread spread = {200, 900, 400};
	struct sim_broken sum = {0};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		enum preempted_how how = PREEMPTED_CANCEL + seed % 3;
		struct sim_result r;
		struct metrics m;

		begin();
		random_trace(seed, &spread);
		preempting(how, seed % 2 ? 0 : 120);
		predict = seed % 4 ? PREDICT_NONE : PREDICT_LAST2;
		run(&r);
		predict = PREDICT_NONE;
		metrics_compute(&trace, &r, &m);
		for (int64_t at = m.from; at < m.until; at++)
			assert_true(used(&r, at) <= trace.procs);
		for (size_t i = 0; i < trace.n; i++) {
			const struct trace_job *job = &trace.jobs[i];
			int64_t run = lasted(&r, i);

			assert_true(r.start[i] != SIM_NEVER);
			if (job->tag <= GROUPS)
				assert_int_equal(run, job->run);
			else if (how == PREEMPTED_CANCEL)
				assert_true(run <= job->run);
			else if (how == PREEMPTED_REQUEUE)
				assert_true(run >= job->run);
			else
				assert_int_equal(run, job->run);
		}
		sum.requeued += r.broken.requeued;
		sum.suspended += r.broken.suspended;
		sum.preempted += r.broken.preempted;
		sim_result_release(&r);
	}
	assert_true(sum.requeued > 20);
	assert_true(sum.suspended > 20);
	assert_true(sum.preempted > 20);
}

/* ---- limits on minutes ---------------------------------------------------*/

/* 100 CPU minutes: a job of 4 CPUs has used them after 25 minutes. */
static void minutes_by_hand(void **state)
{
	struct sim_result r;

	begin();
	conf.policy.half_life = 0;
	limiting(100);
	add(0, 600, 4, 600, 1);
	add(0, 3600, 4, 3600, 1);
	add(0, 600, 4, 600, 1);
	add(0, 600, 4, 600, 2);
	trace_finish(&trace, 4);
	run(&r);
	assert_int_equal(r.start[1], 600);
	assert_int_equal(sim_ran(&trace, &r, 1), 900);
	assert_int_equal(r.start[2], SIM_NEVER);
	assert_int_equal(r.start[3], 1500);
	assert_int_equal(r.broken.limited, 1);
	sim_result_release(&r);
	/* Under safe nothing starts that could not end. */
	chains[1].safe = true;
	run(&r);
	assert_int_equal(r.start[1], SIM_NEVER);
	assert_int_equal(r.start[2], 600);
	assert_int_equal(r.broken.limited, 0);
	sim_result_release(&r);
}

/* The first is ended at the limit; the second starts when that has faded below
 * it, and is ended a moment later. */
static void minutes_fade(void **state)
{
	enum { LIMIT = 3600, PROCS = 120 };
	const double half_life = 3600;
	struct sim_result r;
	int64_t end = 0, start;
	double used = 0;

	begin();
	conf.policy.half_life = half_life;
	conf.policy.calc_period = 1;
	limiting(LIMIT / 60);
	add(0, 60, PROCS, 60, 1);
	add(0, 60, PROCS, 60, 1);
	trace_finish(&trace, PROCS);
	run(&r);
	while (used < LIMIT)
		used = PROCS * half_life / log(2) *
		       (1 - exp2((double)-(++end) / half_life));
	for (start = end; used >= LIMIT; start++)
		used *= exp2(-1 / half_life);
	assert_int_equal(sim_end(&trace, &r, 0), end);
	assert_int_equal(r.start[1], start);
	assert_int_equal(r.broken.limited, 2);
	sim_result_release(&r);
}

/* CPU seconds of the group at that moment, as they count then. */
static double group_used(
	const struct sim_result *r, uint32_t group, int64_t at, double half_life)
{
	double sum = 0;

	for (size_t i = 0; i < trace.n; i++) {
		int64_t start = r->start[i], end;

		if (trace.jobs[i].group != group || start >= at)
			continue;
		end = sim_end(&trace, r, i);
		end = end < at ? end : at;
		sum += trace.jobs[i].procs * half_life / log(2) *
		       (exp2((double)(end - at) / half_life) -
			       exp2((double)(start - at) / half_life));
	}
	return sum;
}

/* Nobody starts or runs on above the limit, and who is ended is at it. */
static void check_minutes(const struct sim_result *r, const struct metrics *m,
	double limit, double half_life)
{
	for (size_t i = 0; i < trace.n; i++) {
		bool cut;

		assert_true(r->start[i] != SIM_NEVER);
		cut = sim_ran(&trace, r, i) < trace.jobs[i].run;
		for (int64_t at = m->from; at <= m->until; at++) {
			double used;

			if (at < r->start[i] || at > sim_end(&trace, r, i))
				continue;
			used = group_used(
				r, trace.jobs[i].group, at, half_life);
			if (at < sim_end(&trace, r, i))
				assert_true(used / 60 < limit + 1e-6);
			else if (cut)
				assert_true(used / 60 > limit - 1e-6);
		}
	}
}

static void minutes_second_by_second(void **state)
{
	static const struct spread spread = {60, 200, 60};
	uint64_t cut = 0;

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct sim_result r;
		struct metrics m;
		double half_life = 600;

		begin();
		random_trace(seed, &spread);
		conf.policy.half_life = 600;
		conf.policy.calc_period = 1;
		limiting(10);
		run(&r);
		metrics_compute(&trace, &r, &m);
		check_minutes(&r, &m, 10, half_life);
		cut += r.broken.limited;
		sim_result_release(&r);
	}
	assert_true(cut > 20);
}

static int release(void **state)
{
	teardown(state);
	return release_trace(state);
}

RUN_TESTS(setup, release,
	cmocka_unit_test(by_hand),
	cmocka_unit_test(what_it_cost),
	cmocka_unit_test(whatever_makes_way),
	cmocka_unit_test(minutes_by_hand),
	cmocka_unit_test(minutes_fade),
	cmocka_unit_test(minutes_second_by_second))
