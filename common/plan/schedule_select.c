/*
 * Nodes for a job (Slurm's src/slurmctld/node_scheduler.c): what each could give is gathered here,
 * the choice is made by common/select/select.h, which has the rules of Slurm and those of textbook
 * policies. Part of common/plan/schedule_nodes.h. Pure.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/schedule_need.h"

/* As slurmctld's get_node_cnts puts limits together. */
struct select_range range_of(const struct sched_job *job,
	const struct sched_choice *choice, bool limits)
{
	const struct sched_partition *p = choice->partition;
	struct select_range range = {job->nodes, UINT32_MAX, 0};

	if (p->min_nodes != INFINITE && !choice->may.any_min_nodes)
		range.least = (uint32_t)larger(range.least, p->min_nodes);
	if (job->most_nodes)
		range.most = (uint32_t)larger(job->most_nodes, job->nodes);
	if (p->max_nodes != INFINITE && !choice->may.any_max_nodes)
		range.most = (uint32_t)smaller(range.most, p->max_nodes);
	if (limits && choice->limits) {
		uint32_t most = limits_most_nodes(choice->limits);

		if (most < range.most && most >= range.least)
			range.most = most;
	}
	range.want =
		job->most_nodes && !job->any_nodes ? range.most : range.least;
	return range;
}

/* ---- what nodes could give -----------------------------------------------*/

static bool offer(const struct schedule *s, const struct sched_view *view,
	const struct need *need, uint32_t index, struct select_node *out)
{
	const struct sched_node *node = &s->nodes[index];
	const struct sched_job *job = need->job;
	bool empty = is_empty_then(view, node);
	struct taken taken = {0};

	if (!has_room(s, view, index, need))
		return false;
	if (!empty)
		taken = taken_of(s, view, index, need);
	*out = (struct select_node){
		.index = index,
		.cpus = empty ? room_when_empty(s, node, need)
			      : room_beside(s, view, index, &taken, need),
		.free = node->cpus - (uint32_t)taken.cpus,
		.size = node->cpus,
		.weight = node->weight,
		.idle = !node->jobs,
		.required = job->required && bits_has(job->required, index),
		.free_at = view->fit ? larger(view->fit[index], s->now) : 0,
	};
	if (job->gres_job)
		out->gpus = node->gres[job->gres_kind] -
			    gres_taken(s, view, index, job->gres_kind);
	return out->cpus > 0;
}

/* All that have room, by index. */
static size_t gather(const struct schedule *s, const struct sched_view *view,
	const struct need *need, struct select_node *out)
{
	const struct sched_partition *p = need->partition;
	size_t n = 0;

	for (size_t w = p->words.first; w < p->words.end; w++) {
		uint64_t set = p->bits[w];

		if (view->usable)
			set &= view->usable[w];
		for (; set; set &= set - 1) {
			uint32_t index = (uint32_t)(w * 64) +
					 (uint32_t)__builtin_ctzll(set);

			n += offer(s, view, need, index, &out[n]);
		}
	}
	return n;
}

/* ---- choosing ------------------------------------------------------------*/

static enum select_rule rule_of(const struct schedule *s,
	const struct sched_view *view, const struct need *need,
	const struct select_range *range)
{
	if (view->rule)
		return view->rule;
	if (s->textbook)
		return SELECT_LOWEST;
	if (need->partition->least_loaded)
		return SELECT_LEAST_LOADED;
	if (s->serial_at_end && need->rules.cpus == 1 && range->want == 1)
		return SELECT_LAST;
	return SELECT_CONSECUTIVE;
}

static bool has_required(const struct sched_job *job,
	const struct select_node *nodes, size_t n, size_t words)
{
	size_t found = 0;

	if (!job->required)
		return true;
	for (size_t i = 0; i < n; i++)
		found += nodes[i].required;
	return found == bits_count(job->required, words);
}

void keep_chosen(struct schedule *s, const struct need *need,
	struct sched_start *start, size_t n)
{
	const struct sched_job *job = need->job;
	uint64_t mem = job->mem_per_node ? job->mem_per_node
					 : share_of(job->mem, job->nodes);
	uint32_t cpus = 0;

	select_lay_out(&need->rules, s->choosing, n);
	for (size_t i = 0; i < n; i++) {
		struct select_node *node = &s->choosing[i];

		if (need->rules.whole)
			node->got = node->size;
		s->room[i] = node->index;
		s->room_cpus[i] = node->got;
		s->room_mem[i] = job->mem_per_cpu ? job->mem_per_cpu * node->got
						  : mem;
		cpus += node->got;
	}
	start->nodes = s->room;
	start->n_nodes = n;
	start->cpus_on = s->room_cpus;
	start->mem_on = s->room_mem;
	start->whole = need->rules.whole;
	start->cpus = cpus;
}

/* Leaves out those that were not chosen; how many are left? */
static size_t drop_others(struct select_node *nodes, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (nodes[i].got)
			nodes[kept++] = nodes[i];
	return kept;
}

/* They are alike and empty. */
void sched_name_picked(struct schedule *s, const struct sched_job *job,
	struct sched_start *start)
{
	const struct sched_partition *p = start->choice->partition;
	const struct sched_node *any = &s->nodes[p->nodes[0]];
	struct need need = need_of(job, p);
	struct select_node node = {.cpus = room_when_empty(s, any, &need),
		.size = any->cpus,
		.got = 1};
	size_t n = 0;

	for (size_t w = p->words.first; w < p->words.end; w++)
		for (uint64_t set = s->picked[w]; set; set &= set - 1) {
			node.index = (uint32_t)(w * 64) +
				     (uint32_t)__builtin_ctzll(set);
			s->choosing[n++] = node;
		}
	keep_chosen(s, &need, start, n);
}

static void keep_picked(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, const struct sched_view *view)
{
	const struct sched_words *words = &start->choice->partition->words;

	start->nodes = NULL;
	start->n_nodes = bits_count(
		s->picked + words->first, words->end - words->first);
	if (!view->unnamed)
		sched_name_picked(s, job, start);
}

bool place_job(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, const struct sched_view *view)
{
	const struct sched_choice *choice = start->choice;
	struct need need = need_of(job, choice->partition);
	struct select_range range = range_of(job, choice, true);
	enum select_rule rule = rule_of(s, view, &need, &range);
	enum select_answer answer = SELECT_UNSURE;
	struct empty_node last = {0};
	size_t n;

	need.empty = &last;
	if (range.most < range.least)
		return false;
	if (rule == SELECT_CONSECUTIVE && can_use_counts_in(s, view, &need))
		answer = choose_by_counts(s, view, &need, &range);
	if (answer == SELECT_YES)
		keep_picked(s, job, start, view);
	if (answer != SELECT_UNSURE)
		return answer == SELECT_YES;
	n = gather(s, view, &need, s->choosing);
	if (n < range.least ||
		!has_required(job, s->choosing, n, bits_words(s->n_nodes)) ||
		!select_nodes(&need.rules, &range, rule, s->choosing, n))
		return false;
	keep_chosen(s, &need, start, drop_others(s->choosing, n));
	return true;
}

/* ---- could it ever run? --------------------------------------------------*/

/* Do the first nodes do that could hold it? */
static bool first_do(const struct schedule *s, const struct need *need,
	const struct select_range *range)
{
	const struct sched_partition *p = need->partition;
	uint64_t cpus = 0;

	if (can_use_counts(s, need->job, need->partition)) {
		const struct sched_node *any = &s->nodes[p->nodes[0]];
		uint64_t n = p->n_nodes < range->most ? p->n_nodes
						      : range->most;

		return n >= range->least &&
		       n * cap_of(any, p) >= need->rules.cpus &&
		       could_hold(s, any, need);
	}
	for (size_t i = 0, n = 0; i < p->n_nodes && n < range->most; i++) {
		const struct sched_node *node = &s->nodes[p->nodes[i]];

		if (!could_hold(s, node, need))
			continue;
		cpus += cap_of(node, p);
		if (++n >= range->least && cpus >= need->rules.cpus)
			return !need->rules.gpus && !need->job->required;
	}
	return false;
}

static bool any_do(const struct schedule *s, const struct need *need,
	const struct select_range *range, bool now)
{
	static const struct sched_view empty = {
		.future = true, .horizon = SCHED_NEVER};
	static const struct taken nothing;
	const struct sched_partition *p = need->partition;
	const struct sched_job *job = need->job;
	size_t n = 0;

	if (can_use_counts(s, need->job, need->partition)) {
		enum select_answer answer =
			choose_by_counts_of_all(s, need, range, now);

		if (answer != SELECT_UNSURE)
			return answer == SELECT_YES;
	}
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[i];

		if (!bits_has(p->bits, i) || !could_hold(s, node, need) ||
			(now && (node->down || bits_has(s->sets.kept, i))))
			continue;
		s->choosing[n++] = (struct select_node){
			.index = i,
			.cpus = room_beside(s, &empty, i, &nothing, need),
			.free = node->cpus,
			.size = node->cpus,
			.gpus = job->gres_job ? node->gres[job->gres_kind] : 0,
			.required = job->required && bits_has(job->required, i),
		};
	}
	return has_required(job, s->choosing, n, bits_words(s->n_nodes)) &&
	       select_nodes(&need->rules, range,
		       s->textbook ? SELECT_LOWEST : SELECT_CONSECUTIVE,
		       s->choosing, n);
}

size_t nodes_needed(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	/* Limits are refused with reasons of their own. */
	struct select_range range = range_of(job, choice, false);
	struct need need = need_of(job, choice->partition);
	struct empty_node last = {0};

	need.empty = &last;
	if (range.most < range.least ||
		(!first_do(s, &need, &range) &&
			!any_do(s, &need, &range, false)))
		return 0;
	return range.least;
}

bool would_fit(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	struct select_range range = range_of(job, choice, true);
	struct need need = need_of(job, choice->partition);

	return any_do(s, &need, &range, true);
}

bool nodes_in_use(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p)
{
	const struct sched_sets *sets = &s->sets;
	bool whole = job->exclusive || p->exclusive;

	for (size_t w = p->words.first; w < p->words.end; w++) {
		uint64_t used = whole ? ~sets->idle[w] : sets->exclusive[w];

		if (job->may)
			used &= job->may[w];
		if (p->bits[w] & sets->up[w] & ~sets->kept[w] & used)
			return true;
	}
	return false;
}
