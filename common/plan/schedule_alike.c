/*
 * Nodes as counts: where those of a partition are alike and each is idle or
 * full, runs of a set stand for what schedule_select.c gathers node by node. Part
 * of common/plan/schedule_nodes.h. Pure.
 */
#include "common/base/bisect.h"
#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/blocks.h"
#include "common/plan/schedule_need.h"

bool can_use_counts(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p)
{
	return !s->textbook && p->alike && job->cpus && !job->may &&
	       !job->required && !job->gres && !job->gres_job &&
	       !job->gres_task;
}

/* Has some node of the partition jobs and yet room, perhaps? */
static bool some_shared(
	const struct schedule *s, const struct sched_partition *p)
{
	const struct sched_words *words = &p->words;

	return s->sets.n_shared &&
	       bits_enough_and(s->sets.shared + words->first,
		       p->bits + words->first, words->end - words->first, 1);
}

bool sched_ends_do(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p)
{
	return can_use_counts(s, job, p) && !some_shared(s, p);
}

/* ---- as jobs end ---------------------------------------------------------*/

/* The set is kept as it is after every 2^shift ends: at most so many sets. */
enum { STEPS = 64 };

static size_t last_step(const struct sched_ends *ends)
{
	return ends->n >> ends->shift;
}

static uint64_t *step(const struct sched_ends *ends, size_t i)
{
	return ends->steps + i * ends->words;
}

static const struct sched_start *start_of(
	const struct sched_ends *ends, size_t i)
{
	return &ends->s->running[ends->order[i]].start;
}

static void add_nodes(const struct sched_ends *ends, uint64_t *set, size_t i)
{
	const struct sched_start *start = start_of(ends, i);

	if (ends->blocks) {
		blocks_add(ends->blocks, &ends->blocks->of[ends->order[i]], set);
		return;
	}
	for (size_t k = 0; k < start->n_nodes; k++)
		bits_set(set, start->nodes[k]);
}

static void make_sets(struct sched_ends *ends, struct arena *arena)
{
	ends->steps =
		arena_array(arena, STEPS * ends->words, sizeof(*ends->steps));
	ends->early = arena_array(arena, ends->words, sizeof(*ends->early));
	ends->made = false;
}

void sched_ends_open(struct sched_ends *ends, const struct schedule *s,
	const uint32_t *order, size_t n, struct arena *arena)
{
	ends->words = ends->blocks ? ends->blocks->words
				   : bits_words(s->n_nodes);
	if (!ends->steps)
		make_sets(ends, arena);
	if (n > ends->cap) {
		ends->cap = n * 2;
		ends->when =
			arena_array(arena, ends->cap, sizeof(*ends->when));
	}
	ends->s = s;
	ends->order = order;
	ends->n = n;
	ends->shift = 0;
	while (last_step(ends) >= STEPS)
		ends->shift++;
	ends->made = false;
}

void sched_ends_grow(struct sched_ends *ends, struct arena *arena)
{
	ends->words = ends->blocks->words;
	make_sets(ends, arena);
}

void sched_ends_cut(struct sched_ends *ends, size_t block)
{
	for (size_t i = 0; ends->made && i <= last_step(ends); i++)
		bits_double(step(ends, i), ends->words, block);
}

static void make_steps(struct sched_ends *ends)
{
	bits_copy(ends->early,
		ends->blocks ? ends->blocks->idle : ends->s->sets.idle,
		ends->words);
	for (size_t i = 0; i <= ends->n; i++) {
		if (i >> ends->shift << ends->shift == i)
			bits_copy(step(ends, i >> ends->shift), ends->early,
				ends->words);
		if (i == ends->n)
			break;
		ends->when[i] = ends->s->running[ends->order[i]].end;
		add_nodes(ends, ends->early, i);
	}
	ends->made = true;
}

/* How many have ended by then? */
static size_t n_ended(struct sched_ends *ends, int64_t when)
{
	size_t low = 0, high = ends->n;

	if (!ends->made)
		make_steps(ends);
	BISECT(low, high, middle, ends->when[middle] <= when)
	return low;
}

const uint64_t *sched_early(struct sched_ends *ends, int64_t horizon)
{
	size_t n = n_ended(ends, horizon), i = n >> ends->shift;

	if (i << ends->shift == n)
		return step(ends, i);
	bits_copy(ends->early, step(ends, i), ends->words);
	for (i <<= ends->shift; i < n; i++)
		add_nodes(ends, ends->early, i);
	return ends->early;
}

/* Are so many? */
static bool enough_at(const struct sched_ends *ends, const uint64_t *set,
	struct sched_words words, size_t n, size_t i)
{
	return blocks_enough_and(ends->blocks, set, step(ends, i), words, n);
}

/* How many of the set does the i-th job have? */
static size_t count_of(
	const struct sched_ends *ends, const uint64_t *set, size_t i)
{
	const struct sched_start *start = start_of(ends, i);
	size_t n = 0;

	if (ends->blocks)
		return blocks_count(ends->blocks,
			&ends->blocks->of[ends->order[i]], set);
	for (size_t k = 0; k < start->n_nodes; k++)
		n += bits_has(set, start->nodes[k]);
	return n;
}

/* The first of the steps that has all that end by then. */
static size_t first_step_behind(struct sched_ends *ends, int64_t when)
{
	size_t n = n_ended(ends, when), i = n >> ends->shift;

	return i + (i << ends->shift < n);
}

int64_t sched_when_idle(struct sched_ends *ends, const uint64_t *set,
	struct sched_words words, size_t n, int64_t from, int64_t until)
{
	size_t low = n_ended(ends, from) >> ends->shift;
	size_t high = last_step(ends) + 1;
	size_t i, found;

	if (enough_at(ends, set, words, n, low))
		return from;
	i = until ? first_step_behind(ends, until) : high;
	if (i < high) {
		if (i <= low || !enough_at(ends, set, words, n, i))
			return SCHED_NEVER;
		high = i;
	}
	low++;
	BISECT(low, high, middle, !enough_at(ends, set, words, n, middle))
	i = low;
	if (!ends->shift)
		return i > ends->n ? SCHED_NEVER : ends->when[i - 1];
	found = blocks_count_and(ends->blocks, set, step(ends, --i), words);
	for (i <<= ends->shift; found < n && i < ends->n; i++)
		found += count_of(ends, set, i);
	return found < n ? SCHED_NEVER : larger(from, ends->when[i - 1]);
}

/* ---- choosing ------------------------------------------------------------*/

bool can_use_counts_in(const struct schedule *s, const struct sched_view *view,
	const struct need *need)
{
	return can_use_counts(s, need->job, need->partition) &&
	       !view->preempting && !view->promised &&
	       (!view->future || view->early) &&
	       !some_shared(s, need->partition);
}

/* Those of s->counted. */
static enum select_answer choose(const struct schedule *s,
	const struct need *need, const struct select_range *range)
{
	const struct sched_partition *p = need->partition;
	const struct select_alike nodes = {
		.set = s->counted + p->words.first,
		.words = p->words.end - p->words.first,
		.cpus = room_when_empty(s, &s->nodes[p->nodes[0]], need)};

	return select_alike(&need->rules, range, &nodes,
		s->picked + p->words.first, s->runs);
}

enum select_answer choose_by_counts(const struct schedule *s,
	const struct sched_view *view, const struct need *need,
	const struct select_range *range)
{
	const struct sched_partition *p = need->partition;
	const struct sched_sets *sets = &s->sets;
	const uint64_t *free = view->future ? view->early : sets->idle;

	for (size_t w = p->words.first; w < p->words.end; w++)
		s->counted[w] = p->bits[w] & free[w] & sets->up[w] &
				~sets->kept[w] &
				(view->usable ? view->usable[w] : UINT64_MAX);
	return choose(s, need, range);
}

enum select_answer choose_by_counts_of_all(const struct schedule *s,
	const struct need *need, const struct select_range *range, bool now)
{
	const struct sched_partition *p = need->partition;
	const struct sched_sets *sets = &s->sets;

	for (size_t w = p->words.first; w < p->words.end; w++)
		s->counted[w] = p->bits[w] &
				(now ? sets->up[w] & ~sets->kept[w]
				     : UINT64_MAX);
	return choose(s, need, range);
}
