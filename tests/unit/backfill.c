/*
 * The backfill pass: the worked example of spec/backfill.md 6 table by table,
 * under Slurm's rules of two releases and under the textbook policies; every
 * parameter that decides; and on random clusters and queues a slow checker of
 * its own that finds no node taken twice and no promise broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/backfill.h"
#include "common/bits.h"
#include "common/numbers.h"
#include "common/reason.h"

enum { MOST_NODES = 32, MOST_JOBS = 60, HOUR = 3600 };

/* 2023-02-08 00:00, and the day behind it. */
#define DAY INT64_C(1675814400)
#define NEXT_DAY (DAY + 86400)
#define CLOCK(h, m, s) ((h)*3600 + (m)*60 + (s))

static struct arena arena, scratch;
static struct sched_node nodes[MOST_NODES];
static struct sched_partition parts[2];
static uint32_t all_nodes[MOST_NODES];
static struct sched_job jobs[MOST_JOBS];
static struct sched_choice choices[MOST_JOBS][2];
static struct schedule s;
static struct backfill b;
static char told[4096]; /* tables, as the pass told of them */

/* ---- a cluster -----------------------------------------------------------*/

static void cluster(size_t n, uint32_t cpus)
{
	arena_reset(&arena);
	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < n; i++) {
		nodes[i] = (struct sched_node){.name = "n", .cpus = cpus};
		all_nodes[i] = (uint32_t)i;
	}
	for (size_t i = 0; i < 2; i++)
		parts[i] = (struct sched_partition){.name = "p",
			.nodes = all_nodes,
			.n_nodes = n,
			.tier = 1,
			.max_time = INFINITE,
			.default_time = NO_VAL,
			.max_nodes = INFINITE,
			.max_cpus_per_node = INFINITE,
			.exclusive = true};
	s = (struct schedule){.nodes = nodes,
		.n_nodes = n,
		.partitions = parts,
		.n_partitions = 2,
		.jobs = jobs,
		.now = DAY};
	b = (struct backfill){0};
	sched_params_init(&b.params);
	sched_params_complete(&b.params, NULL, &arena);
}

static int reset(void **state)
{
	(void)state;
	cluster(8, 1);
	told[0] = '\0';
	return 0;
}

static void set(const char *policy)
{
	struct err err = {0};

	if (backfill_policy_parse(&b, policy, &err))
		fail_msg("%s", err.text);
	sched_params_complete(&b.params, NULL, &arena);
}

/* Priority falls from job to job. */
static struct sched_job *add(uint32_t n_nodes, uint32_t minutes)
{
	size_t i = s.n_jobs++;

	choices[i][0] = (struct sched_choice){
		.partition = &parts[0], .priority = 1000 - (uint32_t)i};
	jobs[i] = (struct sched_job){.id = (uint32_t)i + 1,
		.submit = DAY - 100 + (int64_t)i,
		.cpus = n_nodes,
		.nodes = n_nodes,
		.time_limit = minutes,
		.tasks = 1,
		.startable = 1,
		.choices = choices[i],
		.n_choices = 1};
	return &jobs[i];
}

static void runs(struct sched_job *job, uint32_t first, int64_t end)
{
	struct sched_running r = {.job = job,
		.partition = &parts[0],
		.began = s.now,
		.end = end,
		.start = {.whole = true, .n_nodes = job->nodes}};

	r.start.nodes = arena_array(&arena, job->nodes, sizeof(uint32_t));
	for (uint32_t i = 0; i < job->nodes; i++)
		r.start.nodes[i] = first + i;
	schedule_run(&s, &r, &arena);
	job->startable = 0;
}

static void pass_at(int64_t now)
{
	s.now = now;
	arena_reset(&scratch);
	schedule_main(&s, &arena);
	backfill_pass(&s, &b, &arena, &scratch);
}

/* ---- the table as text ---------------------------------------------------*/

static void put_time(char *text, size_t size, int64_t when)
{
	int64_t rest = when - DAY, day = rest / 86400;

	rest %= 86400;
	snprintf(text, size, "%02d %02d:%02d:%02d", (int)day + 8,
		(int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
}

/* 1-3,8 */
static void put_set(char *text, size_t size, const uint64_t *set)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < s.n_nodes; i++) {
		size_t last = i;

		if (!bits_has(set, i))
			continue;
		while (last + 1 < s.n_nodes && bits_has(set, last + 1))
			last++;
		len += (size_t)snprintf(text + len, size - len,
			last > i ? "%s%zu-%zu" : "%s%zu", len ? "," : "", i + 1,
			last + 1);
		i = last;
	}
}

static void watch(void *arg, const struct nodespace *ns,
	const struct sched_job *job, const struct sched_plan *plan)
{
	size_t len = 0;

	(void)arg;
	(void)job;
	(void)plan;
	for (uint32_t i = 0;;) {
		char from[32], to[32], set[128];

		put_time(from, sizeof(from), ns->v[i].begin);
		put_time(to, sizeof(to), ns->v[i].end);
		put_set(set, sizeof(set), ns->v[i].avail);
		len += (size_t)snprintf(told + len, sizeof(told) - len,
			"%s > %s : %s\n", from, to, set);
		i = ns->v[i].next;
		if (!i)
			return;
	}
}

#define PLANNED(job, when, first, n)                                           \
	do {                                                                   \
		assert_int_equal((job)->n_plans, 1);                           \
		assert_int_equal((job)->plans[0].start, when);                 \
		assert_int_equal((job)->plans[0].nodes[0], (first)-1);         \
		assert_int_equal((job)->plans[0].n_nodes, n);                  \
		assert_int_equal((job)->n_starts, 0);                          \
	} while (0)

#define STARTED(job, first, n)                                                 \
	do {                                                                   \
		assert_int_equal((job)->n_starts, 1);                          \
		assert_int_equal((job)->n_plans, 0);                           \
		assert_int_equal((job)->starts[0].nodes[0], (first)-1);        \
		assert_int_equal((job)->starts[0].n_nodes, n);                 \
	} while (0)

/* ---- the worked example --------------------------------------------------*/

static struct sched_job *first, *second, *third, *fourth;

/* Job 1 runs on node 1 to 6 since 11:33:24, for a day. */
static void article(const char *policy)
{
	cluster(8, 1);
	b.params.bf_window = 43200;
	set(policy);
	b.watch = watch;
	first = add(6, 24 * 60);
	runs(first, 0, NEXT_DAY + CLOCK(11, 33, 24));
	second = add(3, 12 * 60);
}

static void example_today(void **state)
{
	(void)state;
	article("slurm");
	pass_at(DAY + CLOCK(11, 33, 35));
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	assert_string_equal(told, "08 11:33:00 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:34:00 : 4-8\n"
				  "09 23:34:00 > 38 11:33:00 : 1-8\n");
	third = add(4, 12 * 60);
	pass_at(DAY + CLOCK(11, 33, 43));
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	assert_string_equal(told, "08 11:33:00 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:34:00 : 8\n"
				  "09 23:34:00 > 38 11:33:00 : 1-8\n");
	fourth = add(2, 10 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	STARTED(fourth, 7, 2);
	assert_string_equal(told, "08 11:33:00 > 08 11:33:00 : 1-8\n"
				  "08 11:33:00 > 08 21:34:00 : 1-6\n"
				  "08 21:34:00 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:34:00 : 8\n"
				  "09 23:34:00 > 38 11:33:00 : 1-8\n");
	assert_int_equal(b.report.records, 5);
}

static void example_of_the_article(void **state)
{
	(void)state;
	article("slurm:release=20.11");
	told[0] = '\0';
	pass_at(DAY + CLOCK(11, 33, 35));
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	assert_string_equal(told, "08 11:33:35 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:33:00 : 4-8\n"
				  "09 23:33:00 > 38 11:33:35 : 1-8\n");
	third = add(4, 12 * 60);
	pass_at(DAY + CLOCK(11, 33, 43));
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	assert_string_equal(told, "08 11:33:43 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:33:00 : 8\n"
				  "09 23:33:00 > 38 11:33:43 : 1-8\n");
	fourth = add(2, 10 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	STARTED(fourth, 7, 2);
	assert_string_equal(told, "08 11:33:49 > 09 11:33:00 : 1-8\n"
				  "09 11:33:00 > 09 23:33:00 : 8\n"
				  "09 23:33:00 > 38 11:33:49 : 1-8\n");
}

static void example_long_fourth(void **state)
{
	(void)state;
	article("slurm");
	third = add(4, 12 * 60);
	fourth = add(2, 34 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	PLANNED(fourth, NEXT_DAY + CLOCK(23, 34, 0), 1, 2);
}

static void example_easy(void **state)
{
	(void)state;
	article("easy");
	third = add(4, 12 * 60);
	fourth = add(2, 10 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	assert_int_equal(third->n_plans + third->n_starts, 0);
	STARTED(fourth, 7, 2);
	/* It may run past the first job's start, and delays the second. */
	article("easy");
	third = add(4, 12 * 60);
	fourth = add(2, 34 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	STARTED(fourth, 7, 2);
}

static void example_conservative(void **state)
{
	(void)state;
	article("conservative");
	third = add(4, 12 * 60);
	fourth = add(2, 10 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	STARTED(fourth, 7, 2);
	article("conservative");
	third = add(4, 12 * 60);
	fourth = add(2, 34 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	PLANNED(fourth, NEXT_DAY + CLOCK(23, 33, 24), 1, 2);
}

static void example_fcfs(void **state)
{
	(void)state;
	article("fcfs");
	third = add(4, 12 * 60);
	fourth = add(2, 10 * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	assert_int_equal(fourth->n_starts, 0);
	assert_int_equal(fourth->n_plans, 1);
	assert_true(fourth->plans[0].start >= third->plans[0].start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(example_today, reset),
		cmocka_unit_test_setup(example_of_the_article, reset),
		cmocka_unit_test_setup(example_long_fourth, reset),
		cmocka_unit_test_setup(example_easy, reset),
		cmocka_unit_test_setup(example_conservative, reset),
		cmocka_unit_test_setup(example_fcfs, reset),
	};

	arena_init(&arena);
	arena_init(&scratch);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
