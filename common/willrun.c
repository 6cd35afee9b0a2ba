#include "common/willrun.h"

#include "common/bits.h"

enum { GROUP = 30 }; /* seconds: the first group, and the grid it starts on */

struct search {
	struct schedule *s;
	const struct sched_job *job;
	struct sched_start *start;
	struct sched_view *view;
	const struct willrun *w;
	size_t next; /* in order: the first that is not thought away */
};

static struct sched_running *at(const struct search *x, size_t i)
{
	return &x->s->running[x->w->order[i]];
}

static bool fits(struct search *x)
{
	return place_job(x->s, x->job, x->start, x->view);
}

/* Does it hold a node the job could take? */
static bool matters(const struct search *x, const struct sched_running *r)
{
	if (!x->view->usable)
		return true;
	for (size_t i = 0; i < r->start.n_nodes; i++)
		if (bits_has(x->view->usable, r->start.nodes[i]))
			return true;
	return false;
}

static void skip_those_elsewhere(struct search *x)
{
	while (x->next < x->w->n &&
		(at(x, x->next)->gone || !matters(x, at(x, x->next))))
		x->next++;
}

/* Thinks away those that end by then. */
static void pass_time(struct search *x, int64_t when)
{
	while (x->next < x->w->n && at(x, x->next)->end <= when)
		at(x, x->next++)->gone = true;
	x->view->empty = x->next == x->w->n;
}

static bool holds_one_of(
	const struct sched_running *r, const struct sched_start *start)
{
	size_t a = 0, b = 0;

	while (a < r->start.n_nodes && b < start->n_nodes) {
		uint32_t x = r->start.nodes[a], y = start->nodes[b];

		if (x == y)
			return true;
		a += x < y;
		b += y < x;
	}
	return false;
}

/* The end of the last job that had to go for it. */
static int64_t last_in_the_way(const struct search *x)
{
	for (size_t i = x->next; i-- > 0;)
		if (at(x, i)->end > x->w->from &&
			holds_one_of(at(x, i), x->start))
			return at(x, i)->end;
	return x->w->from;
}

static bool later(struct search *x, int64_t *when)
{
	const struct willrun *w = x->w;
	int64_t step = GROUP, first = 0;

	for (skip_those_elsewhere(x); x->next < w->n; skip_those_elsewhere(x)) {
		int64_t end = at(x, x->next)->end;

		if (w->until && end > w->until)
			return false;
		if (!first)
			first = w->by_step ? end
					   : (end + GROUP - 1) / GROUP * GROUP;
		while (!w->by_step && first + step < end)
			step = w->linear ? step + w->linear : step * 2;
		pass_time(x, w->by_step ? end : first + step);
		if (fits(x)) {
			*when = last_in_the_way(x);
			return true;
		}
		step = w->linear ? step + w->linear : step * 2;
	}
	return false;
}

/* Jobs that have ended by the start, and those that may be pushed aside. */
static void think_away(struct search *x)
{
	for (size_t i = 0; i < x->w->n; i++)
		at(x, i)->gone = x->w->preempting && at(x, i)->preemptable;
	x->view->future = true;
	x->view->empty = false;
	pass_time(x, x->w->from);
}

bool willrun(struct schedule *s, const struct sched_job *job,
	struct sched_start *start, struct sched_view *view,
	const struct willrun *w, int64_t *when)
{
	struct search x = {s, job, start, view, w, 0};

	view->future = view->empty = false;
	*when = w->from;
	if (w->from <= s->now && fits(&x))
		return true;
	if (w->now_only && (!w->preempting || w->from > s->now))
		return false;
	think_away(&x);
	if ((w->from > s->now || w->preempting) && fits(&x))
		return true;
	return !w->now_only && later(&x, when);
}
