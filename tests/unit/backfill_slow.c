/*
 * The backfill pass against a slow one of its own: the rules of _attempt_backfill() and
 * _will_run_test() one by one, without the shortcuts of backfill_try.c and
 * willrun.c, on random small clusters: unequal nodes, memory, gres, licenses,
 * features, nodes that are down, overlapping partitions, reservations, arrays,
 * time_min, every policy; half of the clusters by Slurm's choice of nodes, with
 * tasks, ranges of nodes, named nodes, memory of CPUs, GPUs of tasks
 * (slow_select.h), where the other spreads evenly. Both must start the same
 * jobs on the same nodes and plan the same. Then: is anything taken twice, is
 * any promise moved by jobs behind it?
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/plan/schedule_nodes.h"
#include "slow_select.h"
#include "tests/unit/unit.h"

enum {
	NODES = 12,
	JOBS = 24,
	TASKS = 4,
	RUNS = 96,
	RECORDS = 512,
	GRES = 2,
	LICENSES = 2,
	DIMENSIONS = 2 + GRES,
	PARTS = 3,
	HOUR = 3600,
};

#define DAY INT64_C(1675814400)

/* ---- a random cluster ----------------------------------------------------*/

static struct arena arena, scratch;
static struct sched_node nodes[NODES];
static uint64_t node_gres[NODES][GRES], node_used[NODES][GRES];
static struct sched_partition parts[PARTS];
static uint32_t part_nodes[PARTS][NODES];
static struct sched_job jobs[JOBS];
static struct sched_choice choices[JOBS][2];
static uint64_t job_gres[JOBS][GRES], job_licenses[JOBS][LICENSES];
static uint64_t job_gres_node[JOBS][GRES], required[JOBS];
static uint64_t may[JOBS], kept[2], total[LICENSES], used[LICENSES];
static struct sched_reservation reservations[2];
static struct schedule s;
static struct backfill b;
static const struct conf none; /* its defaults */
static uint32_t seed, number;
static const char *policy_name;
static bool plain; /* no tiers, reservations, licenses */
static bool uniform; /* nodes are; most jobs name none and want no gres */
static size_t main_most; /* the main pass sees only so many jobs; 0: all */
static bool even;  /* never by Slurm's choice of nodes */
static bool pairs; /* some jobs are the two parts of one */

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

static void random_nodes(void)
{
	bool equal = one_in(2);
	uint32_t each = one_in(2) ? 1 : 1 + below(4);

	uniform = one_in(3);
	s.n_nodes = 1 + below(NODES);
	for (size_t i = 0; i < s.n_nodes; i++) {
		nodes[i] = (struct sched_node){
			.name = "n",
			.cpus = equal ? 4 : 1 + below(6),
			.mem = one_in(4) ? 0 : 100,
			.gres = node_gres[i],
			.gres_used = node_used[i],
			.down = one_in(12),
			.weight = one_in(4) ? 1 + below(2) : 0,
		};
		if (uniform) {
			nodes[i].cpus = each;
			nodes[i].mem = nodes[0].mem;
			nodes[i].weight = 0;
		}
		for (size_t g = 0; g < GRES; g++) {
			node_gres[i][g] = one_in(2) ? below(4) : 0;
			node_used[i][g] = 0;
		}
	}
	for (size_t i = 0; i < LICENSES; i++) {
		total[i] = below(4);
		used[i] = 0;
	}
}

static void random_partitions(void)
{
	bool tiers = !plain && one_in(2);

	for (size_t i = 0; i < PARTS; i++) {
		size_t n = 0;

		for (uint32_t k = 0; k < s.n_nodes; k++)
			if (!i || below(3))
				part_nodes[i][n++] = k;
		parts[i] = (struct sched_partition){
			.name = "p",
			.nodes = part_nodes[i],
			.n_nodes = n,
			.tier = (uint16_t)(tiers ? i : 1),
			.max_time = one_in(3) ? 1 + below(600) : INFINITE,
			.default_time = NO_VAL,
			.max_nodes = INFINITE,
			.max_cpus_per_node = one_in(4) ? 3 : INFINITE,
			.exclusive = one_in(even ? 2 : 5),
			.least_loaded = one_in(4),
			.min_nodes = one_in(6) ? 2 : INFINITE,
		};
		if (one_in(4))
			parts[i].max_nodes = 1 + below(4);
	}
}

static void random_reservations(void)
{
	s.reservations = reservations;
	s.n_reservations = !plain && one_in(3) ? 1 + below(2) : 0;
	for (size_t i = 0; i < s.n_reservations; i++) {
		int64_t start = DAY + below(10 * HOUR) - HOUR;

		kept[i] = below(1U << s.n_nodes);
		reservations[i] = (struct sched_reservation){
			start, start + 60 + below(6 * HOUR), &kept[i]};
	}
}

static uint32_t random_limit(void)
{
	static const uint32_t limits[] = {1, 1, INFINITE, NO_VAL, 60, 600};

	return one_in(3) ? limits[below(6)] : 1 + below(400);
}

/* How it may lie on nodes. */
static void random_shape(size_t i, struct sched_job *job)
{
	uint32_t each = one_in(3) ? 1 + below(3) : 1;

	job->cpus_per_task = each;
	job->tasks_asked = job->cpus / each ? job->cpus / each : 1;
	job->cpus = job->tasks_asked * each;
	if (one_in(2))
		job->nodes = 1;
	if (one_in(2))
		job->most_nodes = job->nodes + below(4);
	job->any_nodes = one_in(2);
	job->tasks_per_node = one_in(6) ? 1 + below(3) : 0;
	if (!even && one_in(3))
		job->mem_per_cpu = 1 + below(40);
	else if (one_in(2))
		job->mem_per_node = 1 + below(120);
	required[i] = UINT64_C(1) << below((uint32_t)s.n_nodes);
	if (one_in(3))
		required[i] |= UINT64_C(1) << below((uint32_t)s.n_nodes);
	job->required = one_in(uniform ? 30 : 8) ? &required[i] : NULL;
	for (size_t g = 0; g < GRES; g++)
		job_gres_node[i][g] = one_in(3) ? below(3) : 0;
	if (!job->gres)
		return;
	if (even)
		job->gres_node = job->gres;
	else if (one_in(2))
		job->gres_node = job_gres_node[i];
	else if (one_in(2))
		job->gres_task = 1 + below(2);
	else
		job->gres_job = job->gres[0];
}

static struct sched_job *random_job(void)
{
	size_t i = s.n_jobs++;
	uint32_t wants = one_in(4) ? 1 + below(NODES) : 1 + below(3);
	struct sched_job *job = &jobs[i];

	choices[i][0] = (struct sched_choice){.partition = &parts[below(PARTS)],
		.priority = 1000 - (uint32_t)i};
	choices[i][1] = choices[i][0];
	choices[i][1].partition = &parts[below(PARTS)];
	for (size_t g = 0; g < GRES; g++)
		job_gres[i][g] = one_in(5) ? below(4) : 0;
	for (size_t l = 0; l < LICENSES; l++)
		job_licenses[i][l] = one_in(5) ? below(3) : 0;
	may[i] = below(1U << s.n_nodes);
	*job = (struct sched_job){
		.id = (uint32_t)i + 1,
		.submit = DAY - 1000 + (int64_t)i,
		.cpus = wants * (1 + below(4)),
		.nodes = wants,
		.mem = one_in(3) ? wants * below(120) : 0,
		.gres = one_in(uniform ? 9 : 2) ? job_gres[i] : NULL,
		.licenses = !plain && one_in(2) ? job_licenses[i] : NULL,
		.time_limit = random_limit(),
		.time_min = one_in(8) ? 1 + below(60) : 0,
		.exclusive = one_in(4),
		.may = one_in(6) ? &may[i] : NULL,
		.tasks = 1,
		.choices = choices[i],
		.n_choices = 1 + one_in(5),
	};
	if (s.n_reservations && one_in(4))
		job->reservation = 1 + below((uint32_t)s.n_reservations);
	if (one_in(6))
		job->tasks = 2 + below(TASKS - 1);
	job->startable = job->tasks;
	random_shape(i, job);
	return job;
}

/* One that runs already, where there is room for it. */
static void random_run(void)
{
	struct sched_job *job = random_job();
	struct sched_start start = {.choice = job->choices};
	struct sched_view now = {0};
	struct sched_running r = {.job = job,
		.partition = job->choices->partition,
		.began = DAY,
		.end = DAY + 1 + below(one_in(3) ? 200 : 8 * HOUR)};

	job->startable = 0;
	if (one_in(4))
		r.end = r.end / 30 * 30 + 30;
	schedule_measure(&s, &arena);
	start.n_nodes = nodes_needed(&s, job, job->choices);
	if (!start.n_nodes || !schedule_licenses_free(&s, job) ||
		!place_job(&s, job, &start, &now))
		return;
	schedule_keep(&start, &arena);
	r.start = start;
	r.how = one_in(9) ? PREEMPTED_CANCEL : PREEMPTED_NEVER;
	schedule_run(&s, &r, &arena);
}

static void main_pass(void)
{
	size_t n = s.n_jobs;

	if (main_most && main_most < n)
		s.n_jobs = main_most;
	schedule_main(&s, &arena);
	s.n_jobs = n;
}

/* Parts are no arrays. */
static void random_pairs(size_t first)
{
	for (size_t i = first; i + 1 < s.n_jobs; i += 2) {
		if (!one_in(2))
			continue;
		for (size_t k = i; k <= i + 1; k++) {
			jobs[k].het = jobs[i].id;
			jobs[k].het_parts = 2;
			jobs[k].tasks = jobs[k].startable = 1;
		}
	}
}

static void random_cluster(const char *policy, uint32_t which, size_t n_jobs)
{
	struct err err = {0};
	size_t runs;

	policy_name = policy;
	seed = number = which;
	arena_reset(&arena);
	arena_reset(&scratch);
	s = (struct schedule){.nodes = nodes,
		.partitions = parts,
		.n_partitions = PARTS,
		.jobs = jobs,
		.n_gres = GRES,
		.n_licenses = LICENSES,
		.licenses = total,
		.licenses_used = used,
		.now = DAY + 17};
	if (backfill_read(&b, &none, policy, NULL, &arena, &err))
		fail_msg("%s", err.text);
	b.cores = which % 3 == 0;
	s.textbook = even || (b.policy != BACKFILL_SLURM &&
				     (b.policy != BACKFILL_FCFS || one_in(2)));
	s.serial_at_end = !s.textbook && one_in(4);
	random_nodes();
	random_partitions();
	random_reservations();
	runs = below(10);
	for (size_t i = 0; i < runs; i++)
		random_run();
	while (s.n_jobs < runs + n_jobs && s.n_jobs < JOBS)
		(void)random_job();
	if (pairs)
		random_pairs(runs);
	main_pass();
}

/* ---- the slow one: what runs ---------------------------------------------*/

struct slow_plan {
	size_t choice;
	int64_t start, end;
	uint64_t nodes;
	bool reserved;
	uint32_t amounts[NODES][DIMENSIONS];
};

struct slow_job {
	size_t n_starts, n_plans;
	size_t n_before; /* by the main pass */
	uint64_t starts[TASKS];
	uint32_t minutes[TASKS];
	uint32_t cpus_on[TASKS][NODES];
	struct slow_plan plans[TASKS * 4];
};

struct slow_run {
	const struct sched_job *job;
	const struct sched_partition *partition;
	uint64_t nodes;
	bool whole, preemptable;
	int64_t end;
	uint32_t amounts[NODES][DIMENSIONS];
};

struct slow_record {
	int64_t begin, end;
	uint64_t avail, licenses[LICENSES];
	uint32_t promised[NODES][DIMENSIONS];
};

static struct slow_job slow[JOBS];
static struct slow_run runs[RUNS];
static struct slow_record table[RECORDS]; /* in order of time */
static size_t n_runs, n_table, n_records; /* the latter with merged ones */
static int64_t window_end;
static bool licenses_count;

static uint64_t set_of(const uint32_t *places, size_t n)
{
	uint64_t set = 0;

	for (size_t i = 0; i < n; i++)
		set |= UINT64_C(1) << places[i];
	return set;
}

static size_t places_of(uint64_t set, uint32_t *places)
{
	size_t n = 0;

	for (uint32_t i = 0; i < NODES; i++)
		if (set >> i & 1)
			places[n++] = i;
	return n;
}

static uint32_t least(uint32_t a, uint32_t c)
{
	return a < c ? a : c;
}

/* What a job takes of each of its nodes. */
static void amounts_of(const struct sched_job *job,
	const struct sched_partition *p, uint64_t set, bool whole,
	uint32_t amounts[NODES][DIMENSIONS])
{
	uint32_t places[NODES], caps[NODES] = {0}, shares[NODES];
	size_t n = places_of(set, places);

	memset(amounts, 0, sizeof(uint32_t[NODES][DIMENSIONS]));
	for (size_t i = 0; i < n; i++)
		caps[i] = least(nodes[places[i]].cpus, p->max_cpus_per_node);
	(void)schedule_spread(job->cpus, caps, n, shares);
	for (size_t i = 0; i < n; i++) {
		uint32_t *to = amounts[places[i]];

		to[0] = whole ? nodes[places[i]].cpus : shares[i];
		to[1] = (uint32_t)share_of(job->mem, n);
		for (size_t g = 0; job->gres && g < GRES; g++)
			to[2 + g] = (uint32_t)share_of(job->gres[g], n);
	}
}

static bool is_whole(
	const struct sched_job *job, const struct sched_partition *p)
{
	return job->exclusive || p->exclusive;
}

/* ---- the slow one: room --------------------------------------------------*/

struct slow_view {
	const struct sched_job *job;
	const struct sched_partition *p;
	size_t n;
	uint64_t usable, not; /* of these nodes too much is promised */
	int64_t horizon;
	enum select_rule rule; /* 0: as for a start now */
	uint32_t (*promised)[DIMENSIONS];
	/* Taken of each node; by jobs of their own nodes; by how many; CPUs by
	 * those of the partition. */
	uint32_t taken[NODES][DIMENSIONS];
	bool whole[NODES];
	uint32_t jobs[NODES], of_partition[NODES];
	/* What it gets where it is placed. */
	uint32_t amounts[NODES][DIMENSIONS];
};

static void take_all(struct slow_view *v)
{
	memset(v->taken, 0, sizeof(v->taken));
	memset(v->whole, 0, sizeof(v->whole));
	memset(v->jobs, 0, sizeof(v->jobs));
	memset(v->of_partition, 0, sizeof(v->of_partition));
	for (size_t i = 0; i < n_runs; i++) {
		const struct slow_run *r = &runs[i];

		if (r->end <= v->horizon)
			continue;
		for (size_t k = 0; k < NODES; k++) {
			if (!(r->nodes >> k & 1))
				continue;
			v->whole[k] |= r->whole;
			v->jobs[k]++;
			if (r->partition == v->p)
				v->of_partition[k] += r->amounts[k][0];
			for (size_t d = 0; d < DIMENSIONS; d++)
				v->taken[k][d] += r->amounts[k][d];
		}
	}
	for (size_t k = 0; v->promised && k < NODES; k++) {
		v->jobs[k] += v->promised[k][0] != 0;
		for (size_t d = 0; d < DIMENSIONS; d++)
			v->taken[k][d] += v->promised[k][d];
	}
}

static bool in_use(uint32_t k)
{
	for (size_t i = 0; i < n_runs; i++)
		if (runs[i].nodes >> k & 1)
			return true;
	return false;
}

/* ---- the slow one: which nodes --------------------------------------------*/

static struct select_range slow_range(const struct slow_view *v)
{
	const struct sched_job *job = v->job;
	struct select_range range = {job->nodes, UINT32_MAX, 0};

	if (v->p->min_nodes != INFINITE && v->p->min_nodes > range.least)
		range.least = v->p->min_nodes;
	if (job->most_nodes)
		range.most = job->most_nodes > job->nodes ? job->most_nodes
							  : job->nodes;
	range.most = least(range.most, v->p->max_nodes);
	range.want =
		job->most_nodes && !job->any_nodes ? range.most : range.least;
	return range;
}

static struct select_job slow_rules(const struct slow_view *v)
{
	const struct sched_job *job = v->job;
	struct select_job rules = {.cpus = job->cpus,
		.tasks = job->tasks_asked,
		.cpus_per_task = job->cpus_per_task,
		.tasks_per_node = job->tasks_per_node,
		.most_asked = job->most_nodes,
		.whole = is_whole(job, v->p),
		.gpus = job->gres_job,
		.per_task = job->gres_task,
		.mem_of_cpu = job->mem_per_cpu};

	rules.mem = job->mem_per_cpu	? job->mem_per_cpu
		    : job->mem_per_node ? job->mem_per_node
					: share_of(job->mem, job->nodes);
	return rules;
}

/* Of each node that it gets it needs so much. */
static uint64_t gres_needed(const struct sched_job *job, size_t g)
{
	if (job->gres_node && job->gres_node[g])
		return job->gres_node[g];
	if (g != job->gres_kind)
		return 0;
	return job->gres_task ? job->gres_task : job->gres_job > 0;
}

static uint32_t slow_node_room(
	const struct slow_view *v, const struct select_job *rules, uint32_t k)
{
	const uint32_t *taken = v->taken[k];
	struct select_left left = {
		.cpus_of_partition = v->of_partition[k],
		.most = v->p->max_cpus_per_node,
		.mem = UINT64_MAX,
		.empty = !v->jobs[k]};

	if (!((v->usable & ~v->not) >> k & 1) || nodes[k].down || v->whole[k] ||
		(v->job->may && !(*v->job->may >> k & 1)) ||
		!(set_of(v->p->nodes, v->p->n_nodes) >> k & 1) ||
		taken[0] >= nodes[k].cpus)
		return 0;
	for (size_t g = 0; v->job->gres && g < GRES; g++) {
		uint64_t needed = gres_needed(v->job, g);

		if (needed && taken[2 + g] + needed > node_gres[k][g])
			return 0;
	}
	left.cpus = nodes[k].cpus - taken[0];
	if (nodes[k].mem)
		left.mem =
			taken[1] < nodes[k].mem ? nodes[k].mem - taken[1] : 0;
	if (v->job->gres_task)
		left.gpus = node_gres[k][0] - taken[2];
	return slow_room(rules, &left);
}

static size_t slow_offers(const struct slow_view *v,
	const struct select_job *rules, struct select_node *offers)
{
	size_t n = 0;

	for (uint32_t k = 0; k < s.n_nodes; k++) {
		uint32_t room = slow_node_room(v, rules, k);

		if (!room)
			continue;
		offers[n++] = (struct select_node){.index = k,
			.cpus = room,
			.free = nodes[k].cpus - v->taken[k][0],
			.size = nodes[k].cpus,
			.weight = nodes[k].weight,
			.gpus = v->job->gres_job
					? node_gres[k][0] - v->taken[k][2]
					: 0,
			.idle = !in_use(k),
			.required = v->job->required &&
				    (*v->job->required >> k & 1)};
	}
	return n;
}

static enum select_rule slow_rule(const struct slow_view *v,
	const struct select_job *rules, const struct select_range *range)
{
	if (v->rule)
		return v->rule;
	if (s.textbook)
		return SELECT_LOWEST;
	if (v->p->least_loaded)
		return SELECT_LEAST_LOADED;
	return s.serial_at_end && rules->cpus == 1 && range->want == 1
		       ? SELECT_LAST
		       : SELECT_CONSECUTIVE;
}

static uint64_t keep_offers(struct slow_view *v, const struct select_job *rules,
	struct select_node *offers, size_t n)
{
	uint64_t set = 0;
	size_t n_got = 0;

	for (size_t i = 0; i < n; i++)
		if (offers[i].got)
			offers[n_got++] = offers[i];
	slow_lay_out(rules, offers, n_got);
	memset(v->amounts, 0, sizeof(v->amounts));
	for (size_t i = 0; i < n_got; i++) {
		uint32_t k = offers[i].index, *to = v->amounts[k];

		set |= UINT64_C(1) << k;
		to[0] = rules->whole ? nodes[k].cpus : offers[i].got;
		to[1] = (uint32_t)(rules->mem_of_cpu ? rules->mem * to[0]
						     : rules->mem);
		for (size_t g = 0; v->job->gres && g < GRES; g++)
			to[2 + g] =
				(uint32_t)(v->job->gres_node
						   ? v->job->gres_node[g]
						   : share_of(v->job->gres[g],
							     n_got));
	}
	return set;
}

/* The first end behind `when` of a job with a node of interest; 0: none. */
static int64_t next_end(uint64_t usable, int64_t when)
{
	int64_t next = 0;

	for (size_t i = 0; i < n_runs; i++)
		if (runs[i].end > when && (runs[i].nodes & usable) &&
			(!next || runs[i].end < next))
			next = runs[i].end;
	return next;
}

/* When each of them has room at last. */
static void note_times(struct slow_view v, const struct select_job *rules,
	struct select_node *offers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		v.horizon = s.now;
		take_all(&v);
		while (!slow_node_room(&v, rules, offers[i].index)) {
			v.horizon = next_end(
				UINT64_C(1) << offers[i].index, v.horizon);
			if (!v.horizon)
				fail_msg("%s, %u: node %u never has room",
					policy_name, number, offers[i].index);
			take_all(&v);
		}
		offers[i].free_at = v.horizon;
	}
}

/* The nodes, 0: none. */
static uint64_t place(struct slow_view *v)
{
	struct select_range range = slow_range(v);
	struct select_job rules = slow_rules(v);
	struct select_node offers[NODES];
	uint64_t named = 0;
	size_t n;

	take_all(v);
	n = slow_offers(v, &rules, offers);
	if (v->rule == SELECT_FREE_LAST)
		note_times(*v, &rules, offers, n);
	for (size_t i = 0; i < n; i++)
		named |= (uint64_t)offers[i].required << offers[i].index;
	if (range.most < range.least ||
		(v->job->required && named != *v->job->required) ||
		!slow_select(&rules, &range, slow_rule(v, &rules, &range),
			offers, n))
		return 0;
	return keep_offers(v, &rules, offers, n);
}

/* ---- the slow one: spec 3.7 ----------------------------------------------*/

static int64_t last_end(uint64_t set, int64_t from, int64_t horizon)
{
	int64_t last = from;

	for (size_t i = 0; i < n_runs; i++)
		if ((runs[i].nodes & set) && runs[i].end <= horizon &&
			runs[i].end > last)
			last = runs[i].end;
	return last;
}

/* Every end is a step. */
static uint64_t by_step(
	struct slow_view *v, int64_t from, int64_t until, int64_t *when)
{
	int64_t end;

	while ((end = next_end(v->usable, v->horizon))) {
		uint64_t set;

		if (until && end > until)
			return 0;
		v->horizon = end;
		set = place(v);
		if (set) {
			*when = last_end(set, from, end);
			return set;
		}
	}
	return 0;
}

/* The n-th to end behind `from`; NULL: there are not so many. */
static const struct slow_run *nth_to_end(size_t n, int64_t from)
{
	for (size_t i = 0; i < n_runs; i++) {
		size_t before = 0;

		for (size_t k = 0; k < n_runs; k++)
			before +=
				runs[k].end > from &&
				(runs[k].end < runs[i].end ||
					(runs[k].end == runs[i].end && k < i));
		if (runs[i].end > from && before == n)
			return &runs[i];
	}
	return NULL;
}

/* In groups: one job that matters at least, then all whose turn it is until the
 * next in line ends too far behind. */
static uint64_t by_groups(
	struct slow_view *v, int64_t from, int64_t until, int64_t *when)
{
	int64_t width = 30, first = 0;
	const struct slow_run *next;

	for (size_t n = 0;;) {
		bool any = false, behind = false;
		uint64_t set;

		for (; (next = nth_to_end(n, from)); n++) {
			if (behind && next->end > first + width)
				break;
			if (until && next->end > until)
				next = NULL;
			if (!next)
				break;
			behind = next->nodes & v->usable;
			if (!behind)
				continue;
			if (!first)
				first = (next->end / 30 + 1) * 30;
			v->horizon = next->end;
			any = true;
		}
		set = any ? place(v) : 0;
		if (set)
			*when = last_end(set, from, v->horizon);
		if (set || !next)
			return set;
		do
			width = b.params.bf_window_linear
					? width + b.params.bf_window_linear
					: width * 2;
		while (next->end > first + width);
	}
}

static uint64_t will_run(struct slow_view *v, int64_t from, int64_t until,
	bool now_only, int64_t *when)
{
	bool exact = b.policy != BACKFILL_SLURM;
	uint64_t set;

	if (now_only && from > s.now)
		return 0;
	v->rule = 0;
	v->horizon = *when = from;
	set = place(v);
	if (set || now_only)
		return set;
	if (b.policy == BACKFILL_EASY)
		v->rule = SELECT_FREE_LAST;
	else if (!exact && b.params.bf_busy_nodes)
		v->rule = SELECT_BUSY;
	return exact ? by_step(v, from, until, when)
		     : by_groups(v, from, until, when);
}

/* ---- the slow one: spec 1, the table -------------------------------------*/

static bool table_full(void)
{
	return b.policy == BACKFILL_SLURM &&
	       (int64_t)n_records >= b.params.bf_node_space_size;
}

static void cut(size_t i, int64_t when)
{
	memmove(&table[i + 2], &table[i + 1],
		(n_table - i - 1) * sizeof(*table));
	table[i + 1] = table[i];
	table[i].end = table[i + 1].begin = when;
	n_table++;
	n_records++;
	assert_true(n_table < RECORDS);
}

static void take_from(struct slow_record *r, uint64_t set,
	uint32_t amounts[NODES][DIMENSIONS], const uint64_t *licenses)
{
	r->avail &= ~set;
	for (size_t k = 0; amounts && k < NODES; k++)
		for (size_t d = 0; d < DIMENSIONS; d++)
			r->promised[k][d] += amounts[k][d];
	for (size_t l = 0; licenses && l < LICENSES; l++)
		r->licenses[l] -= licenses[l] < r->licenses[l] ? licenses[l]
							       : r->licenses[l];
}

static bool alike(const struct slow_record *x, const struct slow_record *y)
{
	return x->avail == y->avail &&
	       !memcmp(x->licenses, y->licenses, sizeof(x->licenses)) &&
	       !memcmp(x->promised, y->promised, sizeof(x->promised));
}

static void merge(size_t first, size_t last)
{
	for (size_t i = first; i <= last && i + 1 < n_table; i++) {
		if (!alike(&table[i], &table[i + 1]))
			continue;
		table[i].end = table[i + 1].end;
		memmove(&table[i + 1], &table[i + 2],
			(n_table - i - 2) * sizeof(*table));
		n_table--;
		return;
	}
}

static void insert(int64_t start, int64_t end, uint64_t set,
	uint32_t amounts[NODES][DIMENSIONS], const uint64_t *licenses)
{
	int64_t grid = b.policy == BACKFILL_SLURM ? b.params.bf_resolution : 1;
	size_t i = 0, last;

	if (start < table[0].begin)
		start = table[0].begin;
	if (end < start + grid)
		end = start + grid;
	while (i < n_table && table[i].end < start)
		i++;
	if (i == n_table)
		return;
	if (table[i].end > start)
		cut(i, start);
	for (last = i; last + 1 < n_table && table[last].end < end; last++) {
		if (end < table[last + 1].end)
			cut(last + 1, end);
		take_from(&table[last + 1], set, amounts, licenses);
	}
	merge(i ? i - 1 : 0, last);
}

static void insert_run(const struct slow_run *r)
{
	bool whole = r->whole && !r->preemptable && !b.cores;
	const uint64_t *licenses = licenses_count ? r->job->licenses : NULL;
	int64_t grid = b.params.bf_resolution;

	if ((!whole && !licenses) || table_full())
		return;
	insert(table[0].begin, (r->end + grid - 1) / grid * grid,
		whole ? r->nodes : 0, NULL, licenses);
}

static void open_table(void)
{
	bool slurm = b.policy == BACKFILL_SLURM;
	bool old = b.release == RELEASE_20_11;
	int64_t grid = slurm && !old ? b.params.bf_resolution : 1;

	licenses_count = slurm && !old && b.params.bf_licenses;
	window_end = slurm ? (s.now + b.params.bf_window * 60) / grid * grid
			   : s.now + INT64_C(86400) * 36500;
	memset(table, 0, sizeof(table));
	n_table = n_records = 1;
	table[0].begin = s.now / grid * grid;
	table[0].end = window_end;
	for (size_t i = 0; i < s.n_nodes; i++)
		table[0].avail |= (uint64_t)!nodes[i].down << i;
	memcpy(table[0].licenses, total, sizeof(total));
	for (size_t i = 0;
		slurm && b.params.bf_running_job_reserve && i < n_runs; i++)
		insert_run(&runs[i]);
}

/* ---- the slow one: spec 3.5, one job -------------------------------------*/

struct slow_try {
	struct sched_job *job;
	struct slow_job *out;
	const struct sched_choice *choice;
	size_t n, part;
	int64_t seconds, from, later, when, until;
	bool no_reserve, no_slot;
	uint64_t usable, set, not;
	uint32_t promised[NODES][DIMENSIONS];
	uint32_t amounts[NODES][DIMENSIONS]; /* on the nodes of the set */
};

static uint32_t reserved[PARTS];
static int64_t not_before[PARTS];

static bool licenses_left(const struct slow_try *t, const struct slow_record *r)
{
	for (size_t l = 0; licenses_count && t->job->licenses && l < LICENSES;
		l++)
		if (t->job->licenses[l] > r->licenses[l])
			return false;
	return true;
}

/* Beside what runs at `from`: what has ended by the time of the record makes up
 * for what is promised then. */
static void add_promised(
	struct slow_try *t, const struct slow_record *r, int64_t from)
{
	int64_t then = r->begin > from ? r->begin : from;

	for (size_t k = 0; k < NODES; k++)
		for (size_t d = 0; d < DIMENSIONS; d++) {
			uint32_t more = r->promised[k][d];

			for (size_t i = 0; i < n_runs; i++)
				if (runs[i].end > from && runs[i].end <= then &&
					(runs[i].nodes >> k & 1))
					more -= least(more,
						runs[i].amounts[k][d]);
			if (t->promised[k][d] < more)
				t->promised[k][d] = more;
		}
}

static bool offers_more(const struct slow_try *t, uint64_t entry,
	const struct slow_record *r, const struct slow_record *next)
{
	for (size_t l = 0; licenses_count && t->job->licenses && l < LICENSES;
		l++)
		if (t->job->licenses[l] && next->licenses[l] > r->licenses[l])
			return true;
	if (entry & next->avail & ~(t->usable & r->avail))
		return true;
	for (size_t k = 0; k < NODES; k++)
		for (size_t d = 0; d < DIMENSIONS; d++)
			if ((entry >> k & 1) &&
				(next->promised[k][d] < r->promised[k][d] ||
					next->promised[k][d] <
						t->promised[k][d]))
				return true;
	return false;
}

/* Nodes of which so much is promised that it has no room when they are empty. */
static void leave_out(struct slow_try *t, const struct slow_record *r)
{
	uint32_t needs[DIMENSIONS];
	bool whole = sched_least(
		&s, t->job, t->choice->partition, needs);

	for (uint32_t k = 0; b.cores && k < s.n_nodes; k++) {
		uint64_t capacity[DIMENSIONS] = {nodes[k].cpus,
			nodes[k].mem ? nodes[k].mem : UINT32_MAX,
			node_gres[k][0], node_gres[k][1]};
		bool out = whole && r->promised[k][0];

		for (size_t d = 0; d < DIMENSIONS; d++) {
			uint32_t need = d ? needs[d]
					  : least(needs[d], nodes[k].cpus);

			out |= need && r->promised[k][d] + need > capacity[d];
		}
		t->not |= (uint64_t)out << k;
	}
}

/* False: licenses are missing. */
static bool walk(struct slow_try *t)
{
	int64_t end = t->from + t->seconds - (b.policy != BACKFILL_SLURM);
	uint64_t entry = t->usable;

	memset(t->promised, 0, sizeof(t->promised));
	t->not = 0;
	for (size_t i = 0; i < n_table; i++) {
		const struct slow_record *r = &table[i];

		if (r->end <= t->from)
			continue;
		if (!t->later && i + 1 < n_table &&
			offers_more(t, entry, r, &table[i + 1]))
			t->later = r->end;
		if (r->begin > end) {
			if (!t->later && i + 2 < n_table)
				t->later = table[i + 1].end;
			break;
		}
		t->usable &= r->avail;
		add_promised(t, r, t->from);
		leave_out(t, r);
		if (!licenses_left(t, r)) {
			t->later = r->end;
			return false;
		}
	}
	return true;
}

static bool meets_reservation(const struct slow_try *t)
{
	int64_t end = t->when + t->seconds;

	for (size_t i = 0; i < s.n_reservations; i++) {
		const struct sched_reservation *r = &reservations[i];

		if (t->job->reservation == i + 1 && end > r->end)
			return true;
		if (!t->job->reservation && (kept[i] & t->set) &&
			r->start < end && r->end > t->when)
			return true;
	}
	return false;
}

/* Does it still find room on its nodes beside all that is promised in its slot?
 * It may lie otherwise then. */
static bool still_fits(struct slow_try *t, struct slow_view *v)
{
	uint64_t set = place(v);

	if (!set)
		return false;
	t->set = set;
	memcpy(t->amounts, v->amounts, sizeof(t->amounts));
	return true;
}

static bool overlaps(struct slow_try *t, int64_t start, int64_t end)
{
	struct slow_view v = {.job = t->job,
		.p = t->choice->partition,
		.n = t->n,
		.usable = t->set,
		.horizon = t->when,
		.promised = t->promised};
	bool known = b.policy != BACKFILL_SLURM && t->when == t->from;

	memset(t->promised, 0, sizeof(t->promised));
	for (size_t i = 0; i < n_table; i++) {
		const struct slow_record *r = &table[i];

		if (r->end <= start || r->begin >= end)
			continue;
		if ((t->set & ~r->avail) || !licenses_left(t, r))
			return true;
		add_promised(t, r, t->when);
	}
	return (s.textbook && meets_reservation(t)) ||
	       (b.cores && !known && !still_fits(t, &v));
}

/* What it starts with it has throughout. */
static bool taken_in(const struct slow_try *t, struct slow_record *r)
{
	struct slow_view v = {.job = t->job,
		.p = t->choice->partition,
		.n = t->n,
		.usable = t->set,
		.horizon = r->begin > s.now ? r->begin : s.now,
		.promised = r->promised};

	return (t->set & ~r->avail) || !licenses_left(t, r) ||
	       (b.cores && (place(&v) != t->set ||
				   memcmp(v.amounts, t->amounts,
					   sizeof(v.amounts)) != 0));
}

/* Minutes up to the next promise or reservation. */
static uint32_t stretch(const struct slow_try *t)
{
	int64_t most = schedule_seconds(t->job, t->choice);

	if (!t->job->time_min || (int64_t)t->job->time_min * 60 >= most)
		return 0;
	for (size_t i = 0; i < s.n_reservations; i++) {
		const struct sched_reservation *r = &reservations[i];

		if (t->job->reservation == i + 1 && r->end < s.now + most)
			most = r->end - s.now;
		if (!t->job->reservation && (kept[i] & t->set) &&
			r->start > s.now && r->start < s.now + most)
			most = r->start - s.now;
	}
	for (size_t i = 0; i < n_table; i++)
		if (table[i].begin > s.now && table[i].begin < s.now + most &&
			taken_in(t, &table[i]))
			most = table[i].begin - s.now;
	return most / 60 < t->job->time_min ? t->job->time_min
					    : (uint32_t)(most / 60);
}

static void start_now(struct slow_try *t)
{
	struct slow_job *out = t->out;
	uint32_t minutes = stretch(t);
	struct slow_run *r = &runs[n_runs++];

	out->starts[out->n_starts] = t->set;
	for (size_t k = 0; k < NODES; k++)
		out->cpus_on[out->n_starts][k] = t->amounts[k][0];
	out->minutes[out->n_starts++] = minutes;
	if (t->job->tasks == 1)
		out->n_plans = 0;
	*r = (struct slow_run){t->job, t->choice->partition, t->set,
		is_whole(t->job, t->choice->partition), false,
		s.now + (minutes ? (int64_t)minutes * 60
				 : schedule_seconds(t->job, t->choice)),
		{{0}}};
	memcpy(r->amounts, t->amounts, sizeof(r->amounts));
	for (size_t l = 0; t->job->licenses && l < LICENSES; l++)
		used[l] += t->job->licenses[l];
	if (b.policy == BACKFILL_SLURM && b.release == RELEASE_26_05)
		insert_run(r);
}

static void keep_plan(struct slow_try *t, bool is_reserved)
{
	struct slow_job *out = t->out;
	struct slow_plan plan = {(size_t)(t->choice - t->job->choices), t->when,
		t->when + t->seconds, t->set, is_reserved, {{0}}};

	memcpy(plan.amounts, t->amounts, sizeof(plan.amounts));
	if (t->job->tasks > 1 || !out->n_plans)
		out->plans[out->n_plans++] = plan;
	else if (plan.start < out->plans[0].start)
		out->plans[0] = plan;
	if (b.policy == BACKFILL_FCFS)
		not_before[t->part] = t->when;
}

enum verdict { NEXT_JOB, NEXT_TASK, LATER, END };

static int64_t reserve_most(void)
{
	if (b.policy == BACKFILL_SLURM)
		return b.params.bf_job_part_count_reserve;
	return b.policy == BACKFILL_EASY;
}

static void promise(struct slow_try *t, int64_t start, int64_t end)
{
	insert(start, end, b.cores ? 0 : t->set, b.cores ? t->amounts : NULL,
		licenses_count ? t->job->licenses : NULL);
	reserved[t->part]++;
	keep_plan(t, true);
}

static enum verdict found(struct slow_try *t)
{
	bool slurm = b.policy == BACKFILL_SLURM;
	int64_t grid = slurm ? b.params.bf_resolution : 1;
	int64_t up = slurm && b.release == RELEASE_26_05 ? grid - 1 : 0;
	int64_t start = b.cores ? t->when : t->when / grid * grid;
	int64_t end = (t->when + t->seconds + up) / grid * grid;
	int64_t most = reserve_most();

	if (t->when > s.now && overlaps(t, start, end)) {
		t->later = t->when + (t->from == t->when ? grid : 0);
		return LATER;
	}
	if (t->when <= s.now) {
		start_now(t);
		return NEXT_TASK;
	}
	/* What is promised until then is free then. */
	if (!t->no_reserve && t->later && t->when >= t->later + slurm)
		return LATER;
	if (t->no_reserve || t->when >= window_end ||
		(most && reserved[t->part] >= most)) {
		keep_plan(t, false);
		return NEXT_JOB;
	}
	if (table_full())
		return END;
	promise(t, start, end);
	return NEXT_TASK;
}

static enum verdict try_once(struct slow_try *t)
{
	struct slow_view v = {.job = t->job,
		.p = t->choice->partition,
		.n = t->n,
		.promised = b.cores ? t->promised : NULL};
	uint64_t bits;

	t->from = t->later > s.now ? t->later : s.now;
	if (b.policy == BACKFILL_FCFS && not_before[t->part] > t->from)
		t->from = not_before[t->part];
	t->later = 0;
	bits = set_of(v.p->nodes, v.p->n_nodes);
	for (size_t i = 0; i < s.n_nodes; i++)
		bits &= ~((uint64_t)nodes[i].down << i);
	if (t->job->may)
		bits &= *t->job->may;
	if (!schedule_reserved(
		    &s, t->job, t->seconds, &t->from, &bits, &t->until) ||
		t->from >= window_end)
		return NEXT_JOB;
	if (b.policy == BACKFILL_SLURM)
		t->until = (t->until + b.params.bf_resolution - 1) /
			   b.params.bf_resolution * b.params.bf_resolution;
	t->usable = bits;
	t->set = 0;
	if (walk(t)) {
		if (t->until && t->until + 1 < window_end &&
			(!t->later || t->until + 1 < t->later))
			t->later = t->until + 1;
		v.usable = t->usable;
		v.not = t->not;
		t->set = will_run(
			&v, t->from, t->later, t->no_reserve, &t->when);
		memcpy(t->amounts, v.amounts, sizeof(t->amounts));
	} else if (t->until && t->until + 1 < window_end &&
		   t->until + 1 < t->later) {
		t->later = t->until + 1;
	}
	if (t->set)
		return found(t);
	if (t->later && !t->no_reserve)
		return LATER;
	t->no_slot = true;
	return NEXT_JOB;
}

static bool slow_licenses_free(const struct sched_job *job)
{
	for (size_t l = 0; job->licenses && l < LICENSES; l++)
		if (job->licenses[l] && used[l] + job->licenses[l] > total[l])
			return false;
	return true;
}

/* Who waits for licenses under fcfs keeps back those behind, unless there are
 * too few in all; and who waits for nodes that are down. */
static void slow_hold(const struct slow_try *t)
{
	const uint64_t *wants = t->job->licenses;

	if (b.policy != BACKFILL_FCFS ||
		t->out->n_starts + t->out->n_plans >= t->job->startable)
		return;
	if (t->no_slot)
		not_before[t->part] = window_end;
	if (!s.textbook || slow_licenses_free(t->job))
		return;
	if (wants[0] <= total[0] && wants[1] <= total[1])
		not_before[t->part] = window_end;
}

static enum verdict slow_task(struct slow_try *t)
{
	int64_t most = reserve_most();
	enum verdict verdict;

	t->later = 0;
	t->no_reserve =
		(most && reserved[t->part] >= most) ||
		(b.policy == BACKFILL_SLURM &&
			t->choice->priority < b.params.bf_min_prio_reserve) ||
		(b.policy == BACKFILL_SLURM && t->no_reserve);
	do
		verdict = try_once(t);
	while (verdict == LATER);
	return verdict;
}

static enum verdict slow_job(const struct sched_entry *entry)
{
	struct sched_start start = {.choice = entry->choice};
	struct slow_job *out = &slow[entry->job - jobs];
	struct slow_try t = {.job = entry->job,
		.out = out,
		.choice = entry->choice,
		.part = (size_t)(entry->choice->partition - parts),
		.n = nodes_needed(&s, entry->job, entry->choice),
		.seconds = schedule_seconds(entry->job, entry->choice)};
	enum verdict verdict;

	if (t.job->time_min && (int64_t)t.job->time_min * 60 < t.seconds)
		t.seconds = (int64_t)t.job->time_min * 60;
	t.no_reserve = b.params.bf_one_resv_per_job && out->n_plans;
	if (out->n_starts >= t.job->startable || !t.n ||
		schedule_refuses(t.job, &start))
		return NEXT_JOB;
	do {
		verdict = NEXT_JOB;
		if (licenses_count || slow_licenses_free(t.job))
			verdict = slow_task(&t);
	} while (verdict == NEXT_TASK && t.job->tasks > 1 &&
		 out->n_starts + out->n_plans < t.job->startable &&
		 (!out->n_plans || b.policy != BACKFILL_SLURM ||
			 (int64_t)out->n_plans <
				 b.params.bf_max_job_array_resv));
	slow_hold(&t);
	return verdict;
}

/* What runs may lie unevenly: how is a fact of it. */
static void runs_on(const struct sched_running *r, struct slow_run *out)
{
	const struct sched_start *start = &r->start;

	amounts_of(r->job, r->partition, out->nodes, out->whole, out->amounts);
	for (size_t i = 0; start->cpus_on && i < start->n_nodes; i++) {
		uint32_t *to = out->amounts[start->nodes[i]];

		to[0] = start->cpus_on[i];
		to[1] = (uint32_t)start->mem_on[i];
		for (size_t g = 0; r->job->gres_node && g < GRES; g++)
			to[2 + g] = (uint32_t)r->job->gres_node[g];
	}
}

static void slow_begin(void)
{
	memset(slow, 0, sizeof(slow));
	memset(reserved, 0, sizeof(reserved));
	memset(not_before, 0, sizeof(not_before));
	n_runs = 0;
	for (size_t i = 0; i < s.n_running; i++) {
		const struct sched_running *r = &s.running[i];

		runs[n_runs] = (struct slow_run){r->job, r->partition,
			set_of(r->start.nodes, r->start.n_nodes),
			r->start.whole, r->how != PREEMPTED_NEVER, r->end,
			{{0}}};
		runs_on(r, &runs[n_runs++]);
	}
	for (size_t i = 0; i < s.n_jobs; i++) {
		slow[i].n_starts = slow[i].n_before = jobs[i].n_starts;
		for (size_t k = 0; k < jobs[i].n_starts; k++)
			slow[i].starts[k] = set_of(jobs[i].starts[k].nodes,
				jobs[i].starts[k].n_nodes);
	}
}

static void slow_pass(void)
{
	uint64_t before[LICENSES];
	size_t n = schedule_queue(&s, true, &arena);

	memcpy(before, used, sizeof(before));
	slow_begin();
	open_table();
	for (size_t i = 0; i < n; i++)
		if (slow_job(&s.queue[i]) == END)
			break;
	memcpy(used, before, sizeof(before));
}

/* ---- both the same? ------------------------------------------------------*/

#define SAME(a, c, what, job)                                                  \
	do {                                                                   \
		if ((uint64_t)(a) != (uint64_t)(c))                            \
			fail_msg("%s, %u: job %zu: %s: %llu, slowly %llu",     \
				policy_name, number, job, what,                \
				(unsigned long long)(a),                       \
				(unsigned long long)(c));                      \
	} while (0)

/* CPUs on each node. */
static void compare_layout(size_t i, size_t k)
{
	const struct sched_start *start = &jobs[i].starts[k];

	for (size_t n = 0; start->cpus_on && n < start->n_nodes; n++)
		SAME(start->cpus_on[n], slow[i].cpus_on[k][start->nodes[n]],
			"CPUs on a node", i);
}

static void compare_job(size_t i)
{
	const struct sched_job *job = &jobs[i];
	const struct slow_job *other = &slow[i];

	SAME(job->n_starts, other->n_starts, "starts", i);
	SAME(job->n_plans, other->n_plans, "plans", i);
	for (size_t k = 0; k < job->n_starts; k++) {
		SAME(set_of(job->starts[k].nodes, job->starts[k].n_nodes),
			other->starts[k], "nodes", i);
		SAME(job->starts[k].minutes, other->minutes[k], "minutes", i);
		if (k >= other->n_before)
			compare_layout(i, k);
	}
	for (size_t k = 0; k < job->n_plans; k++) {
		SAME(job->plans[k].start, other->plans[k].start, "start", i);
		SAME(job->plans[k].end, other->plans[k].end, "end", i);
		SAME(job->plans[k].reserved, other->plans[k].reserved,
			"reserved", i);
		SAME(job->plans[k].choice - job->choices,
			other->plans[k].choice, "partition", i);
		SAME(set_of(job->plans[k].nodes, job->plans[k].n_nodes),
			other->plans[k].nodes, "planned nodes", i);
	}
}

static const char *const policies[] = {
	"slurm",
	"conservative",
	"easy",
	"fcfs",
	"slurm:release=20.11",
	"slurm:bf_running_job_reserve",
	"slurm:bf_licenses",
	"slurm:bf_licenses,bf_window=60",
	"slurm:bf_resolution=600,bf_window=43200",
	"slurm:bf_resolution=7,bf_busy_nodes",
	"slurm:bf_window_linear=60,bf_window=43200",
	"slurm:bf_window_linear=7,bf_window=90",
	"slurm:bf_node_space_size=2",
	"slurm:bf_node_space_size=5,bf_running_job_reserve",
	"slurm:bf_job_part_count_reserve=2,bf_max_job_array_resv=2",
	"slurm:bf_one_resv_per_job,bf_min_prio_reserve=990",
};

enum { POLICIES = sizeof(policies) / sizeof(*policies) };

static uint32_t cases(void)
{
	const char *n = getenv("CASES");

	return n ? (uint32_t)strtoul(n, NULL, 10) : 100;
}

static void same_as_slowly(void **state)
{
	for (size_t p = 0; p < POLICIES; p++)
		for (uint32_t which = 1; which <= cases(); which++) {
			random_cluster(policies[p], which, JOBS);
			slow_pass();
			backfill_pass(&s, &b, &arena, &scratch);
			for (size_t i = 0; i < s.n_jobs; i++)
				compare_job(i);
		}
}

/* ---- nothing is taken twice ----------------------------------------------*/

/* What is left at one moment. */
struct rest {
	int64_t of[NODES][DIMENSIONS], licenses[LICENSES];
};

static void take(struct rest *rest, const struct sched_job *job,
	uint32_t amounts[NODES][DIMENSIONS])
{
	for (size_t k = 0; k < NODES; k++)
		for (size_t d = 0; d < DIMENSIONS; d++)
			if (d != 1 || nodes[k].mem)
				rest->of[k][d] -= amounts[k][d];
	for (size_t l = 0; job->licenses && l < LICENSES; l++)
		rest->licenses[l] -= (int64_t)job->licenses[l];
}

static void take_plans(struct rest *rest, size_t job, int64_t when)
{
	for (size_t k = 0; k < slow[job].n_plans; k++) {
		struct slow_plan *plan = &slow[job].plans[k];

		if (plan->reserved && plan->start <= when && when < plan->end)
			take(rest, &jobs[job], plan->amounts);
	}
}

static void whole_cluster(struct rest *rest)
{
	for (size_t k = 0; k < s.n_nodes; k++) {
		rest->of[k][0] = nodes[k].cpus;
		rest->of[k][1] = (int64_t)nodes[k].mem;
		for (size_t g = 0; g < GRES; g++)
			rest->of[k][2 + g] = (int64_t)node_gres[k][g];
	}
	for (size_t l = 0; l < LICENSES; l++)
		rest->licenses[l] = (int64_t)total[l];
}

static void check_moment(int64_t when)
{
	struct rest rest = {0};

	whole_cluster(&rest);
	for (size_t i = 0; i < n_runs; i++)
		if (when < runs[i].end)
			take(&rest, runs[i].job, runs[i].amounts);
	for (size_t i = 0; i < s.n_jobs; i++)
		take_plans(&rest, i, when);
	for (size_t k = 0; k < s.n_nodes; k++)
		for (size_t d = 0; d < DIMENSIONS; d++)
			if (rest.of[k][d] < 0)
				fail_msg("%s, %u: node %zu, amount %zu",
					policy_name, number, k, d);
	for (size_t l = 0; l < LICENSES; l++)
		if (rest.licenses[l] < 0 && (when == s.now || licenses_count))
			fail_msg("%s, %u: license %zu", policy_name, number, l);
}

/* It is on nodes it may use, and on none kept for others. */
static void check_place(const struct sched_job *job,
	const struct sched_partition *p, uint64_t set, int64_t start,
	int64_t end)
{
	assert_true(set && !(set & ~set_of(p->nodes, p->n_nodes)));
	assert_true(!job->may || !(set & ~*job->may));
	for (size_t i = 0; i < s.n_nodes; i++)
		assert_false(nodes[i].down && (set >> i & 1));
	for (size_t i = 0; i < s.n_reservations; i++) {
		const struct sched_reservation *r = &reservations[i];
		bool inside = start >= r->start && end <= r->end;
		bool beside = start >= r->end || end <= r->start;

		if (job->reservation == i + 1 ? !inside || (set & ~kept[i])
					      : !job->reservation && !beside &&
							(set & kept[i]))
			fail_msg("%s, %u: job %u: reservation", policy_name,
				number, job->id);
	}
}

static void check_job(const struct sched_job *job)
{
	for (size_t k = 0; k < job->n_starts; k++) {
		const struct sched_start *start = &job->starts[k];
		int64_t seconds =
			start->minutes ? (int64_t)start->minutes * 60
				       : schedule_seconds(job, start->choice);

		check_place(job, start->choice->partition,
			set_of(start->nodes, start->n_nodes), s.now,
			s.now + seconds);
	}
	for (size_t k = 0; k < job->n_plans; k++) {
		const struct sched_plan *plan = &job->plans[k];

		assert_true(plan->start > s.now);
		check_moment(plan->start);
		check_place(job, plan->choice->partition,
			set_of(plan->nodes, plan->n_nodes), plan->start,
			plan->end);
	}
}

static void check_pass(const char *policy, uint32_t which)
{
	random_cluster(policy, which, JOBS);
	/* Its slots end on the grid, up to a minute early. */
	if (b.release == RELEASE_20_11)
		return;
	slow_pass();
	backfill_pass(&s, &b, &arena, &scratch);
	for (size_t i = 0; i < s.n_jobs; i++)
		compare_job(i);
	check_moment(s.now);
	for (size_t i = 0; i < s.n_jobs; i++)
		if (jobs[i].startable)
			check_job(&jobs[i]);
}

static void nothing_is_taken_twice(void **state)
{
	even = true;
	for (size_t p = 0; p < POLICIES; p++)
		for (uint32_t which = 1; which <= cases(); which++)
			check_pass(policies[p], which);
	/* On fewer nodes than it has, a job could go on beside a promise. */
	check_pass("slurm", 1401);
	even = false;
}

/* ---- parts start together ------------------------------------------------*/

/* No node runs more than it has, but for jobs that are over their time: others
 * may start on their nodes. */
static void check_use(void)
{
	uint64_t busy[NODES] = {0};

	for (size_t i = 0; i < s.n_running; i++) {
		const struct sched_running *r = &s.running[i];
		const struct sched_start *start = &r->start;

		for (size_t k = 0; r->end > s.now && k < start->n_nodes; k++) {
			uint32_t node = start->nodes[k];

			busy[node] += start->whole     ? nodes[node].cpus
				      : start->cpus_on ? start->cpus_on[k]
						       : 1;
		}
	}
	for (size_t k = 0; k < s.n_nodes; k++)
		assert_true(busy[k] <= nodes[k].cpus);
}

static void parts_start_together(void **state)
{
	static const char *const some[] = {"slurm", "slurm:bf_hetjob_immediate",
		"slurm:bf_hetjob_immediate,bf_max_job_start=1",
		"slurm:bf_licenses", "slurm:bf_running_job_reserve",
		"slurm:bf_resolution=7,bf_busy_nodes", "conservative", "easy",
		"fcfs"};
	size_t started = 0;

	pairs = true;
	for (size_t p = 0; p < sizeof(some) / sizeof(*some); p++)
		for (uint32_t which = 1; which <= 4 * cases(); which++) {
			random_cluster(some[p], which, JOBS);
			backfill_pass(&s, &b, &arena, &scratch);
			check_use();
			for (size_t i = 0; i + 1 < s.n_jobs; i++) {
				if (!jobs[i].het || jobs[i].het != jobs[i].id)
					continue;
				SAME(jobs[i].n_starts, jobs[i + 1].n_starts,
					"parts", i);
				started += jobs[i].n_starts;
			}
		}
	assert_true(started > 50);
	pairs = false;
}

/* ---- promises are kept ---------------------------------------------------*/

static int64_t promised_start(const struct sched_job *job)
{
	if (job->n_starts)
		return s.now;
	return job->n_plans && job->plans[0].reserved ? job->plans[0].start : 0;
}

/* Where the table is full nothing more is. */
static bool may_be_planned(const struct sched_job *job)
{
	return promised_start(job) || b.report.exit != BACKFILL_TABLE_FULL;
}

/*
 * In plain order jobs behind move none of those in front. Slurm lets some by: one
 * that waits for ReqNodeNotAvail keeps nothing from them. And what the main
 * pass has started beside them does move them, wherever it runs: ends of jobs
 * are looked at in groups, and a job that ends in between widens the group
 * (willrun.c). So the main pass starts the same jobs in both.
 */
static void promises_are_kept(void **state)
{
	int64_t alone[JOBS];

	plain = even = true;
	for (size_t p = 0; p < POLICIES; p++)
		for (uint32_t which = 1; which <= cases(); which++) {
			size_t n;

			random_cluster(policies[p], which, 1 + which % 12);
			backfill_pass(&s, &b, &arena, &scratch);
			n = s.n_jobs;
			for (size_t i = 0; i < n; i++)
				alone[i] = promised_start(&jobs[i]);
			main_most = n;
			random_cluster(policies[p], which, JOBS);
			main_most = 0;
			backfill_pass(&s, &b, &arena, &scratch);
			for (size_t i = 0; i < n; i++)
				if (alone[i] && may_be_planned(&jobs[i]))
					SAME(promised_start(&jobs[i]), alone[i],
						"start", i);
		}
	plain = even = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_slowly),
		cmocka_unit_test(nothing_is_taken_twice),
		cmocka_unit_test(parts_start_together),
		cmocka_unit_test(promises_are_kept),
	};

	arena_init(&arena);
	arena_init(&scratch);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
