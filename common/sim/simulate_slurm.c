/*
 * Slurm's scheduling in a simulation; see simulate_slurm.h.
 *
 * The passes work on arrays of waiting and running jobs, and take memory as
 * they go. To bound it, the whole cluster is now and then built again in fresh
 * memory, from what runs.
 */
#include "common/sim/simulate_slurm_state.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/plan/schedule_nodes.h"

enum { ANEW_EVERY = 256, DAY = 86400 };

enum { WIDE = 512 }; /* nodes from which on blocks of them pay */

static struct slurm *slurm_of(const struct sim *sim)
{
	return sim->state;
}

static const struct sim_kind plain_kind = {
	.assoc_priority = NO_VAL,
	.usage_factor = 1,
};

const struct sim_kind *slurm_kind_of(const struct slurm *slurm, uint32_t job)
{
	uint32_t tag = slurm->sim->trace->jobs[job].tag;

	return tag ? &slurm->options->kinds[tag - 1] : &plain_kind;
}

/* ---- opening -------------------------------------------------------------*/

void sim_machine_plain(struct sim_machine *machine, size_t n, uint32_t cpus,
	struct arena *arena)
{
	struct sched_node *nodes = arena_array(arena, n, sizeof(*nodes));
	uint32_t *indexes = arena_array(arena, n, sizeof(*indexes));
	struct sched_partition *p = arena_alloc(arena, sizeof(*p));

	for (size_t i = 0; i < n; i++) {
		nodes[i] = (struct sched_node){.name = "node", .cpus = cpus};
		indexes[i] = (uint32_t)i;
	}
	*p = (struct sched_partition){
		.name = "all",
		.nodes = indexes,
		.n_nodes = n,
		.tier = 1,
		.max_time = INFINITE,
		.default_time = NO_VAL,
		.min_nodes = INFINITE,
		.max_nodes = INFINITE,
		.max_cpus_per_node = INFINITE,
	};
	*machine = (struct sim_machine){
		.nodes = nodes,
		.n_nodes = n,
		.partitions = p,
		.n_partitions = 1,
	};
}

static void copy_machine(struct slurm *slurm)
{
	const struct sim_machine *machine = &slurm->options->machine;
	struct schedule *s = &slurm->s;

	s->n_nodes = machine->n_nodes;
	s->nodes = arena_array(&slurm->lasting, s->n_nodes, sizeof(*s->nodes));
	memcpy(s->nodes, machine->nodes, s->n_nodes * sizeof(*s->nodes));
	s->n_partitions = machine->n_partitions;
	s->partitions = arena_array(
		&slurm->lasting, s->n_partitions, sizeof(*s->partitions));
	memcpy(s->partitions, machine->partitions,
		s->n_partitions * sizeof(*s->partitions));
	schedule_measure(s, &slurm->lasting);
}

static void add_up(struct slurm *slurm, size_t partition)
{
	const struct sched_partition *p = &slurm->s.partitions[partition];
	struct tres_list *totals = &slurm->totals[partition];
	uint64_t cpus = 0;

	for (size_t i = 0; i < p->n_nodes; i++)
		cpus += slurm->s.nodes[p->nodes[i]].cpus;
	tres_list_set(totals, &slurm->lasting, TRES_CPU, cpus);
	tres_list_set(totals, &slurm->lasting, TRES_NODE, p->n_nodes);
	tres_list_set(totals, &slurm->lasting, TRES_BILLING, cpus);
}

static void open_priorities(struct slurm *slurm)
{
	const struct sim_machine *machine = &slurm->options->machine;
	struct priority_context *context = &slurm->context;

	context->policy = slurm->options->policy;
	if (slurm->options->tres_weights)
		context->tres_weights = *slurm->options->tres_weights;
	context->nodes = (uint32_t)machine->n_nodes;
	for (size_t i = 0; i < machine->n_nodes; i++)
		context->cpus += machine->nodes[i].cpus;
	slurm->totals = arena_array(
		&slurm->lasting, machine->n_partitions, sizeof(*slurm->totals));
	for (size_t i = 0; i < machine->n_partitions; i++) {
		uint16_t factor =
			machine->job_factors ? machine->job_factors[i] : 1;

		if (factor > context->max_partition_factor)
			context->max_partition_factor = factor;
		add_up(slurm, i);
	}
	context->max_qos_priority = slurm->options->max_qos_priority;
	context->max_assoc_priority = slurm->options->max_assoc_priority;
	slurm->share = sim_share_new(slurm->sim->trace, slurm->options->policy,
		slurm->options->tree);
	slurm->computed = INT64_MIN;
}

/* Microseconds of the backfill pass so far. */
static int64_t passed(const struct slurm *slurm)
{
	return (int64_t)slurm->backfill.report.tests *
		       slurm->backfill.test_cost +
	       slurm->yields * slurm->backfill.params.bf_yield_sleep;
}

static void note_start(void *arg, const struct nodespace *table,
	const struct sched_job *job, const struct sched_plan *plan)
{
	struct slurm *slurm = arg;

	(void)table;
	if (!job || !plan || plan->start != slurm->s.now || !job->n_starts)
		return;
	*MEMORY_PUSH(slurm->started, slurm->n_started, slurm->cap_started) =
		(struct started){job, job->id, passed(slurm)};
}

/* While the pass slept: has a job ended or been submitted? */
static bool yield(void *arg)
{
	struct slurm *slurm = arg;

	slurm->yields++;
	return sim_next_event(slurm->sim) <=
	       slurm->sim->now + passed(slurm) / 1000000;
}

static int open_it(struct sim *sim, struct err *err)
{
	struct slurm *slurm = memory_zeroed(1, sizeof(*slurm));

	(void)err;
	slurm->options = sim->options->policy;
	slurm->sim = sim;
	slurm->base = sim->trace->start ? sim->trace->start : DAY;
	arena_init(&slurm->lasting);
	arena_init(&slurm->passing);
	arena_init(&slurm->spare);
	arena_init(&slurm->scratch);
	arena_init(&slurm->usage);
	slurm->backfill = slurm->options->backfill;
	slurm->backfill.watch = note_start;
	slurm->backfill.yield = yield;
	slurm->backfill.arg = slurm;
	slurm->backfill.blocks_from = WIDE;
	slurm->backfill.only_times = true;
	slurm->backfill.test_cost = (int64_t)(sim->options->test_cost * 1e6);
	backfill_lead(&slurm->backfill, &slurm->s);
	slurm->backfilled = INT64_MIN / 2;
	slurm->main_at = INT64_MIN / 2;
	slurm->counted = slurm->reset = INT64_MIN / 2;
	slurm->s.preempt = slurm->options->preempt;
	sim->state = slurm;
	copy_machine(slurm);
	open_priorities(slurm);
	return 0;
}

static void close_it(struct sim *sim)
{
	struct slurm *slurm = slurm_of(sim);

	if (slurm->s.n_jobs) {
		sim->left = slurm->s.jobs[0].id - 1;
		sim->left_reason = slurm->s.jobs[0].reason;
	}
	for (size_t i = 0; i < slurm->s.n_jobs; i++)
		free(slurm->waiting[i]);
	free(slurm->waiting);
	free(slurm->s.jobs);
	free(slurm->started);
	free(slurm->suspended);
	free(slurm->requeued);
	slurm_limits_close(slurm);
	sim_share_free(slurm->share);
	arena_release(&slurm->lasting);
	arena_release(&slurm->passing);
	arena_release(&slurm->spare);
	arena_release(&slurm->scratch);
	arena_release(&slurm->usage);
	free(slurm);
}

/* ---- memory --------------------------------------------------------------*/

/* What a running job needs to be known by: its index in the trace and its
 * size. */
static struct sched_job *copy_run(
	const struct slurm_run *from, struct arena *arena)
{
	struct slurm_run *run = arena_alloc(arena, sizeof(*run));

	*run = *from;
	return &run->job;
}

static struct slurm_run new_run(const struct sched_running *r)
{
	const struct sched_job *from = r->job;

	return (struct slurm_run){
		.job =
			{
				.id = from->id,
				.cpus = from->cpus,
				.nodes = from->nodes,
				.mem = from->mem,
				.user = from->user,
				.assoc = from->assoc,
			},
		.cpus = r->start.cpus,
		.n_nodes = (uint32_t)r->start.n_nodes,
		.whole = r->start.whole,
	};
}

/* Everything that runs is put on its nodes again, in fresh memory. */
static void set_up_anew(struct slurm *slurm)
{
	struct schedule *s = &slurm->s;
	struct sched_running *running = s->running;
	size_t n = s->n_running;
	struct arena old = slurm->passing;

	slurm->passing = slurm->spare;
	s->queue = NULL;
	s->cap_queue = 0;
	schedule_clear(s);
	for (size_t i = 0; i < n; i++) {
		running[i].job = copy_run(
			slurm_run_of(running[i].job), &slurm->passing);
		schedule_keep(&running[i].start, &slurm->passing);
		schedule_run(s, &running[i], &slurm->passing);
		slurm_preempt_set_up(slurm, i);
	}
	arena_reset(&old);
	slurm->spare = old;
	slurm->passes = 0;
	slurm->recount = true;
}

/* ---- jobs ----------------------------------------------------------------*/

static uint32_t partition_of(const struct slurm *slurm, uint32_t job)
{
	const struct sim_machine *machine = &slurm->options->machine;

	return machine->partition_of
		       ? machine->partition_of[slurm->sim->trace->jobs[job]
						       .queue]
		       : 0;
}

static struct queued_job *get_to_know(struct slurm *slurm, uint32_t job)
{
	const struct trace_job *record = &slurm->sim->trace->jobs[job];
	const struct sim_kind *kind = slurm_kind_of(slurm, job);
	struct queued_job *known = memory_zeroed(1, sizeof(*known));

	known->job = job;
	known->submit = slurm->base + record->submit;
	known->counts[0] = (struct tres_count){TRES_CPU, record->procs};
	known->counts[1] = (struct tres_count){TRES_NODE, 1};
	known->counts[2] = (struct tres_count){TRES_BILLING, record->procs};
	known->tres = (struct tres_list){known->counts, 3, 3};
	known->choice.partition =
		&slurm->s.partitions[partition_of(slurm, job)];
	known->choice.tres = &known->tres;
	known->choice.limits = slurm_limits_of(slurm, job);
	known->choice.qos = kind->qos;
	known->choice.may = kind->may;
	return known;
}

static void grow(struct slurm *slurm)
{
	slurm->cap = slurm->cap ? slurm->cap * 2 : 256;
	slurm->waiting = memory_resize(
		slurm->waiting, slurm->cap, sizeof(struct queued_job *));
	slurm->s.jobs = memory_resize(
		slurm->s.jobs, slurm->cap, sizeof(*slurm->s.jobs));
}

static struct queued_job *queue(struct slurm *slurm, uint32_t job)
{
	struct sim *sim = slurm->sim;
	const struct trace_job *record = &sim->trace->jobs[job];
	size_t i = slurm->s.n_jobs;
	struct queued_job *known;

	if (i == slurm->cap)
		grow(slurm);
	known = slurm->waiting[i] = get_to_know(slurm, job);
	slurm->s.jobs[i] = (struct sched_job){
		.record = known,
		.id = job + 1,
		.user = record->user,
		.assoc = sim_share_assoc(slurm->share, job),
		.submit = known->submit,
		.cpus = record->procs,
		.nodes = 1,
		.time_limit = slurm_minutes(sim->planned[job]),
		.exclusive = slurm->options->machine.whole,
		.tasks = 1,
		.startable = 1,
		.choices = &known->choice,
		.n_choices = 1,
	};
	slurm->s.n_jobs++;
	slurm->changed = true;
	return known;
}

static void arrive(struct sim *sim, uint32_t job)
{
	(void)queue(slurm_of(sim), job);
}

/* Requeued jobs join the queue like new ones. */
static void queue_again(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->n_requeued; i++) {
		struct queued_job *known = queue(slurm, slurm->requeued[i]);

		known->submit = slurm->s.now;
		slurm->s.jobs[slurm->s.n_jobs - 1].submit = known->submit;
	}
	slurm->n_requeued = 0;
}

size_t slurm_find_running(const struct slurm *slurm, uint32_t job)
{
	size_t i = 0;

	while (slurm->s.running[i].job->id != job + 1)
		if (++i == slurm->s.n_running)
			BUG("a job that does not run");
	return i;
}

int64_t slurm_last_began(const struct slurm *slurm, uint32_t job)
{
	const struct sim *sim = slurm->sim;

	return slurm->base + (sim->broken.runs ? sim->broken.runs[job].last
					       : sim->start[job]);
}

/* Limits are minutes. */
int64_t slurm_expected_end(const struct slurm *slurm, uint32_t job)
{
	int64_t planned = slurm->sim->planned[job];

	return slurm->base + sim_expected_end(slurm->sim, job) - planned +
	       (int64_t)slurm_minutes(planned) * 60;
}

void slurm_stretch_over(struct slurm *slurm, const struct slurm_run *run)
{
	uint32_t job = run->job.id - 1;

	slurm->s.now = slurm->base + slurm->sim->now;
	slurm_limits_ran(slurm, run);
	sim_share_ran(slurm->share, job, slurm_last_began(slurm, job),
		slurm->base + slurm->sim->now,
		slurm_kind_of(slurm, job)->usage_factor);
	slurm->recount = true;
	slurm->changed = true;
}

static void leave(struct sim *sim, uint32_t job)
{
	struct slurm *slurm = slurm_of(sim);
	size_t i = slurm_find_running(slurm, job);

	slurm_stretch_over(slurm, slurm_run_of(slurm->s.running[i].job));
	schedule_end(&slurm->s, i);
}

static void move_end(struct slurm *slurm, uint32_t job)
{
	schedule_move_end(&slurm->s, slurm_find_running(slurm, job),
		slurm_expected_end(slurm, job), &slurm->passing);
}

static void revise(struct sim *sim, uint32_t job, int64_t was)
{
	struct slurm *slurm = slurm_of(sim);

	(void)was;
	move_end(slurm, job);
	slurm->changed = true;
}

/* ---- priorities ----------------------------------------------------------*/

static uint32_t priority_of(struct slurm *slurm, const struct queued_job *known,
	const struct sched_job *job)
{
	const struct sim_machine *machine = &slurm->options->machine;
	const struct sim_kind *kind = slurm_kind_of(slurm, known->job);
	size_t index = (size_t)(known->choice.partition - slurm->s.partitions);
	const struct priority_partition partition = {
		.job_factor =
			machine->job_factors ? machine->job_factors[index] : 1,
		.max_time = known->choice.partition->max_time,
		.totals = &slurm->totals[index],
	};
	const struct priority_job in = {
		.direct = NO_VAL,
		.accrue = (time_t)job->submit,
		.assoc_priority = kind->assoc_priority,
		.fairshare = sim_share_factor(slurm->share, known->job),
		.nodes = job->nodes,
		.cpus_alloc = NO_VAL,
		.cpus_max = NO_VAL,
		.cpus_min = job->cpus,
		.time_limit = slurm_minutes(
			slurm->sim->trace->jobs[known->job].limit),
		.tres = &known->tres,
	};
	struct priority_result result;

	priority_compute(&slurm->context, &in, &partition, kind->qos_priority,
		&result, &slurm->scratch);
	return result.priority;
}

static void compute_shares(struct slurm *slurm)
{
	const struct schedule *s = &slurm->s;

	if (!slurm->context.policy->weights.fairshare)
		return;
	sim_share_begin(slurm->share, s->now);
	for (size_t i = 0; i < s->n_running; i++) {
		uint32_t job = slurm_job_of(&s->running[i]);

		if (!slurm_is_suspended(slurm, job))
			sim_share_runs(slurm->share, job,
				slurm_last_began(slurm, job),
				slurm_kind_of(slurm, job)->usage_factor);
	}
	sim_share_end(slurm->share);
}

/* Of all jobs every PriorityCalcPeriod, and of new ones. */
static void compute_priorities(struct slurm *slurm)
{
	struct schedule *s = &slurm->s;
	const struct policy *policy = slurm->context.policy;
	bool all = s->now >= slurm->computed + policy->calc_period;

	if (!policy->multifactor)
		return;
	arena_reset(&slurm->scratch);
	if (all) {
		compute_shares(slurm);
		slurm->computed = s->now;
	}
	slurm->context.now = (time_t)s->now;
	for (size_t i = 0; i < s->n_jobs; i++) {
		struct queued_job *known = slurm->waiting[i];

		if (!all && known->priority)
			continue;
		known->priority = priority_update(
			known->priority ? known->priority : NO_VAL,
			priority_of(slurm, known, &s->jobs[i]), policy->flags);
		known->choice.priority = known->priority;
	}
}

/* ---- passes --------------------------------------------------------------*/

/* When in the pass it started, in whole seconds. */
static int64_t delay_of(const struct slurm *slurm, const struct sched_job *job)
{
	for (size_t i = 0; i < slurm->n_started; i++)
		if (slurm->started[i].job == job)
			return slurm->started[i].at / 1000000;
	return 0;
}

static void take_over(struct slurm *slurm, struct sched_running *r)
{
	uint32_t job = r->job->id - 1;
	int64_t delay = delay_of(slurm, r->job);
	struct slurm_run run = new_run(r);

	r->job = copy_run(&run, &slurm->passing);
	r->priority = r->start.choice->priority;
	r->start.choice = NULL;
	r->start.tres = NULL;
	r->start.victims = NULL;
	r->start.n_victims = 0;
	r->began += delay;
	slurm_preempt_started(slurm, r);
	sim_start_later(slurm->sim, job, delay);
}

/* Those that started late end late. */
static void move_ends(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->n_started; i++) {
		uint32_t job = slurm->started[i].id - 1;

		if (slurm->started[i].at >= 1000000)
			move_end(slurm, job);
	}
	slurm->n_started = 0;
}

static void note_promise(struct slurm *slurm, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_plans; i++)
		if (job->plans[i].reserved)
			sim_promise(slurm->sim, job->id - 1,
				job->plans[i].start - slurm->base);
}

/* What started is with the running already, with the choice it was started by;
 * the rest stays in line. */
static void take_over_all(struct slurm *slurm, size_t n_running)
{
	struct schedule *s = &slurm->s;
	size_t kept = 0;

	for (size_t i = 0; s->preempt.by && i < s->n_jobs; i++)
		slurm_preempt_act(slurm, &s->jobs[i]);
	/* Where some made way others may have moved. */
	for (size_t i = s->preempt.by ? 0 : n_running; i < s->n_running; i++)
		if (s->running[i].start.choice)
			take_over(slurm, &s->running[i]);
	for (size_t i = 0; i < s->n_jobs; i++) {
		struct sched_job *job = &s->jobs[i];

		if (job->n_starts) {
			free(slurm->waiting[i]);
			continue;
		}
		note_promise(slurm, job);
		job->starts = NULL;
		job->plans = NULL;
		job->n_plans = job->cap_plans = job->cap_starts = 0;
		if (kept != i) {
			slurm->waiting[kept] = slurm->waiting[i];
			s->jobs[kept] = *job;
		}
		kept++;
	}
	s->n_jobs = kept;
	move_ends(slurm);
	queue_again(slurm);
}

static void main_pass(struct slurm *slurm)
{
	size_t n = slurm->s.n_running;

	schedule_main(&slurm->s, &slurm->passing);
	slurm->sim->tests += slurm->s.n_started + 1;
	take_over_all(slurm, n);
}

/* Passes over the whole queue are at multiples of sched_interval. */
static int64_t next_whole_pass(const struct slurm *slurm, int64_t from)
{
	int64_t interval = slurm->backfill.params.sched_interval;

	if (interval < 0)
		return SIM_NEVER;
	return interval > 1 ? (from + interval - 1) / interval * interval
			    : from;
}

static int64_t main_pass_may_be(const struct slurm *slurm)
{
	int64_t least = slurm->backfill.params.sched_min_interval;

	/* The clock has whole seconds; less than one counts as 0. */
	return slurm->main_at + (least < 1000000 ? 0 : (least + 999999) / 1000000);
}

/* Did the pass end before the queue, which had so many jobs? */
static bool left_some(const struct slurm *slurm, size_t before)
{
	const struct schedule *s = &slurm->s;

	return s->n_jobs &&
	       ((s->queue_depth && before > s->queue_depth) ||
		       (s->start_most && before - s->n_jobs >= s->start_most));
}

/* At an event as many jobs as default_queue_depth are looked at. Gives when the
 * next one is to be even if nothing happens. */
static int64_t main_pass_if_due(struct slurm *slurm)
{
	const struct sched_params *params = &slurm->backfill.params;
	int64_t now = slurm->sim->now, from = main_pass_may_be(slurm);
	bool whole = next_whole_pass(slurm, now) == now;
	size_t before;

	if (now < from)
		return from;
	slurm->s.queue_depth =
		whole ? 0 : (uint32_t)params->default_queue_depth;
	slurm->main_at = now;
	before = slurm->s.n_jobs;
	main_pass(slurm);
	if (!left_some(slurm, before))
		return SIM_NEVER;
	from = main_pass_may_be(slurm);
	return next_whole_pass(slurm, from > now ? from : now + 1);
}

static void backfill(struct slurm *slurm)
{
	struct sim *sim = slurm->sim;
	size_t n = slurm->s.n_running;
	int64_t spent;

	slurm->yields = 0;
	slurm->changed = false;
	arena_reset(&slurm->scratch);
	backfill_pass(
		&slurm->s, &slurm->backfill, &slurm->passing, &slurm->scratch);
	spent = passed(slurm);
	slurm_preempt_warn(slurm);
	take_over_all(slurm, n);
	sim->tests += slurm->backfill.report.tests;
	sim->work.seconds += (double)spent / 1e6;
	if (slurm->backfill.report.records > sim->work.steps)
		sim->work.steps = slurm->backfill.report.records;
	slurm->backfilled = sim->now + spent / 1000000;
}

/* Between two backfill passes lies bf_interval; it waits for a change. */
static int64_t backfill_if_due(struct slurm *slurm)
{
	int64_t interval = slurm->backfill.params.bf_interval;

	if (interval < 0 || !slurm->s.n_jobs || !slurm->changed)
		return SIM_NEVER;
	if (slurm->sim->now >= slurm->backfilled + interval)
		backfill(slurm);
	if (!slurm->s.n_jobs || !slurm->changed)
		return SIM_NEVER;
	return slurm->backfilled + interval;
}

static int64_t pass(struct sim *sim)
{
	struct slurm *slurm = slurm_of(sim);
	int64_t next;

	slurm->s.now = slurm->base + sim->now;
	if (++slurm->passes >= ANEW_EVERY)
		set_up_anew(slurm);
	slurm_preempt_begin(slurm);
	slurm_limits_count(slurm);
	if (!slurm->s.n_jobs)
		return slurm_limits_wake(slurm);
	compute_priorities(slurm);
	next = main_pass_if_due(slurm);
	next = smaller(next, backfill_if_due(slurm));
	next = smaller(next, slurm_preempt_wake(slurm));
	return smaller(next, slurm_limits_wake(slurm));
}

const struct sim_policy sim_slurm_policy = {
	.name = "slurm",
	.own_time = true,
	.open = open_it,
	.close = close_it,
	.arrive = arrive,
	.leave = leave,
	.revise = revise,
	.pass = pass,
};
