/*
 * Jobs, events and reservations of a stretch of time, a chunk of hours after
 * the other, into common/fair/rollup.h: memory is flat.
 */
#include "db/rollup/rollup_parts.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/text/array_tasks.h"
#include "db/entity/assoc.h"
#include "db/entity/event.h"
#include "db/entity/reservation.h"
#include "db/job/job_rows.h"
#include "db/job/suspension.h"
#include "db/rows/members.h"

#define RUN_COLUMNS                                                            \
	"SELECT key, submit, eligible, start, end, assoc, qos, wckey,"         \
	" cpus_req, array_tasks, reservation, tres_alloc, suspended,"          \
	" suspended_since FROM job"

/* Gives when it was submitted. */
static int64_t read_run(
	struct query *q, struct rollup_run *run, struct arena *arena)
{
	struct tres_list *alloc = arena_alloc(arena, sizeof(*alloc));
	struct job job;

	job_read_some(q, &job, arena);
	*alloc = job.tres_alloc;
	*run = (struct rollup_run){
		.eligible = job.eligible,
		.start = job.start,
		.end = job.end,
		.assoc = job.assoc,
		.qos = job.qos,
		.wckey = job.wckey + (*job.wckey == '*'),
		.cpus_req = job.cpus_req,
		.tasks = array_tasks_count(job.array_tasks),
		.reservation = job.reservation,
		.alloc = alloc,
	};
	if (suspensions_load(q->store, job.key, job.suspended,
		    job.suspended_since, arena, &run->suspended))
		q->failed = true;
	return job.submit;
}

static void keep_run(struct rollup_runs *runs, const struct rollup_run *run,
	struct arena *arena)
{
	struct tres_list *alloc = arena_alloc(arena, sizeof(*alloc));
	struct rollup_run *copy =
		ARENA_PUSH(arena, runs->v, runs->n, runs->cap);

	*copy = *run;
	copy->wckey = arena_strdup(arena, run->wckey);
	copy->reservation = arena_strdup(arena, run->reservation);
	copy->alloc = alloc;
	copy->suspended = suspensions_copy(&run->suspended, arena);
	*alloc = tres_list_copy(run->alloc, arena);
}

static void read_ahead(struct rollup_sweep *s)
{
	arena_reset(&s->ahead);
	s->more = query_row(&s->jobs);
	if (s->more)
		s->submit = read_run(&s->jobs, &s->next, &s->ahead);
}

/* Jobs that have not ended are few; they are there from the beginning. */
static int load_open(struct rollup_sweep *s, int64_t until)
{
	struct query q;

	if (query_open_members(&q, s->store, &job_members,
		    RUN_COLUMNS " WHERE cluster = :cluster AND end IS NULL"
				" AND submit < :until"))
		return -1;
	query_bind_int(&q, ":cluster", s->cluster);
	query_bind_int(&q, ":until", until + s->reach.early);
	while (query_row(&q))
		read_run(&q,
			ARENA_PUSH(&s->keep[0], s->alive.v, s->alive.n,
				s->alive.cap),
			&s->keep[0]);
	return query_close(&q);
}

/* The others in order of submit. The index of ends gives fewer where few are
 * wanted, and of the newest jobs when some waited or ran for long, but what it
 * gives has to be sorted; else that of submits. */
static int open_ended(struct rollup_sweep *s, int64_t from, int64_t until)
{
	static const char by_end[] = RUN_COLUMNS
		" WHERE +cluster = :cluster AND end > :from AND end < :last"
		" AND +submit < :until AND +submit >= :first ORDER BY submit";
	static const char by_submit[] = RUN_COLUMNS
		" WHERE +cluster = :cluster AND +end > :from AND +end < :last"
		" AND submit < :until AND submit >= :first ORDER BY submit";
	const int64_t span = until - from;
	bool few = span <= 2 * DAY || (until >= s->store->now - DAY &&
					      s->reach.longest > span);

	if (query_open_members(&s->jobs, s->store, &job_members,
		    few ? by_end : by_submit))
		return -1;
	until += s->reach.early;
	query_bind_int(&s->jobs, ":cluster", s->cluster);
	query_bind_int(&s->jobs, ":from", from);
	query_bind_int(&s->jobs, ":until", until);
	query_bind_int(&s->jobs, ":first", from - s->reach.longest);
	query_bind_int(&s->jobs, ":last", until + s->reach.longest + 1);
	read_ahead(s);
	return 0;
}

/* ---- events and reservations of a sweep --------------------------------- */

static enum rollup_event_kind kind_of(const struct event *event, bool *counts)
{
	*counts = true;
	if (!*event->node)
		return *event->state ? ROLLUP_CONTROLLER_DOWN : ROLLUP_CAPACITY;
	if (strcasestr(event->state, "FUTURE") ||
		strcasestr(event->state, "POWER"))
		return ROLLUP_PLANNED_DOWN;
	*counts = !strcasestr(event->state, "MAINT");
	return ROLLUP_DOWN;
}

static int load_events(struct rollup_sweep *s, int64_t from, int64_t until)
{
	struct event_cond cond = {
		.cluster = s->cluster, .from = from, .until = until};
	struct event_list list;

	if (event_load(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct event *event = &list.v[i];
		bool counts;
		struct rollup_event e = {kind_of(event, &counts), event->start,
			event->end, &event->tres};

		if (counts)
			*ARENA_PUSH(&s->arena, s->events, s->n_events,
				s->cap_events) = e;
	}
	return 0;
}

/* The associations by their numbers on the cluster. */
static int load_heirs(struct rollup_sweep *s, const struct strv *cluster,
	const char *numbers, struct rollup_reservation *resv)
{
	struct assoc_cond cond = {.clusters = *cluster, .with_deleted = true};
	struct assoc_list list;
	struct rollup_heir *heirs;

	if (!*numbers)
		return 0;
	strv_split(&cond.ids, &s->arena, numbers);
	if (assoc_list(s->store, &cond, &s->arena, &list))
		return -1;
	heirs = arena_array(&s->arena, list.n, sizeof(*heirs));
	for (size_t i = 0; i < list.n; i++)
		heirs[i] = (struct rollup_heir){list.v[i]->key,
			assoc_default_qos(list.v[i], &s->store->qos)};
	resv->heirs = heirs;
	resv->n_heirs = list.n;
	return 0;
}

static int load_reservations(
	struct rollup_sweep *s, int64_t from, int64_t until)
{
	struct reservation_cond cond = {.from = from, .until = until};
	struct reservation_list list;

	if (store_words(s->store, "SELECT name FROM cluster WHERE id = :id",
		    &cond.clusters, &s->arena, bind_int(":id", s->cluster)) ||
		reservation_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct reservation *r = &list.v[i];
		struct rollup_reservation *resv =
			ARENA_PUSH(&s->arena, s->reservations,
				s->n_reservations, s->cap_reservations);

		*resv = (struct rollup_reservation){.name = r->name,
			.start = r->start,
			.end = r->end,
			.tres = &r->tres,
			.planned_down = strcasestr(r->flags, "MAINT") != NULL,
			.ignored = strcasestr(r->flags, "IGNORE_JOBS")};
		if (load_heirs(s, &cond.clusters, r->assocs, resv))
			return -1;
	}
	return 0;
}

/* ---- one chunk after the other ------------------------------------------ */

static void add_alive(
	struct rollup_sweep *s, struct rollup *r, int64_t end, int turn)
{
	struct rollup_runs old = s->alive;

	s->alive = (struct rollup_runs){0};
	arena_reset(&s->keep[turn]);
	for (size_t i = 0; i < old.n; i++) {
		rollup_add_run(r, &old.v[i]);
		if (!old.v[i].end || old.v[i].end > end)
			keep_run(&s->alive, &old.v[i], &s->keep[turn]);
	}
}

static int sweep_chunk(
	struct rollup_sweep *s, int64_t from, int64_t until, int turn)
{
	struct rollup r;

	arena_reset(&s->chunk);
	rollup_init(&r, from, until, s->tres, s->n_tres, &s->chunk);
	for (size_t i = 0; i < s->n_events; i++)
		rollup_add_event(&r, &s->events[i]);
	for (size_t i = 0; i < s->n_reservations; i++)
		rollup_add_reservation(&r, &s->reservations[i]);
	add_alive(s, &r, until, turn);
	while (s->more && s->submit < until + s->reach.early) {
		rollup_add_run(&r, &s->next);
		if (s->next.end > until)
			keep_run(&s->alive, &s->next, &s->keep[turn]);
		read_ahead(s);
	}
	rollup_finish(&r);
	return s->sink(&r, s->arg);
}

static int sweep_chunks(struct rollup_sweep *s, int64_t from, int64_t until)
{
	int turn = 1, rc = 0;

	if (load_events(s, from, until) || load_reservations(s, from, until) ||
		load_open(s, until) || open_ended(s, from, until))
		return -1;
	for (int64_t at = from, next; !rc && at < until; at = next) {
		if (s->watch)
			s->watch->tell(s->began, at, s->target, s->watch->arg);
		next = smaller(span_ceil(at + 1, SPAN_DAY), until);
		rc = sweep_chunk(s, at, next, turn);
		turn = !turn;
	}
	return query_close(&s->jobs) || rc ? -1 : 0;
}

/* Gives every hour of [from, until) to the sink, a local day at a time. */
int rollup_sweep_run(struct rollup_sweep *s, int64_t from, int64_t until)
{
	struct arena *arenas[] = {
		&s->arena, &s->keep[0], &s->keep[1], &s->chunk, &s->ahead};
	enum { N = sizeof(arenas) / sizeof(*arenas) };
	int rc;

	if (from >= until)
		return 0;
	for (size_t i = 0; i < N; i++)
		arena_init(arenas[i]);
	rc = sweep_chunks(s, from, until);
	for (size_t i = 0; i < N; i++)
		arena_release(arenas[i]);
	s->events = NULL;
	s->reservations = NULL;
	s->alive = (struct rollup_runs){0};
	s->n_events = s->cap_events = 0;
	s->n_reservations = s->cap_reservations = 0;
	return rc;
}
