/*
 * The usual rule where all nodes are alike: each is free and could give the
 * same, or cannot be had at all. Then a run of consecutive nodes is a count, and
 * nodes are not looked at one by one. Part of common/select/select.h.
 *
 * Gives the result of select_nodes, or says that select_nodes must be called.
 */
#include "common/base/bits.h"
#include "common/select/select_pick.h"

struct alike {
	struct pick p;
	struct select_node node; /* any of them */
	struct select_run *runs;
	size_t n_runs;
	uint64_t *chosen;
};

static void list_runs(struct alike *a, const uint64_t *set, size_t words)
{
	size_t first = bits_next(set, words, 0);

	while (first < words * 64) {
		size_t end = bits_next_clear(set, words, first);

		a->runs[a->n_runs++] = (struct select_run){
			(uint32_t)first, (uint32_t)(end - first)};
		first = bits_next(set, words, end);
	}
}

/* The shortest of those that are enough, else the longest; the first of equals.
 * NULL: none is left. */
static struct select_run *best_run(const struct alike *a)
{
	const struct pick *p = &a->p;
	int64_t nodes = pick_nodes_needed(p);
	struct select_run *shortest = NULL, *longest = NULL;

	for (size_t i = 0; i < a->n_runs; i++) {
		struct select_run *run = &a->runs[i];
		bool enough = run->n >= nodes &&
			      (int64_t)run->n * a->node.use >= p->cpus;

		if (!run->n)
			continue;
		if (enough && (!shortest || run->n < shortest->n))
			shortest = run;
		if (!longest || run->n > longest->n)
			longest = run;
	}
	return shortest ? shortest : longest;
}

static void take(struct alike *a, size_t index)
{
	pick_take(&a->p, &a->node);
	bits_set(a->chosen, index);
}

/* The first of the run where one is enough for all that is missing. */
static void take_run(struct alike *a, const struct select_run *run)
{
	struct pick *p = &a->p;
	bool one = p->nodes_left <= 1 && a->node.use >= p->cpus;
	uint32_t n = one ? 1 : run->n;
	uint32_t first = one ? 0 : pick_take_first(p, &a->node, n);

	bits_set_run(a->chosen, run->first, first);
	for (uint32_t i = first; i < n && p->most_left > 0 && !pick_done(p);
		i++)
		if (one || p->most_left != 1 || a->node.use >= p->cpus)
			take(a, run->first + i);
}

static bool take_runs(struct alike *a)
{
	struct select_run *run;

	while (a->p.most_left > 0 && (run = best_run(a))) {
		take_run(a, run);
		if (pick_done(&a->p))
			return true;
		run->n = 0;
	}
	return pick_enough(&a->p);
}

enum select_answer select_alike(const struct select_job *job,
	const struct select_range *range, const struct select_alike *nodes,
	uint64_t *chosen, struct select_run *runs)
{
	size_t n = bits_count(nodes->set, nodes->words);
	struct alike a = {
		.node = {.cpus = nodes->cpus}, .runs = runs, .chosen = chosen};
	struct select_range all = pick_with_tasks(job, range), few = all;

	if (n < range->least ||
		(n < range->most ? n : range->most) * nodes->cpus < job->cpus)
		return SELECT_NO;
	bits_nothing(chosen, nodes->words);
	few.most = pick_most_by_tasks(job, &all);
	pick_begin(&a.p, job, range->most == 1 ? range : &few, &a.node, 1);
	if (range->most == 1) {
		if (a.node.use < job->cpus)
			return SELECT_NO;
		bits_set(chosen, bits_next(nodes->set, nodes->words, 0));
		return SELECT_YES;
	}
	if (n < all.least)
		return SELECT_NO;
	list_runs(&a, nodes->set, nodes->words);
	return a.node.use && take_runs(&a) ? SELECT_YES : SELECT_UNSURE;
}
