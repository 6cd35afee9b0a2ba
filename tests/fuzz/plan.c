/*
 * Any machine and queue under the main pass and the backfill pass: nodes,
 * partitions, reservations, running jobs, heterogeneous jobs, limits,
 * preemption, parameters, every policy. Nothing may fall; no node gets more
 * than it has, no job a node it may not have, parts of a job start together.
 *
 * The input is where chance comes from; when it ends, a generator that begins
 * with it goes on. An input of two bytes stands for MANY machines.
 */
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/text/reason.h"

enum { MANY = 400, SETS = 2, HOUR = 3600 };

#define NOW INT64_C(1675814417)

static struct {
	const uint8_t *data;
	size_t size;
	uint64_t state;
} chance;

static struct arena arena, scratch;

static uint32_t below(uint32_t n)
{
	uint32_t got;

	if (chance.size) {
		got = *chance.data++;
		chance.size--;
		chance.state = (chance.state ^ got) * UINT64_C(0x100000001b3);
		return n > 256 ? (got << 8 | (chance.state >> 40 & 255)) % n
			       : got % n;
	}
	chance.state = chance.state * UINT64_C(6364136223846793005) +
		       UINT64_C(1442695040888963407);
	return (uint32_t)(chance.state >> 33) % n;
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

static void *new_array(size_t n, size_t size)
{
	return arena_array(&arena, n, size);
}

static uint64_t *some_amounts(size_t n, uint32_t most)
{
	uint64_t *amounts = new_array(n, sizeof(*amounts));

	for (size_t i = 0; i < n; i++)
		amounts[i] = one_in(2) ? below(most) : 0;
	return amounts;
}

/* ---- the machine ---------------------------------------------------------*/

static uint64_t *some_nodes(const struct schedule *s, uint32_t one_of)
{
	uint64_t *set = new_array(bits_words(s->n_nodes), sizeof(*set));

	for (size_t i = 0; i < s->n_nodes; i++)
		if (!one_in(one_of))
			bits_set(set, i);
	return set;
}

static void make_nodes(struct schedule *s)
{
	bool alike = one_in(2), memory = one_in(2);
	uint32_t cpus = 1 + below(6);

	s->n_nodes = 1 + below(one_in(4) ? 140 : 12);
	s->nodes = new_array(s->n_nodes, sizeof(*s->nodes));
	for (size_t i = 0; i < s->n_nodes; i++) {
		struct sched_node *node = &s->nodes[i];

		node->name = "n";
		node->cpus = alike ? cpus : 1 + below(8);
		node->mem = memory ? 100 : 0;
		node->gres = some_amounts(s->n_gres, 5);
		node->gres_used = new_array(s->n_gres, sizeof(uint64_t));
		node->down = one_in(15);
		node->weight = alike ? 0 : below(3);
	}
}

static void make_partitions(struct schedule *s)
{
	s->n_partitions = 1 + below(3);
	s->partitions = new_array(s->n_partitions, sizeof(*s->partitions));
	for (size_t i = 0; i < s->n_partitions; i++) {
		struct sched_partition *p = &s->partitions[i];
		uint32_t *nodes = new_array(s->n_nodes, sizeof(*nodes));
		bool all = one_in(2);

		for (uint32_t k = 0; k < s->n_nodes; k++)
			if (all || below(3))
				nodes[p->n_nodes++] = k;
		p->name = "p";
		p->nodes = nodes;
		p->tier = (uint16_t)below(3);
		p->max_time = one_in(3) ? 1 + below(600) : INFINITE;
		p->default_time = one_in(3) ? 1 + below(100) : NO_VAL;
		p->min_nodes = one_in(8) ? 1 + below(3) : INFINITE;
		p->max_nodes = one_in(5) ? 1 + below(5) : INFINITE;
		p->max_cpus_per_node = one_in(6) ? 1 + below(4) : INFINITE;
		p->exclusive = one_in(4);
		p->exclusive_user = one_in(8);
		p->least_loaded = one_in(8);
		p->refuses = one_in(15) ? REASON_PARTITION_DOWN : 0;
	}
}

static void make_reservations(struct schedule *s)
{
	struct sched_reservation *all = new_array(3, sizeof(*all));

	s->reservations = all;
	s->n_reservations = one_in(2) ? below(4) : 0;
	for (size_t i = 0; i < s->n_reservations; i++) {
		all[i].start = NOW - HOUR + below(10 * HOUR);
		all[i].end = all[i].start + 1 + below(6 * HOUR);
		all[i].nodes = some_nodes(s, 2);
	}
}

/* ---- jobs ----------------------------------------------------------------*/

static const struct limit_chain *some_limits(const struct schedule *s)
{
	struct limit_level *level = new_array(1, sizeof(*level));
	struct limit_usage *usage = new_array(1, sizeof(*usage));
	struct limit_chain *chain = new_array(1, sizeof(*chain));

	*chain = (struct limit_chain){.levels = level,
		.n = 1,
		.n_qos = below(2),
		.deny = one_in(2),
		.usage_factor = 1,
		.default_time = NO_VAL,
		.max_time = NO_VAL};
	limit_level_init(level);
	level->qos = chain->n_qos;
	level->all = level->user = level->account = usage;
	usage->node_jobs = new_array(s->n_nodes, sizeof(uint32_t));
	if (one_in(2))
		level->number[LIMIT_GRP_JOBS] = below(5);
	if (one_in(4))
		level->number[LIMIT_MAX_WALL] = below(500);
	for (int i = 0; i < LIMIT_TRES_LISTS; i++)
		if (one_in(8))
			tres_list_set(&level->tres[i], &arena,
				one_in(2) ? TRES_CPU : TRES_NODE, below(20));
	return chain;
}

static struct tres_list *asked(const struct sched_job *job)
{
	struct tres_list *tres = new_array(1, sizeof(*tres));

	tres_list_set(tres, &arena, TRES_CPU, job->cpus);
	tres_list_set(tres, &arena, TRES_MEM, job->mem);
	tres_list_set(tres, &arena, TRES_NODE, job->nodes);
	return tres;
}

static void make_choices(struct schedule *s, struct sched_job *job,
	const struct limit_chain *const *limits)
{
	static const uint32_t others[] = {1, 2, 0};

	job->n_choices = one_in(4) ? 1 + below((uint32_t)s->n_partitions) : 1;
	job->choices = new_array(job->n_choices, sizeof(*job->choices));
	for (size_t i = 0; i < job->n_choices; i++) {
		struct sched_choice *choice = &job->choices[i];
		uint32_t p = (uint32_t)i + below((uint32_t)s->n_partitions);

		choice->partition = &s->partitions[p % s->n_partitions];
		choice->priority = below(1000);
		choice->qos = below(4);
		choice->limits = one_in(3) ? limits[below(3)] : NULL;
		choice->tres = asked(job);
		choice->refused = one_in(30) ? REASON_INVALID_QOS : 0;
		choice->may.any_time = one_in(9);
		choice->may.any_min_nodes = one_in(9);
		choice->may.any_max_nodes = one_in(9);
		choice->may.no_reserve = one_in(12);
		choice->may.preempts = one_in(4) ? others : NULL;
		choice->may.preempts_own = one_in(9);
		choice->may.preempts_lower = one_in(9);
		if (choice->limits && one_in(4))
			*ARENA_PUSH(&arena, choice->later, choice->n_later,
				choice->cap_later) = (struct sched_later){
				NOW + 1 + below(9 * HOUR), limits[below(3)]};
	}
}

/* How it may lie on nodes, as db/view/plan_request.c gives it. */
static void make_shape(struct schedule *s, struct sched_job *job)
{
	uint32_t each = one_in(3) ? 1 + below(4) : 1;

	job->cpus_per_task = each;
	job->tasks_asked = job->cpus / each ? job->cpus / each : 1;
	job->tasks_per_node = one_in(5) ? 1 + below(5) : 0;
	job->most_nodes = one_in(2) ? job->nodes + below(3) : 0;
	job->any_nodes = one_in(3);
	/* One with nodes of its own is counted with so much for all CPUs there,
	 * however little memory they have. */
	if (one_in(3))
		job->mem_per_cpu = job->mem ? 1 + below(12) : 0;
	else
		job->mem_per_node = job->mem / job->nodes;
	if (one_in(9)) {
		uint64_t *one = new_array(
			bits_words(s->n_nodes), sizeof(*one));

		for (uint32_t i = 1 + below(3); i; i--)
			bits_set(one, below((uint32_t)s->n_nodes));
		job->required = one;
	}
	if (!job->gres)
		return;
	job->gres_kind = below((uint32_t)s->n_gres);
	if (one_in(2)) {
		uint64_t *all = new_array(s->n_gres, sizeof(*all));

		job->gres_node = some_amounts(s->n_gres, 3);
		for (size_t i = 0; i < s->n_gres; i++)
			all[i] = job->gres_node[i] * job->nodes;
		job->gres = all;
	} else if (one_in(2))
		job->gres_task = 1 + below(2);
	else
		job->gres_job = job->gres[job->gres_kind];
}

static void make_job(struct schedule *s, size_t i,
	const struct limit_chain *const *limits)
{
	static const uint32_t minutes[] = {1, 60, 600, INFINITE, NO_VAL};
	struct sched_job *job = &s->jobs[i];

	job->id = (uint32_t)i + 1;
	job->user = below(3);
	job->assoc = below(3);
	job->submit = NOW - below(5000);
	job->nodes = one_in(3) ? 1 + below(6) : 1;
	job->cpus = one_in(3) ? 1 + below(40) : job->nodes * (1 + below(4));
	job->mem = one_in(3) ? 1 + below(300) : 0;
	job->gres = s->n_gres && one_in(5) ? some_amounts(s->n_gres, 4) : NULL;
	job->licenses = one_in(5) ? some_amounts(s->n_licenses, 3) : NULL;
	job->may = one_in(8) ? some_nodes(s, 2) : NULL;
	job->time_limit = one_in(2) ? 1 + below(500) : minutes[below(5)];
	job->time_min = one_in(8) ? 1 + below(60) : 0;
	job->exclusive = one_in(8);
	job->tasks = one_in(8) ? 1 + below(5) : 1;
	job->startable = 1 + below(job->tasks);
	job->waits = one_in(20) ? REASON_HELD_USER : 0;
	if (s->n_reservations && one_in(6))
		job->reservation = 1 + below((uint32_t)s->n_reservations);
	make_shape(s, job);
	make_choices(s, job, limits);
}

/* Jobs behind one another are parts; one may be missing. */
static void make_parts(struct schedule *s)
{
	for (size_t i = 0; i < s->n_jobs; i++) {
		size_t n = one_in(4) ? 1 + below(3) : 0, first = i;

		for (; n && i < s->n_jobs; n--, i++) {
			struct sched_job *job = &s->jobs[i];

			job->het = s->jobs[first].id;
			job->het_parts = (uint32_t)(i - first + n);
			job->tasks = job->startable = 1;
		}
	}
	for (size_t i = s->n_jobs; i-- > 1;)
		if (s->jobs[i].het && s->jobs[i].het == s->jobs[i - 1].het)
			s->jobs[i - 1].het_parts = s->jobs[i].het_parts;
}

/* Those that the main pass started run already. */
static void let_run(struct schedule *s)
{
	schedule_main(s, &arena);
	for (size_t i = 0; i < s->n_jobs; i++) {
		s->jobs[i].startable -= (uint32_t)s->jobs[i].n_starts;
		s->jobs[i].waits |= s->jobs[i].startable ? 0 : REASON_HELD_USER;
		s->jobs[i].n_starts = 0;
	}
	for (size_t i = 0; i < s->n_running; i++) {
		struct sched_running *r = &s->running[i];
		int64_t gone = NOW + below(3) * 60;

		schedule_move_end(s, i, NOW + 1 + below(8 * HOUR), &arena);
		r = &s->running[s->n_running - 1];
		r->qos = below(4);
		r->how = (enum preempted_how)(r->job->tasks == 1 ? below(4)
								 : 0);
		r->exempt_until = one_in(5) ? NOW + 60 : 0;
		r->gone = gone;
		r->warned = one_in(4);
		r->priority = below(1000);
		r->qos_priority = below(100);
	}
}

/* ---- parameters ----------------------------------------------------------*/

static void make_params(struct backfill *b)
{
	sched_params_init(&b->params);
	for (size_t i = 0; i < sched_param_count; i++) {
		const struct sched_param *row = &sched_param_rows[i];
		int64_t span = row->high - row->low;

		if (!one_in(8))
			continue;
		if (span > 2000)
			span = 2000;
		*sched_param_member(&b->params, row) =
			row->low + below((uint32_t)span + 1);
	}
	sched_params_complete(&b->params, NULL, &arena);
	b->policy = (enum backfill_policy)(one_in(2) ? 0 : below(4));
	b->release = one_in(8) ? RELEASE_20_11 : RELEASE_26_05;
	b->cores = one_in(3);
	b->blocks_from = one_in(3) ? 1 : 0;
	b->skip_same_shape = one_in(3);
	b->only_times = one_in(4);
	b->test_cost = one_in(4) ? below(500000) : 0;
}

static void make(struct schedule *s, struct backfill *b)
{
	const struct limit_chain *limits[3];

	*s = (struct schedule){.now = NOW,
		.n_gres = below(3),
		.n_licenses = below(3),
		.textbook = b->policy != BACKFILL_SLURM || !below(4),
		.serial_at_end = one_in(6),
		.limit_stops = b->params.assoc_limit_stop,
		.licenses_stop = b->params.bf_licenses,
		.queue_depth = one_in(4) ? 1 + below(9) : 0,
		.preempt = {.by = (enum preempt_by)(one_in(2) ? below(3) : 0),
			.youngest_first = one_in(3),
			.strict_order = one_in(3),
			.reclaim_licenses = one_in(3),
			.reorder_count = below(3),
			.min_exempt_priority = one_in(6) ? 500 : 0}};
	s->licenses = some_amounts(s->n_licenses, 5);
	s->licenses_used = new_array(s->n_licenses, sizeof(uint64_t));
	make_nodes(s);
	make_partitions(s);
	make_reservations(s);
	for (size_t i = 0; i < 3; i++)
		limits[i] = some_limits(s);
	s->n_jobs = below(24);
	s->jobs = new_array(s->n_jobs, sizeof(*s->jobs));
	for (size_t i = 0; i < s->n_jobs; i++)
		make_job(s, i, limits);
	let_run(s);
	make_parts(s);
}

/* ---- what holds ----------------------------------------------------------*/

static void check_nodes(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice, const uint32_t *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CHECK(nodes[i] < s->n_nodes);
		CHECK(!i || nodes[i - 1] < nodes[i]);
		CHECK(!s->nodes[nodes[i]].down);
		CHECK(bits_has(choice->partition->bits, nodes[i]));
		CHECK(!job->may || bits_has(job->may, nodes[i]));
	}
}

static void check_job(const struct schedule *s, const struct backfill *b,
	const struct sched_job *job)
{
	CHECK(job->n_starts <= job->startable);
	CHECK(!job->waits || (!job->n_starts && !job->n_plans));
	for (size_t i = 0; i < job->n_starts; i++) {
		const struct sched_start *start = &job->starts[i];

		CHECK(start->n_nodes > 0);
		check_nodes(s, job, start->choice, start->nodes,
			start->n_nodes);
	}
	for (size_t i = 0; i < job->n_plans; i++) {
		const struct sched_plan *plan = &job->plans[i];

		CHECK(plan->start >= s->now && plan->end > plan->start);
		CHECK(plan->n_nodes > 0);
		if (!b->only_times)
			check_nodes(s, job, plan->choice, plan->nodes,
				plan->n_nodes);
	}
}

/* GPUs of tasks, or of the whole job on any nodes, count as spread evenly. */
static bool gres_exact(const struct schedule *s)
{
	for (size_t i = 0; i < s->n_jobs; i++)
		if (s->jobs[i].gres && !s->jobs[i].gres_node)
			return false;
	return true;
}

static void check_use(const struct schedule *s)
{
	for (size_t i = 0; i < s->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[i];

		CHECK(node->cpus_used <= node->cpus);
		CHECK(!node->mem || node->mem_used <= node->mem);
		CHECK(node->whole <= 1 && node->jobs >= node->whole);
		for (size_t g = 0; gres_exact(s) && g < s->n_gres; g++)
			CHECK(node->gres_used[g] <= node->gres[g]);
	}
	for (size_t i = 0; i < s->n_licenses; i++)
		CHECK(s->licenses_used[i] <= s->licenses[i]);
}

static void check(const struct schedule *s, const struct backfill *b)
{
	check_use(s);
	for (size_t i = 0; i < s->n_jobs; i++) {
		const struct sched_job *job = &s->jobs[i];

		check_job(s, b, job);
		for (size_t k = 0; job->het && k < s->n_jobs; k++)
			if (s->jobs[k].het == job->het)
				CHECK(s->jobs[k].n_starts == job->n_starts);
	}
}

static void machine(void)
{
	struct backfill b = {0};
	struct schedule s;

	arena_reset(&arena);
	arena_reset(&scratch);
	make_params(&b);
	make(&s, &b);
	schedule_main(&s, &arena);
	backfill_pass(&s, &b, &arena, &scratch);
	check(&s, &b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size == 2 ? MANY : 1;

	for (size_t i = 0; i < n; i++) {
		chance.data = data;
		chance.size = size;
		chance.state = UINT64_C(0xcbf29ce484222325) + (i << 20);
		while (n > 1 && chance.size)
			(void)below(2);
		machine();
	}
	arena_release(&arena);
	arena_release(&scratch);
	return 0;
}
