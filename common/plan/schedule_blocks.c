/*
 * Where a job fits on blocks of nodes (common/plan/blocks.h): what
 * schedule_select.c gives where nodes are counts, without looking at each.
 * Pure.
 */
#include "common/plan/blocks.h"
#include "common/plan/schedule_need.h"

static void choose_run(struct blocks *b, uint32_t first, uint32_t n)
{
	struct node_runs *to = &b->chosen;
	struct select_run *last = to->n ? &to->v[to->n - 1] : NULL;

	if (last && last->first + last->n == first)
		last->n += n;
	else if (n)
		*ARENA_PUSH(b->arena, to->v, to->n, to->cap) =
			(struct select_run){.first = first, .n = n};
}

static size_t keep_runs(
	struct blocks *b, const struct select_run *runs, size_t n_runs)
{
	size_t n = 0;

	for (size_t i = 0; i < n_runs; i++) {
		choose_run(b, runs[i].first, runs[i].taken);
		n += runs[i].taken;
	}
	return n;
}

/* Runs do not tell: each node is looked at. 0: it does not fit. */
static size_t choose_one_by_one(struct schedule *s, struct blocks *b,
	const struct need *need, const struct select_range *range,
	struct select_node any, size_t n_runs)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < n_runs; i++)
		for (uint32_t k = 0; k < s->runs[i].n; k++) {
			any.index = s->runs[i].first + k;
			s->choosing[n++] = any;
		}
	if (n < range->least || !select_nodes(&need->rules, range,
					SELECT_CONSECUTIVE, s->choosing, n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (s->choosing[i].got) {
			choose_run(b, s->choosing[i].index, 1);
			kept++;
		}
	return kept;
}

static struct select_node any_node(
	const struct schedule *s, const struct need *need)
{
	const struct sched_node *any = &s->nodes[need->partition->nodes[0]];

	return (struct select_node){
		.cpus = room_when_empty(s, any, need),
		.free = any->cpus,
		.size = any->cpus,
		.weight = any->weight,
	};
}

bool place_on_blocks(struct schedule *s, struct blocks *b,
	const struct sched_job *job, struct sched_start *start,
	const struct sched_view *view)
{
	const struct sched_partition *p = start->choice->partition;
	struct need need = need_of(job, p);
	struct select_range range = range_of(job, start->choice, true);
	struct select_node any = any_node(s, &need);
	const uint64_t *group = b->groups[p - s->partitions];
	enum select_answer answer;
	size_t n_runs, n = 0;

	b->chosen.n = 0;
	if (range.most < range.least)
		return false;
	for (size_t w = 0; w < b->words; w++)
		b->counted[w] =
			group[w] & view->early[w] & b->up[w] & view->usable[w];
	n_runs = blocks_runs(b, b->counted, s->runs);
	answer = select_runs(&need.rules, &range, any.cpus, s->runs, n_runs);
	if (answer == SELECT_YES)
		n = keep_runs(b, s->runs, n_runs);
	else if (answer == SELECT_UNSURE)
		n = choose_one_by_one(s, b, &need, &range, any, n_runs);
	if (!n)
		return false;
	start->n_nodes = n;
	start->nodes = NULL;
	return true;
}

void name_nodes(struct schedule *s, const struct blocks *b,
	const struct sched_job *job, struct sched_start *start)
{
	struct need need = need_of(job, start->choice->partition);
	struct select_node any = any_node(s, &need);
	size_t n = 0;

	any.got = 1;
	for (size_t i = 0; i < b->chosen.n; i++)
		for (uint32_t k = 0; k < b->chosen.v[i].n; k++) {
			any.index = b->chosen.v[i].first + k;
			s->choosing[n++] = any;
		}
	keep_chosen(s, &need, start, n);
}
