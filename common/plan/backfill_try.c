/*
 * Looks for a slot of one job in the table: part of common/plan/backfill.h.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill_pass.h"
#include "common/plan/owner.h"
#include "common/plan/preempt.h"
#include "common/plan/willrun.h"
#include "common/text/reason.h"

/* ---- what was found ------------------------------------------------------*/

static int64_t to_grid(const struct pass *p, int64_t when)
{
	return when / p->rules.resolution * p->rules.resolution;
}

/* What others leave is kept from the moment they are told to. With amounts not
 * from the step before it: a job that ends within the step would count beside
 * the one that takes its CPUs. */
static int64_t slot_start(const struct attempt *a)
{
	int64_t when = a->start.n_victims ? a->p->s->now : a->when;

	return a->p->ns.amounts ? when : to_grid(a->p, when);
}

static int64_t slot_end(const struct attempt *a)
{
	const struct backfill_rules *rules = &a->p->rules;
	int64_t up = rules->round_up ? rules->resolution - 1 : 0;

	return to_grid(a->p, a->when + a->seconds + up);
}

/* The nodes of the start as `chosen`; all of a block that it takes a part of. */
static void choose(struct attempt *a)
{
	struct pass *p = a->p;

	if (p->blocks) {
		bits_nothing(p->chosen, p->ns.words);
		blocks_add(p->blocks, &p->blocks->chosen, p->chosen);
	} else
		backfill_set_of(a, p->chosen);
}

/* With amounts: is there still room when all that is promised in the slot
 * counts? Where slots are exact, that was counted for one at `from`. */
static bool still_fits(struct attempt *a)
{
	struct sched_view view = {
		.usable = a->p->chosen,
		.promised = a->p->promised,
		.future = true,
		.horizon = a->when,
	};

	if (a->p->rules.exact && a->when == a->from)
		return true;
	return place_job(a->p->s, a->job, &a->start, &view);
}

/* Are nodes of the slot, or the job's own reservation, out of reach at some
 * moment of its time? The attempt looked at the time behind `from`. */
static bool meets_reservation(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t from = a->when, until;

	if (a->when == a->from || !p->s->n_reservations || !p->s->textbook)
		return false;
	bits_copy(p->next, p->chosen, p->ns.words);
	return !schedule_reserved(
		       p->s, a->job, a->seconds, &from, p->next, &until) ||
	       from > a->when || !bits_equal(p->next, p->chosen, p->ns.words);
}

/* What is promised of its nodes in the records so far; NULL: nothing yet. */
static void promised_there(const struct attempt *a, const struct ns_record *r)
{
	const struct pass *p = a->p;
	size_t per = p->ns.amounts;

	for (size_t n = 0; per && n < a->start.n_nodes; n++) {
		size_t node = a->start.nodes[n];

		if (r)
			backfill_add_promised(a, r, node, a->when);
		else
			memset(&p->promised[node * per], 0,
				per * sizeof(*p->promised));
	}
}

/* Is something of its nodes promised to others in the slot? It may begin
 * before a->record, where records do not begin on the grid. */
static bool overlaps(struct attempt *a, int64_t start, int64_t end)
{
	struct pass *p = a->p;
	bool in_front = start < backfill_record(a, a->record)->begin;
	uint32_t index = in_front ? 0 : a->record;

	choose(a);
	promised_there(a, NULL);
	for (;;) {
		const struct ns_record *r = backfill_record(a, index);

		if (r->begin >= end)
			break;
		if (r->end > start) {
			for (size_t w = 0; w < p->ns.words; w++)
				if (p->chosen[w] & ~r->avail[w])
					return true;
			if (!backfill_licenses_left(a, r))
				return true;
			promised_there(a, r);
		}
		if (!r->next)
			break;
		index = r->next;
	}
	return meets_reservation(a) || (p->ns.amounts && !still_fits(a));
}

/* Does it lie there as it does now? */
static bool lies_so(const struct attempt *a, const struct sched_view *view)
{
	struct sched_start start = a->start;

	return place_job(a->p->s, a->job, &start, view) &&
	       start.n_nodes == a->start.n_nodes &&
	       !memcmp(start.cpus_on, a->start.cpus_on,
		       start.n_nodes * sizeof(*start.cpus_on));
}

/* Would it take in this record what is promised to others? */
static bool taken_in(const struct attempt *a, const struct ns_record *r)
{
	const struct pass *p = a->p;
	struct sched_view view = {
		.usable = p->chosen,
		.promised = r->promised,
		.future = true,
		.horizon = larger(r->begin, p->s->now),
	};

	for (size_t w = 0; w < p->ns.words; w++)
		if (p->chosen[w] & ~r->avail[w])
			return true;
	return !backfill_licenses_left(a, r) ||
	       (p->ns.amounts && !lies_so(a, &view));
}

/* Seconds until a reservation takes its nodes, at most so many. */
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
	for (uint32_t index = 0;;) {
		const struct ns_record *r = backfill_record(a, index);

		if (r->begin > now && r->begin < now + most && taken_in(a, r))
			most = r->begin - now;
		if (!r->next)
			break;
		index = r->next;
	}
	a->start.minutes = most / 60 < a->job->time_min ? a->job->time_min
							: (uint32_t)(most / 60);
}

/* Does it get more than limits allow? */
static unsigned breaks_limit(struct attempt *a)
{
	unsigned reason = schedule_settle(a->job, &a->start, a->p->arena);

	if (reason && a->p->rules.reasons)
		a->job->reason = reason;
	return reason;
}

static enum try_outcome plan_ahead(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t start = slot_start(a), end = slot_end(a);

	bool pushes = a->start.n_victims;

	if (a->choice->limits || a->choice->n_later)
		backfill_name_nodes(a);
	if (a->no_reserve && !pushes) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (a->later && !pushes && a->when >= a->later + !p->rules.exact)
		return OUTCOME_LATER;
	if (a->when >= p->rules.window_end) {
		backfill_plan(a, false);
		return OUTCOME_NEXT_JOB;
	}
	if (!a->limit_reached && a->choice->limits && breaks_limit(a)) {
		if (backfill_lift(a, true))
			return OUTCOME_LATER;
		if (!p->b->params.assoc_limit_stop) {
			backfill_plan(a, false);
			return OUTCOME_NEXT_JOB;
		}
	}
	if (backfill_forbidden(a))
		return backfill_lift(a, true) ? OUTCOME_LATER
					      : OUTCOME_NEXT_JOB;
	if (!pushes &&
		(a->choice->may.no_reserve || backfill_enough_reserved(a))) {
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

/* It was promised to others: the next try is later. */
static bool taken(struct attempt *a)
{
	if (!overlaps(a, slot_start(a), slot_end(a)))
		return false;
	a->later = a->when;
	if (a->from == a->when)
		a->later += a->p->rules.resolution;
	return true;
}

/*
 * assoc_limit_stop: when the limit lets it start is unknown. It is assumed to
 * be when nodes come free, else a fixed time from now; jobs of a QOS whose
 * group limit it is do not start before. False: it does not fit then.
 */
static bool wait_for_limit(struct attempt *a)
{
	enum { A_WHILE = 500 }; /* seconds; Slurm's */

	a->when = a->later ? a->later : a->p->s->now + A_WHILE;
	if (reason_is_qos_group(a->limit_reached))
		backfill_block(a->p, a->choice->qos, a->when);
	return !taken(a);
}

/* A limit that shows only on the nodes it would get. */
static enum try_outcome hold_back(struct attempt *a, unsigned reason)
{
	if (backfill_lift(a, true))
		return OUTCOME_LATER;
	if (!a->p->b->params.assoc_limit_stop)
		return OUTCOME_NEXT_JOB;
	a->limit_reached = reason;
	return wait_for_limit(a) ? plan_ahead(a) : OUTCOME_LATER;
}

static enum try_outcome start_now(struct attempt *a)
{
	unsigned reason;

	backfill_name_nodes(a);
	schedule_keep(&a->start, a->p->arena);
	stretch(a);
	reason = breaks_limit(a);
	if (reason)
		return hold_back(a, reason);
	backfill_start(a);
	return a->p->b->params.bf_max_job_start &&
			       (int64_t)a->p->b->report.started >=
				       a->p->b->params.bf_max_job_start
		       ? OUTCOME_END
		       : OUTCOME_NEXT_TASK;
}

static enum try_outcome found(struct attempt *a)
{
	struct pass *p = a->p;

	if (a->when < a->from)
		a->when = a->from;
	if (a->when > p->s->now && taken(a))
		return OUTCOME_LATER;
	if (a->job->het && backfill_het_note(a))
		return OUTCOME_NEXT_JOB;
	if (!a->job->het && a->when <= p->s->now) {
		if (!a->limit_reached)
			return start_now(a);
		if (!wait_for_limit(a))
			return OUTCOME_LATER;
	}
	return plan_ahead(a);
}

/* ---- one try -------------------------------------------------------------*/

static enum try_outcome no_slot(struct attempt *a)
{
	if (a->later && !a->no_reserve)
		return OUTCOME_LATER;
	a->no_slot = true;
	return OUTCOME_NEXT_JOB;
}

/* Sets up what does not change while the job is tried; `later` comes first. */
static void begin(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t first = p->s->now, het = backfill_het_time(a);
	int64_t blocked = backfill_blocked(p, a->choice->qos);

	if (p->rules.in_order && p->not_before[a->partition] > first)
		first = p->not_before[a->partition];
	if (het > first)
		first = het;
	if (blocked > first)
		first = blocked;
	if (a->lifts > first)
		first = a->lifts;
	a->from = a->later > first ? a->later : first;
	a->later = 0;
}

/* Only words of the partition; the others are clear (backfill.c). */
static void set_usable(struct attempt *a)
{
	struct pass *p = a->p;
	const uint64_t *part = p->ns.groups[a->partition];

	for (size_t w = a->words.first; w < a->words.end; w++)
		p->usable[w] = part[w] & p->up[w] &
			       (a->job->may ? a->job->may[w] : UINT64_MAX);
	if (p->ns.amounts)
		backfill_nothing_promised(a);
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
		.least = a->least,
		.from = a->from,
		.until = a->later,
		.now_only = a->no_reserve,
		.by_step = p->rules.exact,
		.linear = p->b->params.bf_window_linear,
		.later = p->rules.later,
		.known = p->ns.amounts ? NULL : backfill_fits(a),
		.ends = a->by_counts ? &p->ends : NULL,
		.blocks = p->blocks,
		.fit = p->fit,
		.times = p->times,
	};
	struct sched_view view = {.usable = p->usable,
		.promised = p->ns.amounts ? p->promised : NULL,
		.left = backfill_asks_left(a) ? p->left : NULL,
		.unnamed = a->by_counts};

	p->b->report.tests++;
	p->b->report.tested += !a->counted;
	a->counted = true;
	a->start.n_victims = 0;
	a->start.n_nodes = a->n_nodes;
	if (view.left && backfill_few_left(a))
		return false;
	return a->may_push
		       ? test_pushing(a, &view, &w)
		       : willrun(p->s, a->job, &a->start, &view, &w, &a->when);
}

enum try_outcome backfill_try(struct attempt *a)
{
	struct pass *p = a->p;
	int64_t end, until, owners = 0;
	bool worth;

	begin(a);
	set_usable(a);
	if (!schedule_reserved(
		    p->s, a->job, a->seconds, &a->from, p->usable, &until) ||
		a->from >= p->rules.window_end)
		return OUTCOME_NEXT_JOB;
	if (p->owners && owner_filter(p->s, a->job, a->choice->partition,
				 a->n_nodes, a->from, p->usable, &owners)) {
		a->later = owners;
		return no_slot(a);
	}
	backfill_find_record(a);
	end = a->from + a->seconds - !p->rules.end_counts;
	for (size_t w = a->words.first; w < a->words.end; w++)
		p->entry[w] = p->usable[w];
	worth = backfill_walk(a, end);
	if (until)
		until = (until + p->rules.resolution - 1) /
			p->rules.resolution * p->rules.resolution;
	if (until && until + 1 < p->rules.window_end &&
		(!a->later || until + 1 < a->later))
		a->later = until + 1;
	if (!a->later)
		a->later = owners;
	if (!worth || !backfill_enough(a, a->p->usable))
		return no_slot(a);
	backfill_promised_of_left(a, end);
	return test(a) ? found(a) : no_slot(a);
}
