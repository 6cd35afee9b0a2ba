/*
 * One job looks for a place in the table: part of common/backfill.h
 * (spec/backfill.md 3.5, steps 9 to 15).
 */
#include <string.h>

#include "common/backfill_pass.h"
#include "common/bits.h"
#include "common/preempt.h"
#include "common/willrun.h"

/* ---- the table over the time of the job ----------------------------------*/

static struct ns_record *record_at(const struct attempt *a, uint32_t place)
{
	return &a->p->ns.v[place];
}

/* Would the successor offer a node that has been left out so far? */
static bool offers_more_nodes(const struct attempt *a,
	const struct ns_record *r, const struct ns_record *next)
{
	const struct pass *p = a->p;

	for (size_t w = a->words.first; w < a->words.end; w++)
		if (p->entry[w] & next->avail[w] &
			~(p->usable[w] & r->avail[w]))
			return true;
	return false;
}

static bool offers_more_amounts(const struct attempt *a,
	const struct ns_record *r, const struct ns_record *next)
{
	const struct pass *p = a->p;
	size_t n = p->ns.n_nodes * p->ns.amounts;

	for (size_t i = 0; i < n; i++)
		if ((next->promised[i] < r->promised[i] ||
			    next->promised[i] < p->promised[i]) &&
			bits_has(p->entry, i / p->ns.amounts))
			return true;
	return false;
}

static bool offers_more_licenses(const struct attempt *a,
	const struct ns_record *r, const struct ns_record *next)
{
	for (size_t i = 0; a->job->licenses && i < a->p->ns.n_licenses; i++)
		if (a->job->licenses[i] && next->licenses[i] > r->licenses[i])
			return true;
	return false;
}

static bool offers_more(const struct attempt *a, const struct ns_record *r)
{
	const struct ns_record *next = record_at(a, r->next);

	return offers_more_licenses(a, r, next) ||
	       offers_more_nodes(a, r, next) ||
	       (a->p->ns.amounts && offers_more_amounts(a, r, next));
}

static bool licenses_left(const struct attempt *a, const struct ns_record *r)
{
	for (size_t i = 0; a->job->licenses && i < a->p->ns.n_licenses; i++)
		if (a->job->licenses[i] > r->licenses[i])
			return false;
	return true;
}

/* Keeps of the set what is in the other, too; both lie in the partition. */
static void keep(const struct attempt *a, uint64_t *set, const uint64_t *other)
{
	for (size_t w = a->words.first; w < a->words.end; w++)
		set[w] &= other[w];
}

static size_t count_words(const struct attempt *a, const uint64_t *set)
{
	return bits_count(set + a->words.first, a->words.end - a->words.first);
}

static void add_promised(struct pass *p, const struct ns_record *r)
{
	size_t n = p->ns.n_nodes * p->ns.amounts;

	for (size_t i = 0; i < n; i++)
		if (p->promised[i] < r->promised[i])
			p->promised[i] = r->promised[i];
}

/* The first record that ends behind `from`. `from` never goes back. */
static void find_record(struct attempt *a)
{
	while (record_at(a, a->record)->end <= a->from &&
		record_at(a, a->record)->next)
		a->record = record_at(a, a->record)->next;
}

/* ---- tries that are not worth it -----------------------------------------*/

/*
 * When every node of the partition has room beside what runs: once for each
 * task. Not with amounts, where it depends on what is promised, too.
 */
static const int64_t *fit_times(struct attempt *a)
{
	struct pass *p = a->p;
	struct sched_view view = {
		.usable = p->up, .future = true, .preempting = a->may_push};
	size_t n;

	if (p->ns.amounts)
		return NULL;
	if (a->fit_known)
		return p->fit;
	if (a->may_push)
		preempt_mark(p->s, a->job, a->choice);
	sched_fit_times(p->s, a->job, &a->start, &view, p->fit, p->times, &n);
	if (a->may_push)
		preempt_clear(p->s);
	a->fit_known = true;
	return p->fit;
}

/* How far behind `later` the test of nodes may look: its last group of ends
 * reaches at most as far beyond that as that lies ahead. */
static int64_t reach(const struct attempt *a)
{
	enum { FIRST_GROUP = 60 };
	int64_t linear = a->p->b->params.bf_window_linear;
	int64_t beyond = a->later - a->from;

	if (a->p->rules.exact)
		return a->later;
	if (beyond < FIRST_GROUP)
		beyond = FIRST_GROUP;
	return a->later + (beyond > linear ? beyond : linear);
}

/* Nodes that are left, in this record too, and have room as early as the test
 * would look ahead: `ready`. Gives how many. */
static size_t find_ready(struct attempt *a, const struct ns_record *r)
{
	struct pass *p = a->p;
	const int64_t *fit = fit_times(a);
	int64_t horizon = reach(a);
	size_t n = 0;

	for (size_t w = a->words.first; w < a->words.end; w++) {
		p->ready[w] = 0;
		for (uint64_t set = p->usable[w] & r->avail[w]; set;
			set &= set - 1) {
			size_t place = w * 64 + (size_t)__builtin_ctzll(set);

			if (fit[place] > horizon)
				continue;
			bits_set(p->ready, place);
			n++;
		}
	}
	return n;
}

/* Are enough of those that are ready left over the whole time of the job? */
static bool ready_enough(const struct attempt *a, int64_t end)
{
	enum { FEW = 4 }; /* records after which counting pays */
	struct pass *p = a->p;

	for (uint32_t place = a->record, n = 1;; n++) {
		const struct ns_record *r = record_at(a, place);

		if (r->begin > end)
			break;
		keep(a, p->ready, r->avail);
		if (!r->next)
			break;
		if (n % FEW == 0 && count_words(a, p->ready) < a->start.n_nodes)
			return false;
		place = r->next;
	}
	return count_words(a, p->ready) >= a->start.n_nodes;
}

/* The first record at or behind a->record from which the job's time meets none
 * that has too few nodes by itself; UINT32_MAX: none. Records in front of
 * a->clear are known to have enough. */
static uint32_t first_clear(struct attempt *a)
{
	struct pass *p = a->p;
	uint32_t clear = a->record, place = a->record;
	int64_t from = a->from;

	if (record_at(a, a->clear)->begin > from)
		place = a->clear;
	for (;; place = record_at(a, place)->next) {
		const struct ns_record *r = record_at(a, place);

		a->clear = place;
		if (r->begin > from + a->seconds - !p->rules.end_counts)
			return clear;
		if (nodespace_count(&p->ns, place, a->partition) <
			a->start.n_nodes) {
			clear = r->next ? r->next : UINT32_MAX;
			from = r->end;
		}
		if (!r->next)
			return clear;
	}
}

/*
 * `later` is known: is all before it in vain? Then the outcome of the try is.
 * Starts before the end of a full record would all meet it: `later` moves
 * there; behind the last record there is nothing.
 */
static bool in_vain(struct attempt *a, const struct ns_record *r, int64_t end)
{
	bool by_fit = a->counted && !a->p->ns.amounts && r->begin <= end;
	uint32_t clear;

	if (a->no_reserve)
		return false;
	if (by_fit && find_ready(a, r) < a->start.n_nodes)
		return true;
	clear = first_clear(a);
	if (clear == a->record)
		return by_fit && !ready_enough(a, end);
	if (clear == UINT32_MAX)
		a->later = 0;
	else if (record_at(a, clear)->begin > a->later)
		a->later = record_at(a, clear)->begin;
	return true;
}

/*
 * What is left during [from, end] becomes `usable` and `promised`; the first
 * end of a record behind which there is more becomes `later`. False: it is no
 * use to test.
 */
static bool walk(struct attempt *a, int64_t end)
{
	enum { FEW = 8 }; /* records after which counting pays */
	struct pass *p = a->p;
	uint32_t place = a->record, records = 0;

	for (;;) {
		struct ns_record *r = record_at(a, place);

		if (r->end > a->from && r->next && !a->later &&
			offers_more(a, r)) {
			a->later = r->end;
			if (in_vain(a, r, end))
				return false;
		}
		if (r->end > a->from && r->begin > end) {
			if (!a->later && r->next && record_at(a, r->next)->next)
				a->later = record_at(a, r->next)->end;
			return true;
		}
		if (r->end > a->from) {
			keep(a, p->usable, r->avail);
			if (p->ns.amounts)
				add_promised(p, r);
			if (!licenses_left(a, r)) {
				a->later = r->end;
				return false;
			}
		}
		if (!r->next)
			return true;
		if (++records % FEW == 0 && a->later && !a->no_reserve &&
			count_words(a, a->p->usable) < a->start.n_nodes)
			return false;
		place = r->next;
	}
}

static int64_t to_grid(const struct pass *p, int64_t when)
{
	return when / p->rules.resolution * p->rules.resolution;
}

/* What others leave is kept from the moment they are told to. */
static int64_t slot_start(const struct attempt *a)
{
	return to_grid(a->p, a->start.n_victims ? a->p->s->now : a->when);
}

static int64_t slot_end(const struct attempt *a)
{
	const struct backfill_rules *rules = &a->p->rules;
	int64_t up = rules->round_up ? rules->resolution - 1 : 0;

	return to_grid(a->p, a->when + a->seconds + up);
}

/* ---- what was found ------------------------------------------------------*/

/* The nodes of the start as `chosen`. */
static void choose(struct attempt *a)
{
	struct pass *p = a->p;

	memset(p->chosen, 0, p->ns.words * sizeof(*p->chosen));
	for (size_t i = 0; i < a->start.n_nodes; i++)
		bits_set(p->chosen, a->start.nodes[i]);
}

/* With amounts: is there still room when all that is promised in the slot
 * counts? */
static bool still_fits(struct attempt *a)
{
	struct sched_view view = {
		.usable = a->p->chosen,
		.promised = a->p->promised,
		.future = true,
		.horizon = a->when,
	};

	return place_job(a->p->s, a->job, &a->start, &view);
}

/* Are nodes of the place, or the job's own reservation, out of reach at some
 * moment of its time? The attempt looked at the time behind `from`. */
static bool meets_reservation(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t from = a->when, until;

	if (a->when == a->from || !p->s->n_reservations)
		return false;
	bits_copy(p->next, p->chosen, p->ns.words);
	return !schedule_reserved(
		       p->s, a->job, a->seconds, &from, p->next, &until) ||
	       from > a->when || !bits_equal(p->next, p->chosen, p->ns.words);
}

/* Is something of the place promised to others in the slot? It may begin
 * before a->record, where records do not begin on the grid. */
static bool overlaps(struct attempt *a, int64_t start, int64_t end)
{
	struct pass *p = a->p;
	bool in_front = start < record_at(a, a->record)->begin;
	uint32_t place = in_front ? 0 : a->record;

	choose(a);
	if (p->ns.amounts)
		memset(p->promised, 0,
			p->ns.n_nodes * p->ns.amounts * sizeof(*p->promised));
	for (;;) {
		const struct ns_record *r = record_at(a, place);

		if (r->begin >= end)
			break;
		if (r->end > start) {
			for (size_t w = 0; w < p->ns.words; w++)
				if (p->chosen[w] & ~r->avail[w])
					return true;
			if (!licenses_left(a, r))
				return true;
			if (p->ns.amounts)
				add_promised(p, r);
		}
		if (!r->next)
			break;
		place = r->next;
	}
	return meets_reservation(a) || (p->ns.amounts && !still_fits(a));
}

/* Would it take in this record what is promised to others? */
static bool taken_in(const struct attempt *a, const struct ns_record *r)
{
	const struct pass *p = a->p;
	struct sched_start start = a->start;
	struct sched_view view = {
		.usable = p->chosen,
		.promised = r->promised,
		.future = true,
		.horizon = p->s->now,
	};

	for (size_t w = 0; w < p->ns.words; w++)
		if (p->chosen[w] & ~r->avail[w])
			return true;
	return !licenses_left(a, r) ||
	       (p->ns.amounts && !place_job(p->s, a->job, &start, &view));
}

/* Seconds until its place is somebody's by reservation, at most so many. */
static int64_t until_reserved(const struct attempt *a, int64_t most)
{
	const struct schedule *s = a->p->s;

	for (size_t i = 0; i < s->n_reservations; i++) {
		const struct sched_reservation *r = &s->reservations[i];
		int64_t end = r->start;

		if (a->job->reservation == i + 1)
			end = r->end;
		else if (a->job->reservation || end <= s->now ||
			 !bits_count_and(
				 r->nodes, a->p->chosen, a->p->ns.words))
			continue;
		if (end - s->now < most)
			most = end - s->now;
	}
	return most;
}

/* The limit is cut to what is free before the next promise or reservation, at
 * least time_min (spec 5.1). */
static void stretch(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t now = p->s->now;
	int64_t most = schedule_seconds(a->job, a->choice);

	if (!a->job->time_min || (int64_t)a->job->time_min * 60 >= most ||
		p->b->params.time_min_as_soft_limit)
		return;
	choose(a);
	most = until_reserved(a, most);
	for (uint32_t place = 0;;) {
		const struct ns_record *r = record_at(a, place);

		if (r->begin > now && r->begin < now + most && taken_in(a, r))
			most = r->begin - now;
		if (!r->next)
			break;
		place = r->next;
	}
	a->start.minutes = most / 60 < a->job->time_min ? a->job->time_min
							: (uint32_t)(most / 60);
}

static enum outcome start_now(struct attempt *a)
{
	schedule_keep(&a->start, a->p->arena);
	stretch(a);
	if (schedule_settle(a->job, &a->start, a->p->arena))
		return OUTCOME_NEXT_JOB;
	backfill_start(a);
	return a->p->b->params.bf_max_job_start &&
			       (int64_t)a->p->b->report.started >=
				       a->p->b->params.bf_max_job_start
		       ? OUTCOME_END
		       : OUTCOME_NEXT_TASK;
}

static bool may_reserve(const struct attempt *a)
{
	const struct pass *p = a->p;

	return !a->choice->no_reserve &&
	       (!p->rules.reserve_most ||
		       p->reserved[a->partition] < p->rules.reserve_most);
}

static enum outcome plan_ahead(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t start = slot_start(a), end = slot_end(a);

	bool pushes = a->start.n_victims;

	if (a->no_reserve && !pushes) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (a->later && a->when > a->later && !pushes)
		return OUTCOME_LATER;
	if (a->when >= p->rules.window_end) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (!a->limit_reached && schedule_settle(a->job, &a->start, p->scratch))
		return OUTCOME_NEXT_JOB;
	if (!pushes && !may_reserve(a)) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (nodespace_full(&p->ns)) {
		p->b->report.exit = BACKFILL_TABLE_FULL;
		return OUTCOME_END;
	}
	backfill_promise(p, a, start, end);
	backfill_plan(a, true);
	return OUTCOME_NEXT_TASK;
}

static enum outcome found(struct attempt *a)
{
	struct pass *p = a->p;

	if (a->when < a->from)
		a->when = a->from;
	if (a->when > p->s->now && overlaps(a, slot_start(a), slot_end(a))) {
		a->later = a->when;
		if (a->from == a->when)
			a->later += p->rules.resolution;
		return OUTCOME_LATER;
	}
	if (a->job->het && backfill_het_note(a))
		return OUTCOME_NEXT_JOB;
	if (!a->job->het && a->when <= p->s->now && !a->limit_reached)
		return start_now(a);
	return plan_ahead(a);
}

/* ---- one try -------------------------------------------------------------*/

static enum outcome no_slot(struct attempt *a)
{
	if (a->later && !a->no_reserve)
		return OUTCOME_LATER;
	a->no_place = true;
	return OUTCOME_NEXT_JOB;
}

/* Everything that does not change during the job, `later` before it. */
static void begin(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t first = p->s->now, het = backfill_het_time(a);

	if (p->rules.in_order && p->not_before[a->partition] > first)
		first = p->not_before[a->partition];
	if (het > first)
		first = het;
	a->from = a->later > first ? a->later : first;
	a->later = 0;
}

/* Only words of the partition; the others are clear (backfill.c). */
static void set_usable(struct attempt *a)
{
	struct pass *p = a->p;
	const uint64_t *part = a->choice->partition->bits;

	for (size_t w = a->words.first; w < a->words.end; w++)
		p->usable[w] = part[w] & p->up[w] &
			       (a->job->may ? a->job->may[w] : UINT64_MAX);
	if (p->ns.amounts)
		memset(p->promised, 0,
			p->ns.n_nodes * p->ns.amounts * sizeof(*p->promised));
}

/* First beside all that runs, then with others out of its way, now or when the
 * rest leaves room (spec 3.7). */
static bool test_pushing(
	struct attempt *a, struct sched_view *view, struct willrun *w)
{
	struct pass *p = a->p;
	bool licenses =
		p->rules.licenses || schedule_licenses_free(p->s, a->job);
	bool now = a->from <= p->s->now, found;

	a->when = a->from;
	if (now && licenses && place_job(p->s, a->job, &a->start, view))
		return true;
	if (now && preempt_place(p->s, a->job, &a->start, view, p->arena)) {
		a->when = preempt_when(&a->start, p->s->now);
		return true;
	}
	if (w->now_only || !licenses)
		return false;
	w->preempting = preempt_mark(p->s, a->job, a->choice);
	found = willrun(p->s, a->job, &a->start, view, w, &a->when);
	preempt_clear(p->s);
	return found && a->when > p->s->now;
}

static bool test(struct attempt *a)
{
	struct pass *p = a->p;
	struct willrun w = {
		.order = p->order,
		.n = p->n_order,
		.from = a->from,
		.until = a->later,
		.now_only = a->no_reserve,
		.by_step = p->rules.exact,
		.linear = p->b->params.bf_window_linear,
		.busy_first =
			p->rules.limits_of_tests && p->b->params.bf_busy_nodes,
		.known = fit_times(a),
		.fit = p->fit,
		.times = p->times,
	};
	struct sched_view view = {.usable = p->usable,
		.promised = p->ns.amounts ? p->promised : NULL};

	p->b->report.tests++;
	p->b->report.tested += !a->counted;
	a->counted = true;
	a->start.n_victims = 0;
	return a->may_push
		       ? test_pushing(a, &view, &w)
		       : willrun(p->s, a->job, &a->start, &view, &w, &a->when);
}

enum outcome backfill_try(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t end, until;
	bool worth;

	begin(a);
	set_usable(a);
	if (!schedule_reserved(
		    p->s, a->job, a->seconds, &a->from, p->usable, &until) ||
		a->from >= p->rules.window_end)
		return OUTCOME_NEXT_JOB;
	find_record(a);
	end = a->from + a->seconds - !p->rules.end_counts;
	for (size_t w = a->words.first; w < a->words.end; w++)
		p->entry[w] = p->usable[w];
	worth = walk(a, end);
	if (until && until + 1 < p->rules.window_end &&
		(!a->later || until + 1 < a->later))
		a->later = until + 1;
	if (!worth || count_words(a, a->p->usable) < a->start.n_nodes)
		return no_slot(a);
	return test(a) ? found(a) : no_slot(a);
}
