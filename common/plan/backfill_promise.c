/*
 * What a pass decides about a job: it starts, nodes are kept for it, it is
 * expected. Part of common/plan/backfill.h.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/backfill_pass.h"
#include "common/plan/schedule_need.h"

void backfill_tell(struct pass *p, const struct sched_job *job,
	const struct sched_plan *plan)
{
	if (p->b->watch)
		p->b->watch(p->b->arg, &p->ns, job, plan);
}

static void add_nodes(uint64_t *set, const struct sched_start *start)
{
	for (size_t i = 0; i < start->n_nodes; i++)
		bits_set(set, start->nodes[i]);
}

void backfill_set_of(const struct attempt *a, uint64_t *set)
{
	const struct sched_words *words = &a->words;

	bits_nothing(set, a->p->ns.words);
	if (a->start.nodes)
		add_nodes(set, &a->start);
	else
		bits_copy(set + words->first, a->p->s->picked + words->first,
			words->end - words->first);
}

static const uint64_t *slot_nodes(const struct attempt *a)
{
	struct pass *p = a->p;

	if (p->blocks)
		return backfill_take_blocks(p);
	backfill_set_of(a, p->next);
	return p->next;
}

/* With amounts running jobs are not in the table: the test of nodes knows
 * them. */
void backfill_insert_running(struct pass *p, const struct sched_running *r)
{
	struct ns_slot slot = {.start = p->ns.v[0].begin, .nodes = p->next};
	bool whole = r->start.whole && !r->how && !p->ns.amounts;
	bool licenses = p->ns.n_licenses && r->job->licenses;
	int64_t grid = p->rules.resolution;

	if ((!whole && !licenses) || nodespace_full(&p->ns))
		return;
	memset(p->next, 0, p->ns.words * sizeof(*p->next));
	if (whole && p->blocks)
		blocks_add(p->blocks, &p->blocks->of[r - p->s->running],
			p->next);
	else if (whole)
		add_nodes(p->next, &r->start);
	if (licenses)
		slot.licenses = r->job->licenses;
	slot.end = (r->end + grid - 1) / grid * grid;
	nodespace_insert(&p->ns, &slot);
}

/* The running jobs changed, so earlier answers do not hold: there may be room
 * again for jobs like one that found none. */
static void look_again(struct pass *p)
{
	backfill_order_running(p);
	sched_ends_open(&p->ends, p->s, p->order, p->n_order, p->scratch);
	backfill_fits_forget(p);
	p->shapes = NULL;
}

void backfill_note_start(struct pass *p, const struct sched_start *start)
{
	if (start->n_victims) {
		p->b->report.preempted += start->n_victims;
		look_again(p);
		return;
	}
	backfill_fits_start(p, start);
	if (p->blocks)
		backfill_start_on_blocks(p);
	backfill_put_in_order(p, (uint32_t)p->s->n_running - 1);
	sched_ends_open(&p->ends, p->s, p->order, p->n_order, p->scratch);
}

void backfill_start(struct attempt *a)
{
	struct pass *p = a->p;
	struct sched_plan plan = {.choice = a->choice,
		.start = p->s->now,
		.end = p->s->now + a->seconds,
		.nodes = a->start.nodes,
		.n_nodes = a->start.n_nodes,
		.reserved = true};

	schedule_start(p->s, a->job, &a->start, p->arena);
	if (a->job->tasks == 1)
		a->job->n_plans = 0;
	backfill_note_start(p, &a->start);
	p->b->report.started++;
	if (!p->rules.insert_started)
		return;
	backfill_insert_running(p, &p->s->running[p->s->n_running - 1]);
	backfill_tell(p, a->job, &plan);
}

static void amounts_of(struct pass *p, const struct attempt *a)
{
	size_t per = p->ns.amounts, n = a->start.n_nodes;

	start_shares(p->s, a->job, &a->start, a->choice->partition, p->shares);
	for (size_t i = 0; i < n; i++) {
		uint32_t *to = &p->amounts[i * per];

		to[0] = p->shares[i];
		to[1] = (uint32_t)(a->start.mem_on ? a->start.mem_on[i]
						   : share_of(a->job->mem, n));
		for (size_t g = 2; g < per; g++)
			to[g] = a->job->gres
					? (uint32_t)gres_share(a->job, g - 2, n)
					: 0;
	}
}

void backfill_promise(
	struct pass *p, const struct attempt *a, int64_t start, int64_t end)
{
	struct ns_slot slot = {.start = start,
		.end = end,
		.licenses = p->ns.n_licenses ? a->job->licenses : NULL};

	if (p->ns.amounts) {
		amounts_of(p, a);
		slot.indexes = a->start.nodes;
		slot.n_indexes = a->start.n_nodes;
		slot.amounts = p->amounts;
	} else {
		slot.nodes = slot_nodes(a);
	}
	nodespace_insert(&p->ns, &slot);
	p->reserved[a->partition]++;
	p->b->report.reserved++;
	backfill_het_keep(a);
}

static void list_nodes(const struct attempt *a, uint32_t *to)
{
	const struct pass *p = a->p;

	if (a->start.nodes)
		memcpy(to, a->start.nodes, a->start.n_nodes * sizeof(*to));
	else if (p->blocks)
		blocks_nodes(&p->blocks->chosen, to);
	else
		bits_list(to, p->s->picked, a->words.first, a->words.end);
}

/* Of several partitions the earliest counts. */
void backfill_plan(struct attempt *a, bool reserved)
{
	struct pass *p = a->p;
	struct sched_job *job = a->job;
	struct sched_plan plan = {.choice = a->choice,
		.start = a->when,
		.end = a->when + a->seconds,
		.n_nodes = a->start.n_nodes,
		.reserved = reserved,
		.victims = a->start.victims,
		.n_victims = a->start.n_victims};
	bool several = job->tasks > 1;

	if (!p->b->only_times) {
		plan.nodes = arena_array(p->arena, a->start.n_nodes,
			sizeof(*a->start.nodes));
		list_nodes(a, plan.nodes);
	}
	p->b->report.preempted += plan.n_victims;
	if (several || !job->n_plans)
		*ARENA_PUSH(p->arena, job->plans, job->n_plans,
			job->cap_plans) = plan;
	else if (plan.start < job->plans[0].start)
		job->plans[0] = plan;
	if (p->rules.in_order)
		p->not_before[a->partition] = a->when;
	if (reserved)
		backfill_tell(p, job, &plan);
}

/* ---- limits of QOS that hold back ----------------------------------------*/

struct backfill_block {
	uint32_t qos;
	int64_t until;
	struct backfill_block *next;
};

static struct backfill_block *find_block(const struct pass *p, uint32_t qos)
{
	struct backfill_block *block = p->blocked;

	while (block && block->qos != qos)
		block = block->next;
	return block;
}

void backfill_block(struct pass *p, uint32_t qos, int64_t until)
{
	struct backfill_block *block = find_block(p, qos);

	if (!block) {
		block = arena_alloc(p->scratch, sizeof(*block));
		block->qos = qos;
		block->next = p->blocked;
		p->blocked = block;
	}
	if (block->until < until)
		block->until = until;
}

int64_t backfill_blocked(const struct pass *p, uint32_t qos)
{
	const struct backfill_block *block = find_block(p, qos);

	return block ? block->until : 0;
}
