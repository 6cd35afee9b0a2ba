/*
 * Jobs take nodes and give them back: part of common/plan/schedule.h. Pure.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/schedule_need.h"

void start_shares(struct schedule *s, const struct sched_job *job,
	const struct sched_start *start, const struct sched_partition *p,
	uint32_t *shares)
{
	uint32_t most = p ? p->max_cpus_per_node : INFINITE;

	if (start->cpus_on) {
		memcpy(shares, start->cpus_on,
			start->n_nodes * sizeof(*shares));
		return;
	}
	for (size_t i = 0; i < start->n_nodes; i++) {
		uint32_t cpus = s->nodes[start->nodes[i]].cpus;

		s->caps[i] = cpus < most ? cpus : most;
	}
	(void)schedule_spread(job->cpus, s->caps, start->n_nodes, shares);
	for (size_t i = 0; start->whole && i < start->n_nodes; i++)
		shares[i] = s->nodes[start->nodes[i]].cpus;
}

static void put(uint64_t *set, uint32_t index, bool in)
{
	if (in)
		bits_set(set, index);
	else
		bits_clear(set, index);
}

void schedule_note(struct schedule *s, uint32_t index)
{
	const struct sched_node *node = &s->nodes[index];
	const struct sched_share *share = node->shares;
	struct sched_sets *sets = &s->sets;
	bool full = node->jobs == 1 &&
		    (share->whole || share->cpus >= node->cpus);

	put(sets->idle, index, !node->jobs);
	put(sets->exclusive, index, node->whole);
	sets->n_shared -= bits_has(sets->shared, index);
	put(sets->shared, index, node->jobs && !full);
	sets->n_shared += bits_has(sets->shared, index);
}

/* `sign` 1 or -1; amounts that go down wrap around. */
static void count(const struct schedule *s, struct sched_node *node,
	const struct sched_running *r, const struct sched_share *share,
	int sign)
{
	uint64_t n = (uint64_t)sign;

	node->cpus_used += (uint32_t)sign * share->cpus;
	node->whole += (uint32_t)sign * r->start.whole;
	node->mem_used += n * share->mem;
	for (size_t g = 0; r->job->gres && g < s->n_gres; g++)
		node->gres_used[g] +=
			n * gres_share(r->job, g, r->start.n_nodes);
}

static void count_licenses(
	struct schedule *s, const struct sched_job *job, int sign)
{
	for (size_t i = 0; job->licenses && i < s->n_licenses; i++)
		s->licenses_used[i] += (uint64_t)sign * job->licenses[i];
}

/* In order of the ends of the jobs. */
static void add_share(struct sched_node *node, struct sched_share share,
	struct arena *arena)
{
	size_t i;

	(void)ARENA_PUSH(arena, node->shares, node->jobs, node->cap_shares);
	for (i = node->jobs - 1; i > 0; i--) {
		if (node->shares[i - 1].end <= share.end)
			break;
		node->shares[i] = node->shares[i - 1];
	}
	node->shares[i] = share;
	node->last_end = node->shares[node->jobs - 1].end;
}

void schedule_run(struct schedule *s, const struct sched_running *running,
	struct arena *arena)
{
	uint32_t index = (uint32_t)s->n_running, *shares;
	struct sched_running *r =
		ARENA_PUSH(arena, s->running, s->n_running, s->cap_running);

	*r = *running;
	if (!s->caps)
		schedule_measure(s, arena);
	shares = s->caps + s->n_nodes;
	start_shares(s, r->job, &r->start, r->partition, shares);
	for (size_t i = 0; i < r->start.n_nodes; i++) {
		struct sched_node *node = &s->nodes[r->start.nodes[i]];

		struct sched_share share = {index, shares[i],
			r->start.mem_on
				? r->start.mem_on[i]
				: share_of(r->job->mem, r->start.n_nodes),
			r->end, r->start.whole};

		count(s, node, r, &share, 1);
		add_share(node, share, arena);
		schedule_note(s, r->start.nodes[i]);
	}
	count_licenses(s, r->job, 1);
}

static struct sched_share *find_share(struct sched_node *node, size_t running)
{
	size_t i = 0;

	while (node->shares[i].running != running)
		i++;
	return &node->shares[i];
}

void schedule_suspend(struct schedule *s, size_t running)
{
	struct sched_running *r = &s->running[running];

	for (size_t i = 0; i < r->start.n_nodes; i++) {
		struct sched_node *node = &s->nodes[r->start.nodes[i]];
		struct sched_share *share = find_share(node, running);

		node->cpus_used -= share->cpus;
		node->whole -= r->start.whole;
		share->cpus = 0;
		share->whole = false;
		schedule_note(s, r->start.nodes[i]);
	}
	r->start.whole = false;
}

void schedule_end(struct schedule *s, size_t running)
{
	struct sched_running *r = &s->running[running];
	size_t last = --s->n_running;

	for (size_t i = 0; i < r->start.n_nodes; i++) {
		struct sched_node *node = &s->nodes[r->start.nodes[i]];
		struct sched_share *share = find_share(node, running);

		count(s, node, r, share, -1);
		node->jobs--;
		memmove(share, share + 1,
			(size_t)(node->shares + node->jobs - share) *
				sizeof(*share));
		if (node->jobs)
			node->last_end = node->shares[node->jobs - 1].end;
		schedule_note(s, r->start.nodes[i]);
	}
	count_licenses(s, r->job, -1);
	if (last == running)
		return;
	*r = s->running[last];
	for (size_t i = 0; i < r->start.n_nodes; i++)
		find_share(&s->nodes[r->start.nodes[i]], last)->running =
			(uint32_t)running;
}

void schedule_clear(struct schedule *s)
{
	s->running = NULL;
	s->n_running = s->cap_running = 0;
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		struct sched_node *node = &s->nodes[i];

		node->shares = NULL;
		node->jobs = node->cap_shares = 0;
		node->cpus_used = node->whole = 0;
		node->mem_used = 0;
		for (size_t g = 0; g < s->n_gres; g++)
			node->gres_used[g] = 0;
		schedule_note(s, i);
	}
	for (size_t i = 0; i < s->n_licenses; i++)
		s->licenses_used[i] = 0;
}

/* Nodes know those that run on them by their ends: it is taken off and put
 * back. */
void schedule_move_end(struct schedule *s, size_t running, int64_t end,
	struct arena *arena)
{
	struct sched_running r = s->running[running];

	schedule_end(s, running);
	r.end = end;
	schedule_run(s, &r, arena);
}
