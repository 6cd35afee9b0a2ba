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
};

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

		if (run->seen)
			continue;
		if (enough && (!shortest || run->n < shortest->n))
			shortest = run;
		if (!longest || run->n > longest->n)
			longest = run;
	}
	return shortest ? shortest : longest;
}

/* A single one where it is enough for all that is missing. */
static void take_run(struct alike *a, struct select_run *run)
{
	struct pick *p = &a->p;
	bool one = p->nodes_left <= 1 && a->node.use >= p->cpus;
	uint32_t n = one ? 1 : run->n;

	run->seen = true;
	run->taken = one ? 0 : pick_take_first(p, &a->node, n);
	while (run->taken < n && p->most_left > 0 && !pick_done(p)) {
		if (!one && p->most_left == 1 && a->node.use < p->cpus)
			return;
		pick_take(p, &a->node);
		run->taken++;
	}
}

static bool take_runs(struct alike *a)
{
	struct select_run *run;

	while (a->p.most_left > 0 && (run = best_run(a))) {
		take_run(a, run);
		if (pick_done(&a->p))
			return true;
	}
	return pick_enough(&a->p);
}

enum select_answer select_runs(const struct select_job *job,
	const struct select_range *range, uint32_t cpus,
	struct select_run *runs, size_t n_runs)
{
	struct alike a = {
		.node = {.cpus = cpus}, .runs = runs, .n_runs = n_runs};
	struct select_range all = pick_with_tasks(job, range), few = all;
	size_t n = 0;

	for (size_t i = 0; i < n_runs; i++)
		n += runs[i].n;
	if (n < range->least ||
		(n < range->most ? n : range->most) * cpus < job->cpus)
		return SELECT_NO;
	few.most = pick_most_by_tasks(job, &all);
	pick_begin(&a.p, job, range->most == 1 ? range : &few, &a.node, 1);
	if (range->most == 1) {
		if (a.node.use < job->cpus)
			return SELECT_NO;
		runs[0].taken = 1;
		return SELECT_YES;
	}
	if (n < all.least)
		return SELECT_NO;
	return a.node.use && take_runs(&a) ? SELECT_YES : SELECT_UNSURE;
}

static size_t list_runs(
	const struct select_alike *nodes, struct select_run *runs)
{
	size_t first = bits_next(nodes->set, nodes->words, 0), count = 0;

	while (first < nodes->words * 64) {
		size_t end = bits_next_clear(nodes->set, nodes->words, first);

		runs[count++] = (struct select_run){.first = (uint32_t)first,
			.n = (uint32_t)(end - first)};
		first = bits_next(nodes->set, nodes->words, end);
	}
	return count;
}

enum select_answer select_alike(const struct select_job *job,
	const struct select_range *range, const struct select_alike *nodes,
	uint64_t *chosen, struct select_run *runs)
{
	size_t n = list_runs(nodes, runs);
	enum select_answer answer =
		select_runs(job, range, nodes->cpus, runs, n);

	bits_nothing(chosen, nodes->words);
	for (size_t i = 0; answer == SELECT_YES && i < n; i++)
		bits_set_run(chosen, runs[i].first, runs[i].taken);
	return answer;
}
