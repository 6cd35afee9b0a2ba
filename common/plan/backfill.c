#include "common/plan/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bisect.h"
#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill_pass.h"
#include "common/plan/owner.h"
#include "common/plan/preempt.h"
#include "common/text/reason.h"

/* ---- opening -------------------------------------------------------------*/

static int compare_ends(const void *a, const void *b, void *arg)
{
	const struct sched_running *running = arg;
	const struct sched_running *x = &running[*(const uint32_t *)a];
	const struct sched_running *y = &running[*(const uint32_t *)b];

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x < y ? -1 : 1;
}

void backfill_put_in_order(struct pass *p, uint32_t running)
{
	const struct sched_running *all = p->s->running;
	int64_t end = all[running].end;
	size_t low = 0, high = p->n_order;

	BISECT(low, high, middle, all[p->order[middle]].end <= end)
	(void)ARENA_PUSH(p->scratch, p->order, p->n_order, p->cap_order);
	memmove(&p->order[low + 1], &p->order[low],
		(p->n_order - 1 - low) * sizeof(*p->order));
	p->order[low] = running;
}

void backfill_order_running(struct pass *p)
{
	struct schedule *s = p->s;

	p->n_order = 0;
	for (size_t i = 0; i < s->n_running; i++)
		*ARENA_PUSH(p->scratch, p->order, p->n_order, p->cap_order) =
			(uint32_t)i;
	if (p->n_order)
		qsort_r(p->order, p->n_order, sizeof(*p->order), compare_ends,
			s->running);
}

static void *numbers(struct pass *p, size_t n, size_t size)
{
	return arena_array(p->scratch, n + 1, size);
}

static void make_counters(struct pass *p)
{
	const struct schedule *s = p->s;
	size_t users = 0, assocs = 0;

	for (size_t i = 0; i < s->n_jobs; i++) {
		if (s->jobs[i].user >= users)
			users = s->jobs[i].user + 1;
		if (s->jobs[i].assoc >= assocs)
			assocs = s->jobs[i].assoc + 1;
	}
	p->of_user = numbers(p, users, sizeof(*p->of_user));
	p->of_assoc = numbers(p, assocs, sizeof(*p->of_assoc));
	p->of_partition = numbers(p, s->n_partitions, sizeof(*p->of_partition));
	p->reserved = numbers(p, s->n_partitions, sizeof(*p->reserved));
	p->not_before = numbers(p, s->n_partitions, sizeof(*p->not_before));
	if (p->b->params.bf_max_job_user_part)
		p->of_user_partition = numbers(p, users * s->n_partitions,
			sizeof(*p->of_user_partition));
}

void backfill_make_sets(struct pass *p)
{
	size_t words = p->ns.words;

	p->up = p->blocks ? p->blocks->up : numbers(p, words, sizeof(*p->up));
	p->ready = numbers(p, words, sizeof(*p->ready));
	p->usable = numbers(p, words, sizeof(*p->usable));
	p->next = numbers(p, words, sizeof(*p->next));
	p->entry = numbers(p, words, sizeof(*p->entry));
	p->chosen = numbers(p, words, sizeof(*p->chosen));
	p->left = numbers(p, words, sizeof(*p->left));
}

static void make_numbers(struct pass *p)
{
	size_t amounts = p->ns.n_nodes * p->ns.amounts;

	if (p->blocks)
		return;
	p->fit = numbers(p, p->ns.n_nodes, sizeof(*p->fit));
	p->times = numbers(p, p->ns.n_nodes, sizeof(*p->times));
	p->shares = numbers(p, p->ns.n_nodes, sizeof(*p->shares));
	if (!amounts)
		return;
	p->promised = numbers(p, amounts, sizeof(*p->promised));
	p->amounts = numbers(p, amounts, sizeof(*p->amounts));
	p->least = numbers(p, p->ns.amounts, sizeof(*p->least));
}

static const uint64_t *const *partition_sets(struct pass *p)
{
	const uint64_t **sets;

	if (p->blocks)
		return (const uint64_t *const *)p->blocks->groups;
	sets = numbers(p, p->s->n_partitions, sizeof(const uint64_t *));
	for (size_t i = 0; i < p->s->n_partitions; i++)
		sets[i] = p->s->partitions[i].bits;
	return sets;
}

/* CPUs, memory and gres of every node. */
static const uint32_t *capacity(struct pass *p)
{
	const struct schedule *s = p->s;
	size_t per = p->ns.amounts;
	uint32_t *all = numbers(p, s->n_nodes * per, sizeof(*all));

	for (size_t i = 0; per && i < s->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[i];
		uint32_t *to = &all[i * per];

		to[0] = node->cpus;
		to[1] = node->mem && node->mem < UINT32_MAX
				? (uint32_t)node->mem
				: UINT32_MAX;
		for (size_t g = 0; g < s->n_gres; g++)
			to[2 + g] = node->gres[g] < UINT32_MAX
					    ? (uint32_t)node->gres[g]
					    : UINT32_MAX;
	}
	return all;
}

static void open_table(struct pass *p)
{
	struct schedule *s = p->s;
	const struct sched_params *params = &p->b->params;
	bool slurm = p->b->policy == BACKFILL_SLURM;
	int64_t begin = s->now;

	p->ns = (struct nodespace){
		.most = slurm ? (size_t)params->bf_node_space_size : SIZE_MAX,
		.words = p->blocks ? p->blocks->words
				   : bits_words(s->n_nodes),
		.blocks = p->blocks,
		.n_nodes = s->n_nodes,
		.n_licenses = p->rules.licenses ? s->n_licenses : 0,
		.amounts = p->b->cores ? 2 + s->n_gres : 0,
		.groups = partition_sets(p),
		.n_groups = s->n_partitions,
		.resolution = p->rules.resolution,
		.arena = p->scratch,
	};
	p->ns.capacity = capacity(p);
	backfill_make_sets(p);
	make_numbers(p);
	for (size_t i = 0; !p->blocks && i < s->n_nodes; i++)
		if (!s->nodes[i].down)
			bits_set(p->up, i);
	if (p->rules.round_up)
		begin = begin / p->rules.resolution * p->rules.resolution;
	nodespace_open(&p->ns, begin, p->rules.window_end, p->up, s->licenses);
}

/* ---- the queue -----------------------------------------------------------*/

static int64_t elapsed(const struct pass *p)
{
	const struct backfill *b = p->b;

	return p->slept +
	       (b->elapsed ? b->elapsed(b->arg)
			   : (int64_t)b->report.tested * b->test_cost);
}

/* Yields the locks when it is time to (bf_yield_interval); true: the pass is
 * over. */
static bool give_way(struct pass *p)
{
	struct backfill *b = p->b;
	int64_t now = elapsed(p);

	if (!p->rules.limits_of_tests)
		return false;
	if (now >= b->params.bf_max_time * 1000000) {
		b->report.exit = BACKFILL_TIMEOUT;
		return true;
	}
	if (now - p->yielded < b->params.bf_yield_interval)
		return false;
	if (!b->elapsed)
		p->slept += b->params.bf_yield_sleep;
	p->yielded = elapsed(p);
	if (!b->yield || !b->yield(b->arg) || b->params.bf_continue)
		return false;
	b->report.exit = BACKFILL_STATE_CHANGED;
	return true;
}

/* Has enough of the kind been tested? Counts the job when not. */
static bool tested_enough(const struct attempt *a)
{
	const struct pass *p = a->p;
	const struct sched_params *params = &p->b->params;
	size_t both = a->job->user * p->s->n_partitions + a->partition;
	const struct {
		uint32_t *count;
		int64_t most;
	} counts[] = {
		{p->of_user_partition ? &p->of_user_partition[both] : NULL,
			params->bf_max_job_user_part},
		{&p->of_partition[a->partition], params->bf_max_job_part},
		{&p->of_assoc[a->job->assoc], params->bf_max_job_assoc},
		{&p->of_user[a->job->user], params->bf_max_job_user},
	};
	enum { N = sizeof(counts) / sizeof(*counts) };

	for (size_t i = 0; i < N; i++)
		if (counts[i].most && *counts[i].count >= counts[i].most)
			return true;
	for (size_t i = 0; i < N; i++)
		if (counts[i].count)
			++*counts[i].count;
	return false;
}

bool backfill_enough_reserved(const struct attempt *a)
{
	const struct pass *p = a->p;

	return p->rules.reserve_most &&
	       p->reserved[a->partition] >= p->rules.reserve_most &&
	       !(p->s->textbook && backfill_het_kept(a));
}

/* Jobs that are only tested for now (spec 3.5, 8). */
static bool only_now(const struct attempt *a)
{
	const struct pass *p = a->p;
	const struct sched_params *params = &p->b->params;
	const struct sched_job *job = a->job;
	int64_t since = job->eligible ? job->eligible : job->submit;
	int64_t least = a->choice->may.reserve_priority
				? a->choice->may.reserve_priority
				: params->bf_min_prio_reserve;

	if (backfill_enough_reserved(a))
		return true;
	if (!p->rules.limits_of_tests)
		return false;
	return a->choice->priority < least ||
	       p->s->now - since < params->bf_min_age_reserve ||
	       (params->bf_one_resv_per_job && job->n_plans);
}

/* Those in use now keep it back, unless the table knows of them or there are
 * jobs to take them from. */
static bool no_licenses(const struct attempt *a)
{
	const struct pass *p = a->p;

	return !p->rules.licenses && !schedule_licenses_free(p->s, a->job) &&
	       !(a->may_push && p->s->preempt.reclaim_licenses);
}

/* What keeps it from running whatever is free; with assoc_limit_stop a limit
 * does not keep it from being planned. */
static bool refused(struct attempt *a)
{
	const struct pass *p = a->p;
	unsigned reason = schedule_refuses(a->job, &a->start);

	if (p->rules.reasons && (reason || reason_is_limit(a->job->reason)))
		a->job->reason = reason;
	if (reason && reason_is_limit(reason) && backfill_lift(a, false))
		return no_licenses(a);
	if (reason && reason_is_limit(reason) &&
		p->b->params.assoc_limit_stop) {
		a->limit_reached = reason;
		return false;
	}
	return reason || no_licenses(a);
}

/* Does it wait for licenses or under a limit until others end? */
static bool waits_for_others(const struct attempt *a)
{
	const struct schedule *s = a->p->s;

	return schedule_limit_passes(a->job, &a->start) ||
	       (no_licenses(a) && schedule_licenses_exist(s, a->job));
}

/* Fcfs: what waits for others, or for nodes that are down, who knows how long,
 * keeps back those behind it. */
static void hold_queue(struct attempt *a)
{
	struct pass *p = a->p;
	const struct sched_job *job = a->job;

	if (!p->rules.in_order ||
		job->n_starts + job->n_plans >= job->startable ||
		!nodes_needed(p->s, a->job, a->choice))
		return;
	if (a->no_slot || (p->s->textbook && waits_for_others(a)))
		p->not_before[a->partition] = p->rules.window_end;
}

static enum try_outcome place_task(struct attempt *a)
{
	enum try_outcome outcome = OUTCOME_LATER;

	while (outcome == OUTCOME_LATER) {
		if (give_way(a->p))
			return OUTCOME_END;
		outcome = backfill_try(a);
	}
	return outcome;
}

static bool more_tasks(const struct attempt *a)
{
	const struct pass *p = a->p;
	const struct sched_job *job = a->job;

	if (job->n_starts + job->n_plans >= job->startable || no_licenses(a))
		return false;
	return !job->n_plans || !p->rules.limits_of_tests ||
	       (int64_t)job->n_plans < p->b->params.bf_max_job_array_resv;
}

/* Blocks are few enough to look at all. */
static struct sched_words words_of(const struct attempt *a)
{
	return a->p->blocks ? (struct sched_words){0, a->p->ns.words}
			    : a->choice->partition->words;
}

static enum try_outcome place_tasks(struct attempt *a)
{
	enum try_outcome outcome;

	do {
		a->words = words_of(a);
		a->later = 0;
		a->record = a->clear = 0;
		a->fit_known = false;
		a->least = nodes_for_cpus(a->choice->partition, a->n_nodes,
			a->job->cpus);
		a->by_counts = !a->may_push && !a->p->ns.amounts &&
			       sched_ends_do(a->p->s, a->job,
				       a->choice->partition);
		if (a->p->blocks && !a->by_counts)
			BUG("a job that shares nodes, on blocks of them");
		memset(a->p->usable, 0, a->p->ns.words * sizeof(*a->p->usable));
		a->start = (struct sched_start){
			.choice = a->choice,
			.tres = a->choice->tres,
			.n_nodes = a->n_nodes,
		};
		a->no_reserve |= backfill_enough_reserved(a);
		outcome = place_task(a);
	} while (outcome == OUTCOME_NEXT_TASK && a->job->tasks > 1 &&
		 more_tasks(a));
	return outcome;
}

/* Jobs are planned with time_min where it is given; one that others may preempt
 * and that reserves nothing, with a minute (spec 5.1). */
static int64_t planned_seconds(const struct schedule *s,
	const struct sched_job *job, const struct sched_choice *choice)
{
	int64_t seconds = schedule_seconds(job, choice);
	int64_t least = (int64_t)job->time_min * 60;

	if (choice->may.no_reserve && s->preempt.by)
		return 60;
	return job->time_min && least < seconds ? least : seconds;
}

/* Is there anything that it may preempt? */
static bool may_push(struct schedule *s, const struct sched_entry *entry)
{
	bool any = preempt_possible(s, entry->job, entry->choice) &&
		   preempt_mark(s, entry->job, entry->choice);

	if (any)
		preempt_clear(s);
	return any;
}

static enum try_outcome consider(
	struct pass *p, const struct sched_entry *entry)
{
	struct attempt a = {
		.p = p,
		.job = entry->job,
		.choice = entry->choice,
		.partition =
			(size_t)(entry->choice->partition - p->s->partitions),
		.seconds = planned_seconds(p->s, entry->job, entry->choice),
	};
	enum try_outcome outcome;

	p->b->report.jobs++;
	a.start = (struct sched_start){
		.choice = a.choice, .tres = a.choice->tres};
	a.may_push = may_push(p->s, entry);
	if (a.job->n_starts >= a.job->startable)
		return OUTCOME_NEXT_JOB;
	if (refused(&a)) {
		hold_queue(&a);
		return OUTCOME_NEXT_JOB;
	}
	a.words = words_of(&a);
	a.n_nodes = nodes_needed(p->s, a.job, a.choice);
	if (!a.n_nodes)
		return OUTCOME_NEXT_JOB;
	if (p->rules.limits_of_tests && tested_enough(&a))
		return OUTCOME_NEXT_JOB;
	a.need = NS_NEEDS;
	if (p->ns.amounts) {
		a.need_whole = sched_least(p->s, a.job,
			a.choice->partition, p->least);
		a.need = nodespace_need(&p->ns, p->least, a.need_whole);
	}
	a.no_reserve = only_now(&a);
	if (p->b->skip_same_shape && !a.may_push && backfill_same_shape(&a)) {
		p->b->report.same_shape++;
		return OUTCOME_NEXT_JOB;
	}
	outcome = place_tasks(&a);
	hold_queue(&a);
	if (p->b->skip_same_shape && a.no_slot && !a.may_push)
		backfill_remember_shape(&a);
	return outcome;
}

static bool enough(struct pass *p)
{
	const struct backfill *b = p->b;

	if (!p->rules.limits_of_tests ||
		(int64_t)b->report.tested < b->params.bf_max_job_test)
		return false;
	p->b->report.exit = BACKFILL_MAX_JOB_TEST;
	return true;
}

static void forget(struct pass *p)
{
	p->b->report = (struct backfill_report){0};
	for (size_t i = 0; i < p->s->n_jobs; i++) {
		p->s->jobs[i].n_plans = 0;
		if (p->rules.reasons)
			p->s->jobs[i].main_reason = p->s->jobs[i].reason;
	}
	bits_nothing(p->s->sets.kept, bits_words(p->s->n_nodes));
}

static void go_through(struct pass *p)
{
	size_t n = schedule_queue(p->s, true, p->arena);

	for (size_t i = 0; i < n; i++) {
		if (enough(p) || give_way(p))
			return;
		if (consider(p, &p->s->queue[i]) != OUTCOME_END)
			continue;
		if (p->b->report.exit == BACKFILL_END_OF_QUEUE)
			p->b->report.exit = BACKFILL_MAX_JOB_START;
		return;
	}
}

void backfill_pass(struct schedule *s, struct backfill *b, struct arena *arena,
	struct arena *scratch)
{
	struct pass p = {.s = s, .b = b, .arena = arena, .scratch = scratch};

	schedule_measure(s, arena);
	p.rules = backfill_rules_of(&p);
	p.owners = owner_matters(s);
	forget(&p);
	backfill_open_blocks(&p);
	open_table(&p);
	backfill_order_running(&p);
	p.ends.blocks = p.blocks;
	sched_ends_open(&p.ends, s, p.order, p.n_order, scratch);
	make_counters(&p);
	if (b->policy == BACKFILL_SLURM && b->params.bf_running_job_reserve)
		for (size_t i = 0; i < s->n_running; i++)
			backfill_insert_running(&p, &s->running[i]);
	backfill_tell(&p, NULL, NULL);
	backfill_het_priority(&p);
	go_through(&p);
	backfill_het_start(&p);
	b->report.records = p.ns.n;
	b->report.blocks = p.blocks ? p.blocks->n : 0;
	if (s->textbook)
		schedule_reasons(s, arena);
}
