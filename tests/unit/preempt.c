/*
 * Preemption: who may push whom aside, which victims and in which order, grace
 * times, suspension, licenses, the order of the queue; and on random clusters a
 * slow checker of its own: no victim that may not be taken, none that is not
 * needed, no node filled beyond what it has.
 */
#include <string.h>

#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/plan/preempt.h"
#include "common/text/reason.h"
#include "tests/unit/unit.h"

enum { MOST_NODES = 12, MOST_JOBS = 80, NOW = 1000000, HOUR = 3600 };

/* QOS: urgent pushes aside normal and scavenger, normal scavenger. */
enum { SCAVENGER = 1, NORMAL, URGENT, QOS };

static const uint32_t of_normal[] = {SCAVENGER, 0};
static const uint32_t of_urgent[] = {SCAVENGER, NORMAL, 0};
static const uint32_t *const lists[QOS] = {NULL, NULL, of_normal, of_urgent};

static struct arena arena, scratch;
static struct sched_node nodes[MOST_NODES];
static struct sched_partition parts[2];
static uint32_t all_nodes[MOST_NODES];
static struct sched_job jobs[MOST_JOBS];
static struct sched_choice choices[MOST_JOBS];
static uint64_t licenses[1], licenses_used[1], one_license[1] = {1};
static struct schedule s;
static struct backfill b;

static void cluster(size_t n, uint32_t cpus, uint64_t mem)
{
	arena_reset(&arena);
	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < n; i++) {
		nodes[i] = (struct sched_node){
			.name = "n", .cpus = cpus, .mem = mem};
		all_nodes[i] = (uint32_t)i;
	}
	for (size_t i = 0; i < 2; i++)
		parts[i] = (struct sched_partition){.name = "p",
			.nodes = all_nodes,
			.n_nodes = n,
			.tier = (uint16_t)(i + 1),
			.max_time = INFINITE,
			.default_time = NO_VAL,
			.max_nodes = INFINITE,
			.max_cpus_per_node = INFINITE};
	licenses[0] = 1;
	licenses_used[0] = 0;
	s = (struct schedule){.nodes = nodes,
		.n_nodes = n,
		.partitions = parts,
		.n_partitions = 2,
		.jobs = jobs,
		.n_licenses = 1,
		.licenses = licenses,
		.licenses_used = licenses_used,
		.preempt = {.by = PREEMPT_BY_QOS, .reorder_count = 1},
		.now = NOW};
	b = (struct backfill){0};
	sched_params_init(&b.params);
	sched_params_complete(&b.params, NULL, &arena);
}

static int reset(void **state)
{
	cluster(4, 4, 0);
	return 0;
}

/* Priority falls from job to job. */
static struct sched_job *add(uint32_t qos, uint32_t n_nodes, uint32_t cpus)
{
	size_t i = s.n_jobs++;

	choices[i] = (struct sched_choice){.partition = &parts[0],
		.qos = qos,
		.may.preempts = lists[qos],
		.priority = 1000 - (uint32_t)i};
	jobs[i] = (struct sched_job){.id = (uint32_t)i + 1,
		.submit = NOW - 100 + (int64_t)i,
		.cpus = cpus,
		.nodes = n_nodes,
		.time_limit = 60,
		.tasks = 1,
		.startable = 1,
		.choices = &choices[i],
		.n_choices = 1};
	return &jobs[i];
}

/* On nodes from `first` on. */
static struct sched_running *runs(struct sched_job *job, uint32_t first)
{
	struct sched_running r = {.job = job,
		.partition = job->choices->partition,
		.began = NOW - HOUR,
		.end = NOW + 8 * HOUR,
		.start = {.whole = job->exclusive, .n_nodes = job->nodes},
		.qos = job->choices->qos,
		.how = PREEMPTED_CANCEL,
		.gone = NOW,
		.priority = job->choices->priority,
		.qos_priority = job->choices->qos * 10};

	r.start.nodes = arena_array(&arena, job->nodes, sizeof(uint32_t));
	for (uint32_t i = 0; i < job->nodes; i++)
		r.start.nodes[i] = first + i;
	schedule_run(&s, &r, &arena);
	job->startable = 0;
	return &s.running[s.n_running - 1];
}

static void main_pass(void)
{
	schedule_main(&s, &arena);
}

static void both_passes(void)
{
	arena_reset(&scratch);
	schedule_main(&s, &arena);
	backfill_pass(&s, &b, &arena, &scratch);
}

static void starts_alone(const struct sched_job *job)
{
	assert_int_equal(job->n_starts, 1);
	assert_int_equal(job->starts[0].n_victims, 0);
}

static void pushes(const struct sched_job *job, size_t n,
	const struct sched_job *first_victim)
{
	assert_int_equal(job->n_starts, 1);
	assert_int_equal(job->starts[0].n_victims, n);
	assert_ptr_equal(job->starts[0].victims[0].job, first_victim);
}

static void waits(const struct sched_job *job)
{
	assert_int_equal(job->n_starts, 0);
}

/* ---- who may push whom aside ---------------------------------------------*/

/* One job everywhere, one that wants a node. */
static struct sched_running *full(uint32_t victim, uint32_t other)
{
	struct sched_running *r;

	cluster(4, 4, 0);
	r = runs(add(victim, 4, 16), 0);
	add(other, 1, 4);
	return r;
}

static void other_pushes(void)
{
	main_pass();
	pushes(&jobs[1], 1, &jobs[0]);
}

static void other_waits(void)
{
	main_pass();
	waits(&jobs[1]);
}

static void by_list(void **state)
{
	full(SCAVENGER, URGENT);
	other_pushes();
	assert_int_equal(s.n_running, 1);
	assert_ptr_equal(s.running[0].job, &jobs[1]);
	full(NORMAL, SCAVENGER);
	other_waits();
	assert_string_equal(reason_name(jobs[1].reason), "Resources");
	full(SCAVENGER, URGENT);
	s.preempt.by = PREEMPT_BY_NOTHING;
	other_waits();
	full(SCAVENGER, URGENT)->how = PREEMPTED_NEVER;
	other_waits();
}

static void within_one_qos(void **state)
{
	full(NORMAL, NORMAL);
	jobs[1].choices->priority = 2000;
	other_waits();
	full(NORMAL, NORMAL);
	jobs[1].choices->may.preempts_own = true;
	other_waits();
	full(NORMAL, NORMAL);
	jobs[1].choices->may.preempts_own = true;
	jobs[1].choices->priority = 2000;
	other_pushes();
}

static void by_priority(void **state)
{
	full(NORMAL, URGENT);
	jobs[1].choices->may.preempts_lower = true;
	other_waits();
	full(NORMAL, URGENT);
	jobs[1].choices->may.preempts_lower = true;
	jobs[1].choices->priority = 1001;
	other_pushes();
}

static void by_tier(void **state)
{
	full(URGENT, SCAVENGER);
	s.preempt.by = PREEMPT_BY_TIER;
	other_waits();
	full(URGENT, SCAVENGER);
	s.preempt.by = PREEMPT_BY_TIER;
	jobs[1].choices->partition = &parts[1];
	other_pushes();
}

static void exempt(void **state)
{
	full(SCAVENGER, URGENT)->exempt_until = NOW + 1;
	other_waits();
	full(SCAVENGER, URGENT)->exempt_until = NOW;
	other_pushes();
	full(SCAVENGER, URGENT);
	s.preempt.min_exempt_priority = 999;
	other_waits();
	full(SCAVENGER, URGENT);
	s.preempt.min_exempt_priority = 1000;
	other_pushes();
}

/* ---- which victims -------------------------------------------------------*/

static void low_rank_first(void **state)
{
	struct sched_job *normal = add(NORMAL, 1, 4);
	struct sched_job *wide = add(SCAVENGER, 2, 8);
	struct sched_job *narrow = add(SCAVENGER, 1, 4);
	struct sched_job *urgent = add(URGENT, 1, 4);

	runs(normal, 0);
	runs(wide, 1);
	runs(narrow, 3);
	main_pass();
	pushes(urgent, 1, narrow);
}

static void youngest_first(void **state)
{
	struct sched_job *young = add(NORMAL, 3, 12);
	struct sched_job *old = add(SCAVENGER, 1, 4);
	struct sched_job *urgent = add(URGENT, 1, 4);

	runs(young, 0)->began = NOW - 10;
	runs(old, 3);
	s.preempt.youngest_first = true;
	main_pass();
	pushes(urgent, 1, young);
}

/* One job on a node, one on the two behind it, one that wants three. */
static struct sched_job *one, *two, *three;

static void one_and_two(void)
{
	one = add(SCAVENGER, 1, 4);
	two = add(SCAVENGER, 2, 8);
	three = add(URGENT, 3, 12);
	runs(one, 0);
	runs(two, 1);
}

/* One of two nodes for two will do when the other order is tried. */
static void fewer_by_another_order(void **state)
{
	one_and_two();
	main_pass();
	pushes(three, 1, two);
}

static void order_is_not_changed(void **state)
{
	one_and_two();
	s.preempt.reorder_count = 0;
	main_pass();
	pushes(three, 2, one);
}

static void free_nodes_come_first(void **state)
{
	struct sched_job *low = add(SCAVENGER, 3, 12);
	struct sched_job *urgent = add(URGENT, 1, 4);

	runs(low, 0);
	main_pass();
	starts_alone(urgent);
	assert_int_equal(urgent->starts[0].nodes[0], 3);
}

/* What the victims leave over is for others. */
static void the_rest_is_free(void **state)
{
	struct sched_job *next;

	full(SCAVENGER, URGENT);
	next = add(SCAVENGER, 3, 12);
	other_pushes();
	starts_alone(next);
}

static void reclaimed_licenses(void **state)
{
	struct sched_job *holder = add(SCAVENGER, 1, 1);
	struct sched_job *urgent = add(URGENT, 1, 1);

	holder->licenses = urgent->licenses = one_license;
	runs(holder, 0);
	both_passes();
	waits(urgent);
	assert_string_equal(reason_name(urgent->reason), "Licenses");
	s.preempt.reclaim_licenses = true;
	main_pass();
	pushes(urgent, 1, holder);
	assert_int_equal(licenses_used[0], 1);
}

static void suspended_keep_their_memory(void **state)
{
	struct sched_job *low, *urgent;

	cluster(1, 4, 100);
	low = add(SCAVENGER, 1, 4);
	low->mem = 60;
	runs(low, 0)->how = PREEMPTED_SUSPEND;
	urgent = add(URGENT, 1, 4);
	urgent->mem = 50;
	both_passes();
	waits(urgent);
	urgent->mem = 40;
	main_pass();
	pushes(urgent, 1, low);
	assert_int_equal(s.n_running, 2);
	assert_int_equal(nodes[0].cpus_used, 4);
	assert_int_equal(nodes[0].mem_used, 100);
}

/* ---- grace ---------------------------------------------------------------*/

static void waits_for_grace(void **state)
{
	struct sched_job *low = add(SCAVENGER, 4, 16);
	struct sched_job *urgent = add(URGENT, 2, 8);
	struct sched_job *behind = add(NORMAL, 2, 8);

	runs(low, 0)->gone = NOW + 300;
	behind->time_limit = 1;
	both_passes();
	waits(urgent);
	assert_int_equal(urgent->n_plans, 1);
	assert_true(urgent->plans[0].reserved);
	assert_int_equal(urgent->plans[0].start, NOW + 300);
	assert_int_equal(urgent->plans[0].n_victims, 1);
	assert_ptr_equal(urgent->plans[0].victims[0].job, low);
	assert_int_equal(s.n_running, 1);
	waits(behind);
}

/* Nodes that are free now stay so until the victims are gone. */
static void nodes_are_kept_meanwhile(void **state)
{
	struct sched_job *low = add(SCAVENGER, 3, 12);
	struct sched_job *urgent = add(URGENT, 4, 16);
	struct sched_job *tiny = add(SCAVENGER, 1, 1);

	runs(low, 0)->gone = NOW + 300;
	tiny->time_limit = 1;
	both_passes();
	assert_int_equal(urgent->plans[0].start, NOW + 300);
	waits(tiny);
}

static void who_is_warned_stays_the_victim(void **state)
{
	struct sched_job *warned = add(NORMAL, 2, 8);
	struct sched_job *low = add(SCAVENGER, 2, 8);
	struct sched_job *urgent = add(URGENT, 1, 4);

	runs(warned, 0)->warned = true;
	runs(low, 2);
	main_pass();
	pushes(urgent, 1, warned);
}

/* ---- the other pass ------------------------------------------------------*/

/* Two nodes are held for an hour by a job that nothing moves, the others by one
 * of a low rank: gives that. */
static struct sched_job *half_fixed(void)
{
	struct sched_job *fixed = add(URGENT, 2, 8);
	struct sched_job *low = add(SCAVENGER, 2, 8);

	runs(fixed, 0);
	schedule_move_end(&s, s.n_running - 1, NOW + HOUR, &arena);
	runs(low, 2);
	return low;
}

/* The first of the partition waits for nodes of a job that nothing moves; one
 * behind it pushes aside what is not in its way. */
static void backfill_pushes_too(void **state)
{
	struct sched_job *low = half_fixed();
	struct sched_job *wide = add(SCAVENGER, 4, 16);
	struct sched_job *urgent = add(NORMAL, 2, 8);

	wide->choices->partition = &parts[1];
	both_passes();
	pushes(urgent, 1, low);
	assert_int_equal(wide->n_plans, 1);
}

/* Later, too, what may be pushed aside does not count. */
static void future_without_them(void **state)
{
	struct sched_job *urgent;

	half_fixed();
	urgent = add(URGENT, 4, 16);
	both_passes();
	assert_int_equal(urgent->n_plans, 1);
	assert_int_equal(urgent->plans[0].start, NOW + HOUR);
	assert_int_equal(urgent->plans[0].n_victims, 0);
	assert_int_equal(s.n_running, 2);
}

static void promised_nothing_takes_a_minute(void **state)
{
	struct sched_job *fixed = add(URGENT, 2, 8);
	struct sched_job *wide = add(URGENT, 4, 16);
	struct sched_job *low = add(SCAVENGER, 2, 8);

	runs(fixed, 0);
	schedule_move_end(&s, s.n_running - 1, NOW + HOUR, &arena);
	low->choices->may.no_reserve = true;
	low->time_limit = 600;
	both_passes();
	assert_int_equal(wide->plans[0].start, NOW + HOUR);
	starts_alone(low);
	assert_int_equal(schedule_seconds(low, low->choices), 600 * 60);
}

static void tasks_of_an_array(void **state)
{
	struct sched_job *array;

	for (uint32_t i = 0; i < 4; i++)
		runs(add(SCAVENGER, 1, 4), i);
	array = add(URGENT, 1, 4);
	array->tasks = array->startable = 3;
	both_passes();
	assert_int_equal(array->n_starts, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(array->starts[i].n_victims, 1);
	assert_int_equal(s.n_running, 4);
}

/* ---- the queue -----------------------------------------------------------*/

static void preemptors_stand_in_front(void **state)
{
	struct sched_job *scavenger = add(SCAVENGER, 1, 1);
	struct sched_job *second = add(SCAVENGER, 1, 1);
	struct sched_job *normal = add(NORMAL, 1, 1);
	struct sched_job *urgent = add(URGENT, 1, 1);
	const struct sched_job *wanted[] = {urgent, normal, scavenger, second};

	assert_int_equal(schedule_queue(&s, false, &arena), 4);
	for (size_t i = 0; i < 4; i++)
		assert_ptr_equal(s.queue[i].job, wanted[i]);
	s.preempt.by = PREEMPT_BY_NOTHING;
	schedule_queue(&s, false, &arena);
	assert_ptr_equal(s.queue[0].job, scavenger);
	/* Only where it really may. */
	s.preempt.by = PREEMPT_BY_QOS;
	urgent->choices->may.preempts_lower = true;
	normal->choices->may.preempts_lower = true;
	schedule_queue(&s, false, &arena);
	assert_ptr_equal(s.queue[0].job, scavenger);
}

/* ---- random clusters, checked slowly -------------------------------------*/

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* As it was before the passes. */
static struct sched_running before[MOST_JOBS];
static size_t n_before;

static const struct sched_running *was(const struct sched_job *job)
{
	for (size_t i = 0; i < n_before; i++)
		if (before[i].job == job)
			return &before[i];
	fail_msg("job %u did not run", job->id);
	return NULL;
}

static void random_rules(void)
{
	s.preempt.by = below(3) ? PREEMPT_BY_QOS : PREEMPT_BY_TIER;
	s.preempt.youngest_first = !below(3);
	s.preempt.strict_order = below(2);
	s.preempt.reorder_count = below(4);
	s.preempt.min_exempt_priority = below(2) ? 990 : 0;
}

static void random_job_settings(struct sched_job *job)
{
	job->choices->partition = &parts[below(2)];
	job->choices->may.preempts_own = !below(4);
	job->choices->may.preempts_lower = !below(4);
	job->choices->priority = 900 + below(200);
	job->time_limit = 1 + below(600);
	job->mem = below(3) ? below(64) * job->nodes : 0;
}

static void random_running(uint32_t n, uint32_t cpus)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t left = cpus; left && below(8);) {
			uint32_t part = 1 + below(left);
			struct sched_job *job =
				add(1 + below(QOS - 1), 1, part);
			struct sched_running *r;

			random_job_settings(job);
			if (nodes[i].mem_used + job->mem > nodes[i].mem)
				job->mem = 0;
			if (s.n_jobs > MOST_JOBS / 2)
				job->cpus = part = left;
			r = runs(job, i);
			r->how = (enum preempted_how)below(4);
			r->exempt_until = NOW - 50 + below(100);
			r->gone = below(2) ? NOW : NOW + below(600);
			r->warned = !below(4);
			schedule_move_end(&s, s.n_running - 1,
				NOW + 1 + below(8 * HOUR), &arena);
			left -= part;
			if (s.n_jobs > MOST_JOBS / 2)
				return;
		}
}

static void random_cluster(uint32_t number, size_t n_jobs)
{
	uint32_t n, cpus;

	seed = number;
	n = 1 + below(MOST_NODES - 1);
	cpus = 1 + below(4);
	cluster(n, cpus, 100);
	random_rules();
	b.cores = below(2);
	b.skip_same_shape = below(2);
	random_running(n, cpus);
	for (size_t i = 0; i < n_jobs && s.n_jobs < MOST_JOBS; i++) {
		uint32_t wants = 1 + below(n);
		uint32_t each = 1 + below(cpus);
		struct sched_job *job =
			add(1 + below(QOS - 1), wants, wants * each);

		job->most_nodes = wants;
		job->tasks_per_node = each;
		random_job_settings(job);
		job->exclusive = !below(4);
	}
	n_before = s.n_running;
	if (n_before)
		memcpy(before, s.running, n_before * sizeof(*before));
}

static void check_allowed(
	const struct sched_choice *by, const struct sched_victim *victim)
{
	const struct sched_running *r = was(victim->job);
	bool lower = r->priority < by->priority;
	bool listed = by->qos == URGENT ? r->qos < URGENT
					: by->qos == NORMAL && r->qos < NORMAL;

	assert_true(r->how != PREEMPTED_NEVER && r->how == victim->how);
	assert_true(r->exempt_until <= NOW);
	assert_int_equal(r->gone, victim->when);
	if (s.preempt.min_exempt_priority)
		assert_true(r->priority <= s.preempt.min_exempt_priority);
	if (s.preempt.by == PREEMPT_BY_TIER)
		assert_true(by->partition->tier > r->partition->tier);
	else if (by->qos == r->qos)
		assert_true(by->may.preempts_own && lower);
	else
		assert_true(listed && (lower || !by->may.preempts_lower));
}

static bool among(const struct sched_victim *v, size_t n,
	const struct sched_job *job, const struct sched_job *but)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].job == job && job != but)
			return true;
	return false;
}

/* Would the job lie on these nodes with all victims gone but one? */
static bool fits_beside(const struct sched_job *job, const uint32_t *places,
	size_t n, const struct sched_victim *v, size_t n_victims,
	const struct sched_job *spared)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t cpus = job->cpus / (uint32_t)n + (i < job->cpus % n);
		uint64_t mem = job->mem / n + (job->mem % n != 0);
		size_t others = 0;

		for (size_t r = 0; r < n_before; r++) {
			const struct sched_running *at = &before[r];
			bool gone = among(v, n_victims, at->job, spared);

			if (at->start.nodes[0] != places[i])
				continue;
			others += !gone;
			cpus += gone ? 0 : at->job->cpus;
			if (!gone || at->how == PREEMPTED_SUSPEND)
				mem += at->job->mem;
		}
		if (cpus > nodes[places[i]].cpus ||
			mem > nodes[places[i]].mem ||
			(job->exclusive && others))
			return false;
	}
	return true;
}

static void check_needed(const struct sched_job *job, const uint32_t *places,
	size_t n, const struct sched_victim *v, size_t n_victims)
{
	assert_true(fits_beside(job, places, n, v, n_victims, NULL));
	for (size_t i = 0; i < n_victims; i++)
		assert_false(
			fits_beside(job, places, n, v, n_victims, v[i].job));
}

static size_t room_now(const struct sched_job *job)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s.n_nodes; i++)
		n += fits_beside(
			&(struct sched_job){
				.cpus = (job->cpus + job->nodes - 1) /
					job->nodes,
				.mem = (job->mem + job->nodes - 1) / job->nodes,
				.exclusive = job->exclusive},
			&i, 1, NULL, 0, NULL);
	return n;
}

/* One that waits, so that all it changes is its own doing. */
static size_t check_one(uint32_t number)
{
	struct sched_job *job;
	const struct sched_choice *choice;

	random_cluster(number, 1);
	job = &jobs[s.n_jobs - 1];
	choice = job->choices;
	both_passes();
	if (job->n_starts) {
		const struct sched_start *at = &job->starts[0];

		for (size_t i = 0; i < at->n_victims; i++) {
			check_allowed(choice, &at->victims[i]);
			assert_true(at->victims[i].when <= NOW);
		}
		check_needed(job, at->nodes, at->n_nodes, at->victims,
			at->n_victims);
		if (at->n_victims)
			assert_true(room_now(job) < at->n_nodes);
		return at->n_victims;
	}
	assert_true(room_now(job) < job->nodes);
	if (job->n_plans && job->plans[0].n_victims) {
		const struct sched_plan *at = &job->plans[0];

		for (size_t i = 0; i < at->n_victims; i++)
			check_allowed(choice, &at->victims[i]);
		check_needed(job, at->nodes, at->n_nodes, at->victims,
			at->n_victims);
		assert_true(at->start > NOW && at->reserved);
		assert_int_equal(s.n_running, n_before);
		return at->n_victims;
	}
	return 0;
}

static void only_who_may_and_must(void **state)
{
	size_t victims = 0;

	for (uint32_t number = 1; number <= 4000; number++)
		victims += check_one(number);
	assert_true(victims > 150);
}

static void check_capacity(void)
{
	for (uint32_t i = 0; i < s.n_nodes; i++) {
		uint32_t cpus = 0;
		uint64_t mem = 0;

		assert_true(nodes[i].cpus_used <= nodes[i].cpus);
		for (size_t k = 0; k < nodes[i].jobs; k++) {
			const struct sched_running *r =
				&s.running[nodes[i].shares[k].running];

			cpus += nodes[i].shares[k].cpus;
			mem += (r->job->mem + r->start.n_nodes - 1) /
			       r->start.n_nodes;
		}
		assert_true(cpus <= nodes[i].cpus && mem <= nodes[i].mem);
		assert_int_equal(nodes[i].cpus_used, cpus);
		assert_int_equal(nodes[i].mem_used, mem);
	}
}

static size_t check_victims_are_gone(void)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n_jobs; i++)
		for (size_t k = 0; k < jobs[i].n_starts; k++)
			for (size_t v = 0; v < jobs[i].starts[k].n_victims;
				v++, n++) {
				const struct sched_victim *victim =
					&jobs[i].starts[k].victims[v];

				check_allowed(jobs[i].choices, victim);
				for (size_t r = 0; r < s.n_running; r++)
					assert_true(victim->how ==
							    PREEMPTED_SUSPEND ||
						    s.running[r].job !=
							    victim->job);
			}
	return n;
}

static void capacity_is_kept(void **state)
{
	static const enum backfill_policy policies[] = {BACKFILL_SLURM,
		BACKFILL_CONSERVATIVE, BACKFILL_EASY, BACKFILL_FCFS};
	size_t victims = 0;

	for (uint32_t number = 1; number <= 1000; number++) {
		random_cluster(number, MOST_JOBS);
		b.policy = policies[number % 4];
		both_passes();
		check_capacity();
		victims += check_victims_are_gone();
		for (size_t r = 0; r < s.n_running; r++)
			assert_false(s.running[r].preemptable);
	}
	assert_true(victims > 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(by_list, reset),
		cmocka_unit_test_setup(within_one_qos, reset),
		cmocka_unit_test_setup(by_priority, reset),
		cmocka_unit_test_setup(by_tier, reset),
		cmocka_unit_test_setup(exempt, reset),
		cmocka_unit_test_setup(low_rank_first, reset),
		cmocka_unit_test_setup(youngest_first, reset),
		cmocka_unit_test_setup(fewer_by_another_order, reset),
		cmocka_unit_test_setup(order_is_not_changed, reset),
		cmocka_unit_test_setup(free_nodes_come_first, reset),
		cmocka_unit_test_setup(the_rest_is_free, reset),
		cmocka_unit_test_setup(reclaimed_licenses, reset),
		cmocka_unit_test_setup(suspended_keep_their_memory, reset),
		cmocka_unit_test_setup(waits_for_grace, reset),
		cmocka_unit_test_setup(nodes_are_kept_meanwhile, reset),
		cmocka_unit_test_setup(who_is_warned_stays_the_victim, reset),
		cmocka_unit_test_setup(backfill_pushes_too, reset),
		cmocka_unit_test_setup(future_without_them, reset),
		cmocka_unit_test_setup(promised_nothing_takes_a_minute, reset),
		cmocka_unit_test_setup(tasks_of_an_array, reset),
		cmocka_unit_test_setup(preemptors_stand_in_front, reset),
		cmocka_unit_test_setup(only_who_may_and_must, reset),
		cmocka_unit_test_setup(capacity_is_kept, reset),
	};

	arena_init(&arena);
	arena_init(&scratch);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
