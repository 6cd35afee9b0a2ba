/*
 * When nodes have room for a job beside what runs: worked out once for all jobs
 * that need the same of a node, and kept as jobs start. Part of
 * common/plan/backfill.h.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/plan/backfill_pass.h"
#include "common/plan/preempt.h"

/* Needs that are remembered; more are rare. */
enum { MOST = 32 };

struct backfill_fit {
	struct sched_fits fits;
	const struct sched_job *job; /* the first that needed it */
	const struct sched_partition *partition;
	unsigned uses;
	struct backfill_fit *next;
};

/* Times have changed. */
static void unsort(const struct pass *p, struct backfill_fit *f)
{
	f->uses = 0;
	f->fits.n_sorted = f->fits.n_early = 0;
	memset(f->fits.early, 0, p->ns.words * sizeof(*f->fits.early));
}

static void work_out(struct attempt *a, struct backfill_fit *f)
{
	struct pass *p = a->p;
	struct sched_view view = {
		.usable = p->up, .future = true, .preempting = a->may_push};

	f->job = a->job;
	f->partition = a->choice->partition;
	unsort(p, f);
	a->start.n_nodes = a->n_nodes;
	sched_fit_times(p->s, a->job, &a->start, &view, f->fits.fit, p->times,
		&f->fits.n);
}

static struct backfill_fit *make(struct pass *p)
{
	struct backfill_fit *f = arena_alloc(p->scratch, sizeof(*f));

	*f = (struct backfill_fit){0};
	f->fits.fit = arena_array(
		p->scratch, p->ns.n_nodes + 1, sizeof(*f->fits.fit));
	f->fits.sorted = arena_array(
		p->scratch, p->ns.n_nodes + 1, sizeof(*f->fits.sorted));
	f->fits.early =
		arena_array(p->scratch, p->ns.words, sizeof(*f->fits.early));
	return f;
}

/* What may be preempted differs from job to job. */
static const struct sched_fits *for_it_alone(struct attempt *a)
{
	struct pass *p = a->p;

	if (!p->fit_alone)
		p->fit_alone = make(p);
	if (!a->fit_known) {
		preempt_mark(p->s, a->job, a->choice);
		work_out(a, p->fit_alone);
		preempt_clear(p->s);
	}
	a->fit_known = true;
	return &p->fit_alone->fits;
}

/* Takes it out of the list; the last entry when it is not there and the list is
 * full. NULL: create one. */
static struct backfill_fit *take_out(const struct attempt *a, bool *known)
{
	struct backfill_fit **at = &a->p->fit_sets;
	size_t n = 0;

	*known = false;
	for (; *at; at = &(*at)->next) {
		struct backfill_fit *f = *at;

		*known = f->partition == a->choice->partition &&
			 sched_needs_same(
				 a->p->s, f->partition, f->job, a->job);
		if (*known || (++n == MOST && !f->next)) {
			*at = f->next;
			return f;
		}
	}
	return NULL;
}

/* ---- nodes by time -------------------------------------------------------*/

static int compare(const void *x, const void *y, void *arg)
{
	const int64_t *fit = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (fit[a] != fit[b])
		return fit[a] < fit[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void sort(struct attempt *a, struct backfill_fit *f)
{
	struct sched_fits *fits = &f->fits;

	fits->n_sorted = 0;
	for (size_t w = a->words.first; w < a->words.end; w++)
		for (uint64_t set = a->p->up[w] & f->partition->bits[w]; set;
			set &= set - 1) {
			uint32_t index = (uint32_t)(w * 64) +
					 (uint32_t)__builtin_ctzll(set);

			if (fits->fit[index] != SCHED_NEVER)
				fits->sorted[fits->n_sorted++] = index;
		}
	qsort_r(fits->sorted, fits->n_sorted, sizeof(*fits->sorted), compare,
		fits->fit);
}

/* It moves from one horizon to the next: most are near. */
const uint64_t *backfill_early(struct attempt *a, int64_t horizon)
{
	struct pass *p = a->p;
	struct backfill_fit *f = a->may_push ? p->fit_alone : p->fit_sets;
	struct sched_fits *fits;

	if (a->by_counts)
		return sched_early(&p->ends, horizon);
	fits = &f->fits;
	if (!fits->n_sorted)
		sort(a, f);
	while (fits->n_early < fits->n_sorted &&
		fits->fit[fits->sorted[fits->n_early]] <= horizon)
		bits_set(fits->early, fits->sorted[fits->n_early++]);
	while (fits->n_early &&
		fits->fit[fits->sorted[fits->n_early - 1]] > horizon)
		bits_clear(fits->early, fits->sorted[--fits->n_early]);
	return fits->early;
}

/* ---- all -----------------------------------------------------------------*/

const struct sched_fits *backfill_fits(struct attempt *a)
{
	enum { SOME = 3 }; /* uses after which sorting pays */
	struct pass *p = a->p;
	struct backfill_fit *f;
	bool known;

	if (a->by_counts)
		return NULL;
	if (a->may_push)
		return for_it_alone(a);
	if (a->fit_known)
		return &p->fit_sets->fits;
	f = take_out(a, &known);
	if (!f)
		f = make(p);
	if (!known)
		work_out(a, f);
	f->next = p->fit_sets;
	p->fit_sets = f;
	if (++f->uses >= SOME && !f->fits.n_sorted)
		sort(a, f);
	a->fit_known = true;
	return &f->fits;
}

void backfill_fits_start(struct pass *p, const struct sched_start *start)
{
	for (struct backfill_fit *f = p->fit_sets; f; f = f->next) {
		unsort(p, f);
		for (size_t i = 0; i < start->n_nodes; i++)
			f->fits.fit[start->nodes[i]] =
				sched_fit_time(p->s, f->job, f->partition,
					p->up, start->nodes[i]);
	}
}

void backfill_fits_forget(struct pass *p)
{
	p->fit_sets = NULL;
}
