/*
 * The search for changes that bring an earlier start: by hand, and on random
 * queues, where every change found is planned again from the beginning: it does
 * what it says, and no smaller one does.
 */
#include <string.h>

#include "common/base/chance.h"
#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/plan/remedy.h"
#include "tests/unit/unit.h"

enum {
	NODES = 6,
	PARTS = 3,
	JOBS = 14,
	RUNNING = 5,
	QUEUES = 1000,
	HALVINGS = 14,
	GIB = 1024,
	HOUR = 3600,
	NOW = 1700000000,
};

/* ---- by hand -------------------------------------------------------------*/

/* What starts when: `at[kind]`, once the value is as far as `enough[kind]`. */
struct answers {
	uint64_t enough[REMEDY_KINDS];
	int64_t at[REMEDY_KINDS];
	bool more[REMEDY_KINDS];
	size_t plans, fails_after;
};

static int answer(void *arg, struct remedy *r)
{
	struct answers *a = arg;
	uint64_t enough = a->enough[r->kind];

	if (++a->plans == a->fails_after)
		return -1;
	r->start = 10000;
	if (a->more[r->kind] ? r->value >= enough : r->value <= enough)
		r->start = a->at[r->kind] ? a->at[r->kind] : 10000;
	return 0;
}

static void test_ranges(void **state)
{
	struct remedy_range r = remedy_less(REMEDY_TIME, 720, 1);

	assert_int_equal(r.step, 1);
	assert_int_equal(r.middle, 360);
	assert_int_equal(r.furthest, 72);
	/* No limit; a week and more in half hours. */
	r = remedy_less(REMEDY_TIME, INFINITE, 1);
	assert_int_equal(r.middle, 1440);
	assert_int_equal(r.furthest, 60);
	assert_int_equal(remedy_less(REMEDY_TIME, 7 * 1440, 1).step, 30);
	assert_int_equal(remedy_less(REMEDY_MEM, 500 * GIB, 1).step, GIB);
	assert_int_equal(remedy_less(REMEDY_MEM, 2000, 1).furthest, 200);
	/* Nothing is less than the least; parts are rounded up. */
	assert_int_equal(remedy_less(REMEDY_CPUS, 4, 4).step, 0);
	assert_int_equal(remedy_less(REMEDY_CPUS, 0, 1).step, 0);
	r = remedy_less(REMEDY_CPUS, 5, 2);
	assert_int_equal(r.middle, 3);
	assert_int_equal(r.furthest, 2);
	/* However much, a bisection ends. */
	for (uint64_t asked = 2; asked < UINT64_MAX / 4; asked *= 3)
		for (int kind = 0; kind < REMEDY_LIMIT; kind++) {
			r = remedy_less((enum remedy_kind)kind, asked, 1);
			if (!r.step)
				continue;
			assert_true(r.furthest < r.asked && r.furthest >= 1);
			assert_true(r.middle >= r.furthest);
			assert_int_equal(r.furthest % r.step, 0);
			assert_int_equal(r.middle % r.step, 0);
		}
}

static void test_search(void **state)
{
	struct answers a = {
		.enough = {[REMEDY_TIME] = 500, [REMEDY_MEM] = 100,
			[REMEDY_LIMIT] = 77, [REMEDY_QOS] = 0},
		.at = {[REMEDY_TIME] = 5000, [REMEDY_MEM] = 9950,
			[REMEDY_LIMIT] = 100, [REMEDY_QOS] = 5050},
		.more = {[REMEDY_LIMIT] = true}};
	struct remedy_ask ask = {
		.ranges = {[REMEDY_TIME] = remedy_less(REMEDY_TIME, 720, 1),
			[REMEDY_MEM] = remedy_less(REMEDY_MEM, 1000, 1),
			[REMEDY_LIMIT] = {40, 90, 90, 1}},
		.choices = {[REMEDY_QOS] = 2, [REMEDY_ACCOUNT] = 99},
		.start = 10000,
		.grain = 60,
		.halvings = HALVINGS,
		.plan = answer,
		.arg = &a};
	struct remedy v[REMEDY_MOST];
	size_t n;

	assert_int_equal(remedies_find(&ask, v, &n), 0);
	/* Less memory gains less than counts; the limit comes last. */
	assert_int_equal(n, 3);
	assert_true(v[0].kind == REMEDY_TIME && v[0].value == 500);
	assert_int_equal(v[0].start, 5000);
	assert_true(v[1].kind == REMEDY_QOS && v[1].value == 0);
	assert_true(v[2].kind == REMEDY_LIMIT && v[2].value == 77);
	/* The user's own before the administrator's, the first of equals. */
	assert_int_equal(remedies_best(v, n, 60), 0);
	assert_int_equal(remedies_best(v + 2, 1, 60), 0);
	assert_int_equal(remedies_best(v, 0, 60), 0);
	/* Any start is better than none. */
	ask.start = 0;
	assert_int_equal(remedies_find(&ask, v, &n), 0);
	assert_true(n > 3);
	for (a.plans = 0, a.fails_after = 1; a.fails_after < 5;
		a.plans = 0, a.fails_after++)
		assert_int_equal(remedies_find(&ask, v, &n), -1);
}

/* Half of the way is told beside all of it where both bring something. */
static int two_steps(void *arg, struct remedy *r)
{
	r->start = r->value <= 50 ? 1000 : r->value <= 300 ? 5000 : 9000;
	return 0;
}

static void test_two_steps(void **state)
{
	struct remedy_ask ask = {
		.ranges = {[REMEDY_CPUS] = remedy_less(REMEDY_CPUS, 400, 1)},
		.start = 9000,
		.halvings = HALVINGS,
		.plan = two_steps};
	struct remedy v[REMEDY_MOST];
	size_t n;

	assert_int_equal(remedies_find(&ask, v, &n), 0);
	assert_int_equal(n, 2);
	assert_true(v[0].value == 300 && v[0].start == 5000);
	assert_true(v[1].value == 50 && v[1].start == 1000);
	assert_int_equal(remedies_best(v, n, 60), 1);
}

/* ---- random queues -------------------------------------------------------*/

struct queue {
	struct arena arena, scratch;
	struct sched_node nodes[NODES];
	uint64_t has[NODES], used[NODES];
	struct sched_partition parts[PARTS];
	uint32_t in_part[PARTS][NODES];
	struct sched_job jobs[JOBS];
	struct sched_choice choices[JOBS];
	uint64_t gpus[JOBS]; /* on each node */
	/* Of the victim's group, on CPUs. */
	struct limit_level level;
	struct limit_usage usage;
	struct limit_chain chain;
	struct tres_list asks;
	struct schedule s;
	struct backfill b;
	uint64_t seed;
	size_t victim; /* whose job is changed */
	size_t plans;
};

static uint32_t below(struct chance *c, uint32_t n)
{
	return (uint32_t)chance_below(c, n);
}

static void random_job(struct queue *q, struct chance *c, size_t i)
{
	uint32_t nodes = 1 + below(c, 3);

	q->choices[i] = (struct sched_choice){
		.partition = &q->parts[below(c, PARTS)],
		.priority = 1000 - (uint32_t)i};
	q->gpus[i] = below(c, 2) ? 0 : below(c, 5);
	q->jobs[i] = (struct sched_job){.id = (uint32_t)i + 1,
		.submit = NOW - 1000 + (int64_t)i,
		.cpus = nodes * (1 + below(c, 8)),
		.nodes = nodes,
		.mem = nodes * below(c, 64 * GIB),
		.gres = &q->gpus[i],
		.gres_node = &q->gpus[i],
		.time_limit = 10 + below(c, 3000),
		.tasks = 1,
		.startable = 1,
		.choices = &q->choices[i],
		.n_choices = 1};
}

static void random_run(struct queue *q, struct chance *c, size_t i)
{
	struct sched_job *job = &q->jobs[i];
	struct sched_running r = {.job = job,
		.partition = job->choices->partition,
		.began = NOW - HOUR,
		.end = NOW + 60 + below(c, 20 * HOUR)};
	uint32_t *on = arena_alloc(&q->arena, sizeof(*on));

	/* On one node, which need not have room for all of it. */
	*on = (uint32_t)i;
	job->nodes = 1;
	job->cpus = 1 + below(c, 8);
	job->mem = below(c, 64 * GIB);
	q->gpus[i] = below(c, 5);
	job->startable = 0;
	r.start = (struct sched_start){.nodes = on, .n_nodes = 1};
	schedule_run(&q->s, &r, &q->arena);
}

/* In some queues jobs of its group have so much that a limit holds it back. */
static void limit_victim(struct queue *q, struct chance *c)
{
	limit_level_init(&q->level);
	q->usage = (struct limit_usage){.jobs = 1};
	q->level.all = &q->usage;
	tres_list_set(&q->usage.tres, &q->arena, TRES_CPU, below(c, 12));
	q->level.tres[LIMIT_GRP] = (struct tres_list){0};
	tres_list_set(&q->level.tres[LIMIT_GRP], &q->arena, TRES_CPU,
		below(c, 40));
	q->chain = (struct limit_chain){
		.levels = &q->level, .n = 1, .usage_factor = 1};
	q->asks = (struct tres_list){0};
	q->choices[q->victim].limits = &q->chain;
	q->choices[q->victim].tres = &q->asks;
}

static uint64_t limit_of(const struct queue *q)
{
	return tres_list_get(&q->level.tres[LIMIT_GRP], TRES_CPU);
}

/* The same number makes the same queue. */
static void make_queue(struct queue *q)
{
	struct chance c = {q->seed};
	struct err err = {0};
	static const struct conf none;

	arena_reset(&q->arena);
	arena_reset(&q->scratch);
	q->s = (struct schedule){.nodes = q->nodes,
		.n_nodes = NODES,
		.partitions = q->parts,
		.n_partitions = PARTS,
		.jobs = q->jobs + RUNNING,
		.n_jobs = JOBS - RUNNING,
		.n_gres = 1,
		.textbook = true,
		.now = NOW};
	if (backfill_read(&q->b, &none, "conservative", NULL, &q->arena, &err))
		fail_msg("%s", err.text);
	q->b.cores = true;
	for (size_t i = 0; i < NODES; i++) {
		q->has[i] = below(&c, 5);
		q->used[i] = 0;
		q->nodes[i] = (struct sched_node){.name = "n",
			.cpus = 8,
			.mem = 64 * GIB,
			.gres = &q->has[i],
			.gres_used = &q->used[i]};
	}
	for (size_t p = 0; p < PARTS; p++) {
		size_t n = 0;

		for (uint32_t i = 0; i < NODES; i++)
			if (!p || below(&c, 3))
				q->in_part[p][n++] = i;
		q->parts[p] = (struct sched_partition){.name = "p",
			.nodes = q->in_part[p],
			.n_nodes = n,
			.max_time = 2000,
			.default_time = NO_VAL,
			.max_nodes = INFINITE,
			.max_cpus_per_node = INFINITE};
	}
	schedule_measure(&q->s, &q->arena);
	for (size_t i = 0; i < JOBS; i++)
		random_job(q, &c, i);
	for (size_t i = 0; i < RUNNING; i++)
		random_run(q, &c, i);
	limit_victim(q, &c);
}

static uint64_t scaled(uint64_t amount, uint32_t from, uint64_t to)
{
	return (amount * to + from - 1) / from;
}

static void change(struct queue *q, const struct remedy *r)
{
	struct sched_job *job = &q->jobs[q->victim];
	uint32_t nodes = job->nodes;

	if (r->kind == REMEDY_TIME)
		job->time_limit = (uint32_t)r->value;
	if (r->kind == REMEDY_MEM)
		job->mem = r->value;
	if (r->kind == REMEDY_CPUS)
		job->cpus = (uint32_t)r->value;
	if (r->kind == REMEDY_GPUS)
		q->gpus[q->victim] = r->value;
	if (r->kind == REMEDY_LIMIT)
		tres_list_set(&q->level.tres[LIMIT_GRP], &q->arena, TRES_CPU,
			r->value);
	if (r->kind == REMEDY_PARTITION)
		q->choices[q->victim].partition = &q->parts[r->value];
	if (r->kind != REMEDY_NODES)
		return;
	job->nodes = (uint32_t)r->value;
	job->cpus = (uint32_t)scaled(job->cpus, nodes, r->value);
	job->mem = scaled(job->mem, nodes, r->value);
}

/* From the beginning; NULL: as it is. */
static int64_t start_of(struct queue *q, const struct remedy *r)
{
	const struct sched_job *job = &q->jobs[q->victim];

	make_queue(q);
	if (r)
		change(q, r);
	tres_list_set(&q->asks, &q->arena, TRES_CPU, job->cpus);
	schedule_reasons(&q->s, &q->arena);
	backfill_pass(&q->s, &q->b, &q->arena, &q->scratch);
	if (job->n_starts)
		return NOW;
	return job->n_plans ? job->plans[0].start : 0;
}

static int plan(void *arg, struct remedy *r)
{
	struct queue *q = arg;

	q->plans++;
	r->start = start_of(q, r);
	return 0;
}

static void ask_for(struct queue *q, struct remedy_ask *ask)
{
	const struct sched_job *job = &q->jobs[q->victim];
	uint64_t most;

	*ask = (struct remedy_ask){.start = start_of(q, NULL),
		.grain = 60,
		.halvings = HALVINGS,
		.plan = plan,
		.arg = q,
		.choices = {[REMEDY_PARTITION] = PARTS}};
	ask->ranges[REMEDY_TIME] = remedy_less(REMEDY_TIME, job->time_limit, 1);
	ask->ranges[REMEDY_MEM] = remedy_less(REMEDY_MEM, job->mem, 1);
	ask->ranges[REMEDY_CPUS] =
		remedy_less(REMEDY_CPUS, job->cpus, job->nodes);
	ask->ranges[REMEDY_GPUS] =
		remedy_less(REMEDY_GPUS, q->gpus[q->victim], 1);
	ask->ranges[REMEDY_NODES] = remedy_less(REMEDY_NODES, job->nodes, 1);
	most = tres_list_get(&q->usage.tres, TRES_CPU) + job->cpus;
	if (most > limit_of(q))
		ask->ranges[REMEDY_LIMIT] =
			(struct remedy_range){limit_of(q), most, most, 1};
	q->plans = 0;
}

/* `changed` is a change less than `found`: it must not start as early. */
static void check_less(struct queue *q, const struct remedy_ask *ask,
	const struct remedy *found, uint64_t value)
{
	struct remedy less = {.kind = found->kind, .value = value};
	uint64_t asked = ask->ranges[found->kind].asked;

	if (found->value > asked ? value <= asked : value >= asked)
		return;
	less.start = start_of(q, &less);
	if (less.start && less.start <= found->start)
		fail_msg("queue %d: %d=%d starts as early as %d", (int)q->seed,
			(int)found->kind, (int)value, (int)found->value);
}

static void check_found(struct queue *q, const struct remedy_ask *ask,
	const struct remedy *r, struct chance *c)
{
	const struct remedy_range *range = &ask->ranges[r->kind];
	bool more = r->value > range->asked;
	uint64_t far;

	assert_int_equal(start_of(q, r), r->start);
	assert_true(!ask->start || r->start < ask->start - ask->grain);
	if (r->kind >= REMEDY_AMOUNTS)
		return;
	far = (more ? r->value - range->asked : range->asked - r->value) /
	      range->step;
	for (int i = 0; i < 4; i++) {
		uint64_t by = range->step *
			      (i && far ? 1 + chance_below(c, far) : 1);

		check_less(q, ask, r, more ? r->value - by : r->value + by);
	}
}

/* What helps by its furthest is found; so is each choice that helps. */
static void check_missed(struct queue *q, const struct remedy_ask *ask,
	const struct remedy *v, size_t n)
{
	for (int kind = 0; kind < REMEDY_AMOUNTS; kind++) {
		struct remedy far = {.kind = (enum remedy_kind)kind,
			.value = ask->ranges[kind].furthest};
		bool found = false;

		if (!ask->ranges[kind].step)
			continue;
		far.start = start_of(q, &far);
		for (size_t i = 0; i < n; i++)
			found |= v[i].kind == far.kind &&
				 v[i].start <= far.start + ask->grain;
		if (far.start && (!ask->start || far.start < ask->start -
								 ask->grain))
			assert_true(found);
	}
}

static void test_random_queues(void **state)
{
	struct queue *q = *state;
	struct chance c = {7};
	size_t found = 0, kinds[REMEDY_KINDS] = {0};

	for (q->seed = 1; q->seed <= QUEUES; q->seed++) {
		struct remedy v[REMEDY_MOST];
		struct remedy_ask ask;
		size_t n;

		q->victim = RUNNING + below(&c, JOBS - RUNNING);
		ask_for(q, &ask);
		if (ask.start == NOW)
			continue;
		assert_int_equal(remedies_find(&ask, v, &n), 0);
		assert_true(q->plans <=
			    REMEDY_AMOUNTS * (2 + 2 * HALVINGS) + PARTS);
		for (size_t i = 0; i < n; i++) {
			assert_true(!i || v[i].kind >= v[i - 1].kind ||
				    i == n - 1);
			assert_true(v[i].kind != REMEDY_LIMIT || i == n - 1);
			check_found(q, &ask, &v[i], &c);
			kinds[v[i].kind]++;
		}
		check_missed(q, &ask, v, n);
		found += n;
	}
	assert_true(found > QUEUES / 2);
	for (int kind = 0; kind < REMEDY_KINDS; kind++)
		if (kind <= REMEDY_PARTITION)
			assert_true(kinds[kind] > 5);
}

static int open_queue(void **state)
{
	static struct queue q;

	arena_init(&q.arena);
	arena_init(&q.scratch);
	*state = &q;
	return 0;
}

static int close_queue(void **state)
{
	struct queue *q = *state;

	arena_release(&q->arena);
	arena_release(&q->scratch);
	return 0;
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_ranges),
	cmocka_unit_test(test_search),
	cmocka_unit_test(test_two_steps),
	cmocka_unit_test_setup_teardown(
		test_random_queues, open_queue, close_queue))
