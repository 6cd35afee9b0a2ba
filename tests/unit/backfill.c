/*
 * The backfill pass: a worked example table by table,
 * under Slurm's rules of two releases and under the textbook policies; every
 * parameter that decides; and on random clusters and queues a slow checker of
 * its own that finds no node taken twice and no promise broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/text/reason.h"
#include "tests/unit/unit.h"

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
static const struct conf none; /* its defaults */
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
	cluster(8, 1);
	told[0] = '\0';
	return 0;
}

static void set(const char *policy)
{
	struct err err = {0};

	if (backfill_read(&b, &none, policy, NULL, &arena, &err))
		fail_msg("%s", err.text);
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
	set(policy);
	b.params.bf_window = 43200;
	b.watch = watch;
	first = add(6, 24 * 60);
	runs(first, 0, NEXT_DAY + CLOCK(11, 33, 24));
	second = add(3, 12 * 60);
}

static void example_today(void **state)
{
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

/* All four at once, the fourth of that length. */
static void article_at_once(const char *policy, uint32_t hours)
{
	article(policy);
	third = add(4, 12 * 60);
	fourth = add(2, hours * 60);
	pass_at(DAY + CLOCK(11, 33, 49));
}

static void example_long_fourth(void **state)
{
	article_at_once("slurm", 34);
	PLANNED(fourth, NEXT_DAY + CLOCK(23, 34, 0), 1, 2);
}

static void example_easy(void **state)
{
	article_at_once("easy", 10);
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	assert_int_equal(third->n_plans + third->n_starts, 0);
	STARTED(fourth, 7, 2);
	/* It may run past the first job's start, and delays the second. */
	article_at_once("easy", 34);
	STARTED(fourth, 7, 2);
}

static void example_conservative(void **state)
{
	article_at_once("conservative", 10);
	PLANNED(second, NEXT_DAY + CLOCK(11, 33, 24), 1, 3);
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	STARTED(fourth, 7, 2);
	article_at_once("conservative", 34);
	PLANNED(fourth, NEXT_DAY + CLOCK(23, 33, 24), 1, 2);
}

static void example_fcfs(void **state)
{
	article_at_once("fcfs", 10);
	PLANNED(third, NEXT_DAY + CLOCK(11, 33, 24), 4, 4);
	assert_int_equal(fourth->n_starts, 0);
	assert_int_equal(fourth->n_plans, 1);
	assert_true(fourth->plans[0].start >= third->plans[0].start);
}

/* ---- parameters ----------------------------------------------------------*/

/* All nodes busy for two hours, then three jobs that wait. */
static void busy(const char *policy)
{
	cluster(8, 1);
	set(policy);
	runs(add(8, 120), 0, DAY + 2 * HOUR);
	first = add(4, 60);
	second = add(8, 60);
	third = add(4, 59);
}

static void busy_pass(const char *policy)
{
	busy(policy);
	pass_at(DAY);
}

static void limits_of_a_pass(void **state)
{
	busy_pass("slurm");
	PLANNED(first, DAY + 2 * HOUR, 1, 4);
	PLANNED(second, DAY + 3 * HOUR, 1, 8);
	PLANNED(third, DAY + 2 * HOUR, 5, 4);
	assert_int_equal(b.report.exit, BACKFILL_END_OF_QUEUE);
	busy_pass("slurm:bf_max_job_test=2,bf_node_space_size=500");
	assert_int_equal(third->n_plans, 0);
	assert_int_equal(b.report.exit, BACKFILL_MAX_JOB_TEST);
	busy_pass("slurm:bf_node_space_size=3");
	assert_int_equal(b.report.exit, BACKFILL_TABLE_FULL);
	PLANNED(first, DAY + 2 * HOUR, 1, 4);
	busy_pass("slurm:bf_max_job_part=1");
	assert_int_equal(second->n_plans, 0);
	assert_int_equal(b.report.exit, BACKFILL_END_OF_QUEUE);
	busy("slurm:bf_max_job_user=1");
	third->user = 1;
	pass_at(DAY);
	assert_int_equal(second->n_plans, 0);
	PLANNED(third, DAY + 2 * HOUR, 5, 4);
	busy("slurm:bf_max_job_assoc=1");
	second->assoc = 1;
	pass_at(DAY);
	assert_int_equal(second->n_plans, 1);
	assert_int_equal(third->n_plans, 0);
	busy("slurm:bf_max_job_user_part=1");
	choices[2][0].partition = &parts[1];
	pass_at(DAY);
	assert_int_equal(second->n_plans, 1);
	assert_int_equal(third->n_plans, 0);
}

/* Slurm asks for nodes at the second a job has just ended, too; the others do
 * not. */
static void touching_slots(void **state)
{
	busy("slurm");
	third->time_limit = 60;
	pass_at(DAY);
	PLANNED(third, DAY + 4 * HOUR, 1, 4);
	busy("conservative");
	third->time_limit = 60;
	pass_at(DAY);
	PLANNED(third, DAY + 2 * HOUR, 5, 4);
}

static void who_gets_nodes_kept(void **state)
{
	busy_pass("slurm:bf_job_part_count_reserve=1");
	assert_true(first->plans[0].reserved);
	assert_int_equal(second->n_plans, 0);
	busy_pass("slurm:bf_min_prio_reserve=999");
	assert_int_equal(first->n_plans, 1);
	assert_int_equal(second->n_plans, 0);
	busy("slurm:bf_min_age_reserve=1000");
	first->eligible = DAY - 1000;
	pass_at(DAY);
	assert_int_equal(first->n_plans, 1);
	assert_int_equal(second->n_plans, 0);
	busy("slurm");
	choices[2][0].may.no_reserve = true;
	pass_at(DAY);
	assert_false(second->plans[0].reserved);
	PLANNED(third, DAY + 2 * HOUR, 5, 4);
	busy("slurm:bf_min_prio_reserve=4000000000");
	choices[1][0].may.reserve_priority = 1;
	pass_at(DAY);
	assert_int_equal(first->n_plans, 1);
	assert_int_equal(second->n_plans, 0);
}

static void horizon_and_grid(void **state)
{
	busy_pass("slurm:bf_window=60");
	assert_int_equal(first->n_plans, 1);
	assert_false(first->plans[0].reserved);
	busy("slurm:bf_resolution=3600");
	schedule_move_end(&s, 0, DAY + 100, &arena);
	pass_at(DAY + 10);
	assert_int_equal(first->plans[0].start, DAY + 100);
	/* Its slot is the first two hours. */
	assert_int_equal(second->plans[0].start, DAY + 2 * HOUR);
}

static void one_slot_for_several_partitions(void **state)
{
	for (int one = 0; one < 2; one++) {
		busy(one ? "slurm:bf_one_resv_per_job" : "slurm");
		choices[1][1] = choices[1][0];
		choices[1][1].partition = &parts[1];
		first->n_choices = 2;
		pass_at(DAY);
		assert_int_equal(first->n_plans, 1);
		assert_int_equal(b.report.reserved, one ? 3 : 4);
	}
}

/* Nodes 1 and 2 are idle, 3 to 6 become free, 7 and 8 are half in use: too few
 * for five now. Only what others have to leave first prefers busy nodes. */
static void busy_nodes(void **state)
{
	for (int prefer = 0; prefer < 2; prefer++) {
		cluster(8, 2);
		set(prefer ? "slurm:bf_busy_nodes" : "slurm");
		parts[0].exclusive = parts[1].exclusive = false;
		runs(add(2, 60), 6, DAY + 5 * HOUR);
		s.running[0].start.whole = false;
		for (size_t i = 6; i < 8; i++) {
			nodes[i].whole = 0;
			nodes[i].cpus_used = nodes[i].shares[0].cpus = 1;
			nodes[i].shares[0].whole = false;
		}
		runs(add(4, 60), 2, DAY + HOUR);
		first = add(5, 60);
		pass_at(DAY);
		PLANNED(first, DAY + HOUR, prefer ? 3 : 1, 5);
	}
}

/* Four small jobs, the first in that partition. */
static void main_pass_of_four(struct sched_partition *of_first)
{
	for (size_t i = 0; i < 4; i++)
		add(1, 60);
	choices[0][0].partition = of_first;
	schedule_main(&s, &arena);
}

/* The main pass ends early; backfill goes on. */
static void depth_of_the_main_pass(void **state)
{
	cluster(8, 1);
	s.now = DAY;
	s.queue_depth = 1;
	main_pass_of_four(&parts[0]);
	assert_int_equal(s.n_running, 2);
	cluster(8, 1);
	s.partition_depth = 3;
	main_pass_of_four(&parts[1]);
	assert_int_equal(s.n_running, 4);
	cluster(8, 1);
	s.start_most = 2;
	main_pass_of_four(&parts[0]);
	assert_int_equal(s.n_running, 2);
}

/* Under assoc_limit_stop a job that a limit holds back is planned, and so are
 * those behind it; nobody knows when, so a while from now. Whether the limit is
 * seen in the request or only on the nodes that it would get. */
static void held_back(bool by_nodes)
{
	static struct limit_level level;
	static struct limit_usage usage;
	struct tres_catalog catalog = {0};
	struct limit_chain chain = {.levels = &level,
		.n = 1,
		.n_qos = 1,
		.usage_factor = 1,
		.default_time = NO_VAL,
		.max_time = NO_VAL,
		.catalog = &catalog};
	struct tres_list asks = {0};

	cluster(8, 1);
	set("slurm:assoc_limit_stop");
	backfill_lead(&b, &s);
	limit_level_init(&level);
	usage = (struct limit_usage){0};
	level.qos = true;
	if (by_nodes)
		tres_list_set(&level.tres[LIMIT_GRP], &arena, TRES_CPU, 8);
	else
		level.number[LIMIT_GRP_JOBS] = 0;
	tres_list_set(&usage.tres, &arena, TRES_CPU, 1);
	tres_list_set(&asks, &arena, TRES_CPU, 8);
	level.all = level.user = level.account = &usage;
	first = add(8, 60);
	second = add(8, 60);
	third = add(8, 60);
	for (size_t i = 0; i < 2; i++) {
		choices[i][0].limits = &chain;
		choices[i][0].tres = &asks;
		choices[i][0].qos = 7;
	}
	pass_at(DAY);
	PLANNED(first, DAY + 500, 1, 8);
	assert_true(second->plans[0].start >= DAY + 500 + HOUR);
	assert_int_equal(third->n_starts, 0);
	/* Without, it is passed over. */
	set("slurm");
	backfill_lead(&b, &s);
	pass_at(DAY);
	assert_int_equal(first->n_starts, 0);
	STARTED(third, 1, 8);
}

static void held_back_by_a_limit(void **state)
{
	held_back(false);
	held_back(true);
}

/* ---- yields --------------------------------------------------------------*/

static bool something_changed(void *arg)
{
	++*(size_t *)arg;
	return true;
}

/* Passes over the jobs; returns how often it gave way. */
static size_t giving_way(const char *policy)
{
	size_t yields = 0;

	set(policy);
	b.test_cost = 5;
	b.yield = something_changed;
	b.arg = &yields;
	pass_at(DAY);
	return yields;
}

/* A change while others were let in ends the pass, unless it is to go on. */
static void goes_on(void **state)
{
	runs(add(4, 60), 0, DAY + HOUR);
	first = add(8, 60);
	second = add(8, 60);
	third = add(8, 60);
	assert_int_equal(giving_way("slurm:bf_yield_interval=1"), 1);
	assert_int_equal(b.report.exit, BACKFILL_STATE_CHANGED);
	assert_int_equal(first->n_plans, 1);
	assert_int_equal(second->n_plans, 0);
	assert_int_equal(giving_way("slurm:bf_yield_interval=1,bf_continue"), 2);
	assert_int_equal(b.report.exit, BACKFILL_END_OF_QUEUE);
	assert_int_equal(third->n_plans, 1);
}

static void arrays(void **state)
{
	busy("slurm:bf_max_job_array_resv=3");
	first->tasks = first->startable = 10;
	first->nodes = first->cpus = 1;
	pass_at(DAY);
	assert_int_equal(first->n_plans, 3);
	assert_int_equal(first->plans[2].nodes[0], 2);
	/* Those that can start do. */
	cluster(8, 1);
	set("slurm");
	runs(add(7, 120), 0, DAY + 2 * HOUR);
	(void)add(8, 60);
	first = add(1, 60);
	first->tasks = 4;
	first->startable = 2;
	pass_at(DAY);
	assert_int_equal(first->n_starts, 1);
	assert_int_equal(first->n_plans, 1);
}

static void cores(void **state)
{
	for (int fine = 0; fine < 2; fine++) {
		cluster(1, 8);
		set("slurm");
		b.cores = fine;
		parts[0].exclusive = parts[1].exclusive = false;
		runs(add(1, 60), 0, DAY + HOUR);
		first = add(1, 60);
		second = add(1, 60);
		first->cpus = second->cpus = 4;
		pass_at(DAY);
		assert_int_equal(first->plans[0].start, DAY + HOUR);
		assert_int_equal(second->plans[0].start,
			fine ? DAY + HOUR : DAY + 2 * HOUR);
	}
}

/* What runs and what is promised are added up moment by moment. */
static void cores_moment_by_moment(void **state)
{
	static const char *const some[] = {"conservative", "slurm"};

	for (size_t i = 0; i < 2; i++) {
		cluster(1, 16);
		set(some[i]);
		b.cores = true;
		parts[0].exclusive = parts[1].exclusive = false;
		for (size_t k = 0; k < 2; k++) {
			struct sched_running r = {.partition = &parts[0],
				.start = {.nodes = all_nodes, .n_nodes = 1},
				.end = DAY + (k ? 1 : 9) * HOUR};

			first = add(1, 600);
			first->cpus = k ? 8 : 4;
			first->startable = 0;
			r.job = first;
			schedule_run(&s, &r, &arena);
		}
		second = add(1, 60);
		second->cpus = 12;
		third = add(1, 120);
		third->cpus = 4;
		fourth = add(1, 120);
		fourth->cpus = 1;
		pass_at(DAY);
		PLANNED(second, DAY + HOUR, 1, 1);
		assert_int_equal(third->n_starts, 0);
		second->cpus = 8;
		pass_at(DAY);
		STARTED(third, 1, 1);
		assert_int_equal(fourth->n_starts, 0);
	}
}

/* No more tasks of a job are on a node than it says: where there would be, it
 * takes more nodes or waits. */
static void tasks_on_a_node(void **state)
{
	cluster(4, 8);
	set("conservative");
	parts[0].exclusive = parts[1].exclusive = false;
	first = add(2, 60);
	first->cpus = 12;
	first->tasks_per_node = 4;
	nodes[2].cpus = 16;
	second = add(2, 60);
	second->cpus = 24;
	second->tasks_per_node = 12;
	second->cpus_per_task = 1;
	pass_at(DAY);
	STARTED(first, 1, 3);
	assert_int_equal(nodes[0].cpus_used, 4);
	/* Twelve tasks fit on the third alone. */
	assert_int_equal(second->n_starts, 0);
}

/* A node whose promise ends when another is free counts as free then. */
static void ends_of_promises_tie(void **state)
{
	cluster(4, 1);
	set("conservative");
	runs(add(2, 60), 2, DAY + HOUR);
	runs(add(2, 30), 0, DAY + HOUR / 2);
	first = add(2, 30);
	second = add(2, 60);
	pass_at(DAY);
	PLANNED(first, DAY + HOUR / 2, 1, 2);
	PLANNED(second, DAY + HOUR, 1, 2);
}

static void same_shape_is_left_out(void **state)
{
	for (int skip = 0; skip < 2; skip++) {
		busy("slurm:bf_window=60");
		schedule_move_end(&s, 0, DAY + 10 * HOUR, &arena);
		b.params.bf_min_prio_reserve = 4000000000;
		b.skip_same_shape = skip;
		second->nodes = second->cpus = 4;
		third->time_limit = 60;
		pass_at(DAY);
		assert_int_equal(b.report.same_shape, skip ? 2 : 0);
		assert_int_equal(b.report.tests, skip ? 1 : 3);
	}
}

static void time_min(void **state)
{
	busy("slurm");
	schedule_end(&s, 0);
	jobs[0].nodes = 6;
	jobs[0].startable = 0;
	runs(&jobs[0], 0, DAY + 2 * HOUR);
	first->nodes = first->cpus = 8;
	third->nodes = third->cpus = 2;
	third->time_limit = 600;
	third->time_min = 30;
	pass_at(DAY);
	STARTED(third, 7, 2);
	assert_int_equal(third->starts[0].minutes, 120);
}

/* Of one job: on so many nodes each. */
static void two_parts(uint32_t nodes_of_first, uint32_t nodes_of_second)
{
	first = add(nodes_of_first, 60);
	second = add(nodes_of_second, 60);
	first->het = second->het = first->id;
	first->het_parts = second->het_parts = 2;
}

static void parts_of_a_job(void **state)
{
	for (int immediate = 0; immediate < 2; immediate++) {
		cluster(8, 1);
		set(immediate ? "slurm:bf_hetjob_immediate" : "slurm");
		two_parts(2, 3);
		pass_at(DAY);
		STARTED(first, 1, 2);
		STARTED(second, 3, 3);
	}
	/* Nodes that are alike are picked by their number and named late. */
	cluster(8, 4);
	set("slurm");
	two_parts(1, 1);
	first->cpus = second->cpus = 4;
	pass_at(DAY);
	STARTED(first, 1, 1);
	STARTED(second, 2, 1);
	cluster(8, 1);
	set("slurm");
	runs(add(4, 60), 0, DAY + HOUR);
	two_parts(2, 5);
	pass_at(DAY);
	assert_int_equal(first->n_starts + second->n_starts, 0);
	PLANNED(second, DAY + HOUR, 1, 5);
}

/* Under easy the first of the queue is promised its start with all its parts. */
static void parts_are_kept_together(void **state)
{
	cluster(6, 1);
	set("easy");
	s.textbook = true;
	runs(add(4, 60), 0, DAY + HOUR);
	two_parts(1, 6);
	third = add(1, 120);
	pass_at(DAY);
	PLANNED(second, DAY + HOUR, 1, 6);
	assert_true(second->plans[0].reserved);
	assert_int_equal(third->n_starts, 0);
}

/* It waits for a node that is down, nobody knows how long: under fcfs those
 * behind it wait too. */
static void down_nodes_hold_the_queue(void **state)
{
	static const char *const some[] = {"fcfs", "easy", "conservative"};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		cluster(4, 1);
		set(some[i]);
		s.textbook = true;
		nodes[3].down = true;
		first = add(4, 60);
		second = add(1, 60);
		pass_at(DAY);
		assert_int_equal(first->n_starts + first->n_plans, 0);
		assert_int_equal(second->n_starts, i > 0);
	}
}

/* No nodes are kept for the first, the second takes them: neither starts. */
static void parts_need_their_nodes(void **state)
{
	cluster(4, 1);
	set("slurm");
	two_parts(2, 2);
	choices[0][0].may.no_reserve = true;
	pass_at(DAY);
	assert_int_equal(first->n_starts + second->n_starts, 0);
	for (size_t i = 0; i < s.n_nodes; i++)
		assert_int_equal(nodes[i].cpus_used, 0);
}

/* What starts at once stands in order with the rest: those behind wait for
 * it. */
static void parts_that_started_end(void **state)
{
	cluster(4, 1);
	set("slurm:bf_hetjob_immediate");
	parts[0].exclusive = parts[1].exclusive = false;
	two_parts(2, 2);
	third = add(4, 60);
	pass_at(DAY);
	STARTED(first, 1, 2);
	STARTED(second, 3, 2);
	assert_int_equal(third->n_plans, 1);
	assert_true(third->plans[0].start >= DAY + HOUR);
}

/* What the parts of a job leave of bf_max_job_start: those behind in the queue
 * take it, unless the parts start at once. */
static void parts_start_at_once(void **state)
{
	for (int immediate = 0; immediate < 2; immediate++) {
		cluster(8, 1);
		set(immediate ? "slurm:bf_hetjob_immediate,bf_max_job_start=1"
			      : "slurm:bf_max_job_start=1");
		two_parts(2, 2);
		third = add(2, 60);
		pass_at(DAY);
		assert_int_equal(first->n_starts, immediate);
		assert_int_equal(second->n_starts, immediate);
		STARTED(third, 5, 2);
	}
}

static void reservations(void **state)
{
	uint64_t kept = 0x0f;
	struct sched_reservation r = {DAY + HOUR, DAY + 3 * HOUR, &kept};

	cluster(8, 1);
	set("slurm");
	s.textbook = true;
	s.reservations = &r;
	s.n_reservations = 1;
	first = add(6, 120);
	second = add(2, 120);
	third = add(4, 60);
	third->reservation = 1;
	pass_at(DAY);
	PLANNED(first, DAY + 3 * HOUR + 1, 1, 6);
	STARTED(second, 5, 2);
	PLANNED(third, DAY + HOUR, 1, 4);
}

/* A job that may be shorter ends where a reservation begins, or its own ends. */
static void reservations_cut(void **state)
{
	uint64_t kept = 0xf0, other = 0x0f;
	struct sched_reservation r[] = {{DAY, DAY + 2 * HOUR, &kept},
		{DAY + HOUR, DAY + 3 * HOUR, &other}};

	set("slurm");
	s.textbook = true;
	s.reservations = r;
	s.n_reservations = 2;
	/* Those below are tried by the backfill pass. */
	first = add(8, 60);
	second = add(2, 600);
	third = add(2, 600);
	second->time_min = third->time_min = 30;
	third->reservation = 1;
	pass_at(DAY);
	assert_int_equal(second->n_starts, 1);
	assert_int_equal(second->starts[0].minutes, 60);
	assert_int_equal(third->n_starts, 1);
	assert_int_equal(third->starts[0].minutes, 120);
}

static void words_of_policies(void **state)
{
	static const char *const bad[] = {"backfill", "easy:bf_window=1",
		"slurm:bf_windw=1", "slurm:bf_window=0", "slurm:bf_window=x",
		"slurm:bf_window", "slurm:release=19", "slurm:bf_hetjob_prio=9",
		"slurm:bf_interval=-2"};
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(backfill_read(&b, &none, bad[i], NULL, &arena,
					 &err),
			-1);
		assert_true(*err.text);
	}
	set("slurm:bf_window=2880,bf_continue,bf_interval=-1,bf_max_job_test="
	    "7");
	assert_int_equal(b.params.bf_window, 2880);
	assert_int_equal(b.params.bf_continue, 1);
	assert_int_equal(b.params.bf_interval, -1);
	assert_int_equal(b.params.bf_node_space_size, 7);
}

static void words_of_the_site(void **state)
{
	struct sched_params p;
	struct strv remarks = {0};

	sched_params_parse(&p,
		"bf_window=99999,bf_continue,unknown=3,=bf_max_job_user=700,"
		"bf_licenses",
		&remarks, &arena);
	sched_params_complete(&p, &remarks, &arena);
	assert_int_equal(p.bf_window, 1440);
	assert_int_equal(p.bf_continue, 1);
	assert_int_equal(p.bf_max_job_user, 0);
	assert_int_equal(p.bf_running_job_reserve, 1);
	assert_int_equal(remarks.n, 4);
	assert_non_null(strstr(remarks.v[0], "99999"));
	assert_string_equal(remarks.v[1], "'unknown' is not known");
}

/* ---- random clusters, checked slowly -------------------------------------*/

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* What a job holds at one node, by its own reckoning. */
static uint32_t holds(const struct sched_job *job, const uint32_t *places,
	size_t n, bool whole, uint32_t node)
{
	for (size_t i = 0; i < n; i++)
		if (places[i] == node)
			return whole ? s.nodes[node].cpus
				     : job->cpus / (uint32_t)n +
					       (i < job->cpus % n);
	return 0;
}

static uint32_t held_at(int64_t when, uint32_t node)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < s.n_running; i++) {
		const struct sched_running *r = &s.running[i];

		if (r->began <= when && when < r->end)
			sum += holds(r->job, r->start.nodes, r->start.n_nodes,
				r->start.whole, node);
	}
	for (size_t i = 0; i < s.n_jobs; i++)
		for (size_t k = 0; k < jobs[i].n_plans; k++) {
			const struct sched_plan *plan = &jobs[i].plans[k];

			if (plan->reserved && plan->start <= when &&
				when < plan->end)
				sum += holds(&jobs[i], plan->nodes,
					plan->n_nodes,
					jobs[i].exclusive ||
						plan->choice->partition
							->exclusive,
					node);
		}
	return sum;
}

static void check_moment(int64_t when)
{
	for (uint32_t node = 0; node < s.n_nodes; node++)
		assert_true(held_at(when, node) <= s.nodes[node].cpus);
}

/* What is held only grows where something starts. */
static void check_capacity(void)
{
	check_moment(s.now);
	for (size_t i = 0; i < s.n_jobs; i++)
		for (size_t k = 0; k < jobs[i].n_plans; k++)
			check_moment(jobs[i].plans[k].start);
}

static void random_cluster(const char *policy, uint32_t number, size_t n_jobs)
{
	uint32_t n, cpus;

	seed = number;
	n = 1 + below(MOST_NODES - 1);
	cpus = 1 + below(4);
	cluster(n, cpus);
	set(policy);
	b.cores = number % 3 == 0;
	parts[1].nodes = all_nodes + n / 2;
	parts[1].n_nodes = n - n / 2;
	parts[0].exclusive = parts[1].exclusive = number % 2;
	for (uint32_t i = 0; i < n; i++)
		if (below(3)) {
			struct sched_job *job = add(1, 60);

			runs(job, i, DAY + 1 + below(8 * HOUR));
		}
	for (size_t i = 0; i < n_jobs && s.n_jobs < MOST_JOBS; i++) {
		uint32_t wants = 1 + below(n);
		struct sched_job *job = add(wants, 1 + below(600));

		job->most_nodes = wants;
		job->tasks_per_node = 1 + below(cpus);
		job->cpus = wants * job->tasks_per_node;
		job->exclusive = !below(3);
		if (wants <= parts[1].n_nodes && below(2))
			job->choices[0].partition = &parts[1];
	}
	pass_at(DAY);
}

static int64_t start_of(size_t i)
{
	if (jobs[i].n_starts)
		return s.now;
	return jobs[i].n_plans && jobs[i].plans[0].reserved
		       ? jobs[i].plans[0].start
		       : -1;
}

/* Jobs behind never move what those in front were promised. */
static void check_promises(const char *policy, uint32_t number)
{
	int64_t alone[MOST_JOBS];
	size_t n, few = 1 + number % 10;

	random_cluster(policy, number, few);
	n = s.n_jobs;
	for (size_t i = 0; i < n; i++)
		alone[i] = start_of(i);
	random_cluster(policy, number, MOST_JOBS);
	for (size_t i = 0; i < n; i++)
		if (alone[i] >= 0)
			assert_int_equal(start_of(i), alone[i]);
}

static void promises_are_kept(void **state)
{
	static const char *const policies[] = {"slurm", "conservative", "easy",
		"fcfs", "slurm:bf_running_job_reserve",
		"slurm:bf_resolution=600,bf_window=43200",
		"slurm:bf_window_linear=60,bf_window=43200"};

	for (size_t p = 0; p < sizeof(policies) / sizeof(*policies); p++)
		for (uint32_t number = 1; number <= 300; number++) {
			random_cluster(policies[p], number, MOST_JOBS);
			check_capacity();
			check_promises(policies[p], number);
		}
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
		cmocka_unit_test_setup(limits_of_a_pass, reset),
		cmocka_unit_test_setup(touching_slots, reset),
		cmocka_unit_test_setup(who_gets_nodes_kept, reset),
		cmocka_unit_test_setup(horizon_and_grid, reset),
		cmocka_unit_test_setup(one_slot_for_several_partitions, reset),
		cmocka_unit_test_setup(busy_nodes, reset),
		cmocka_unit_test_setup(depth_of_the_main_pass, reset),
		cmocka_unit_test_setup(held_back_by_a_limit, reset),
		cmocka_unit_test_setup(goes_on, reset),
		cmocka_unit_test_setup(arrays, reset),
		cmocka_unit_test_setup(cores, reset),
		cmocka_unit_test_setup(cores_moment_by_moment, reset),
		cmocka_unit_test_setup(tasks_on_a_node, reset),
		cmocka_unit_test_setup(ends_of_promises_tie, reset),
		cmocka_unit_test_setup(same_shape_is_left_out, reset),
		cmocka_unit_test_setup(time_min, reset),
		cmocka_unit_test_setup(parts_of_a_job, reset),
		cmocka_unit_test_setup(parts_are_kept_together, reset),
		cmocka_unit_test_setup(down_nodes_hold_the_queue, reset),
		cmocka_unit_test_setup(parts_need_their_nodes, reset),
		cmocka_unit_test_setup(parts_that_started_end, reset),
		cmocka_unit_test_setup(parts_start_at_once, reset),
		cmocka_unit_test_setup(reservations, reset),
		cmocka_unit_test_setup(reservations_cut, reset),
		cmocka_unit_test_setup(words_of_policies, reset),
		cmocka_unit_test_setup(words_of_the_site, reset),
		cmocka_unit_test_setup(promises_are_kept, reset),
	};

	arena_init(&arena);
	arena_init(&scratch);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
