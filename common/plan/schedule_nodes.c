/*
 * Where a job fits (spec/backfill.md 2.3, 3.7 "Node choice"): CPUs, memory,
 * gres, whole nodes; the preferred nodes first. Its CPUs lie on its nodes as
 * schedule_spread says, so that a list of nodes tells how much of each a
 * running job has. Pure.
 */
#include "common/plan/schedule_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"

/* What a job needs of each node when it takes `nodes`. */
struct need {
	const struct sched_job *job;
	uint32_t nodes;
	uint32_t cpus; /* an even share */
	uint64_t mem;
	uint32_t most; /* CPUs of a node that may be used */
	bool whole;
};

uint64_t share_of(uint64_t amount, uint64_t n)
{
	return amount ? amount / n + (amount % n != 0) : 0;
}

static uint32_t cap_of(
	const struct sched_node *node, const struct sched_partition *p)
{
	return node->cpus < p->max_cpus_per_node ? node->cpus
						 : p->max_cpus_per_node;
}

bool schedule_spread(
	uint32_t cpus, const uint32_t *caps, size_t n, uint32_t *shares)
{
	memset(shares, 0, n * sizeof(*shares));
	while (cpus) {
		uint32_t open = 0, each;

		for (size_t i = 0; i < n; i++)
			open += shares[i] < caps[i];
		if (!open)
			return false;
		each = cpus / open ? cpus / open : 1;
		for (size_t i = 0; cpus && i < n; i++) {
			uint32_t room = caps[i] - shares[i];
			uint32_t more = each < room ? each : room;

			more = more < cpus ? more : cpus;
			shares[i] += more;
			cpus -= more;
		}
	}
	return true;
}

/* ---- by configuration ----------------------------------------------------*/

static int compare_down(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

static struct sched_words used_words(const uint64_t *set, size_t words)
{
	struct sched_words used = {0, words};

	while (used.first < used.end && !set[used.first])
		used.first++;
	while (used.end > used.first && !set[used.end - 1])
		used.end--;
	return used;
}

static void measure_partition(const struct schedule *s,
	struct sched_partition *p, struct arena *arena)
{
	uint64_t *largest = arena_array(arena, p->n_nodes, sizeof(*largest));
	uint64_t *bits =
		arena_array(arena, bits_words(s->n_nodes), sizeof(*bits));

	for (size_t i = 0; i < p->n_nodes; i++)
		bits_set(bits, p->nodes[i]);
	p->bits = bits;
	p->words = used_words(bits, bits_words(s->n_nodes));
	for (size_t i = 0; i < p->n_nodes; i++)
		largest[i] = cap_of(&s->nodes[p->nodes[i]], p);
	if (p->n_nodes)
		qsort(largest, p->n_nodes, sizeof(*largest), compare_down);
	for (size_t i = 1; i < p->n_nodes; i++)
		largest[i] += largest[i - 1];
	p->largest = largest;
}

void schedule_measure(struct schedule *s, struct arena *arena)
{
	if (s->caps)
		return;
	s->room = arena_array(arena, s->n_nodes, sizeof(*s->room));
	s->caps = arena_array(arena, s->n_nodes * 2 + 1, sizeof(*s->caps));
	s->usable =
		arena_array(arena, bits_words(s->n_nodes), sizeof(*s->usable));
	s->chosen =
		arena_array(arena, bits_words(s->n_nodes), sizeof(*s->chosen));
	for (size_t i = 0; i < s->n_partitions; i++)
		measure_partition(s, &s->partitions[i], arena);
}

/* The least number of nodes, from `n` on, that could hold the CPUs. */
static size_t nodes_for_cpus(
	const struct sched_partition *p, size_t n, uint32_t cpus)
{
	size_t low = n ? n : 1, high = p->n_nodes + 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->largest[middle - 1] >= cpus)
			high = middle;
		else
			low = middle + 1;
	}
	return low > p->n_nodes ? 0 : low;
}

static struct need need_of(const struct sched_job *job,
	const struct sched_partition *p, size_t nodes)
{
	return (struct need){
		.job = job,
		.nodes = (uint32_t)nodes,
		.cpus = (uint32_t)share_of(job->cpus, nodes),
		.mem = share_of(job->mem, nodes),
		.most = p->max_cpus_per_node,
		.whole = job->exclusive || p->exclusive,
	};
}

/* Could an empty node hold its part? */
static bool could_hold(const struct schedule *s, const struct sched_node *node,
	const struct need *need)
{
	if (!node->cpus || (node->mem && need->mem > node->mem) ||
		(need->job->may &&
			!bits_has(need->job->may, (size_t)(node - s->nodes))))
		return false;
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++)
		if (share_of(need->job->gres[g], need->nodes) > node->gres[g])
			return false;
	return true;
}

static int compare_caps_down(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y) - (x > y);
}

/* CPUs of the n largest nodes that could hold a part each; 0: there are not so
 * many. The first n do where they are large enough. */
static uint64_t cpus_of_largest(const struct schedule *s,
	const struct sched_partition *p, const struct need *need)
{
	uint32_t *caps = s->caps;
	size_t n = need->nodes, found = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[p->nodes[i]];

		if (!could_hold(s, node, need))
			continue;
		caps[found++] = cap_of(node, p);
		sum += found <= n ? caps[found - 1] : 0;
		if (found == n && sum >= need->job->cpus)
			return sum;
	}
	if (found < n)
		return 0;
	qsort(caps, found, sizeof(*caps), compare_caps_down);
	sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += caps[i];
	return sum;
}

size_t nodes_needed(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p)
{
	size_t n = nodes_for_cpus(p, job->nodes, job->cpus);

	for (; n && n <= p->max_nodes && n <= p->n_nodes; n++) {
		struct need need = need_of(job, p, n);
		uint64_t cpus = cpus_of_largest(s, p, &need);

		if (!cpus || cpus >= job->cpus)
			return cpus ? n : 0;
	}
	return 0;
}

size_t nodes_up(const struct schedule *s, const struct sched_partition *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_nodes; i++)
		n += !s->nodes[p->nodes[i]].down && !s->nodes[p->nodes[i]].kept;
	return n;
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
	const struct sched_running *r = &s->running[share->running];

	return (!view->future || r->end > view->horizon) &&
	       (!view->preempting || !is_gone(r));
}

/* What running jobs and promises leave of a node. */
struct taken {
	uint64_t cpus, mem;
	size_t jobs;
	bool whole;
};

static void take_share(const struct schedule *s, const struct sched_view *view,
	const struct sched_share *share, struct taken *taken)
{
	const struct sched_running *r = &s->running[share->running];

	if (view->preempting && r->preemptable) { /* suspended then */
		taken->mem += share_of(r->job->mem, r->start.n_nodes);
		return;
	}
	taken->jobs++;
	taken->whole |= r->start.whole;
	taken->cpus += share->cpus;
	taken->mem += share_of(r->job->mem, r->start.n_nodes);
}

static bool looks_ahead(const struct sched_view *view)
{
	return view->future || view->preempting;
}

/* So have those in front of it. */
static bool ends_by_horizon(const struct schedule *s,
	const struct sched_view *view, const struct sched_share *share)
{
	return view->future && s->running[share->running].end <= view->horizon;
}

static size_t dimensions(const struct schedule *s)
{
	return 2 + s->n_gres;
}

static struct taken taken_of(
	const struct schedule *s, const struct sched_view *view, uint32_t place)
{
	const struct sched_node *node = &s->nodes[place];
	struct taken taken = {0};

	for (size_t i = node->jobs; looks_ahead(view) && i-- > 0;) {
		if (ends_by_horizon(s, view, &node->shares[i]))
			break;
		if (counts(s, view, &node->shares[i]))
			take_share(s, view, &node->shares[i], &taken);
	}
	if (!looks_ahead(view))
		taken = (struct taken){node->cpus_used, node->mem_used,
			node->jobs, node->whole};
	if (view->promised) {
		const uint32_t *p = &view->promised[place * dimensions(s)];

		taken.cpus += p[0];
		taken.mem += p[1];
		taken.jobs += p[0] != 0;
	}
	return taken;
}

static uint64_t gres_taken(const struct schedule *s,
	const struct sched_view *view, uint32_t place, size_t g)
{
	const struct sched_node *node = &s->nodes[place];
	uint64_t n = looks_ahead(view) ? 0 : node->gres_used[g];

	for (size_t i = 0; looks_ahead(view) && i < node->jobs; i++) {
		const struct sched_running *r =
			&s->running[node->shares[i].running];

		if (r->job->gres && counts(s, view, &node->shares[i]))
			n += share_of(r->job->gres[g], r->start.n_nodes);
	}
	if (view->promised)
		n += view->promised[place * dimensions(s) + 2 + g];
	return n;
}

static bool may_use(const struct schedule *s, const struct sched_view *view,
	uint32_t place, const struct need *need)
{
	const struct sched_node *node = &s->nodes[place];

	return (!view->usable || bits_has(view->usable, place)) &&
	       !node->down && !node->kept &&
	       (!need->job->may || bits_has(need->job->may, place));
}

static bool leaves_room(const struct sched_node *node,
	const struct taken *taken, const struct need *need)
{
	uint32_t most = node->cpus < need->most ? node->cpus : need->most;
	uint32_t cpus = need->cpus < most ? need->cpus : most;

	if (taken->whole || (need->whole && taken->jobs) ||
		taken->cpus + cpus > node->cpus || taken->cpus >= node->cpus)
		return false;
	return !node->mem || taken->mem + need->mem <= node->mem;
}

static bool gres_left(const struct schedule *s, const struct sched_view *view,
	uint32_t place, const struct need *need)
{
	for (size_t g = 0; need->job->gres && g < s->n_gres; g++)
		if (gres_taken(s, view, place, g) +
				share_of(need->job->gres[g], need->nodes) >
			s->nodes[place].gres[g])
			return false;
	return true;
}

static bool has_room(const struct schedule *s, const struct sched_view *view,
	uint32_t place, const struct need *need)
{
	struct taken taken;

	if (view->fit)
		return bits_has(view->usable, place) &&
		       view->fit[place] <= view->horizon;
	if (!may_use(s, view, place, need))
		return false;
	taken = taken_of(s, view, place);
	return leaves_room(&s->nodes[place], &taken, need) &&
	       gres_left(s, view, place, need);
}

/* ---- when there is room --------------------------------------------------*/

/* Could it ever be, with what is promised and an empty node? */
static int64_t fit_when_empty(const struct schedule *s,
	const struct sched_view *view, uint32_t place, const struct need *need)
{
	struct sched_view empty = *view;
	struct taken taken;

	empty.future = true;
	empty.horizon = SCHED_NEVER;
	taken = taken_of(s, &empty, place);
	return leaves_room(&s->nodes[place], &taken, need) &&
			       gres_left(s, &empty, place, need)
		       ? INT64_MIN
		       : SCHED_NEVER;
}

/* From the job that ends last back to the one that must have ended. Shares
 * stand in order of that. */
static int64_t fit_beside(const struct schedule *s,
	const struct sched_view *view, uint32_t place, const struct need *need)
{
	const struct sched_node *node = &s->nodes[place];
	struct sched_view then = *view;
	struct taken taken = {0};

	then.future = true;
	if (view->promised) {
		then.horizon = SCHED_NEVER;
		taken = taken_of(s, &then, place);
	}
	for (size_t i = node->jobs; i-- > 0;) {
		const struct sched_share *share = &node->shares[i];
		int64_t end = s->running[share->running].end;

		if (view->preempting && is_gone(&s->running[share->running]))
			continue;
		take_share(s, view, share, &taken);
		then.horizon = end - 1;
		if (!leaves_room(node, &taken, need) ||
			!gres_left(s, &then, place, need))
			return end;
	}
	return INT64_MIN;
}

static int64_t last_end(const struct schedule *s, const struct sched_node *node)
{
	return s->running[node->shares[node->jobs - 1].running].end;
}

static int64_t fit_time(const struct schedule *s, const struct sched_view *view,
	uint32_t place, const struct need *need)
{
	const struct sched_node *node = &s->nodes[place];

	if (!could_hold(s, node, need) ||
		(view->promised &&
			fit_when_empty(s, view, place, need) == SCHED_NEVER))
		return SCHED_NEVER;
	if (!node->jobs && !view->promised)
		return INT64_MIN;
	if (need->whole && !view->promised && !view->preempting)
		return last_end(s, node);
	return fit_beside(s, view, place, need);
}

void sched_fit_times(const struct schedule *s, const struct sched_job *job,
	const struct sched_start *start, const struct sched_view *view,
	int64_t *fit, int64_t *times, size_t *n)
{
	const struct sched_partition *p = start->choice->partition;
	struct need need = need_of(job, p, start->n_nodes);

	*n = 0;
	for (size_t w = p->words.first; w < p->words.end; w++)
		for (uint64_t set = view->usable[w] & p->bits[w]; set;
			set &= set - 1) {
			uint32_t place = (uint32_t)(w * 64) +
					 (uint32_t)__builtin_ctzll(set);

			fit[place] = may_use(s, view, place, &need)
					     ? fit_time(s, view, place, &need)
					     : SCHED_NEVER;
			if (fit[place] != SCHED_NEVER)
				times[(*n)++] = fit[place];
		}
}

/* ---- choosing ------------------------------------------------------------*/

static int compare_places(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_places(uint32_t *places, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (places[i - 1] > places[i]) {
			qsort(places, n, sizeof(*places), compare_places);
			return;
		}
}

/* Do the CPUs, spread over these nodes, find them free? */
static bool settle(const struct schedule *s, const struct sched_view *view,
	const struct need *need, struct sched_start *start)
{
	size_t n = start->n_nodes;
	uint32_t *caps = s->caps, *shares = caps + n;
	uint64_t all = 0;

	sort_places(start->nodes, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t cpus = s->nodes[start->nodes[i]].cpus;

		caps[i] = cpus < need->most ? cpus : need->most;
		all += cpus;
	}
	if (!schedule_spread(need->job->cpus, caps, n, shares))
		return false;
	for (size_t i = 0; i < n; i++)
		if (taken_of(s, view, start->nodes[i]).cpus + shares[i] >
			s->nodes[start->nodes[i]].cpus)
			return false;
	start->cpus = need->whole ? (uint32_t)all : need->job->cpus;
	start->whole = need->whole;
	return true;
}

/* Nodes with room behind the first `n`; `busy`: only those in use now. */
static size_t collect_more(const struct schedule *s,
	const struct sched_view *view, const struct need *need,
	const struct sched_partition *p, size_t n, size_t most, bool busy)
{
	for (size_t i = 0; n < most && i < p->n_nodes; i++) {
		uint32_t place = p->nodes[i];

		if (view->busy_first && busy != (s->nodes[place].jobs > 0))
			continue;
		if (has_room(s, view, place, need))
			s->room[n++] = place;
	}
	return n;
}

/* Of those with room, the first ones; or, where they are too small together,
 * the largest. */
static size_t collect(const struct schedule *s, const struct sched_view *view,
	const struct need *need, const struct sched_partition *p, size_t most)
{
	size_t n = collect_more(s, view, need, p, 0, most, true);

	return view->busy_first ? collect_more(s, view, need, p, n, most, false)
				: n;
}

static int compare_sizes(const void *a, const void *b, void *arg)
{
	const struct sched_node *nodes = arg;
	const struct sched_node *x = &nodes[*(const uint32_t *)a];
	const struct sched_node *y = &nodes[*(const uint32_t *)b];

	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? 1 : -1;
	return compare_places(a, b);
}

bool place_job(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, const struct sched_view *view)
{
	const struct sched_partition *p = start->choice->partition;
	struct need need = need_of(job, p, start->n_nodes);
	size_t n = start->n_nodes;

	if (collect(s, view, &need, p, n) < n)
		return false;
	start->nodes = s->room;
	if (settle(s, view, &need, start))
		return true;
	qsort_r(s->room, collect(s, view, &need, p, p->n_nodes),
		sizeof(*s->room), compare_sizes, s->nodes);
	return settle(s, view, &need, start);
}

void schedule_keep(struct sched_start *start, struct arena *arena)
{
	uint32_t *nodes = arena_array(arena, start->n_nodes, sizeof(*nodes));

	memcpy(nodes, start->nodes, start->n_nodes * sizeof(*nodes));
	start->nodes = nodes;
}

/* ---- taking --------------------------------------------------------------*/

void start_shares(struct schedule *s, const struct sched_job *job,
	const struct sched_start *start, const struct sched_partition *p,
	uint32_t *shares)
{
	for (size_t i = 0; i < start->n_nodes; i++) {
		const struct sched_node *node = &s->nodes[start->nodes[i]];

		s->caps[i] = p ? cap_of(node, p) : node->cpus;
	}
	(void)schedule_spread(job->cpus, s->caps, start->n_nodes, shares);
	for (size_t i = 0; start->whole && i < start->n_nodes; i++)
		shares[i] = s->nodes[start->nodes[i]].cpus;
}

/* `sign` 1 or -1; amounts that go down wrap around. */
static void count(const struct schedule *s, struct sched_node *node,
	const struct sched_running *r, uint32_t cpus, int sign)
{
	uint64_t n = (uint64_t)sign;

	node->cpus_used += (uint32_t)sign * cpus;
	node->whole += (uint32_t)sign * r->start.whole;
	node->mem_used += n * share_of(r->job->mem, r->start.n_nodes);
	for (size_t g = 0; r->job->gres && g < s->n_gres; g++)
		node->gres_used[g] +=
			n * share_of(r->job->gres[g], r->start.n_nodes);
}

static void count_licenses(
	struct schedule *s, const struct sched_job *job, int sign)
{
	for (size_t i = 0; job->licenses && i < s->n_licenses; i++)
		s->licenses_used[i] += (uint64_t)sign * job->licenses[i];
}

/* In order of the ends of the jobs. */
static void add_share(struct schedule *s, struct sched_node *node,
	struct sched_share share, struct arena *arena)
{
	size_t i;

	(void)ARENA_PUSH(arena, node->shares, node->jobs, node->cap_shares);
	for (i = node->jobs - 1; i > 0; i--) {
		if (s->running[node->shares[i - 1].running].end <=
			s->running[share.running].end)
			break;
		node->shares[i] = node->shares[i - 1];
	}
	node->shares[i] = share;
}

void schedule_run(struct schedule *s, const struct sched_running *running,
	struct arena *arena)
{
	uint32_t place = (uint32_t)s->n_running, *shares;
	struct sched_running *r =
		ARENA_PUSH(arena, s->running, s->n_running, s->cap_running);

	*r = *running;
	if (!s->caps)
		schedule_measure(s, arena);
	shares = s->caps + s->n_nodes;
	start_shares(s, r->job, &r->start, r->partition, shares);
	for (size_t i = 0; i < r->start.n_nodes; i++) {
		struct sched_node *node = &s->nodes[r->start.nodes[i]];

		count(s, node, r, shares[i], 1);
		add_share(
			s, node, (struct sched_share){place, shares[i]}, arena);
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

		count(s, node, r, share->cpus, -1);
		node->jobs--;
		memmove(share, share + 1,
			(size_t)(node->shares + node->jobs - share) *
				sizeof(*share));
	}
	count_licenses(s, r->job, -1);
	if (last == running)
		return;
	*r = s->running[last];
	for (size_t i = 0; i < r->start.n_nodes; i++)
		find_share(&s->nodes[r->start.nodes[i]], last)->running =
			(uint32_t)running;
}
