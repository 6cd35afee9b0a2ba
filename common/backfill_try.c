/*
 * One job looks for a place in the table: part of common/backfill.h
 * (spec/backfill.md 3.5, steps 9 to 15).
 */
#include <string.h>

#include "common/backfill_pass.h"
#include "common/bits.h"
#include "common/reason.h"
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

	for (size_t w = 0; w < p->ns.words; w++)
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
		if (next->promised[i] < r->promised[i] ||
			next->promised[i] < p->promised[i])
			return bits_has(p->entry, i / p->ns.amounts);
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

static void add_promised(struct pass *p, const struct ns_record *r)
{
	size_t n = p->ns.n_nodes * p->ns.amounts;

	for (size_t i = 0; i < n; i++)
		if (p->promised[i] < r->promised[i])
			p->promised[i] = r->promised[i];
}

/* Too few nodes, and when to look again is known: more of the table tells
 * nothing. */
static bool hopeless(const struct attempt *a)
{
	return a->later &&
	       bits_count(a->p->usable, a->p->ns.words) < a->start.n_nodes;
}

/*
 * What is left during [from, end] becomes `usable` and `promised`; the first
 * end of a record behind which there is more becomes `later`. False: licenses
 * are missing.
 */
static bool walk(struct attempt *a, int64_t end)
{
	struct pass *p = a->p;
	uint32_t place = a->record;

	for (;;) {
		struct ns_record *r = record_at(a, place);

		if (r->end > a->from && r->next && !a->later &&
			offers_more(a, r))
			a->later = r->end;
		if (r->end > a->from && r->begin > end) {
			if (!a->later && r->next && record_at(a, r->next)->next)
				a->later = record_at(a, r->next)->end;
			return true;
		}
		if (r->end > a->from) {
			bits_and(p->usable, r->avail, p->ns.words);
			if (p->ns.amounts)
				add_promised(p, r);
			if (!licenses_left(a, r)) {
				a->later = r->end;
				return false;
			}
		}
		if (!r->next || hopeless(a))
			return true;
		place = r->next;
	}
}

/* The first record that ends behind `from`. `from` never goes back. */
static void find_record(struct attempt *a)
{
	while (record_at(a, a->record)->end <= a->from &&
		record_at(a, a->record)->next)
		a->record = record_at(a, a->record)->next;
}

/*
 * Tries that would find too few nodes in their first record are left out: no
 * job can be planned there, and the tries behind follow the same steps.
 */
static void skip_full_records(struct attempt *a)
{
	struct pass *p = a->p;

	find_record(a);
	while (!a->no_reserve && record_at(a, a->record)->next &&
		nodespace_count(&p->ns, a->record, a->partition) <
			a->start.n_nodes) {
		a->from = record_at(a, a->record)->end;
		a->record = record_at(a, a->record)->next;
	}
}

static int64_t to_grid(const struct pass *p, int64_t when)
{
	return when / p->rules.resolution * p->rules.resolution;
}

static int64_t slot_start(const struct attempt *a)
{
	return to_grid(a->p, a->when);
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
		.future = a->when > a->p->s->now,
	};

	return place_job(a->p->s, a->job, &a->start, &view);
}

/* Is something of the place promised to others in the slot? Records begin on
 * the grid, so none in front of a->record reaches into it. */
static bool overlaps(struct attempt *a, int64_t start, int64_t end)
{
	struct pass *p = a->p;

	choose(a);
	if (p->ns.amounts)
		memset(p->promised, 0,
			p->ns.n_nodes * p->ns.amounts * sizeof(*p->promised));
	for (uint32_t place = a->record;;) {
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
	return p->ns.amounts && !still_fits(a);
}

/* The limit is cut to what is free before the next promise, at least time_min
 * (spec 5.1). */
static void stretch(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t now = p->s->now;
	int64_t most = schedule_seconds(a->job, a->choice) / 60;

	if (!a->job->time_min || p->b->params.time_min_as_soft_limit)
		return;
	choose(a);
	for (uint32_t place = 0;;) {
		const struct ns_record *r = record_at(a, place);
		bool taken = false;

		for (size_t w = 0; w < p->ns.words; w++)
			taken |= p->chosen[w] & ~r->avail[w];
		if (taken && r->begin > now && r->begin < now + most * 60)
			most = (r->begin - now) / 60;
		if (!r->next)
			break;
		place = r->next;
	}
	a->start.minutes = (uint32_t)most < a->job->time_min ? a->job->time_min
							     : (uint32_t)most;
}

static enum outcome start_now(struct attempt *a)
{
	stretch(a);
	schedule_keep(&a->start, a->p->arena);
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

	if (a->no_reserve) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (a->later && a->when > a->later)
		return OUTCOME_LATER;
	if (a->when > p->rules.window_end) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (!a->limit_reached && schedule_settle(a->job, &a->start, p->scratch))
		return OUTCOME_NEXT_JOB;
	if (!may_reserve(a)) {
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

static void set_usable(struct attempt *a)
{
	struct pass *p = a->p;

	bits_copy(p->usable, a->choice->partition->bits, p->ns.words);
	for (size_t i = 0; i < p->s->n_nodes; i++)
		if (p->s->nodes[i].down)
			bits_clear(p->usable, i);
	if (a->job->may)
		bits_and(p->usable, a->job->may, p->ns.words);
	if (p->ns.amounts)
		memset(p->promised, 0,
			p->ns.n_nodes * p->ns.amounts * sizeof(*p->promised));
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
		.prefer_busy = p->b->params.bf_busy_nodes,
	};
	struct sched_view view = {.usable = p->usable,
		.promised = p->ns.amounts ? p->promised : NULL};

	p->b->report.tests++;
	p->b->report.tested += !a->counted;
	a->counted = true;
	return willrun(p->s, a->job, &a->start, &view, &w, &a->when);
}

enum outcome backfill_try(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t end, until;

	begin(a);
	skip_full_records(a);
	if (a->from > p->rules.window_end)
		return OUTCOME_NEXT_JOB;
	set_usable(a);
	if (!schedule_reserved(
		    p->s, a->job, a->seconds, &a->from, p->usable, &until))
		return OUTCOME_NEXT_JOB;
	find_record(a);
	end = a->from + a->seconds - !p->rules.end_counts;
	bits_copy(p->entry, p->usable, p->ns.words);
	if (!walk(a, end))
		return no_slot(a);
	if (until && until + 1 < p->rules.window_end &&
		(!a->later || until + 1 < a->later))
		a->later = until + 1;
	if (bits_count(p->usable, p->ns.words) < a->start.n_nodes)
		return no_slot(a);
	return test(a) ? found(a) : no_slot(a);
}
