#include "common/plan/preempt.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bisect.h"
#include "common/base/bits.h"

/* ---- which job may preempt which ----------------------------------------- */

static bool in_list(const uint32_t *list, uint32_t qos)
{
	for (; list && *list; list++)
		if (*list == qos)
			return true;
	return false;
}

/* Of what is in the way. */
struct rank {
	uint32_t qos, priority;
	const struct sched_partition *partition;
};

static bool by_qos(const struct sched_choice *choice, const struct rank *other)
{
	bool higher = choice->priority > other->priority;

	if (!choice->qos || !other->qos)
		return false;
	if (choice->qos == other->qos)
		return choice->may.preempts_own && higher;
	return in_list(choice->may.preempts, other->qos) &&
	       (!choice->may.preempts_lower || higher);
}

static bool outranks(const struct schedule *s,
	const struct sched_choice *choice, const struct rank *other)
{
	if (s->preempt.by == PREEMPT_BY_QOS)
		return by_qos(choice, other);
	return s->preempt.by == PREEMPT_BY_TIER && other->partition &&
	       choice->partition->tier > other->partition->tier;
}

static bool exempt(const struct schedule *s, const struct sched_running *r)
{
	uint32_t most = s->preempt.min_exempt_priority;

	return r->how == PREEMPTED_NEVER || r->exempt_until > s->now ||
	       (most && r->priority > most);
}

/* May it preempt this running job now? */
static bool preempt_may(const struct schedule *s, const struct sched_choice *choice,
	const struct sched_running *r)
{
	struct rank rank = {r->qos, r->priority, r->partition};

	return !exempt(s, r) && outranks(s, choice, &rank);
}

bool preempt_possible(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	if (s->preempt.by == PREEMPT_BY_NOTHING || job->het)
		return false;
	return s->preempt.by == PREEMPT_BY_TIER || choice->may.preempts_own ||
	       (choice->may.preempts && *choice->may.preempts);
}

static bool touches(const struct sched_running *r, const uint64_t *nodes)
{
	for (size_t i = 0; i < r->start.n_nodes; i++)
		if (bits_has(nodes, r->start.nodes[i]))
			return true;
	return false;
}

/* Has it licenses that the job wants, and would they become free? */
static bool has_licenses(const struct schedule *s, const struct sched_job *job,
	const struct sched_running *r)
{
	if (!s->preempt.reclaim_licenses || r->how == PREEMPTED_SUSPEND)
		return false;
	for (size_t i = 0; i < s->n_licenses; i++)
		if (job->licenses && job->licenses[i] && r->job->licenses &&
			r->job->licenses[i])
			return true;
	return false;
}

/* Those on these nodes. */
static size_t mark(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice, const uint64_t *nodes)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_running; i++) {
		struct sched_running *r = &s->running[i];

		r->preemptable = preempt_may(s, choice, r) &&
				 (touches(r, nodes) || has_licenses(s, job, r));
		n += r->preemptable;
	}
	return n;
}

size_t preempt_mark(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	return mark(s, job, choice, choice->partition->bits);
}

void preempt_clear(struct schedule *s)
{
	for (size_t i = 0; i < s->n_running; i++)
		s->running[i].preemptable = false;
}

/* ---- in which order ------------------------------------------------------*/

struct preempt_candidate {
	struct sched_running *running;
	uint64_t key;  /* the low ones first */
	size_t usable; /* nodes that were chosen */
	size_t order;
};

/* Those that have been warned already stay the victims. */
static uint64_t key_of(const struct schedule *s, const struct sched_running *r)
{
	enum { MOST = 0xffff };
	uint64_t nodes = r->start.n_nodes < MOST ? r->start.n_nodes : MOST;
	uint64_t rank = s->preempt.by == PREEMPT_BY_TIER ? r->partition->tier
							 : r->qos_priority;

	if (s->preempt.youngest_first)
		return (uint64_t)(INT64_MAX - r->began) | (uint64_t)!r->warned
								  << 63;
	return ((rank < MOST ? rank : MOST) << 16) + nodes +
	       ((uint64_t)!r->warned << 63);
}

static int compare_keys(const void *a, const void *b)
{
	const struct preempt_candidate *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int compare_usable(const void *a, const void *b)
{
	const struct preempt_candidate *x = a, *y = b;

	if (x->usable != y->usable)
		return x->usable > y->usable ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* ---- which ones ----------------------------------------------------------*/

struct preempt_search {
	struct schedule *s;
	const struct sched_job *job;
	struct sched_start *start;
	struct sched_view view;
	struct preempt_candidate *v;
	size_t n;
	uint64_t *chosen; /* nodes */
	struct arena *arena;
};

static void collect(struct preempt_search *x)
{
	struct schedule *s = x->s;
	size_t n = 0;

	for (size_t r = 0; r < s->n_running; r++)
		if (s->running[r].preemptable) {
			*ARENA_PUSH(
				x->arena, s->candidates, n, s->cap_candidates) =
				(struct preempt_candidate){&s->running[r],
					key_of(s, &s->running[r]), 0, r};
		}
	x->v = s->candidates;
	qsort(x->v, x->n, sizeof(*x->v), compare_keys);
}

/* Only the first `n` are preempted. */
static void mark_first(struct preempt_search *x, size_t n)
{
	for (size_t i = 0; i < x->n; i++)
		x->v[i].running->preemptable = i < n;
}

static uint64_t given_back(const struct preempt_search *x, size_t license)
{
	const struct schedule *s = x->s;
	uint64_t n = 0;

	for (size_t i = 0; i < s->n_running; i++) {
		const struct sched_running *r = &s->running[i];

		if (r->preemptable && has_licenses(s, x->job, r))
			n += r->job->licenses[license];
	}
	return n;
}

static bool licenses_do(const struct preempt_search *x)
{
	const struct schedule *s = x->s;

	if (schedule_licenses_free(s, x->job))
		return true;
	for (size_t i = 0; i < s->n_licenses; i++)
		if (x->job->licenses[i] &&
			s->licenses_used[i] + x->job->licenses[i] >
				s->licenses[i] + given_back(x, i))
			return false;
	return true;
}

static bool fits(struct preempt_search *x, const struct sched_view *view)
{
	return licenses_do(x) && place_job(x->s, x->job, x->start, view);
}

static bool fits_without(struct preempt_search *x, size_t first)
{
	mark_first(x, first);
	return fits(x, &x->view);
}

/* How many of the first it takes; they stay marked. */
static size_t fewest(struct preempt_search *x)
{
	size_t low = 0, high = x->n;

	BISECT(low, high, at, !fits_without(x, at));
	mark_first(x, low);
	return low;
}

static void choose(struct preempt_search *x)
{
	memset(x->chosen, 0, bits_words(x->s->n_nodes) * sizeof(*x->chosen));
	for (size_t i = 0; i < x->start->n_nodes; i++)
		bits_set(x->chosen, x->start->nodes[i]);
}

/* On the nodes found each must be needed; those of highest rank are spared
 * first. */
static bool spare(struct preempt_search *x)
{
	struct sched_view view = x->view;

	if (!fits(x, &x->view))
		return false;
	choose(x);
	view.usable = x->chosen;
	for (size_t i = x->n; i-- > 0;) {
		if (!x->v[i].running->preemptable)
			continue;
		x->v[i].running->preemptable = false;
		if (!fits(x, &view))
			x->v[i].running->preemptable = true;
	}
	return fits(x, &view);
}

static struct sched_start note(struct preempt_search *x)
{
	struct sched_start start = *x->start;
	struct sched_victim *v = NULL;
	size_t cap = 0;

	start.n_victims = 0;
	for (size_t i = 0; i < x->n; i++) {
		const struct sched_running *r = x->v[i].running;

		if (r->preemptable)
			*ARENA_PUSH(x->arena, v, start.n_victims, cap) =
				(struct sched_victim){
					r->job, r->how, r->gone, r->warned};
	}
	start.victims = v;
	schedule_keep(&start, x->arena);
	return start;
}

/* The last one taken was certainly needed: it comes first now. */
static void reorder(struct preempt_search *x, size_t last)
{
	struct preempt_candidate first = x->v[last - 1];

	memmove(&x->v[1], &x->v[0], (last - 1) * sizeof(*x->v));
	x->v[0] = first;
	if (x->s->preempt.strict_order)
		return;
	for (size_t i = 1; i < x->n; i++) {
		const struct sched_start *at = &x->v[i].running->start;

		x->v[i].usable = 0;
		x->v[i].order = i;
		for (size_t n = 0; n < at->n_nodes; n++)
			x->v[i].usable += bits_has(x->chosen, at->nodes[n]);
	}
	qsort(&x->v[1], x->n - 1, sizeof(*x->v), compare_usable);
}

static bool all_warned(const struct sched_start *start)
{
	for (size_t i = 0; i < start->n_victims; i++)
		if (!start->victims[i].warned)
			return false;
	return true;
}

/* Other orders may do with fewer. */
static bool search(struct preempt_search *x)
{
	uint32_t left = x->s->preempt.reorder_count;
	size_t last = fewest(x);
	struct sched_start best;

	if (!spare(x))
		return false;
	best = note(x);
	while (last && left-- && best.n_victims > 1 && !all_warned(&best)) {
		struct sched_start other;

		reorder(x, last);
		last = fewest(x);
		if (!spare(x))
			break;
		other = note(x);
		if (other.n_victims < best.n_victims)
			best = other;
	}
	*x->start = best;
	return true;
}

bool preempt_place(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, const struct sched_view *view,
	struct arena *arena)
{
	struct preempt_search x = {
		.s = s,
		.job = job,
		.start = start,
		.view = *view,
		.n = mark(s, job, start->choice,
			view->usable ? view->usable
				     : start->choice->partition->bits),
		.chosen = s->chosen,
		.arena = arena,
	};
	bool found = false;

	x.view.preempting = true;
	x.view.future = false;
	x.view.fit = NULL;
	if (x.n && fits(&x, &x.view)) {
		collect(&x);
		found = search(&x);
	}
	preempt_clear(s);
	return found;
}

/* ---- making way ----------------------------------------------------------*/

int64_t preempt_when(const struct sched_start *start, int64_t now)
{
	int64_t when = now;

	for (size_t i = 0; i < start->n_victims; i++)
		if (start->victims[i].when > when)
			when = start->victims[i].when;
	return when;
}

void preempt_act(struct schedule *s, const struct sched_start *start)
{
	for (size_t i = 0; i < start->n_victims; i++) {
		size_t r = 0;

		while (s->running[r].job != start->victims[i].job)
			r++;
		if (start->victims[i].how != PREEMPTED_SUSPEND) {
			schedule_end(s, r);
			continue;
		}
		schedule_suspend(s, r);
		s->running[r].how = PREEMPTED_NEVER;
	}
}

/* ---- running on ----------------------------------------------------------*/

bool preempt_has_room(struct schedule *s, const struct sched_running *r,
	struct arena *arena)
{
	uint32_t *shares =
		arena_array(arena, r->start.n_nodes + 1, sizeof(*shares));

	start_shares(s, r->job, &r->start, r->partition, shares);
	for (size_t i = 0; i < r->start.n_nodes; i++) {
		const struct sched_node *node = &s->nodes[r->start.nodes[i]];

		if (node->down || node->whole ||
			(r->start.whole && node->jobs) ||
			node->cpus_used + shares[i] > node->cpus)
			return false;
	}
	return true;
}

/* ---- the queue -----------------------------------------------------------*/

/* Entries of one QOS in partitions of one tier, in their order: the first of
 * them outranks whom any of them does. */
struct preempt_line {
	uint32_t qos;
	uint16_t tier;
	size_t first, last; /* places in the queue; SIZE_MAX: none is left */
};

struct preempt_lines {
	const struct schedule *s;
	struct preempt_line *v;
	size_t n, cap;
	size_t *next; /* of the same line */
};

static struct preempt_line *line_of(struct preempt_lines *lines,
	const struct sched_choice *choice, struct arena *a)
{
	struct preempt_line *line;

	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].qos == choice->qos &&
			lines->v[i].tier == choice->partition->tier)
			return &lines->v[i];
	line = ARENA_PUSH(a, lines->v, lines->n, lines->cap);
	*line = (struct preempt_line){
		choice->qos, choice->partition->tier, SIZE_MAX, SIZE_MAX};
	return line;
}

static void make_lines(
	struct preempt_lines *lines, size_t n, struct arena *arena)
{
	const struct schedule *s = lines->s;

	lines->next = arena_array(arena, n, sizeof(*lines->next));
	for (size_t i = 0; i < n; i++) {
		struct preempt_line *line =
			line_of(lines, s->queue[i].choice, arena);

		lines->next[i] = SIZE_MAX;
		if (line->first == SIZE_MAX)
			line->first = i;
		else
			lines->next[line->last] = i;
		line->last = i;
	}
}

/* Is a job left that may preempt the first of the line? */
static bool outranked(
	const struct preempt_lines *lines, const struct preempt_line *line)
{
	const struct sched_choice *choice = lines->s->queue[line->first].choice;
	struct rank rank = {choice->qos, choice->priority, choice->partition};

	for (size_t i = 0; i < lines->n; i++)
		if (&lines->v[i] != line && lines->v[i].first != SIZE_MAX &&
			outranks(lines->s,
				lines->s->queue[lines->v[i].first].choice,
				&rank))
			return true;
	return false;
}

/* The next by the other keys, of those behind `behind`. */
static struct preempt_line *next_line(
	const struct preempt_lines *lines, size_t behind)
{
	struct preempt_line *best = NULL;

	for (size_t i = 0; i < lines->n; i++) {
		struct preempt_line *line = &lines->v[i];

		if (line->first != SIZE_MAX &&
			(behind == SIZE_MAX || line->first > behind) &&
			(!best || line->first < best->first))
			best = line;
	}
	return best;
}

static size_t take_next(struct preempt_lines *lines)
{
	struct preempt_line *first = next_line(lines, SIZE_MAX), *line = first;
	size_t taken;

	while (line && outranked(lines, line))
		line = next_line(lines, line->first);
	if (!line)
		line = first;
	taken = line->first;
	line->first = lines->next[taken];
	return taken;
}

void preempt_order(struct schedule *s, size_t n, struct arena *arena)
{
	struct preempt_lines lines = {.s = s};
	struct sched_entry *ordered;
	bool any = false;

	for (size_t i = 0; i < n && s->preempt.by == PREEMPT_BY_QOS; i++)
		any |= preempt_possible(s, s->queue[i].job, s->queue[i].choice);
	if (!any)
		return;
	make_lines(&lines, n, arena);
	ordered = arena_array(arena, n, sizeof(*ordered));
	for (size_t i = 0; i < n; i++)
		ordered[i] = s->queue[take_next(&lines)];
	memcpy(s->queue, ordered, n * sizeof(*ordered));
}
