/*
 * The main pass (Slurm's src/slurmctld/job_scheduler.c, _schedule()): the
 * queue, the order, what blocks whom. Where a job fits is in schedule_nodes.c.
 * Pure.
 */
#include "common/plan/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/owner.h"
#include "common/plan/preempt.h"
#include "common/plan/schedule_nodes.h"
#include "common/text/reason.h"

/* ---- the queue -----------------------------------------------------------*/

static uint64_t rank_of(
	const struct sched_job *job, const struct sched_choice *choice)
{
	return (uint64_t)(job->reservation != 0) << 48 |
	       (uint64_t)choice->partition->tier << 32 | choice->priority;
}

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *x, const void *y)
{
	const struct sched_entry *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->job->submit != b->job->submit)
		return order_of(a->job->submit, b->job->submit);
	if (a->job->id != b->job->id)
		return order_of(a->job->id, b->job->id);
	if (a->job->task != b->job->task)
		return order_of(a->job->task, b->job->task);
	return order_of(a->choice - a->job->choices,
		b->choice - b->job->choices);
}

/* Often they are in order, as jobs were submitted. */
static void sort(struct sched_entry *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare(&v[i - 1], &v[i]) > 0) {
			qsort(v, n, sizeof(*v), compare);
			return;
		}
}

/* ---- what does not depend on others --------------------------------------*/

/* Has the whole partition less than it asks for? */
static unsigned check_whole(
	const struct sched_job *job, const struct sched_partition *p)
{
	if (!p->n_nodes || !p->largest)
		return REASON_NONE;
	if (job->cpus > p->largest[p->n_nodes - 1])
		return REASON_PARTITION_CONFIG;
	return job->nodes > p->n_nodes ? REASON_PARTITION_NODE_LIMIT
				       : REASON_NONE;
}

static unsigned check_size(const struct sched_job *job,
	const struct sched_choice *choice, bool least_time)
{
	uint32_t minutes =
		least_time && job->time_min ? job->time_min : job->time_limit;

	const struct sched_partition *p = choice->partition;
	unsigned reason = check_whole(job, p);

	if (reason)
		return reason;
	if (!choice->may.any_time &&
		(!p->max_time || (minutes != NO_VAL && minutes > p->max_time)))
		return REASON_PARTITION_TIME_LIMIT;
	if (!choice->may.any_max_nodes &&
		(job->nodes > p->max_nodes || job->most_nodes > p->max_nodes))
		return REASON_PARTITION_NODE_LIMIT;
	if (!choice->may.any_min_nodes && p->min_nodes != INFINITE &&
		job->nodes < p->min_nodes)
		return REASON_PARTITION_NODE_LIMIT;
	return REASON_NONE;
}

/* ---- may it start here --------------------------------------------------- */

/* May more of it start? */
static bool startable(const struct sched_job *job)
{
	return !job->waits && job->n_starts < job->startable;
}

/* Why it may not start in the partition whatever is free; REASON_NONE. */
static unsigned refused_there(const struct sched_job *job,
	const struct sched_choice *choice, bool least_time)
{
	if (choice->refused)
		return choice->refused;
	if (choice->partition->refuses)
		return choice->partition->refuses;
	return check_size(job, choice, least_time);
}

/* What a partition says is forgotten when a later one takes the job, but for
 * what slurmctld does not count among its reasons of partitions. */
static void note_partition(struct sched_job *job, unsigned reason)
{
	if (reason || job->by_partition)
		job->reason = reason;
	job->by_partition = reason && reason != REASON_PARTITION_CONFIG;
}

size_t schedule_queue(struct schedule *s, bool least_time, struct arena *arena)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_jobs; i++) {
		struct sched_job *job = &s->jobs[i];

		for (size_t c = 0; startable(job) && c < job->n_choices; c++) {
			unsigned reason = refused_there(
				job, &job->choices[c], least_time);

			note_partition(job, reason);
			if (reason)
				continue;
			*ARENA_PUSH(arena, s->queue, n, s->cap_queue) =
				(struct sched_entry){job, &job->choices[c],
					rank_of(job, &job->choices[c])};
		}
	}
	sort(s->queue, n);
	preempt_order(s, n, arena);
	return n;
}

/* ---- limits and time -----------------------------------------------------*/

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

static bool licenses_beside(const struct schedule *s,
	const struct sched_job *job, const uint64_t *used)
{
	for (size_t i = 0; i < s->n_licenses; i++)
		if (job->licenses && job->licenses[i] &&
			(used ? used[i] : 0) + job->licenses[i] >
				s->licenses[i])
			return false;
	return true;
}

bool schedule_licenses_free(
	const struct schedule *s, const struct sched_job *job)
{
	return licenses_beside(s, job, s->licenses_used);
}

bool schedule_licenses_exist(
	const struct schedule *s, const struct sched_job *job)
{
	return licenses_beside(s, job, NULL);
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

	if (!choice->may.any_time && minutes > choice->partition->max_time)
		minutes = choice->partition->max_time;
	if (minutes >= NO_VAL)
		minutes = YEAR;
	/* MaxWall may be 0: what starts now does not end now. */
	return minutes ? (int64_t)minutes * 60 : 1;
}

int64_t schedule_start_seconds(
	const struct sched_job *job, const struct sched_start *start)
{
	return start->minutes ? (int64_t)start->minutes * 60
			      : schedule_seconds(job, start->choice);
}

unsigned schedule_refuses(
	const struct sched_job *job, const struct sched_start *start)
{
	struct limit_job in = limit_job_of(job, start);
	unsigned reason = refused_there(job, start->choice, true);

	if (reason || !start->choice->limits)
		return reason;
	in.anywhere = true;
	return limits_count(start->choice->limits, &in);
}

bool schedule_limit_passes(
	const struct sched_job *job, const struct sched_start *start)
{
	struct limit_job in = limit_job_of(job, start);
	struct limit_breach breach;

	in.anywhere = true;
	return start->choice->limits &&
	       limits_start_breach(start->choice->limits, &in, &breach) &&
	       !breach.lasting;
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
		.end = s->now + schedule_start_seconds(job, start),
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
	bits_or(s->sets.kept, p->bits, bits_words(s->n_nodes));
}

static bool is_in(const struct sched_reservation *r, int64_t from, int64_t end)
{
	return r->start < end && r->end > from;
}

/* Nodes that the job named may be reserved: then it waits until no reservation
 * has them, as slurmctld does (job_test_resv). */
static void move_behind(const struct schedule *s, const struct sched_job *job,
	int64_t seconds, int64_t *from)
{
	enum { TRIES = 10 };
	size_t words = bits_words(s->n_nodes);

	for (size_t tries = 0, i = 0;
		job->required && tries < TRIES && i < s->n_reservations; i++) {
		const struct sched_reservation *r = &s->reservations[i];

		if (!is_in(r, *from, *from + seconds) ||
			!bits_count_and(r->nodes, job->required, words))
			continue;
		*from = r->end;
		tries++;
		i = SIZE_MAX; /* from the first again */
	}
}

/* The earliest end of a reservation that is not over by then; 0: none. */
static int64_t first_end(const struct schedule *s, int64_t from)
{
	int64_t first = 0;

	for (size_t i = 0; i < s->n_reservations; i++)
		if (s->reservations[i].end >= from &&
			(!first || s->reservations[i].end < first))
			first = s->reservations[i].end;
	return first;
}

static bool in_its_own(const struct schedule *s, const struct sched_job *job,
	int64_t seconds, int64_t *from, uint64_t *nodes)
{
	const struct sched_reservation *r =
		&s->reservations[job->reservation - 1];

	bits_and(nodes, r->nodes, bits_words(s->n_nodes));
	if (!s->textbook)
		return *from >= r->start && *from <= r->end;
	if (*from < r->start)
		*from = r->start;
	return *from + seconds <= r->end;
}

bool schedule_reserved(const struct schedule *s, const struct sched_job *job,
	int64_t seconds, int64_t *from, uint64_t *nodes, int64_t *until)
{
	size_t words = bits_words(s->n_nodes);
	bool met = false;

	*until = 0;
	if (job->reservation)
		return in_its_own(s, job, seconds, from, nodes);
	if (!s->n_reservations)
		return true;
	if (!s->textbook)
		move_behind(s, job, seconds, from);
	for (size_t i = 0; i < s->n_reservations; i++) {
		const struct sched_reservation *r = &s->reservations[i];

		if (!is_in(r, *from, *from + seconds))
			continue;
		met |= bits_count_and(nodes, r->nodes, words) > 0;
		bits_and_not(nodes, r->nodes, words);
		if (!*until || r->end < *until)
			*until = r->end;
	}
	if (!s->textbook)
		*until = met ? first_end(s, *from) : 0;
	return true;
}

/* The nodes it may use now; false: its reservation has not begun, or ends too
 * early. */
static bool view_now(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice, struct sched_view *view)
{
	int64_t from = s->now, until;
	bool owners = owner_matters(s);

	if (!s->n_reservations && !owners)
		return true;
	memset(s->usable, 0xff, bits_words(s->n_nodes) * sizeof(*s->usable));
	view->usable = s->usable;
	if (owners)
		(void)owner_filter(
			s, job, choice->partition, 0, from, s->usable, &until);
	return schedule_reserved(s, job, schedule_seconds(job, choice), &from,
		       s->usable, &until) &&
	       from <= s->now;
}

/* With others that are preempted at once; one that has to wait for their grace time
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

/* Could the nodes that are up and not kept for others hold it, or is one of
 * them in the way now? Else it waits for nodes that others have a claim on. */
static bool waits_for_room(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	return s->preempt.by || job->het ||
	       nodes_in_use(s, job, choice->partition) ||
	       would_fit(s, job, choice);
}

static unsigned no_place(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	if (!schedule_licenses_free(s, job))
		return REASON_LICENSES;
	return waits_for_room(s, job, choice) ? REASON_RESOURCES
					      : REASON_NODE_NOT_AVAIL;
}

/* Puts it on nodes, or says why not. */
static unsigned find_nodes(struct schedule *s, struct sched_job *job,
	struct sched_start *start, struct arena *arena)
{
	const struct sched_choice *choice = start->choice;
	struct sched_view view = {0};
	unsigned reason = REASON_NONE;

	/* Preemption could free some. */
	if (!schedule_licenses_free(s, job) &&
		!(s->preempt.reclaim_licenses &&
			preempt_possible(s, job, choice)))
		reason = REASON_LICENSES;
	else if (!view_now(s, job, choice, &view))
		reason = REASON_RESERVATION;
	else if (job->het)
		reason = REASON_RESOURCES;
	else if (!place(s, job, start, &view, arena))
		reason = no_place(s, job, choice);
	if (reason)
		start->nodes = NULL;
	return reason;
}

/* Is the job too new or of too low a priority to keep others back? */
static bool lets_others_by(const struct schedule *s,
	const struct sched_job *job, const struct sched_choice *choice)
{
	int64_t since = job->eligible ? job->eligible : job->submit;
	uint32_t least = choice->may.reserve_priority ? choice->may.reserve_priority
						  : s->min_reserve_priority;

	return choice->priority < least ||
	       (s->min_reserve_age && s->now - since < s->min_reserve_age);
}

/* Nodes that it named are all it keeps from others. */
static bool keeps_only_named(struct schedule *s, const struct sched_job *job)
{
	size_t words = bits_words(s->n_nodes);

	if (!job->required || bits_count(job->required, words) < job->nodes)
		return false;
	bits_or(s->sets.kept, job->required, words);
	return true;
}

/* Keeps what it waits for from those behind it. */
static void keep_back(struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice, unsigned reason)
{
	bool blocks = reason == REASON_RESOURCES ||
		      (s->limit_stops && reason_is_limit(reason));

	if (reason == REASON_NODES_DOWN) {
		fail_partition(s, choice->partition);
		return;
	}
	if (!reason || reason == REASON_PRIORITY || keeps_only_named(s, job))
		return;
	if (!blocks || lets_others_by(s, job, choice))
		return;
	if (job->reservation)
		bits_set(s->failed_reservations, job->reservation - 1);
	else
		fail_partition(s, choice->partition);
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
	*got = tres_list_copy(asked, arena);
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

/* Is the job behind one that waits for the same nodes? */
static bool is_behind(const struct schedule *s, const struct sched_job *job,
	const struct sched_choice *choice)
{
	return job->reservation
		       ? bits_has(s->failed_reservations, job->reservation - 1)
		       : choice->partition->failed;
}

/* Without nodes it would need new ones: a limit on those comes before its
 * waiting for some. */
static unsigned try_job(struct schedule *s, struct sched_job *job,
	const struct sched_choice *choice, struct arena *arena)
{
	struct sched_start start = {.choice = choice, .tres = choice->tres};
	unsigned reason = REASON_NONE, limit = REASON_NONE;

	if (is_behind(s, job, choice))
		return REASON_PRIORITY;
	start.n_nodes = nodes_needed(s, job, choice);
	if (!start.n_nodes)
		return REASON_PARTITION_CONFIG;
	if (nodes_up(s, choice->partition) < start.n_nodes)
		return REASON_NODES_DOWN;
	reason = schedule_refuses(job, &start);
	if (reason)
		return reason;
	reason = find_nodes(s, job, &start, arena);
	limit = reason ? check_limits(job, &start, false)
		       : schedule_settle(job, &start, arena);
	if (limit)
		return limit;
	if (!reason && s->starts_none)
		return REASON_PRIORITY;
	if (!reason)
		schedule_start(s, job, &start, arena);
	return reason;
}

/* "Priority" is the reason when there is no better one. */
static void note_reason(struct sched_job *job, unsigned reason)
{
	if (reason != REASON_PRIORITY || !job->reason ||
		job->reason == REASON_RESOURCES ||
		job->reason == REASON_NODES_DOWN)
		job->reason = reason;
}

/* False: the pass is over. */
static bool try_entry(struct schedule *s, const struct sched_entry *entry,
	struct arena *arena)
{
	struct sched_job *job = entry->job;
	unsigned reason = REASON_NONE;

	while (!reason && job->n_starts < job->startable)
		reason = try_job(s, job, entry->choice, arena);
	if (reason)
		note_reason(job, reason);
	keep_back(s, job, entry->choice, reason);
	return reason != REASON_LICENSES || !s->licenses_stop;
}

/* ---- all -----------------------------------------------------------------*/

static void forget(struct schedule *s)
{
	s->n_started = 0;
	bits_nothing(s->sets.kept, bits_words(s->n_nodes));
	for (size_t i = 0; i < s->n_partitions; i++) {
		s->partitions[i].failed = false;
		s->partitions[i].looked_at = 0;
	}
	for (size_t i = 0; i < s->n_jobs; i++) {
		struct sched_job *job = &s->jobs[i];

		if (!s->starts_none)
			job->n_starts = 0;
		if (job->waits || job->n_starts < job->startable)
			job->reason = job->waits;
		job->by_partition = false;
		job->main_reason = REASON_NONE;
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

	schedule_measure(s, arena);
	forget(s);
	n = schedule_queue(s, false, arena);
	memset(s->failed_reservations, 0,
		bits_words(s->n_reservations) * sizeof(uint64_t));
	for (size_t i = 0; i < n && !enough(s, i); i++)
		if (startable(s->queue[i].job) &&
			!enough_of_partition(s, s->queue[i].choice) &&
			!try_entry(s, &s->queue[i], arena))
			break;
	for (size_t i = 0; i < n; i++)
		if (startable(s->queue[i].job) && !s->queue[i].job->reason)
			s->queue[i].job->reason = REASON_PRIORITY;
}

void schedule_reasons(struct schedule *s, struct arena *arena)
{
	s->starts_none = true;
	schedule_main(s, arena);
	s->starts_none = false;
}
