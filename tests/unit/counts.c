/*
 * Nodes as counts (common/plan/schedule_alike.c) against nodes one by one, which
 * is what a job gets that has a list of nodes it may use, all of them here: on
 * random clusters of alike nodes, of more words than one, with more running jobs
 * than steps, the same starts and plans to the node. The same on blocks of
 * nodes (common/plan/blocks.h), where the pass may have them. And the choice alone
 * against select_nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/backfill.h"
#include "common/plan/schedule_nodes.h"
#include "common/select/select.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"

enum { NODES = 200, JOBS = 60, RUNS = 120, WORDS = 4, PARTS = 2, DAY = 86400 };

static struct arena arena, scratch;
static struct sched_node nodes[NODES];
static uint32_t indexes[PARTS][NODES];
static struct sched_partition parts[PARTS];
static struct sched_job jobs[RUNS + JOBS];
static struct sched_choice choices[RUNS + JOBS];
static uint64_t everywhere[WORDS];
static struct schedule s;
static const struct conf none; /* its defaults */

static bool plain; /* jobs that fill each node they get */

static bool one_in(uint32_t n)
{
	return !chance(n);
}

/* ---- a random cluster ----------------------------------------------------*/

static void random_nodes(void)
{
	uint32_t cpus = one_in(2) ? 1 : 1 + chance(8);

	plain = one_in(2);
	s.n_nodes = 1 + chance(NODES);
	for (size_t i = 0; i < s.n_nodes; i++)
		nodes[i] = (struct sched_node){
			.name = "n", .cpus = cpus, .down = one_in(20)};
	for (size_t p = 0; p < PARTS; p++) {
		size_t n = 0;

		for (uint32_t i = 0; i < s.n_nodes; i++)
			if (!p || !one_in(4))
				indexes[p][n++] = i;
		parts[p] = (struct sched_partition){
			.name = "p",
			.nodes = indexes[p],
			.n_nodes = n,
			.tier = 1,
			.max_time = INFINITE,
			.default_time = NO_VAL,
			.min_nodes = INFINITE,
			.max_nodes = one_in(4) ? 1 + chance(NODES) : INFINITE,
			.max_cpus_per_node = INFINITE,
			.exclusive = plain || one_in(5),
		};
	}
}

static struct sched_job *random_job(size_t i, bool by_counts)
{
	uint32_t each = one_in(4) ? 1 + chance(3) : 1;
	uint32_t tasks = 1 + chance(one_in(3) ? NODES : 12);

	choices[i] = (struct sched_choice){.partition = &parts[chance(PARTS)],
		.priority = 1000 - (uint32_t)i};
	jobs[i] = (struct sched_job){
		.id = (uint32_t)i + 1,
		.submit = DAY - 1000 + (int64_t)i,
		.cpus = tasks * each,
		.cpus_per_task = each,
		.tasks_asked = one_in(2) ? tasks : 0,
		.tasks_per_node = one_in(6) ? 1 + chance(3) : 0,
		.nodes = one_in(2) ? 1 : 1 + chance(tasks),
		.time_limit = 1 + chance(600),
		.exclusive = one_in(4),
		.may = by_counts ? NULL : everywhere,
		.tasks = one_in(6) ? 3 : 1,
		.startable = 1,
		.choices = &choices[i],
		.n_choices = 1,
	};
	if (one_in(3))
		jobs[i].most_nodes = jobs[i].nodes + chance(5);
	jobs[i].startable = jobs[i].tasks;
	return &jobs[i];
}

/* One that runs already, where there is room for it. */
static void random_run(size_t i, bool by_counts)
{
	struct sched_job *job = random_job(i, by_counts);
	struct sched_start start = {.choice = job->choices};
	struct sched_view now = {0};
	struct sched_running r = {.job = job,
		.partition = job->choices->partition,
		.began = DAY,
		.end = DAY + 1 + chance(30000)};

	job->startable = 0;
	start.n_nodes = nodes_needed(&s, job, job->choices);
	if (!start.n_nodes || !place_job(&s, job, &start, &now))
		return;
	schedule_keep(&start, &arena);
	r.start = start;
	schedule_run(&s, &r, &arena);
}

static const char *const policies[] = {"slurm", "slurm", "slurm",
	"slurm:bf_busy_nodes", "slurm:bf_running_job_reserve",
	"slurm:bf_resolution=600,bf_window=300", "slurm:bf_window_linear=50"};
enum { N_POLICIES = sizeof(policies) / sizeof(*policies) };
static size_t on_blocks; /* passes */

enum how { ONE_BY_ONE, BY_COUNTS, BY_BLOCKS, HOWS };

static void plan(uint32_t which, enum how how)
{
	struct backfill b;
	bool by_counts = how != ONE_BY_ONE;
	struct err err;
	size_t runs;

	seed = which;
	s = (struct schedule){.nodes = nodes,
		.partitions = parts,
		.n_partitions = PARTS,
		.jobs = jobs,
		.now = DAY + 17};
	random_nodes();
	schedule_measure(&s, &arena);
	runs = chance(RUNS);
	for (size_t i = 0; i < runs; i++)
		random_run(i, by_counts);
	/* Some have ended: what is idle is not in one piece. */
	for (size_t i = s.n_running; i-- > 0;)
		if (one_in(4))
			schedule_end(&s, i);
	for (s.n_jobs = runs; s.n_jobs < runs + JOBS; s.n_jobs++)
		(void)random_job(s.n_jobs, by_counts);
	schedule_main(&s, &arena);
	assert_int_equal(backfill_read(&b, &none, policies[chance(N_POLICIES)],
				 NULL, &arena, &err),
		0);
	b.blocks_from = how == BY_BLOCKS;
	backfill_pass(&s, &b, &arena, &scratch);
	on_blocks += b.report.blocks > 0;
}

/* ---- the same plans ------------------------------------------------------*/

static void same_nodes(uint32_t which, uint32_t job, const uint32_t *a,
	size_t n_a, const uint32_t *b, size_t n_b)
{
	if (n_a != n_b || memcmp(a, b, n_a * sizeof(*a)))
		fail_msg("%u: job %u: %zu and %zu nodes", which, job, n_a, n_b);
}

static void same_job(
	uint32_t which, const struct sched_job *a, const struct sched_job *b)
{
	if (a->reason != b->reason || a->n_starts != b->n_starts ||
		a->n_plans != b->n_plans)
		fail_msg("%u: job %u: reasons %u %u, starts %zu %zu, plans "
			 "%zu %zu",
			which, a->id, a->reason, b->reason, a->n_starts,
			b->n_starts, a->n_plans, b->n_plans);
	for (size_t i = 0; i < a->n_starts; i++) {
		const struct sched_start *x = &a->starts[i],
					 *y = &b->starts[i];

		same_nodes(which, a->id, x->nodes, x->n_nodes, y->nodes,
			y->n_nodes);
		assert_memory_equal(x->cpus_on, y->cpus_on,
			x->n_nodes * sizeof(*x->cpus_on));
	}
	for (size_t i = 0; i < a->n_plans; i++) {
		const struct sched_plan *x = &a->plans[i], *y = &b->plans[i];

		if (x->start != y->start)
			fail_msg("%u: job %u starts at %lld and %lld", which,
				a->id, (long long)x->start,
				(long long)y->start);
		same_nodes(which, a->id, x->nodes, x->n_nodes, y->nodes,
			y->n_nodes);
	}
}

static void same_plans(void **state)
{
	static struct sched_job slow[RUNS + JOBS];
	size_t started = 0, planned = 0;

	memset(everywhere, 0xff, sizeof(everywhere));
	for (uint32_t which = 1; which <= 400; which++) {
		arena_reset(&arena);
		arena_reset(&scratch);
		plan(which, ONE_BY_ONE);
		memcpy(slow, jobs, sizeof(slow));
		for (enum how how = BY_COUNTS; how < HOWS; how++) {
			plan(which, how);
			for (size_t i = 0; i < s.n_jobs; i++) {
				same_job(which, &jobs[i], &slow[i]);
				started += jobs[i].n_starts;
				planned += jobs[i].n_plans;
			}
		}
	}
	assert_true(started > 1000 && planned > 1000);
	assert_true(on_blocks > 100);
}

/* ---- the same choice -----------------------------------------------------*/

static void random_request(struct select_job *job, struct select_range *range)
{
	uint32_t least = 1 + chance(one_in(3) ? 40 : 3);
	uint32_t most = one_in(3) ? least : least + chance(40);

	*job = (struct select_job){
		.tasks = 1 + chance(one_in(4) ? 200 : 16),
		.cpus_per_task = one_in(3) ? 1 + chance(4) : 1,
		.tasks_per_node = one_in(5) ? 1 + chance(4) : 0,
		.most_asked = one_in(2) ? most : 0,
		.whole = one_in(5),
	};
	job->cpus = job->tasks * job->cpus_per_task;
	*range = (struct select_range){
		least, one_in(4) ? UINT32_MAX : most, one_in(2) ? most : least};
}

static void same_choice(void **state)
{
	static struct select_node each[NODES];
	static struct select_run some[NODES / 2 + 1];
	size_t answers[3] = {0};

	for (seed = 1; answers[SELECT_YES] < 5000;) {
		uint64_t set[WORDS] = {0}, chosen[WORDS] = {0}, slow[WORDS] = {0};
		uint32_t cpus = one_in(2) ? 1 : 1 + chance(8), gap = 1 + chance(9);
		struct select_alike nodes_alike = {set, WORDS, cpus};
		struct select_range range;
		struct select_job job;
		enum select_answer answer;
		size_t n = 0;

		for (uint32_t i = 0; i < NODES; i++) {
			if (one_in(gap))
				continue;
			each[n++] = (struct select_node){.index = i,
				.cpus = cpus,
				.free = cpus,
				.size = cpus};
			bits_set(set, i);
		}
		random_request(&job, &range);
		answer = select_alike(&job, &range, &nodes_alike, chosen, some);
		answers[answer]++;
		if (answer == SELECT_UNSURE)
			continue;
		assert_int_equal(answer == SELECT_YES,
			select_nodes(&job, &range, SELECT_CONSECUTIVE, each, n));
		for (size_t i = 0; i < n && answer == SELECT_YES; i++)
			if (each[i].got)
				bits_set(slow, each[i].index);
		if (answer == SELECT_YES)
			assert_memory_equal(slow, chosen, sizeof(slow));
	}
	assert_true(answers[SELECT_NO] > 100);
	assert_true(answers[SELECT_UNSURE] < answers[SELECT_YES]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_choice),
		cmocka_unit_test(same_plans),
	};
	int failed;

	arena_init(&arena);
	arena_init(&scratch);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	arena_release(&scratch);
	return failed;
}
