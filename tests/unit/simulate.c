/*
 * The simulator against a slow and plain one that knows nothing of its data
 * structures: free processors are an array with an entry for every second, the
 * running are found by looking at all jobs. Random machines, random queues.
 */
#include <stdlib.h>
#include <string.h>

#include "common/sim/gantt.h"
#include "common/sim/metrics.h"
#include "common/sim/profile.h"
#include "common/sim/waiting.h"
#include "tests/unit/unit.h"
#include "tests/unit/random_trace.h"

enum { HORIZON = 20000, ROUNDS = 400 };

static const struct spread spread = {12, 40, 30};

static void run(const struct sim_policy *policy,
	const struct sim_options *options, struct sim_result *result)
{
	struct err err;

	assert_int_equal(simulate(&trace, policy, options, result, &err), 0);
}

static void check_promises(const struct sim_result *result)
{
	for (size_t i = 0; i < trace.n; i++)
		assert_true(result->start[i] <= result->promise[i]);
}

/* ---- the plain simulator -------------------------------------------------*/

struct plain {
	int64_t start[MOST], planned[MOST]; /* -1: none */
	int64_t now;
};

static bool waits(const struct plain *p, size_t i)
{
	return trace.jobs[i].submit <= p->now && p->start[i] < 0;
}

static bool runs(const struct plain *p, size_t i)
{
	return p->start[i] >= 0 && p->start[i] + trace.jobs[i].run > p->now;
}

static int64_t free_now(const struct plain *p)
{
	int64_t left = trace.procs;

	for (size_t i = 0; i < trace.n; i++)
		left -= runs(p, i) ? (int64_t)trace.jobs[i].procs : 0;
	return left;
}

/* What is free at a moment to come if all run as long as was said. */
static int64_t free_then(const struct plain *p, int64_t at)
{
	int64_t left = trace.procs;

	for (size_t i = 0; i < trace.n; i++)
		if (runs(p, i) && p->start[i] + trace.jobs[i].limit > at)
			left -= trace.jobs[i].procs;
	return left;
}

static void pass_fcfs(struct plain *p)
{
	for (size_t i = 0; i < trace.n; i++) {
		if (!waits(p, i))
			continue;
		if (trace.jobs[i].procs > free_now(p))
			return;
		p->start[i] = p->now;
	}
}

/* The first that waits gets its place: from when on, and what is left beside
 * it. Whose place that is; trace.n: nobody waits. */
static size_t keep_first(const struct plain *p, int64_t *shadow, int64_t *extra)
{
	size_t head = 0;

	while (head < trace.n && !waits(p, head))
		head++;
	*shadow = p->now;
	*extra = 0;
	if (head == trace.n)
		return head;
	while (free_then(p, *shadow) < trace.jobs[head].procs)
		++*shadow;
	*extra = free_then(p, *shadow) - trace.jobs[head].procs;
	return head;
}

static void pass_easy(struct plain *p)
{
	int64_t shadow, extra;
	size_t head;

	pass_fcfs(p);
	head = keep_first(p, &shadow, &extra);
	for (size_t i = head + 1; i < trace.n; i++) {
		const struct trace_job *job = &trace.jobs[i];
		bool in_time = p->now + job->limit <= shadow;

		if (!waits(p, i) || job->procs > free_now(p) ||
			(!in_time && job->procs > extra))
			continue;
		p->start[i] = p->now;
		if (!in_time)
			extra -= job->procs;
	}
}

/* Of those that may start now the shortest, again and again. */
static bool start_shortest(
	struct plain *p, size_t head, int64_t shadow, int64_t *extra)
{
	size_t best = trace.n;

	for (size_t i = head + 1; i < trace.n; i++) {
		const struct trace_job *job = &trace.jobs[i];

		if (waits(p, i) && job->procs <= free_now(p) &&
			(p->now + job->limit <= shadow ||
				job->procs <= *extra) &&
			(best == trace.n ||
				job->limit < trace.jobs[best].limit))
			best = i;
	}
	if (best == trace.n)
		return false;
	p->start[best] = p->now;
	if (p->now + trace.jobs[best].limit > shadow)
		*extra -= trace.jobs[best].procs;
	return true;
}

static void pass_sjbf(struct plain *p)
{
	int64_t shadow, extra;
	size_t head;

	pass_fcfs(p);
	head = keep_first(p, &shadow, &extra);
	while (start_shortest(p, head, shadow, &extra))
		;
}

/* Free processors of each second, without job `but`. */
static void fill(const struct plain *p, size_t but, int64_t *left)
{
	for (int64_t t = p->now; t < HORIZON; t++)
		left[t] = trace.procs;
	for (size_t i = 0; i < trace.n; i++) {
		int64_t from = runs(p, i) ? p->now : p->planned[i];
		int64_t until = runs(p, i)
					? p->start[i] + trace.jobs[i].limit
					: p->planned[i] + trace.jobs[i].limit;

		if (i == but || (!runs(p, i) && (!waits(p, i) || from < 0)))
			continue;
		for (int64_t t = from; t < until; t++)
			left[t] -= trace.jobs[i].procs;
	}
}

static void place(struct plain *p, size_t i)
{
	static int64_t left[HORIZON];
	int64_t at = p->now, good = 0;

	fill(p, i, left);
	for (int64_t t = p->now; good < trace.jobs[i].limit; t++) {
		good = left[t] >= trace.jobs[i].procs ? good + 1 : 0;
		at = good ? at : t + 1;
	}
	p->planned[i] = at;
}

static bool ended_early(const struct plain *p)
{
	for (size_t i = 0; i < trace.n; i++)
		if (p->start[i] >= 0 &&
			p->start[i] + trace.jobs[i].run == p->now &&
			trace.jobs[i].run < trace.jobs[i].limit)
			return true;
	return false;
}

static void pass_conservative(struct plain *p)
{
	bool again = ended_early(p);

	for (size_t i = 0; i < trace.n; i++)
		if (waits(p, i) && (again || p->planned[i] < 0))
			place(p, i);
	for (size_t i = 0; i < trace.n; i++)
		if (waits(p, i) && p->planned[i] == p->now)
			p->start[i] = p->now;
}

/* Every second is looked at; a pass where nothing happens changes nothing. */
static void plain_run(struct plain *p, void (*pass)(struct plain *))
{
	for (size_t i = 0; i < MOST; i++)
		p->start[i] = p->planned[i] = -1;
	for (p->now = 0; p->now < HORIZON / 4; p->now++)
		pass(p);
}

static const struct {
	const struct sim_policy *policy;
	void (*plain)(struct plain *);
} pairs[] = {
	{&sim_fcfs, pass_fcfs},
	{&sim_easy, pass_easy},
	{&sim_conservative, pass_conservative},
	{&sim_sjbf, pass_sjbf},
};

enum { PAIRS = sizeof(pairs) / sizeof(*pairs) };

static void like_the_plain_one(void **state)
{
	static struct plain plain;
	struct sim_options options = {0};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		random_trace(seed, &spread);
		for (size_t k = 0; k < PAIRS; k++) {
			struct sim_result result;

			run(pairs[k].policy, &options, &result);
			plain_run(&plain, pairs[k].plain);
			check_schedule(&result);
			check_promises(&result);
			for (size_t i = 0; i < trace.n; i++)
				assert_int_equal(
					result.start[i], plain.start[i]);
			sim_result_release(&result);
		}
	}
}

/* Whatever the planner believes, the machine holds what it holds; with beliefs
 * that are never too short, promises too. */
static void whatever_is_believed(void **state)
{
	struct sim_options options[] = {
		{.estimates = SIM_PERFECT},
		{.estimates = SIM_DOUBLE},
		{.estimates = SIM_RANDOM, .factor = 5, .seed = 3},
		{.predict = PREDICT_LAST2},
		{.predict = PREDICT_QUANTILE, .quantile = 0.95},
		{.test_cost = 0.3},
		{.predict = PREDICT_LAST2, .test_cost = 2},
	};

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		random_trace(seed * 77, &spread);
		for (size_t o = 0; o < sizeof(options) / sizeof(*options); o++)
			for (size_t k = 0; k < PAIRS; k++) {
				struct sim_result result;

				run(pairs[k].policy, &options[o], &result);
				check_schedule(&result);
				if (o < 3)
					check_promises(&result);
				sim_result_release(&result);
			}
	}
}

/* The example of spec 6.3: what EASY may start and conservative may not. */
static void the_worked_example(void **state)
{
	struct sim_options options = {0};
	struct sim_result easy, conservative;

	begin_trace(NULL);
	add(0, 86400, 6, 86400, 1);
	add(1, 43200, 3, 43200, 1);
	add(2, 172800, 4, 172800, 1);
	add(3, 34 * 3600, 2, 34 * 3600, 1);
	trace_finish(&trace, 8);
	run(&sim_easy, &options, &easy);
	run(&sim_conservative, &options, &conservative);
	assert_int_equal(easy.start[1], 86400);
	assert_int_equal(easy.start[3], 3);
	assert_true(easy.start[2] > 86400);
	assert_int_equal(conservative.start[1], 86400);
	assert_int_equal(conservative.start[2], 86400);
	assert_int_equal(conservative.start[3], 86400 + 43200);
	sim_result_release(&easy);
	sim_result_release(&conservative);
}

static void nothing_to_do(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;
	struct metrics m;

	begin_trace(NULL);
	trace_finish(&trace, 4);
	run(&sim_conservative, &options, &result);
	metrics_compute(&trace, &result, &m);
	assert_int_equal(m.jobs, 0);
	assert_true(m.utilization == 0);
	sim_result_release(&result);
}

/* ---- test cost -----------------------------------------------------------*/

/* Ten seconds a look: the second of two starts that much later, and what
 * arrives meanwhile waits for the next pass. */
static void a_slow_scheduler(void **state)
{
	struct sim_options options = {.test_cost = 10};
	struct sim_result result;

	begin_trace(NULL);
	add(0, 100, 1, 100, 1);
	add(0, 100, 1, 100, 1);
	add(5, 100, 1, 100, 1);
	trace_finish(&trace, 8);
	run(&sim_fcfs, &options, &result);
	assert_int_equal(result.start[0], 10);
	assert_int_equal(result.start[1], 20);
	assert_int_equal(result.start[2], 30);
	assert_true(result.work.seconds == 30);
	sim_result_release(&result);
}

/* ---- the profile ---------------------------------------------------------*/

enum { SECONDS = 300, CAPACITY = 20 };

static int64_t slow_earliest(
	const uint32_t *left, uint32_t procs, int64_t length, int64_t from)
{
	int64_t good = 0;

	for (int64_t t = from; t < SECONDS + 1000; t++) {
		good = t >= SECONDS || left[t] >= procs ? good + 1 : 0;
		if (good == length)
			return t + 1 - length;
	}
	return -1;
}

static void check_profile(const struct profile *p, const uint32_t *left)
{
	for (size_t i = p->begin; i < p->n; i++) {
		assert_true(i == p->begin || p->free[i] != p->free[i - 1]);
		for (int64_t t = p->time[i];
			t < SECONDS && (i + 1 == p->n || t < p->time[i + 1]);
			t++)
			assert_int_equal(p->free[i], left[t]);
	}
	assert_int_equal(p->free[p->n - 1], CAPACITY);
}

struct taken {
	uint32_t procs;
	int64_t from, until;
};

static void take_one(
	struct profile *p, uint32_t *left, struct taken *taken, size_t *n)
{
	uint32_t procs = 1 + below(CAPACITY);
	int64_t now = p->time[p->begin];
	int64_t from = now + below((uint64_t)(SECONDS - now));
	int64_t until = from + below((uint64_t)(SECONDS - from) + 1);
	int64_t at =
		profile_earliest(p, procs, until - from + 1, from, SIM_NEVER);
	bool fits = true;

	assert_int_equal(
		at, slow_earliest(left, procs, until - from + 1, from));
	for (int64_t t = from; t < until; t++)
		fits = fits && left[t] >= procs;
	assert_int_equal(profile_take(p, procs, from, until), fits);
	for (int64_t t = from; fits && t < until; t++)
		left[t] -= procs;
	if (fits)
		taken[(*n)++] = (struct taken){procs, from, until};
}

static void give_one(
	struct profile *p, uint32_t *left, struct taken *taken, size_t *n)
{
	size_t i = below(*n);
	struct taken *t = &taken[i];

	if (t->from < p->time[p->begin])
		t->from = p->time[p->begin];
	profile_give(p, t->procs, t->from, t->until);
	for (int64_t at = t->from; at < t->until; at++)
		left[at] += t->procs;
	*t = taken[--*n];
}

static void profiles(void **state)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct taken taken[2000];
		uint32_t left[SECONDS];
		struct profile p;
		size_t n = 0;

		chance.state = seed;
		for (size_t i = 0; i < SECONDS; i++)
			left[i] = CAPACITY;
		profile_init(&p, CAPACITY, 0);
		for (int i = 0; i < 1000; i++) {
			if (!n || below(5) < 3)
				take_one(&p, left, taken, &n);
			else
				give_one(&p, left, taken, &n);
			if (i % 20 == 0 && i < 900)
				profile_advance(&p, i / 4);
			check_profile(&p, left);
		}
		profile_release(&p);
	}
}

/* ---- the queue -----------------------------------------------------------*/

static void queues(void **state)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct waiting w;

		chance.state = seed;
		waiting_init(&w);
		for (int i = 0; i < 1500; i++) {
			uint32_t procs = 1 + below(50), extra = below(20);
			int64_t length = 1 + below(500);
			uint64_t passed = 0, looked = 0;
			size_t from = below(w.n + 1), want = from, got;

			if (below(3)) {
				waiting_push(&w, (uint32_t)i, 1 + below(60),
					1 + below(500));
				continue;
			}
			got = waiting_find(
				&w, from, procs, length, extra, &passed);
			for (; want < w.n; want++) {
				looked += w.procs[want] != WAITING_HOLE;
				if (w.procs[want] <= procs &&
					(w.length[want] <= length ||
						w.procs[want] <= extra))
					break;
			}
			assert_int_equal(got, want);
			assert_int_equal(passed, looked);
			if (got < w.n)
				waiting_remove(&w, got);
			waiting_tidy(&w);
		}
		waiting_release(&w);
	}
}

/* ---- metrics -------------------------------------------------------------*/

static bool near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

/* Second by second. */
static void slow_over_time(const struct sim_result *result, int64_t until,
	double *lost, double *queue)
{
	*lost = *queue = 0;
	for (int64_t t = trace.jobs[0].submit; t < until; t++) {
		int64_t idle = trace.procs - used_at(result->start, t);
		bool fits = false;

		for (size_t i = 0; i < trace.n; i++)
			if (trace.jobs[i].submit <= t && result->start[i] > t) {
				*queue += 1;
				fits = fits || trace.jobs[i].procs <= idle;
			}
		*lost += fits ? (double)idle : 0;
	}
}

static void metrics_of_time(void **state)
{
	struct sim_options options = {0};

	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct sim_result result;
		struct metrics m;
		double lost, queue, sum = 0, waits = 0;
		double used[7], waiting[7];
		struct metrics_curves curves = {
			.n = 7, .used = used, .waiting = waiting};

		random_trace(seed, &spread);
		run(&sim_easy, &options, &result);
		metrics_compute(&trace, &result, &m);
		slow_over_time(&result, m.until, &lost, &queue);
		assert_true(near(
			m.loss_of_capacity, lost / (m.makespan * trace.procs)));
		assert_true(near(m.mean_queue, queue / m.makespan));
		curves.from = m.from;
		curves.until = m.until;
		metrics_curves(&trace, &result, &curves);
		for (size_t i = 0; i < 7; i++)
			sum += used[i] / 7, waits += waiting[i] / 7;
		assert_true(near(sum, m.utilization * trace.procs));
		assert_true(near(waits, m.mean_queue));
		sim_result_release(&result);
	}
}

/* By hand: waits 0, 10, 20 and 70; runs 10, 10, 50, 5. */
static void metrics_by_hand(void **state)
{
	struct sim_options options = {0};
	struct sim_result result;
	struct metrics m;

	begin_trace(NULL);
	add(0, 10, 2, 20, 1);
	add(0, 10, 2, 20, 1);
	add(0, 50, 2, 100, 2);
	add(0, 5, 2, 5, 2);
	trace_finish(&trace, 2);
	run(&sim_fcfs, &options, &result);
	metrics_compute(&trace, &result, &m);
	assert_true(near(m.wait.mean, 25));
	assert_true(near(m.wait.median, 15));
	assert_true(near(m.wait.p95, 20 + 0.85 * 50));
	assert_true(near(m.wait.max, 70));
	assert_true(near(m.response.mean, 25 + 75 / 4.));
	assert_true(near(m.slowdown.mean, (1 + 2 + 1.4 + 15) / 4));
	assert_true(near(m.bounded_slowdown.mean, (1 + 2 + 1.4 + 7.5) / 4));
	assert_true(near(m.proc_slowdown.mean, (1 + 1 + 1 + 3.75) / 4));
	assert_true(near(m.makespan, 75));
	assert_true(near(m.utilization, 1));
	assert_true(near(m.accuracy, (.5 + .5 + .5 + 1) / 4));
	/* Users: 1.5 and 4.45. */
	assert_true(near(m.user_spread, 1.475 / 2.975));
	sim_result_release(&result);
}

/* ---- who lies where ------------------------------------------------------*/

static void check_pieces(const struct gantt *gantt)
{
	int64_t procs[MOST] = {0};

	for (size_t i = 0; i < gantt->n; i++) {
		const struct gantt_piece *a = &gantt->v[i];

		assert_true(a->low < a->high && a->high <= trace.procs);
		procs[a->job] += a->high - a->low;
		for (size_t k = 0; k < i; k++) {
			const struct gantt_piece *b = &gantt->v[k];

			assert_true(a->until <= b->from ||
				    b->until <= a->from || a->high <= b->low ||
				    b->high <= a->low);
		}
	}
	for (size_t i = 0; i < trace.n; i++)
		assert_int_equal(procs[i], trace.jobs[i].procs);
}

/* Seen second by second and processor by processor nothing is lost. */
static void check_sample(const struct gantt *gantt, int64_t from, int64_t until)
{
	uint32_t group[MOST];
	struct gantt coarse;
	int64_t wanted = 0, got = 0;

	for (uint32_t i = 0; i < MOST; i++)
		group[i] = i % 3;
	gantt_sample(gantt, group, (size_t)(until - from), 1000, from,
		until, &coarse);
	for (size_t i = 0; i < gantt->n; i++)
		wanted += (gantt->v[i].until - gantt->v[i].from) *
			  (gantt->v[i].high - gantt->v[i].low) *
			  (1 + gantt->v[i].job % 3);
	for (size_t i = 0; i < coarse.n; i++)
		got += (coarse.v[i].until - coarse.v[i].from) *
		       (coarse.v[i].high - coarse.v[i].low) *
		       (1 + coarse.v[i].job);
	assert_int_equal(got, wanted);
	gantt_release(&coarse);
}

static void gantts(void **state)
{
	struct sim_options options = {0};

	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct sim_result result;
		struct metrics m;
		struct gantt gantt;

		random_trace(seed, &spread);
		run(&sim_easy, &options, &result);
		metrics_compute(&trace, &result, &m);
		gantt_make(&gantt, &trace, &result);
		check_pieces(&gantt);
		check_sample(&gantt, m.from, m.until);
		gantt_release(&gantt);
		sim_result_release(&result);
	}
}

RUN_TESTS(NULL, release_trace,
	cmocka_unit_test(like_the_plain_one),
	cmocka_unit_test(whatever_is_believed),
	cmocka_unit_test(the_worked_example),
	cmocka_unit_test(nothing_to_do),
	cmocka_unit_test(a_slow_scheduler),
	cmocka_unit_test(profiles),
	cmocka_unit_test(queues),
	cmocka_unit_test(metrics_of_time),
	cmocka_unit_test(metrics_by_hand),
	cmocka_unit_test(gantts))
