/*
 * The main pass (spec/backfill.md 2): the queue, the order, what blocks whom.
 * Where a job fits is in schedule_nodes.c. Pure.
 */
#include "common/plan/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/preempt.h"
#include "common/plan/schedule_nodes.h"
#include "common/text/reason.h"

/* ---- the queue -----------------------------------------------------------*/

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *x, const void *y)
{
	const struct sched_entry *a = x, *b = y;
	const int orders[] = {
		order_of(b->job->reservation != 0, a->job->reservation != 0),
		order_of(
			b->choice->partition->tier, a->choice->partition->tier),
		order_of(b->choice->priority, a->choice->priority),
		order_of(a->job->submit, b->job->submit),
		order_of(a->job->id, b->job->id),
		order_of(a->job->task, b->job->task),
		order_of(a->choice - a->job->choices,
			b->choice - b->job->choices),
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (orders[i])
			return orders[i];
	return 0;
}

/* May more of it start? */
static bool startable(const struct sched_job *job)
{
	return !job->waits && job->n_starts < job->startable;
}

size_t schedule_queue(struct schedule *s, struct arena *arena)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_jobs; i++) {
		struct sched_job *job = &s->jobs[i];

		for (size_t c = 0; startable(job) && c < job->n_choices; c++)
			*ARENA_PUSH(arena, s->queue, n, s->cap_queue) =
				(struct sched_entry){job, &job->choices[c]};
	}
	if (n)
		qsort(s->queue, n, sizeof(*s->queue), compare);
	preempt_order(s, n, arena);
	return n;
}

/* ---- what does not depend on others --------------------------------------*/

/* Has the whole partition less than it asks for? */
static unsigned check_whole(
	const struct sched_job *job, const struct sched_partition *p)
{
	if (!p->n_nodes)
		return REASON_NONE;
	if (job->cpus > p->largest[p->n_nodes - 1])
		return REASON_PARTITION_CONFIG;
	return job->nodes > p->n_nodes ? REASON_PARTITION_NODE_LIMIT
				       : REASON_NONE;
}

static unsigned check_size(
	const struct sched_job *job, const struct sched_choice *choice)
{
	const struct sched_partition *p = choice->partition;
	unsigned reason = check_whole(job, p);

	if (reason)
		return reason;
	if (!choice->any_time &&
		(!p->max_time || (job->time_limit != NO_VAL &&
					 job->time_limit > p->max_time)))
		return REASON_PARTITION_TIME_LIMIT;
	if (!choice->any_max_nodes && job->nodes > p->max_nodes)
		return REASON_PARTITION_NODE_LIMIT;
	if (!choice->any_min_nodes && p->min_nodes != INFINITE &&
		job->nodes < p->min_nodes)
		return REASON_PARTITION_NODE_LIMIT;
	return REASON_NONE;
}

/* The start as limits see it. */
static struct limit_job limit_job_of(
	const struct sched_job *job, const struct sched_start *start)
{
	return (struct limit_job){
		.tres = start->tres,
		.time_limit = job->time_limit,
		.tasks = 1,
		.nodes = start->nodes,
		.n_nodes = start->n_nodes,
	};
}

/* `anywhere`: on nodes yet to be found, which may be those its group has. */
static unsigned check_limits(const struct sched_job *job,
	const struct sched_start *start, bool anywhere)
{
	struct limit_job in = limit_job_of(job, start);

	in.anywhere = anywhere;
	return start->choice->limits ? limits_start(start->choice->limits, &in)
				     : REASON_NONE;
}

bool schedule_licenses_free(
	const struct schedule *s, const struct sched_job *job)
{
	for (size_t i = 0; i < s->n_licenses; i++)
		if (job->licenses && job->licenses[i] &&
			s->licenses_used[i] + job->licenses[i] > s->licenses[i])
			return false;
	return true;
}

bool schedule_may_reclaim(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	return s->preempt.reclaim_licenses && preempt_possible(s, job, choice);
}

static uint32_t default_minutes(
	const struct sched_job *job, const struct sched_choice *choice)
{
	const struct sched_partition *p = choice->partition;

	if (job->time_limit != NO_VAL)
		return job->time_limit;
	if (choice->limits)
		return limits_wall(choice->limits,
			&(struct limit_job){
				.tres = choice->tres, .time_limit = NO_VAL});
	return p->default_time != NO_VAL ? p->default_time : p->max_time;
}

int64_t schedule_seconds(
	const struct sched_job *job, const struct sched_choice *choice)
{
	enum { YEAR = 365 * 24 * 60 };
	uint32_t minutes = default_minutes(job, choice);

	if (!choice->any_time && minutes > choice->partition->max_time)
		minutes = choice->partition->max_time;
	if (minutes >= NO_VAL)
		minutes = YEAR;
	return (int64_t)minutes * 60;
}

unsigned schedule_refuses(
	const struct sched_job *job, const struct sched_start *start)
{
	const struct sched_choice *choice = start->choice;
	unsigned reason = choice->refused;

	if (!reason)
		reason = choice->partition->refuses;
	if (!reason)
		reason = check_size(job, choice);
	return reason ? reason : check_limits(job, start, true);
}

/* ---- one job -------------------------------------------------------------*/

void schedule_start(struct schedule *s, struct sched_job *job,
	const struct sched_start *start, struct arena *arena)
{
	const struct sched_choice *choice = start->choice;
	struct limit_job in = limit_job_of(job, start);
	struct sched_running running = {
		.job = job,
		.partition = choice->partition,
		.start = *start,
		.began = s->now,
		.end = s->now +
		       (start->minutes ? (int64_t)start->minutes * 60
				       : schedule_seconds(job, choice)),
		.qos = choice->qos,
	};

	if (choice->limits)
		limits_begin(choice->limits, &in, arena);
	preempt_act(s, start);
	s->n_started++;
	schedule_run(s, &running, arena);
	*ARENA_PUSH(arena, job->starts, job->n_starts, job->cap_starts) =
		*start;
	if (job->n_starts == job->startable)
		job->reason = job->startable < job->tasks
				      ? REASON_ARRAY_TASK_LIMIT
				      : REASON_NONE;
}

/* Nodes of the partition stay free for the job that waits for them. */
static void fail_partition(struct schedule *s, struct sched_partition *p)
{
	p->failed = true;
	for (size_t i = 0; i < p->n_nodes; i++)
		s->nodes[p->nodes[i]].kept = true;
}

bool schedule_reserved(const struct schedule *s, const struct sched_job *job,
	int64_t seconds, int64_t *from, uint64_t *nodes, int64_t *until)
{
	size_t words = bits_words(s->n_nodes);

	*until = 0;
	if (job->reservation) {
		const struct sched_reservation *r =
			&s->reservations[job->reservation - 1];

		if (*from < r->start)
			*from = r->start;
		bits_and(nodes, r->nodes, words);
		return *from + seconds <= r->end;
	}
	for (size_t i = 0; i < s->n_reservations; i++) {
		const struct sched_reservation *r = &s->reservations[i];

		if (r->start >= *from + seconds || r->end <= *from)
			continue;
		bits_and_not(nodes, r->nodes, words);
		if (!*until || r->end < *until)
			*until = r->end;
	}
	return true;
}

/* What of the cluster it may use now; false: its reservation has not begun, or
 * ends too early. */
static bool view_now(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice, struct sched_view *view)
{
	int64_t from = s->now, until;

	if (!s->n_reservations)
		return true;
	memset(s->usable, 0xff, bits_words(s->n_nodes) * sizeof(*s->usable));
	view->usable = s->usable;
	return schedule_reserved(s, job, schedule_seconds(job, choice), &from,
		       s->usable, &until) &&
	       from <= s->now;
}

/* With others that make way at once; one that has to wait for their grace time
 * is for the other pass. */
static bool push_aside(struct schedule *s, struct sched_job *job,
	struct sched_start *start, const struct sched_view *view,
	struct arena *arena)
{
	if (preempt_possible(s, job, start->choice) &&
		preempt_place(s, job, start, view, arena) &&
		preempt_when(start, s->now) <= s->now)
		return true;
	start->n_victims = 0;
	return false;
}

static bool place(struct schedule *s, struct sched_job *job,
	struct sched_start *start, const struct sched_view *view,
	struct arena *arena)
{
	if (schedule_licenses_free(s, job) && place_job(s, job, start, view)) {
		schedule_keep(start, arena);
		return true;
	}
	return push_aside(s, job, start, view, arena);
}

/* Puts it on nodes, or says why not. */
static unsigned find_nodes(struct schedule *s, struct sched_job *job,
	struct sched_start *start, struct arena *arena)
{
	const struct sched_choice *choice = start->choice;
	struct sched_view view = {0};
	unsigned reason = REASON_NONE;

	start->n_nodes = nodes_needed(s, job, choice->partition);
	if (!start->n_nodes)
		reason = REASON_PARTITION_CONFIG;
	else if (choice->partition->failed)
		reason = REASON_PRIORITY;
	else if (nodes_up(s, choice->partition) < start->n_nodes)
		reason = REASON_NODES_DOWN;
	else if (!schedule_licenses_free(s, job) &&
		 !schedule_may_reclaim(s, job, choice))
		reason = REASON_LICENSES;
	else if (!view_now(s, job, choice, &view))
		reason = REASON_RESERVATION;
	else if (job->het)
		reason = REASON_RESOURCES;
	else if (!place(s, job, start, &view, arena))
		reason = schedule_licenses_free(s, job) ? REASON_RESOURCES
							: REASON_LICENSES;
	if (reason)
		start->nodes = NULL;
	return reason;
}

static bool blocks(const struct schedule *s, unsigned reason)
{
	return reason == REASON_RESOURCES || reason == REASON_NODES_DOWN ||
	       (s->limit_stops && reason_is_limit(reason));
}

/* More CPUs than it asked for with nodes of its own, more nodes where its CPUs
 * need them. */
static void count_what_it_got(const struct sched_job *job,
	struct sched_start *start, struct arena *arena)
{
	const struct tres_list *asked = start->tres;
	struct tres_list *got;

	if (!asked ||
		(start->cpus == job->cpus && start->n_nodes == job->nodes))
		return;
	got = arena_alloc(arena, sizeof(*got));
	for (size_t i = 0; i < asked->n; i++)
		tres_list_set(got, arena, asked->v[i].id, asked->v[i].count);
	tres_list_set(got, arena, TRES_CPU, start->cpus);
	tres_list_set(got, arena, TRES_NODE, start->n_nodes);
	start->tres = got;
}

unsigned schedule_settle(const struct sched_job *job, struct sched_start *start,
	struct arena *arena)
{
	count_what_it_got(job, start, arena);
	return check_limits(job, start, false);
}

/* Limits come before everything that time or luck may change, so that what is
 * said of a job is what it has to wait for. Without nodes it would need new
 * ones: a limit on those comes before its waiting for some. */
static unsigned try_job(struct schedule *s, struct sched_job *job,
	const struct sched_choice *choice, struct arena *arena)
{
	struct sched_start start = {.choice = choice, .tres = choice->tres};
	unsigned reason = schedule_refuses(job, &start), limit = REASON_NONE;

	if (!reason)
		reason = find_nodes(s, job, &start, arena);
	if (reason == REASON_RESOURCES)
		limit = check_limits(job, &start, false);
	else if (!reason)
		limit = schedule_settle(job, &start, arena);
	if (limit)
		return limit;
	if (!reason)
		schedule_start(s, job, &start, arena);
	return reason;
}

static void try_entry(struct schedule *s, const struct sched_entry *entry,
	struct arena *arena)
{
	struct sched_job *job = entry->job;
	unsigned reason = REASON_NONE;

	while (!reason && job->n_starts < job->startable)
		reason = try_job(s, job, entry->choice, arena);
	if (reason && !job->reason)
		job->reason = reason;
	if (blocks(s, reason))
		fail_partition(s, entry->choice->partition);
}

/* ---- all -----------------------------------------------------------------*/

static void forget(struct schedule *s)
{
	s->n_started = 0;
	for (size_t i = 0; i < s->n_nodes; i++)
		s->nodes[i].kept = false;
	for (size_t i = 0; i < s->n_partitions; i++) {
		s->partitions[i].failed = false;
		s->partitions[i].looked_at = 0;
	}
	for (size_t i = 0; i < s->n_jobs; i++) {
		s->jobs[i].reason = s->jobs[i].waits;
		s->jobs[i].n_starts = 0;
	}
}

/* Has the pass looked at enough, or started enough? */
static bool enough(const struct schedule *s, size_t looked_at)
{
	return (s->queue_depth && looked_at > s->queue_depth) ||
	       (s->start_most && s->n_started >= s->start_most);
}

static bool enough_of_partition(
	const struct schedule *s, const struct sched_choice *choice)
{
	return s->partition_depth &&
	       choice->partition->looked_at++ >= s->partition_depth;
}

void schedule_main(struct schedule *s, struct arena *arena)
{
	size_t n;

	forget(s);
	schedule_measure(s, arena);
	n = schedule_queue(s, arena);
	for (size_t i = 0; i < n && !enough(s, i); i++)
		if (startable(s->queue[i].job) &&
			!enough_of_partition(s, s->queue[i].choice))
			try_entry(s, &s->queue[i], arena);
}
