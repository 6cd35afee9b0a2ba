/*
 * What is free on nodes and when there is room: part of
 * common/plan/schedule_nodes.h. Pure.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/schedule_need.h"

uint64_t share_of(uint64_t amount, uint64_t n)
{
	return amount ? amount / n + (amount % n != 0) : 0;
}

uint64_t gres_share(const struct sched_job *job, size_t g, size_t nodes)
{
	return job->gres_node ? job->gres_node[g]
			      : share_of(job->gres[g], nodes);
}

/* What it needs on each node; wherever GPUs of the job may lie, each node has
 * one of them at least. */
static uint64_t gres_part(const struct need *need, size_t g)
{
	const struct sched_job *job = need->job;
	uint64_t part = job->gres_node ? job->gres_node[g] : 0;

	if (g != job->gres_kind || part)
		return part;
	return job->gres_task ? job->gres_task : job->gres_job > 0;
}

static uint64_t memory_of_each(const struct sched_job *job)
{
	if (job->mem_per_cpu)
		return job->mem_per_cpu;
	return job->mem_per_node ? job->mem_per_node
				 : share_of(job->mem, job->nodes);
}

/* Put together in one piece: it is asked for with every test. */
struct need need_of(
	const struct sched_job *job, const struct sched_partition *p)
{
	uint32_t each = job->cpus_per_task ? job->cpus_per_task : 1;
	uint32_t tasks = job->tasks_asked ? job->tasks_asked
					  : job->cpus / each;

	return (struct need){
		.job = job,
		.partition = p,
		.rules =
			{
				.cpus = job->cpus < tasks * each ? tasks * each
								 : job->cpus,
				.tasks = tasks,
				.cpus_per_task = each,
				.tasks_per_node = job->tasks_per_node,
				.most_asked = job->most_nodes,
				.mem = memory_of_each(job),
				.mem_of_cpu = job->mem_per_cpu,
				.whole = job->exclusive || p->exclusive,
				.gpus = job->gres_job,
				.per_task = job->gres_task,
			},
	};
}

/* ---- what is free --------------------------------------------------------*/

/* Would nothing of it be left? */
static bool is_gone(const struct sched_running *r)
{
	return r->preemptable && r->how != PREEMPTED_SUSPEND;
}

static bool counts(const struct schedule *s, const struct sched_view *view,
	const struct sched_share *share)
{
	return (!view->future || share->end > view->horizon) &&
	       (!view->preempting || !is_gone(&s->running[share->running]));
}

static void take_share(const struct schedule *s, const struct sched_view *view,
	const struct sched_share *share, const struct need *need,
	struct taken *taken)
{
	const struct sched_running *r = &s->running[share->running];

	taken->mem += share->mem;
	if (view->preempting && r->preemptable) /* suspended then */
		return;
	taken->jobs++;
	taken->whole |= share->whole;
	taken->cpus += share->cpus;
	if (need->partition->max_cpus_per_node != INFINITE &&
		r->partition == need->partition)
		taken->cpus_of_partition += share->cpus;
}

static bool looks_ahead(const struct sched_view *view)
{
	return view->future || view->preempting;
}

/* The shares of a node are ordered by their ends: all before this one have
 * ended too. */
static bool ends_by_horizon(
	const struct sched_view *view, const struct sched_share *share)
{
	return view->future && share->end <= view->horizon;
}

static size_t dimensions(const struct schedule *s)
{
	return 2 + s->n_gres;
}

struct taken taken_of(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct need *need)
{
	const struct sched_node *node = &s->nodes[index];
	bool each =
		looks_ahead(view) ||
		need->partition->max_cpus_per_node != INFINITE;
	struct taken taken = {0};

	for (size_t i = node->jobs; each && i-- > 0;) {
		if (ends_by_horizon(view, &node->shares[i]))
			break;
		if (counts(s, view, &node->shares[i]))
			take_share(s, view, &node->shares[i], need, &taken);
	}
	if (!looks_ahead(view)) {
		taken.cpus = node->cpus_used;
		taken.mem = node->mem_used;
		taken.jobs = node->jobs;
		taken.whole = node->whole;
	}
	if (view->promised) {
		const uint32_t *p = &view->promised[index * dimensions(s)];

		taken.cpus += p[0];
		taken.mem += p[1];
		taken.jobs += p[0] != 0;
	}
	return taken;
}

uint64_t gres_taken(const struct schedule *s, const struct sched_view *view,
	uint32_t index, size_t g)
{
	const struct sched_node *node = &s->nodes[index];
	uint64_t n = looks_ahead(view) ? 0 : node->gres_used[g];

	for (size_t i = 0; looks_ahead(view) && i < node->jobs; i++) {
		const struct sched_running *r =
			&s->running[node->shares[i].running];

		if (r->job->gres && counts(s, view, &node->shares[i]))
			n += gres_share(r->job, g, r->start.n_nodes);
	}
	if (view->promised)
		n += view->promised[index * dimensions(s) + 2 + g];
	return n;
}

bool may_use(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct need *need)
{
	const struct sched_node *node = &s->nodes[index];

	return (!view->usable || bits_has(view->usable, index)) &&
	       !node->down && !bits_has(s->sets.kept, index) &&
	       (!need->job->may || bits_has(need->job->may, index));
}

uint32_t room_beside(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct taken *taken, const struct need *need)
{
	const struct sched_node *node = &s->nodes[index];
	const struct sched_job *job = need->job;
	struct select_left left = {
		.cpus = taken->whole || taken->cpus >= node->cpus
				? 0
				: node->cpus - (uint32_t)taken->cpus,
		.cpus_of_partition = (uint32_t)taken->cpus_of_partition,
		.most = need->partition->max_cpus_per_node,
		.mem = UINT64_MAX,
		.empty = !taken->jobs,
	};

	if (node->mem)
		left.mem = taken->mem < node->mem ? node->mem - taken->mem : 0;
	if (job->gres_task)
		left.gpus = node->gres[job->gres_kind] -
			    gres_taken(s, view, index, job->gres_kind);
	return select_room(&need->rules, &left);
}

static bool leaves_room(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct taken *taken, const struct need *need)
{
	return taken->cpus < s->nodes[index].cpus &&
	       room_beside(s, view, index, taken, need) > 0;
}

static bool gres_left(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct need *need)
{
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++) {
		uint64_t part = gres_part(need, g);

		if (part && gres_taken(s, view, index, g) + part >
				    s->nodes[index].gres[g])
			return false;
	}
	return true;
}

bool has_room(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct need *need)
{
	struct taken taken;

	if (view->fit)
		return bits_has(view->usable, index) &&
		       view->fit[index] <= view->horizon;
	if (!may_use(s, view, index, need))
		return false;
	taken = taken_of(s, view, index, need);
	return leaves_room(s, view, index, &taken, need) &&
	       gres_left(s, view, index, need);
}

bool is_empty_then(
	const struct sched_view *view, const struct sched_node *node)
{
	if (view->promised)
		return false;
	return !node->jobs ||
	       (view->future && node->last_end <= view->horizon);
}

uint32_t room_when_empty(const struct schedule *s,
	const struct sched_node *node, const struct need *need)
{
	static const struct sched_view empty = {
		.future = true, .horizon = SCHED_NEVER};
	static const struct taken nothing;
	struct empty_node *last = need->job->gres_task ? NULL : need->empty;
	uint32_t room;

	if (last && last->cpus == node->cpus && last->mem == node->mem)
		return last->room;
	room = room_beside(
		s, &empty, (uint32_t)(node - s->nodes), &nothing, need);
	if (last)
		*last = (struct empty_node){node->cpus, node->mem, room};
	return room;
}

bool could_hold(const struct schedule *s, const struct sched_node *node,
	const struct need *need)
{
	uint32_t index = (uint32_t)(node - s->nodes);

	if (!node->cpus || (need->job->may && !bits_has(need->job->may, index)))
		return false;
	if (!room_when_empty(s, node, need))
		return false;
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++)
		if (gres_part(need, g) > node->gres[g])
			return false;
	return true;
}

/* ---- when there is room --------------------------------------------------*/

/* Could it ever be, with what is promised and an empty node? */
static int64_t fit_when_empty(const struct schedule *s,
	const struct sched_view *view, uint32_t index, const struct need *need)
{
	struct sched_view empty = *view;
	struct taken taken;

	empty.future = true;
	empty.horizon = SCHED_NEVER;
	taken = taken_of(s, &empty, index, need);
	return leaves_room(s, &empty, index, &taken, need) &&
			       gres_left(s, &empty, index, need)
		       ? INT64_MIN
		       : SCHED_NEVER;
}

/* From the job that ends last back to the one that must have ended. Parts of
 * jobs are in that order. */
static int64_t fit_beside(const struct schedule *s,
	const struct sched_view *view, uint32_t index, const struct need *need)
{
	const struct sched_node *node = &s->nodes[index];
	struct sched_view then = *view;
	struct taken taken = {0};

	then.future = true;
	if (view->promised) {
		then.horizon = SCHED_NEVER;
		taken = taken_of(s, &then, index, need);
	}
	for (size_t i = node->jobs; i-- > 0;) {
		const struct sched_share *share = &node->shares[i];
		int64_t end = share->end;

		if (view->preempting && is_gone(&s->running[share->running]))
			continue;
		take_share(s, view, share, need, &taken);
		then.horizon = end - 1;
		if (!leaves_room(s, &then, index, &taken, need) ||
			!gres_left(s, &then, index, need))
			return end;
	}
	return INT64_MIN;
}

static int64_t fit_time(const struct schedule *s, const struct sched_view *view,
	uint32_t index, const struct need *need)
{
	const struct sched_node *node = &s->nodes[index];

	if (!could_hold(s, node, need) ||
		(view->promised &&
			fit_when_empty(s, view, index, need) == SCHED_NEVER))
		return SCHED_NEVER;
	if (!node->jobs && !view->promised)
		return INT64_MIN;
	if (need->rules.whole && !view->promised && !view->preempting)
		return node->last_end;
	return fit_beside(s, view, index, need);
}

int64_t sched_fit_time(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p, const uint64_t *usable,
	uint32_t index)
{
	struct need need = need_of(job, p);
	struct sched_view view = {.usable = usable, .future = true};

	return may_use(s, &view, index, &need)
		       ? fit_time(s, &view, index, &need)
		       : SCHED_NEVER;
}

static uint32_t tasks_together(const struct select_job *rules)
{
	if (rules->tasks_per_node)
		return rules->tasks_per_node;
	return rules->most_asked == 1 ? rules->tasks : 1;
}

static uint32_t bounded(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

bool sched_least(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p, uint32_t *least)
{
	struct need need = need_of(job, p);
	const struct select_job *rules = &need.rules;
	uint64_t cpus = (uint64_t)tasks_together(rules) * rules->cpus_per_task;

	least[0] = bounded(cpus ? cpus : 1);
	least[1] = bounded(rules->mem_of_cpu ? rules->mem * cpus : rules->mem);
	for (size_t g = 0; g < s->n_gres; g++)
		least[2 + g] = job->gres ? bounded(gres_part(&need, g)) : 0;
	return rules->whole;
}

static bool rules_same(const struct select_job *a, const struct select_job *b)
{
	return a->cpus_per_task == b->cpus_per_task &&
	       tasks_together(a) == tasks_together(b) && a->mem == b->mem &&
	       a->mem_of_cpu == b->mem_of_cpu && a->whole == b->whole &&
	       a->per_task == b->per_task;
}

bool sched_needs_same(const struct schedule *s, const struct sched_partition *p,
	const struct sched_job *a, const struct sched_job *b)
{
	struct need x = need_of(a, p), y = need_of(b, p);
	size_t words = bits_words(s->n_nodes);

	if (!rules_same(&x.rules, &y.rules) ||
		(a->gres_task && a->gres_kind != b->gres_kind) ||
		!a->gres != !b->gres)
		return false;
	for (size_t g = 0; a->gres && g < s->n_gres; g++)
		if (gres_part(&x, g) != gres_part(&y, g))
			return false;
	return a->may == b->may ||
	       (a->may && b->may &&
		       !memcmp(a->may, b->may, words * sizeof(*a->may)));
}

void sched_fit_times(const struct schedule *s, const struct sched_job *job,
	const struct sched_start *start, const struct sched_view *view,
	int64_t *fit, int64_t *times, size_t *n)
{
	const struct sched_partition *p = start->choice->partition;
	struct need need = need_of(job, p);
	struct empty_node last = {0};

	need.empty = &last;
	*n = 0;
	for (size_t w = p->words.first; w < p->words.end; w++)
		for (uint64_t set = view->usable[w] & p->bits[w]; set;
			set &= set - 1) {
			uint32_t index = (uint32_t)(w * 64) +
					 (uint32_t)__builtin_ctzll(set);

			bool left =
				!view->left || bits_has(view->left, index);

			fit[index] = left && may_use(s, view, index, &need)
					     ? fit_time(s, view, index, &need)
					     : SCHED_NEVER;
			if (fit[index] != SCHED_NEVER)
				times[(*n)++] = fit[index];
		}
}
