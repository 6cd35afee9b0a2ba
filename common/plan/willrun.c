#include "common/plan/willrun.h"

#include "common/base/bisect.h"
#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/base/select_kth.h"
#include "common/plan/blocks.h"

enum { GROUP = 30 }; /* seconds: the first group, and the grid it starts on */

struct willrun_search {
	struct schedule *s;
	const struct sched_job *job;
	struct sched_start *start;
	struct sched_view *view;
	const struct willrun *w;
	int64_t enough; /* from then on there are nodes enough with room */
};

static const struct sched_running *at(const struct willrun_search *x, size_t i)
{
	return &x->s->running[x->w->order[i]];
}

/* Where nodes are counts their ends lie together. */
static int64_t end_at(const struct willrun_search *x, size_t i)
{
	return x->w->ends ? x->w->ends->when[i] : at(x, i)->end;
}

static bool fits_at(struct willrun_search *x, int64_t horizon)
{
	if (x->enough > horizon)
		return false;
	x->view->horizon = horizon;
	if (x->w->ends)
		x->view->early = sched_early(x->w->ends, horizon);
	return x->w->blocks ? place_on_blocks(x->s, x->w->blocks, x->job,
				      x->start, x->view)
			    : place_job(x->s, x->job, x->start, x->view);
}

/* ---- the moment when enough nodes have room ------------------------------*/

/* Those of the usable nodes. */
static size_t pick_known(const struct willrun_search *x, int64_t *times)
{
	const struct sched_words *words = &x->start->choice->partition->words;
	size_t n = 0;

	for (size_t w = words->first; w < words->end; w++)
		for (uint64_t set = x->view->usable[w]; set; set &= set - 1) {
			size_t bit = (size_t)__builtin_ctzll(set);
			int64_t fit = x->w->known->fit[w * 64 + bit];

			if (fit != SCHED_NEVER)
				times[n++] = fit;
		}
	return n;
}

/* When the n-th of the usable nodes has room. */
static int64_t nth_sorted(const struct willrun_search *x, size_t n)
{
	const struct sched_fits *known = x->w->known;

	for (size_t i = 0; i < known->n_sorted; i++) {
		uint32_t index = known->sorted[i];

		n -= bits_has(x->view->usable, index);
		if (!n)
			return known->fit[index];
	}
	return SCHED_NEVER;
}

static struct sched_words words_of(const struct willrun_search *x)
{
	return x->w->blocks ? (struct sched_words){0, x->w->blocks->words}
			    : x->start->choice->partition->words;
}

static int64_t when_enough(struct willrun_search *x)
{
	const struct willrun *w = x->w;
	size_t n, least = w->least;

	if (!least)
		return SCHED_NEVER;
	if (w->ends)
		return sched_when_idle(w->ends, x->view->usable,
			words_of(x), least, w->from, w->until);
	if (w->known && w->known->n_sorted)
		return nth_sorted(x, least);
	if (w->known)
		n = pick_known(x, w->times);
	else
		sched_fit_times(
			x->s, x->job, x->start, x->view, w->fit, w->times, &n);
	if (n < least)
		return SCHED_NEVER;
	return select_kth(w->times, n, least - 1);
}

/* ---- groups of ends ------------------------------------------------------*/

/* Does it hold a node the job could take? */
static bool matters(
	const struct willrun_search *x, const struct sched_running *r)
{
	const struct blocks *blocks = x->w->blocks;

	if (blocks)
		return blocks_meet(blocks, &blocks->of[r - x->s->running],
			x->view->usable);
	for (size_t i = 0; i < r->start.n_nodes; i++)
		if (bits_has(x->view->usable, r->start.nodes[i]))
			return true;
	return false;
}

/* The first that ends behind `when`. */
static size_t first_behind(const struct willrun_search *x, int64_t when)
{
	size_t low = 0, high = x->w->n;

	BISECT(low, high, middle, end_at(x, middle) <= when)
	return low;
}

/* The first from `i` on that ends behind `when` and matters; n: none. */
static size_t next_end(const struct willrun_search *x, size_t i, int64_t when)
{
	while (i < x->w->n && (end_at(x, i) <= when || !matters(x, at(x, i))))
		i++;
	return i;
}

static int64_t last_end(
	const struct sched_node *node, int64_t horizon, int64_t last)
{
	if (node->jobs && node->last_end <= horizon)
		return larger(node->last_end, last);
	for (size_t k = 0; k < node->jobs; k++) {
		int64_t end = node->shares[k].end;

		if (end <= horizon && end > last)
			last = end;
	}
	return last;
}

static int64_t last_of_picked(
	const struct willrun_search *x, int64_t last, int64_t horizon)
{
	const struct sched_words *words = &x->start->choice->partition->words;

	for (size_t w = words->first; w < words->end; w++)
		for (uint64_t set = x->s->picked[w]; set; set &= set - 1)
			last = last_end(&x->s->nodes[w * 64 +
						(size_t)__builtin_ctzll(set)],
				horizon, last);
	return last;
}

/* The end of the last job that had to go for it. */
static int64_t last_in_the_way(const struct willrun_search *x, int64_t horizon)
{
	int64_t last = x->w->from;

	if (x->w->blocks)
		return blocks_last_end(x->w->blocks, &x->w->blocks->chosen,
			last, horizon);
	if (!x->start->nodes)
		return last_of_picked(x, last, horizon);
	for (size_t i = 0; i < x->start->n_nodes; i++)
		last = last_end(&x->s->nodes[x->start->nodes[i]], horizon,
			last);
	return last;
}

/* Every end is a step. */
static bool later_by_step(struct willrun_search *x, int64_t *when)
{
	const struct willrun *w = x->w;
	int64_t horizon = w->from;

	for (size_t i = first_behind(x, horizon);
		(i = next_end(x, i, horizon)) < w->n;) {
		horizon = end_at(x, i);
		if (w->until && horizon > w->until)
			return false;
		if (fits_at(x, horizon)) {
			*when = last_in_the_way(x, horizon);
			return true;
		}
	}
	return false;
}

/* Slurm's groups of ends. */
struct ends_group {
	size_t next;	 /* the first that has not gone yet */
	int64_t first;	 /* end of the first that matters, moved up; 0 */
	int64_t width;	 /* ends up to so long behind it go together */
	int64_t horizon; /* all that matter and end by then are gone */
	bool last;	 /* no more may go */
};

/*
 * Takes the next group of running jobs as ended: one that matters, and more
 * while the next one in the list, whether it matters or not, ends within the
 * width; from one that does not matter it goes on to the next that does,
 * however late (_future_run_test). False at the end of the list.
 */
static bool next_group(const struct willrun_search *x, struct ends_group *g)
{
	enum { MOST = 200 };
	const struct willrun *w = x->w;
	bool behind = false; /* one that matters has just gone */
	size_t n = 0;

	for (; n <= MOST; g->next++) {
		int64_t end = g->next < w->n ? end_at(x, g->next) : 0;

		if (behind && end > g->first + g->width)
			return true;
		if (!end || (w->until && end > w->until)) {
			g->last = true;
			break;
		}
		behind = matters(x, at(x, g->next));
		if (!behind)
			continue;
		if (!g->first)
			g->first = (end / GROUP + 1) * GROUP;
		g->horizon = end;
		n++;
	}
	return n > 0;
}

static void widen(const struct willrun_search *x, struct ends_group *g)
{
	const struct willrun *w = x->w;

	do
		g->width = w->linear ? g->width + w->linear : g->width * 2;
	while (g->next < w->n && end_at(x, g->next) > g->first + g->width);
}

static bool later(struct willrun_search *x, int64_t *when)
{
	const struct willrun *w = x->w;
	struct ends_group g = {
		.next = first_behind(x, w->from), .width = GROUP};

	x->view->rule = w->later;
	if (w->by_step)
		return later_by_step(x, when);
	while (!g.last && next_group(x, &g)) {
		if (fits_at(x, g.horizon)) {
			*when = last_in_the_way(x, g.horizon);
			return true;
		}
		widen(x, &g);
	}
	return false;
}

bool willrun(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, struct sched_view *view,
	const struct willrun *w, int64_t *when)
{
	struct willrun_search x = {s, job, start, view, w, 0};

	if (w->now_only && w->from > s->now)
		return false;
	view->preempting = w->preempting;
	view->future = true;
	view->fit = NULL;
	x.enough = when_enough(&x);
	if (x.enough == SCHED_NEVER ||
		(w->until && x.enough > larger(w->from, w->until)))
		return false;
	if (!w->ends)
		view->fit = w->known ? w->known->fit : w->fit;
	*when = w->from;
	view->rule = 0;
	return fits_at(&x, w->from) || (!w->now_only && later(&x, when));
}
