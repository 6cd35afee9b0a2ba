/*
 * See verdict.h.
 */
#include "common/plan/verdict.h"

#include <inttypes.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/schedule_need.h"
#include "common/text/reason.h"
#include "common/text/timespec.h"

unsigned verdict_reason(const struct sched_job *job)
{
	unsigned reason = job->reason ? job->reason : job->main_reason;

	/* Tasks of an array that a pass starts do not run yet. */
	if (reason == REASON_ARRAY_TASK_LIMIT && job->n_starts)
		return REASON_PRIORITY;
	return reason || !job->n_choices ? reason : REASON_PRIORITY;
}

static void note_any(void *any, const struct limit_breach *limit)
{
	(void)limit;
	*(bool *)any = true;
}

/* It looks at limits of jobs that are behind others, at the least time, and
 * once more at partitions that refuse the job. */
bool verdict_needs_backfill(const struct sched_job *job)
{
	bool any = job->n_choices > 1 || job->time_min;

	if (job->waits || !job->reason)
		return false;
	for (size_t i = 0; i < job->n_choices && !any; i++)
		if (job->choices[i].limits)
			limits_each(job->choices[i].limits, note_any, &any);
	return any;
}

const struct sched_plan *verdict_plan(const struct sched_job *job)
{
	const struct sched_plan *first = NULL;

	for (size_t i = 0; i < job->n_plans; i++)
		if (!first || job->plans[i].start < first->start)
			first = &job->plans[i];
	return first;
}

/* Before it has nodes limits on those look otherwise. */
static void find_limit(struct verdict *v, const struct sched_job *job)
{
	for (size_t i = 0; i < 2 * job->n_choices; i++) {
		const struct sched_choice *choice = &job->choices[i / 2];
		const struct limit_job in = {.tres = choice->tres,
			.time_limit = job->time_limit,
			.tasks = 1,
			.anywhere = i % 2};

		if (!choice->limits ||
			limits_start_breach(choice->limits, &in, &v->limit) !=
				v->reason ||
			!v->limit.level)
			continue;
		v->limited = choice;
		return;
	}
}

/* Does no time help? A plan under limits that change (struct sched_later) has
 * a choice of its own. */
static bool is_lasting(const struct verdict *v)
{
	return v->limited && v->limit.lasting &&
	       (!v->plan || v->plan->choice == v->limited);
}

static bool wants_features(const struct sched_job *job)
{
	return job->features && *job->features;
}

static bool fits_somewhere(
	const struct schedule *s, const struct sched_job *job)
{
	for (size_t c = 0; c < job->n_choices; c++) {
		const struct sched_partition *p = job->choices[c].partition;

		if (!p->n_nodes || nodes_needed(s, job, &job->choices[c]))
			return true; /* the first is said of the partition */
	}
	return !job->n_choices;
}

/* Its own, where that is known. */
static const struct sched_reservation *reservation_of(const struct verdict *v)
{
	return v->reason == REASON_RESERVATION && v->job->reservation
		       ? &v->schedule->reservations[v->job->reservation - 1]
		       : NULL;
}

/* Is it shorter than its reservation, in one of its partitions? */
static bool is_short(const struct verdict *v, const struct sched_reservation *r)
{
	const struct sched_job *job = v->job;
	int64_t from = larger(r->start, v->schedule->now);

	for (size_t i = 0; i < job->n_choices; i++)
		if (schedule_seconds(job, &job->choices[i]) <= r->end - from)
			return true;
	return !job->n_choices;
}

/* `decayed`: when usage will be less, of a limit on that; 0: never. */
static enum verdict_start when(const struct verdict *v,
	const struct sched_job *job, int64_t decayed)
{
	const struct sched_reservation *own = reservation_of(v);

	if (job->n_starts)
		return VERDICT_NOW;
	if (v->decays)
		return decayed ? VERDICT_NOT_BEFORE : VERDICT_NEVER;
	if (v->plan && !is_lasting(v))
		return v->plan->reserved ? VERDICT_KEPT : VERDICT_NOT_BEFORE;
	if (is_lasting(v) || reason_needs_change(v->reason))
		return VERDICT_NEVER;
	if (v->reason == REASON_BEGIN_TIME)
		return VERDICT_NOT_BEFORE;
	if (own)
		return !is_short(v, own)	       ? VERDICT_NEVER
		       : own->start > v->schedule->now ? VERDICT_NOT_BEFORE
						       : VERDICT_OPEN;
	if (v->reason != REASON_PRIORITY && v->reason != REASON_RESOURCES)
		return VERDICT_OPEN;
	return fits_somewhere(v->schedule, job) ? VERDICT_BEYOND : VERDICT_NEVER;
}

struct verdict verdict_of(
	const struct schedule *s, const struct sched_job *job)
{
	struct verdict v = {.schedule = s,
		.job = job,
		.reason = verdict_reason(job),
		.since = job->eligible && job->eligible <= s->now
				 ? job->eligible
				 : job->submit,
		.plan = verdict_plan(job)};
	const struct sched_reservation *own = reservation_of(&v);
	int64_t decayed = 0;

	if (reason_is_limit(v.reason))
		find_limit(&v, job);
	v.decays = v.limited && !v.limit.lasting &&
		   (!v.plan || v.plan->choice == v.limited) &&
		   limits_decays(v.limited->limits, &v.limit, s->now, &decayed);
	v.when = when(&v, job, decayed);
	if (v.when == VERDICT_NOW)
		v.start = s->now;
	else if (v.when == VERDICT_KEPT || v.when == VERDICT_NOT_BEFORE)
		v.start = v.decays ? decayed
			  : v.plan ? v.plan->start
			  : own	   ? own->start
				   : job->eligible;
	return v;
}

/* ---- in words ------------------------------------------------------------*/

const char *verdict_misfit(const struct schedule *s,
	const struct sched_job *job, struct arena *arena)
{
	const struct sched_partition *p;
	struct sched_job lean = *job;
	size_t most;

	if (fits_somewhere(s, job))
		return NULL;
	p = job->choices[0].partition;
	most = p->n_nodes;
	if (most > p->max_nodes && !job->choices[0].may.any_max_nodes)
		most = p->max_nodes;
	if (job->nodes > most)
		return arena_printf(arena,
			"asks for %" PRIu32
			" nodes; of partition %s it may have %zu at most",
			job->nodes, p->name, most);
	if (job->cpus > p->largest[p->n_nodes - 1])
		return arena_printf(arena,
			"asks for %" PRIu32 " CPUs; partition %s has %" PRIu64,
			job->cpus, p->name, p->largest[p->n_nodes - 1]);
	lean.may = NULL;
	if (wants_features(job) && fits_somewhere(s, &lean))
		return arena_printf(arena,
			"asks for feature %s, which too few nodes of partition "
			"%s have",
			job->features, p->name);
	return arena_printf(arena,
		"asks for CPUs, memory, gres or features that partition %s "
		"has not together",
		p->name);
}

/* Are there nodes enough with room for it now, in one of its partitions? */
static bool has_nodes(const struct schedule *s, const struct sched_job *job)
{
	const struct sched_view now = {0};

	for (size_t c = 0; c < job->n_choices; c++) {
		const struct sched_partition *p = job->choices[c].partition;
		const struct need need = need_of(job, p);
		size_t n = 0;

		for (size_t i = 0; i < p->n_nodes; i++)
			n += may_use(s, &now, p->nodes[i], &need) &&
			     has_room(s, &now, p->nodes[i], &need);
		if (n && n >= nodes_needed(s, job, &job->choices[c]))
			return true;
	}
	return false;
}

/* When the first of the reservations ends that keep nodes from it; 0: none does. */
static int64_t kept_until(const struct schedule *s, const struct sched_job *job)
{
	int64_t until = 0;

	for (size_t i = 0; i < s->n_reservations; i++)
		for (size_t c = 0; c < job->n_choices; c++) {
			const struct sched_reservation *r = &s->reservations[i];
			const struct sched_choice *choice = &job->choices[c];
			const uint64_t *nodes = job->required
							? job->required
							: choice->partition->bits;

			if (i + 1 != job->reservation && r->end > s->now &&
				r->start < s->now + schedule_seconds(job, choice) &&
				bits_count_and(r->nodes, nodes, bits_words(s->n_nodes)) &&
				(!until || r->end < until))
				until = r->end;
		}
	return until;
}

/* What nodes are short of: without asking for that it would have them. */
static const char *wanted_nodes(
	const struct verdict *v, const char *help, struct arena *arena)
{
	const struct schedule *s = v->schedule;
	struct sched_job lean = *v->job;
	int64_t until;

	if (has_nodes(s, &lean)) {
		until = kept_until(s, &lean);
		return until ? arena_printf(arena,
				       "nodes that are not reserved for others, "
				       "as some are until %s",
				       time_format(arena, until, NULL, s->now))
			     : help;
	}
	lean.may = NULL;
	if (wants_features(v->job) && has_nodes(s, &lean))
		return arena_printf(arena, "nodes with feature %s to become free",
			v->job->features);
	lean = *v->job;
	lean.mem = lean.mem_per_node = lean.mem_per_cpu = 0;
	if (has_nodes(s, &lean))
		return arena_printf(arena, "memory of %s", help);
	lean = *v->job;
	lean.gres = lean.gres_node = NULL;
	lean.gres_job = lean.gres_task = 0;
	return has_nodes(s, &lean) ? arena_printf(arena,
					     "GRES (GPUs and the like) of %s",
					     help)
				   : help;
}

static const char *wanted_reservation(
	const struct verdict *v, struct arena *arena)
{
	const struct sched_reservation *r = reservation_of(v);
	const char *name = v->job->reservation_name;
	int64_t now = v->schedule->now;

	if (!r)
		return arena_printf(arena,
			"its reservation %s: there is none of that name", name);
	if (v->when == VERDICT_NEVER)
		return arena_printf(arena,
			"a change: its reservation %s ends at %s, too early "
			"for its time limit",
			name, time_format(arena, r->end, NULL, now));
	return arena_printf(arena, "its reservation %s, which %s %s", name,
		r->start > now ? "begins at" : "ends at",
		time_format(arena, r->start > now ? r->start : r->end, NULL,
			now));
}

const char *verdict_help(const struct verdict *v, struct arena *arena)
{
	const char *help = reason_help(v->reason, arena), *misfit = NULL;

	if (v->when == VERDICT_NOW)
		return "nothing: there is room for it now";
	/* The reason has one name for both. */
	if (v->limited && v->limit.shared && v->limit.lasting)
		return "a change: the limit would not let it start if nothing "
		       "else ran, either";
	if (v->decays && v->when == VERDICT_NEVER)
		return "a change: what was used does not decay so far";
	if (v->when == VERDICT_NEVER && !v->limited)
		misfit = verdict_misfit(v->schedule, v->job, arena);
	if (misfit)
		return arena_printf(arena, "a change: it %s", misfit);
	if (v->reason == REASON_RESOURCES || v->reason == REASON_NODE_NOT_AVAIL)
		return wanted_nodes(v, help, arena);
	if (v->reason == REASON_RESERVATION && v->job->reservation_name)
		return wanted_reservation(v, arena);
	return help;
}

const char *verdict_start_text(const struct verdict *v, const char *format,
	int64_t now, struct arena *arena)
{
	const char *time = time_format(arena, v->start, format, now);

	switch (v->when) {
	case VERDICT_NOW:
		return "now, with the next pass";
	case VERDICT_KEPT:
		return arena_printf(arena, "at %s", time);
	case VERDICT_NOT_BEFORE:
		return arena_printf(arena, "not before %s%s", time,
			v->decays ? ": usage will have decayed "
						"then, if none is added"
			: v->limited ? ", and when the limit lets it"
			: v->plan ? ": no nodes are kept for it"
				  : "");
	case VERDICT_BEYOND:
		return "later than the plan looks ahead";
	case VERDICT_NEVER:
		return arena_printf(
			arena, "never, without %s", verdict_help(v, arena));
	case VERDICT_OPEN:
		break;
	}
	return "when it has what it waits for";
}
