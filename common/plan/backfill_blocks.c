/*
 * Passes over a wide machine plan on blocks of nodes (common/plan/blocks.h):
 * when they may, and what has to follow when a block becomes two. Part of
 * common/plan/backfill.h.
 */
#include "common/base/bits.h"
#include "common/plan/backfill_pass.h"
#include "common/plan/schedule_need.h"

/* ---- may it? -------------------------------------------------------------*/

/* Does it fill every node that it gets? Those of more than its CPUs it would
 * leave empty. */
static bool fills_nodes(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	const struct sched_partition *p = choice->partition;
	struct select_range range = range_of(job, choice, true);

	if (job->exclusive || p->exclusive)
		return true;
	return s->nodes[p->nodes[0]].cpus == 1 && range.least <= job->cpus &&
	       range.want <= job->cpus;
}

static bool is_plain(const struct schedule *s, const struct sched_job *job)
{
	for (size_t i = 0; i < job->n_choices; i++) {
		const struct sched_choice *choice = &job->choices[i];

		if (!can_use_counts(s, job, choice->partition) ||
			choice->partition->least_loaded ||
			!fills_nodes(s, job, choice))
			return false;
	}
	return !job->het && !job->reservation;
}

static bool may_be_blocks(const struct pass *p)
{
	const struct schedule *s = p->s;

	if (!p->b->blocks_from || s->n_nodes < p->b->blocks_from ||
		p->b->cores || p->owners || s->preempt.by || s->serial_at_end ||
		s->n_reservations || s->sets.n_shared ||
		p->b->params.bf_busy_nodes)
		return false;
	for (size_t i = 0; i < s->n_running; i++)
		if (s->running[i].end <= s->now)
			return false; /* another may start on its nodes */
	for (size_t i = 0; i < s->n_jobs; i++)
		if (!is_plain(s, &s->jobs[i]))
			return false;
	return true;
}

void backfill_open_blocks(struct pass *p)
{
	if (!may_be_blocks(p))
		return;
	p->blocks = arena_alloc(p->scratch, sizeof(*p->blocks));
	p->blocks->arena = p->scratch;
	blocks_open(p->blocks, p->s);
}

/* ---- a block becomes two -------------------------------------------------*/

static void widen(struct pass *p, uint64_t **set, size_t words)
{
	const uint64_t *old = *set;

	*set = arena_array(p->scratch, p->blocks->words, sizeof(**set));
	bits_copy(*set, old, words);
}

static void grow(struct pass *p)
{
	size_t words = p->blocks->words;

	blocks_grow(p->blocks);
	sched_ends_grow(&p->ends, p->scratch);
	for (size_t i = 0; i < p->ns.n; i++)
		widen(p, &p->ns.v[i].avail, words);
	p->ns.words = p->blocks->words;
	p->ns.groups = (const uint64_t *const *)p->blocks->groups;
	backfill_make_sets(p);
}

static void cut(struct pass *p, uint32_t node)
{
	size_t block;

	if (p->blocks->n == p->blocks->words * 64)
		grow(p);
	block = blocks_cut(p->blocks, node);
	if (block == SIZE_MAX)
		return;
	sched_ends_cut(&p->ends, block);
	for (size_t i = 0; i < p->ns.n; i++)
		bits_double(p->ns.v[i].avail, p->ns.words, block);
}

static void cut_out(struct pass *p, const struct node_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		cut(p, runs->v[i].first);
		cut(p, runs->v[i].first + runs->v[i].n);
	}
}

/* ---- what jobs take ------------------------------------------------------*/

const uint64_t *backfill_take_blocks(struct pass *p)
{
	cut_out(p, &p->blocks->chosen);
	bits_nothing(p->next, p->ns.words);
	blocks_add(p->blocks, &p->blocks->chosen, p->next);
	return p->next;
}

void backfill_start_on_blocks(struct pass *p)
{
	cut_out(p, &p->blocks->chosen);
	blocks_run(p->blocks, p->s->running[p->s->n_running - 1].end);
}

void backfill_name_nodes(struct attempt *a)
{
	struct pass *p = a->p;

	if (a->start.nodes)
		return;
	if (p->blocks)
		name_nodes(p->s, p->blocks, a->job, &a->start);
	else
		sched_name_picked(p->s, a->job, &a->start);
}
