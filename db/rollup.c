#include "db/rollup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/numbers.h"
#include "db/event.h"
#include "db/job.h"
#include "db/query.h"
#include "db/reservation.h"
#include "db/rowtable.h"
#include "db/suspension.h"
#include "db/trespack.h"

enum {
	DAY = 86400,
	PIECE = 31 * DAY, /* under one write lock */
};

struct stretch {
	int64_t start, end;
};

struct state {
	bool found;
	int64_t done, kept, longest, early;
	bool same_calendar;
};

int rollup_prepare(struct store *store)
{
	return store_work_in_files(store, 16384);
}

static int load_tres_ids(
	struct store *store, struct arena *arena, uint32_t **ids, size_t *n)
{
	struct query q;
	size_t cap = 0;

	*ids = NULL;
	*n = 0;
	if (query_open(&q, store, "SELECT id FROM tres ORDER BY id"))
		return -1;
	while (query_row(&q))
		*ARENA_PUSH(arena, *ids, *n, cap) = (uint32_t)query_int(&q, 0);
	return query_close(&q);
}

/* ---- the state ---------------------------------------------------------- */

static void read_state(struct query *q, struct state *state)
{
	const char *calendar = query_text(q, 3);
	struct arena scratch;

	*state = (struct state){
		.found = true,
		.done = query_int(q, 0),
		.longest = query_int(q, 1),
		.early = query_int(q, 2),
		.kept = query_int(q, 4),
	};
	arena_init(&scratch);
	state->same_calendar =
		!strcmp(calendar, calendar_name(&scratch, state->done));
	arena_release(&scratch);
}

static int load_state(struct store *store, int64_t cluster, struct state *state)
{
	struct query q;

	*state = (struct state){0};
	if (query_open(&q, store,
		    "SELECT done, longest, early, calendar, kept"
		    " FROM rollup_state"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	if (query_row(&q))
		read_state(&q, state);
	return query_close(&q);
}

/* How far jobs reach from their submit times. */
static int measure(struct store *store, int64_t cluster, struct state *state,
	int64_t *first)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT coalesce(max(end - submit), 0),"
		    " max(coalesce(max(submit - eligible), 0),"
		    "  coalesce(max(submit - start), 0)),"
		    " min(submit) FROM job WHERE +cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	*first = INT64_MAX;
	if (query_row(&q)) {
		state->longest = larger(query_int(&q, 0), 0);
		state->early = larger(query_int(&q, 1), 0);
		if (!query_is_null(&q, 2))
			*first = query_int(&q, 2) - state->early;
	}
	return query_close(&q);
}

static int first_event(struct store *store, int64_t cluster, int64_t *first)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT min(start) FROM (SELECT start FROM event"
		    " WHERE cluster = :cluster UNION ALL SELECT start"
		    " FROM reservation WHERE cluster = :cluster)"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	if (query_row(&q) && !query_is_null(&q, 0))
		*first = smaller(*first, query_int(&q, 0));
	return query_close(&q);
}

static int save_state(
	struct store *store, int64_t cluster, const struct state *state)
{
	struct arena scratch;
	struct query q;

	if (query_open(&q, store,
		    "INSERT OR REPLACE INTO rollup_state (cluster, done,"
		    " longest, early, calendar, kept) VALUES (:cluster, :done,"
		    " :longest, :early, :calendar, :kept)"))
		return -1;
	arena_init(&scratch);
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":done", state->done);
	query_bind_int(&q, ":longest", state->longest);
	query_bind_int(&q, ":early", state->early);
	query_bind_int(&q, ":kept", state->kept);
	query_bind_text(&q, ":calendar", calendar_name(&scratch, state->done));
	arena_release(&scratch);
	return query_run(&q);
}

static int begin_state(
	struct store *store, int64_t cluster, struct state *state)
{
	int64_t first;

	if (measure(store, cluster, state, &first) ||
		first_event(store, cluster, &first))
		return -1;
	state->found = state->same_calendar = true;
	first = larger(smaller(first, store->now), 0);
	state->done = span_floor(first, SPAN_HOUR);
	return save_state(store, cluster, state);
}

/* ---- sweeping the records ----------------------------------------------- */

struct runs {
	struct rollup_run *v;
	size_t n, cap;
};

struct sweep {
	struct store *store;
	int64_t cluster;
	struct state reach;
	const uint32_t *tres;
	size_t n_tres;
	struct arena arena; /* events and reservations */
	struct rollup_event *events;
	size_t n_events, cap_events;
	struct rollup_reservation *reservations;
	size_t n_reservations, cap_reservations;
	/* Runs that go on behind the chunk, in one of two arenas by turns. */
	struct runs alive;
	struct arena keep[2];
	struct arena chunk;
	/* The record read ahead. */
	struct query jobs;
	bool more;
	int64_t submit;
	struct rollup_run next;
	struct arena ahead;
	int (*sink)(const struct rollup *, void *arg);
	void *arg;
	const struct rollup_watch *watch;
	int64_t began, target; /* of all the work */
};

/* The indexes of "1-10:2,15%4". */
static uint32_t count_tasks(const char *text)
{
	uint64_t count = 0;

	while (*text && *text != '%') {
		char *end;
		uint64_t first = strtoull(text, &end, 10), last = first;
		uint64_t step = 1;

		if (end == text)
			break;
		if (*end == '-')
			last = strtoull(end + 1, &end, 10);
		if (*end == ':')
			step = strtoull(end + 1, &end, 10);
		if (last >= first && step && last - first < UINT32_MAX)
			count += (last - first) / step + 1;
		text = *end == ',' ? end + 1 : "";
	}
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

#define RUN_COLUMNS                                                            \
	"SELECT eligible, start, end, assoc, qos, wckey, cpus_req,"            \
	" array_tasks, reservation, tres_alloc, submit, key, suspended,"       \
	" suspended_since FROM job"

static void read_run(
	struct query *q, struct rollup_run *run, struct arena *arena)
{
	struct tres_list *alloc = arena_alloc(arena, sizeof(*alloc));
	const char *wckey = query_text(q, 5);

	*run = (struct rollup_run){
		.eligible = query_int(q, 0),
		.start = query_int(q, 1),
		.end = query_int(q, 2),
		.assoc = query_int(q, 3),
		.qos = (uint32_t)query_int(q, 4),
		.wckey = arena_strdup(arena, wckey + (*wckey == '*')),
		.cpus_req = (uint32_t)query_int(q, 6),
		.tasks = count_tasks(query_text(q, 7)),
		.reservation = query_strdup(q, 8, arena),
		.alloc = alloc,
	};
	tres_unpack(query_text(q, 9), arena, alloc);
	if (suspensions_load(q->store, query_int(q, 11), query_int(q, 12),
		    query_int(q, 13), arena, &run->suspended))
		q->failed = true;
}

static void keep_run(
	struct runs *runs, const struct rollup_run *run, struct arena *arena)
{
	struct tres_list *alloc = arena_alloc(arena, sizeof(*alloc));
	struct rollup_run *copy =
		ARENA_PUSH(arena, runs->v, runs->n, runs->cap);

	*copy = *run;
	copy->wckey = arena_strdup(arena, run->wckey);
	copy->reservation = arena_strdup(arena, run->reservation);
	copy->alloc = alloc;
	copy->suspended = suspensions_copy(&run->suspended, arena);
	for (size_t i = 0; i < run->alloc->n; i++)
		*ARENA_PUSH(arena, alloc->v, alloc->n, alloc->cap) =
			run->alloc->v[i];
}

static void read_ahead(struct sweep *s)
{
	arena_reset(&s->ahead);
	s->more = query_row(&s->jobs);
	if (!s->more)
		return;
	read_run(&s->jobs, &s->next, &s->ahead);
	s->submit = query_int(&s->jobs, 10);
}

/* Jobs that have not ended are few; they are there from the beginning. */
static int load_open(struct sweep *s, int64_t until)
{
	struct query q;

	if (query_open(&q, s->store,
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

/* The others in order of submit: by the index of ends where few are wanted,
 * else by that of submits. */
static int open_ended(struct sweep *s, int64_t from, int64_t until)
{
	static const char by_end[] = RUN_COLUMNS
		" WHERE +cluster = :cluster AND end > :from AND end < :last"
		" AND +submit < :until AND +submit >= :first ORDER BY submit";
	static const char by_submit[] = RUN_COLUMNS
		" WHERE +cluster = :cluster AND +end > :from AND +end < :last"
		" AND submit < :until AND submit >= :first ORDER BY submit";
	bool few = until - from <= 2 * DAY || until >= s->store->now - DAY;

	if (query_open(&s->jobs, s->store, few ? by_end : by_submit))
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

static int load_events(struct sweep *s, int64_t from, int64_t until)
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

/* Keys of associations from their numbers on the cluster. */
static int load_assoc_keys(
	struct sweep *s, const char *numbers, struct rollup_reservation *resv)
{
	struct strv words = {0};
	int64_t *keys = NULL;
	size_t cap = 0;

	if (*numbers)
		strv_split(&words, &s->arena, numbers);
	for (size_t i = 0; i < words.n; i++) {
		struct query q;

		if (query_open(&q, s->store,
			    "SELECT key FROM assoc WHERE cluster = :cluster"
			    " AND id = :id"))
			return -1;
		query_bind_int(&q, ":cluster", s->cluster);
		query_bind_int(&q, ":id", strtoll(words.v[i], NULL, 10));
		if (query_row(&q))
			*ARENA_PUSH(&s->arena, keys, resv->n_assocs, cap) =
				query_int(&q, 0);
		if (query_close(&q))
			return -1;
	}
	resv->assocs = keys;
	return 0;
}

static int cluster_name(struct store *store, int64_t cluster,
	struct strv *names, struct arena *a)
{
	struct query q;

	if (query_open(&q, store, "SELECT name FROM cluster WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", cluster);
	if (query_row(&q))
		strv_push(names, a, query_text(&q, 0));
	return query_close(&q);
}

static int load_reservations(struct sweep *s, int64_t from, int64_t until)
{
	struct reservation_cond cond = {.from = from, .until = until};
	struct reservation_list list;

	if (cluster_name(s->store, s->cluster, &cond.clusters, &s->arena) ||
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
		if (load_assoc_keys(s, r->assocs, resv))
			return -1;
	}
	return 0;
}

/* ---- one chunk after the other ------------------------------------------ */

static void add_alive(struct sweep *s, struct rollup *r, int64_t end, int turn)
{
	struct runs old = s->alive;

	s->alive = (struct runs){0};
	arena_reset(&s->keep[turn]);
	for (size_t i = 0; i < old.n; i++) {
		rollup_add_run(r, &old.v[i]);
		if (!old.v[i].end || old.v[i].end > end)
			keep_run(&s->alive, &old.v[i], &s->keep[turn]);
	}
}

static int sweep_chunk(struct sweep *s, int64_t from, int64_t until, int turn)
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

static int sweep_chunks(struct sweep *s, int64_t from, int64_t until)
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
static int sweep(struct sweep *s, int64_t from, int64_t until)
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
	s->alive = (struct runs){0};
	s->n_events = s->cap_events = 0;
	s->n_reservations = s->cap_reservations = 0;
	return rc;
}

/* ---- rows --------------------------------------------------------------- */

struct rows {
	struct store *store;
	int64_t cluster;
	const uint32_t *tres;
	size_t n_tres;
	struct arena scratch;
	struct row_table table; /* of the cells to be inserted */
	struct query insert;
};

/* Hours have the largest number: their rows are many, and go to the end of the
 * table. */
static int64_t stored(enum span span)
{
	return SPANS - 1 - (int64_t)span;
}

static char *put_number(char *at, uint64_t number)
{
	char text[24], *end = text + sizeof(text), *from = end;

	do
		*--from = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(at, from, (size_t)(end - from));
	return at + (end - from);
}

static void pack(const struct rows *rows, const int64_t *secs, char *out)
{
	char *at = out;

	for (size_t i = 0; i < rows->n_tres; i++) {
		if (!secs[i])
			continue;
		if (at != out)
			*at++ = ',';
		at = put_number(at, rows->tres[i]);
		*at++ = '=';
		if (secs[i] < 0)
			*at++ = '-';
		at = put_number(at,
			secs[i] < 0 ? -(uint64_t)secs[i] : (uint64_t)secs[i]);
	}
	*at = '\0';
}

static void unpack(const struct rows *rows, const char *text, int64_t *secs)
{
	size_t place = 0;

	while (*text) {
		char *end;
		uint32_t id = (uint32_t)strtoul(text, &end, 10);
		int64_t amount = strtoll(end + (*end == '='), &end, 10);

		while (place < rows->n_tres && rows->tres[place] != id)
			place++;
		if (place == rows->n_tres)
			return;
		secs[place] = usage_sum(secs[place], amount);
		text = *end == ',' ? end + 1 : "";
	}
}

/* What one row of many has of its own. */
struct packed_cell {
	int64_t assoc;
	uint32_t qos;
	const char *wckey, *tres;
};

#define CELL(column, type)                                                     \
	{                                                                      \
		":" #column, ROW_##type, offsetof(struct packed_cell, column)  \
	}

static const struct row_member cell_members[] = {CELL(assoc, INT),
	CELL(qos, COUNT), CELL(wckey, TEXT), CELL(tres, TEXT)};

static int open_insert(struct rows *rows)
{
	rows->table = (struct row_table){.members = cell_members,
		.n_members = sizeof(cell_members) / sizeof(*cell_members)};
	if (row_table_open(rows->store, "rollup_rows", &rows->table))
		return -1;
	return query_open_kept(&rows->insert, rows->store,
		"INSERT INTO rollup (cluster, span, start, assoc, qos, wckey,"
		" tres) SELECT ?1, ?2, ?3, assoc, qos, wckey, tres"
		" FROM rollup_rows");
}

/* As the table is sorted: each row goes behind the one before. */
static int compare_cells(const void *a, const void *b)
{
	const struct packed_cell *x = *(void *const *)a, *y = *(void *const *)b;

	if (x->assoc != y->assoc)
		return x->assoc < y->assoc ? -1 : 1;
	if (x->qos != y->qos)
		return x->qos < y->qos ? -1 : 1;
	return strcmp(x->wckey, y->wckey);
}

static int insert_cells(struct rows *rows, enum span span, int64_t start,
	const struct usage_cells *cells)
{
	struct arena *arena = &rows->scratch;
	size_t most = rows->n_tres * 40 + 1;
	char *text = arena_array(arena, cells->n + 1, most);
	struct packed_cell *packed =
		arena_array(arena, cells->n + 1, sizeof(*packed));
	void **list = arena_array(arena, cells->n + 1, sizeof(*list));

	for (size_t i = 0; i < cells->n; i++, text += most) {
		const struct usage_cell *cell = &cells->v[i];

		pack(rows, cell->secs, text);
		packed[i] = (struct packed_cell){
			cell->assoc, cell->qos, cell->wckey, text};
		list[i] = &packed[i];
	}
	qsort(list, cells->n, sizeof(*list), compare_cells);
	rows->table.rows = list;
	rows->table.n_rows = cells->n;
	query_put_int(&rows->insert, 1, rows->cluster);
	query_put_int(&rows->insert, 2, stored(span));
	query_put_int(&rows->insert, 3, start);
	return cells->n && query_run_kept(&rows->insert) < 0 ? -1 : 0;
}

/* Node seconds of a cluster are not reported; what it never had neither. */
static bool is_reported(uint32_t tres, const struct cluster_usage *usage)
{
	return tres != TRES_NODE && (usage->count || usage->alloc);
}

static int insert_cluster_row(struct rows *rows, enum span span, int64_t start,
	uint32_t tres, const struct cluster_usage *usage)
{
	struct query q;

	if (query_open(&q, rows->store,
		    "INSERT INTO rollup_cluster (cluster, span, start, tres,"
		    " count, alloc, down, pdown, idle, plan, over) VALUES"
		    " (:cluster, :span, :start, :tres, :count, :alloc, :down,"
		    " :pdown, :idle, :plan, :over)"))
		return -1;
	query_bind_int(&q, ":cluster", rows->cluster);
	query_bind_int(&q, ":span", stored(span));
	query_bind_int(&q, ":start", start);
	query_bind_int(&q, ":tres", tres);
	query_bind_int(&q, ":count", usage->count);
	query_bind_int(&q, ":alloc", usage->alloc);
	query_bind_int(&q, ":down", usage->down);
	query_bind_int(&q, ":pdown", usage->pdown);
	query_bind_int(&q, ":idle", usage->idle);
	query_bind_int(&q, ":plan", usage->plan);
	query_bind_int(&q, ":over", usage->over);
	return query_run(&q);
}

static int insert_cluster(struct rows *rows, enum span span, int64_t start,
	const struct cluster_usage *usage)
{
	for (size_t i = 0; i < rows->n_tres; i++)
		if (is_reported(rows->tres[i], &usage[i]) &&
			insert_cluster_row(
				rows, span, start, rows->tres[i], &usage[i]))
			return -1;
	return 0;
}

static int delete_rows(
	struct rows *rows, enum span span, int64_t from, int64_t until)
{
	static const char *const statements[] = {
		"DELETE FROM rollup WHERE cluster = :cluster AND span = :span"
		" AND start >= :from AND start < :until",
		"DELETE FROM rollup_cluster WHERE cluster = :cluster"
		" AND span = :span AND start >= :from AND start < :until"};

	for (size_t i = 0; i < 2; i++) {
		struct query q;

		if (query_open(&q, rows->store, statements[i]))
			return -1;
		query_bind_int(&q, ":cluster", rows->cluster);
		query_bind_int(&q, ":span", stored(span));
		query_bind_int(&q, ":from", from);
		query_bind_int(&q, ":until", until);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

/* Adds up rows of a span that begin in [from, until). */
static int read_cells(struct rows *rows, enum span span, int64_t from,
	int64_t until, struct usage_cells *cells)
{
	struct query q;

	if (query_open(&q, rows->store,
		    "SELECT assoc, qos, wckey, tres FROM rollup"
		    " WHERE cluster = :cluster AND span = :span"
		    " AND start >= :from AND start < :until"))
		return -1;
	query_bind_int(&q, ":cluster", rows->cluster);
	query_bind_int(&q, ":span", stored(span));
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":until", until);
	while (query_row(&q)) {
		struct usage_cell *cell =
			usage_cells_at(cells, query_int(&q, 0),
				(uint32_t)query_int(&q, 1), query_text(&q, 2));

		unpack(rows, query_text(&q, 3), cell->secs);
	}
	return query_close(&q);
}

static struct cluster_usage cluster_row(struct query *q)
{
	return (struct cluster_usage){
		.count = query_int(q, 1),
		.alloc = query_int(q, 2),
		.down = query_int(q, 3),
		.pdown = query_int(q, 4),
		.idle = query_int(q, 5),
		.plan = query_int(q, 6),
		.over = query_int(q, 7),
	};
}

/* The same of the cluster; `each` gets the place of the TRES. */
static int read_cluster(struct rows *rows, enum span span, int64_t from,
	int64_t until,
	void (*each)(size_t place, const struct cluster_usage *, void *arg),
	void *arg)
{
	struct query q;

	if (query_open(&q, rows->store,
		    "SELECT tres, count, alloc, down, pdown, idle, plan, over"
		    " FROM rollup_cluster WHERE cluster = :cluster"
		    " AND span = :span AND start >= :from AND start < :until"))
		return -1;
	query_bind_int(&q, ":cluster", rows->cluster);
	query_bind_int(&q, ":span", stored(span));
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":until", until);
	while (query_row(&q)) {
		struct cluster_usage usage = cluster_row(&q);
		uint32_t id = (uint32_t)query_int(&q, 0);

		for (size_t i = 0; i < rows->n_tres; i++)
			if (rows->tres[i] == id)
				each(i, &usage, arg);
	}
	return query_close(&q);
}

/* The same of an hour that is at hand. */
static void add_hour(const struct rollup *r, const struct rollup_hour *hour,
	struct usage_cells *cells,
	void (*each)(size_t place, const struct cluster_usage *, void *arg),
	void *arg)
{
	for (size_t t = 0; t < r->n_tres; t++)
		if (is_reported(r->tres[t], &hour->cluster[t]))
			each(t, &hour->cluster[t], arg);
	for (size_t i = 0; i < hour->cells.n; i++) {
		const struct usage_cell *from = &hour->cells.v[i];
		struct usage_cell *to = usage_cells_at(
			cells, from->assoc, from->qos, from->wckey);

		for (size_t t = 0; t < r->n_tres; t++)
			to->secs[t] = usage_sum(to->secs[t], from->secs[t]);
	}
}

/* ---- keeping them up to date -------------------------------------------- */

static void add_row(size_t place, const struct cluster_usage *usage, void *arg)
{
	cluster_usage_add(&((struct cluster_usage *)arg)[place], usage);
}

/* The row of a period, for the one that may be there. */
static int write_period(struct rows *rows, enum span span, int64_t start,
	const struct usage_cells *cells, const struct cluster_usage *cluster)
{
	return delete_rows(rows, span, start, start + 1) ||
			       insert_cells(rows, span, start, cells) ||
			       insert_cluster(rows, span, start, cluster)
		       ? -1
		       : 0;
}

/* Makes the row of a day from its hours, of a month from its days. */
static int sum_period(
	struct rows *rows, enum span span, int64_t start, int64_t end)
{
	struct cluster_usage *cluster;
	struct usage_cells cells;

	arena_reset(&rows->scratch);
	cluster = arena_array(&rows->scratch, rows->n_tres, sizeof(*cluster));
	usage_cells_init(&cells, rows->n_tres, &rows->scratch);
	if (read_cells(rows, span - 1, start, end, &cells) ||
		read_cluster(rows, span - 1, start, end, add_row, cluster))
		return -1;
	return write_period(rows, span, start, &cells, cluster);
}

/* The same of a day whose hours are all at hand. */
static int write_day(struct rows *rows, const struct rollup *r)
{
	struct cluster_usage *cluster;
	struct usage_cells cells;

	arena_reset(&rows->scratch);
	cluster = arena_array(&rows->scratch, rows->n_tres, sizeof(*cluster));
	usage_cells_init(&cells, rows->n_tres, &rows->scratch);
	for (size_t h = 0; h < r->n_hours; h++)
		add_hour(r, &r->hours[h], &cells, add_row, cluster);
	return write_period(rows, SPAN_DAY, r->from, &cells, cluster);
}

static int write_hours(const struct rollup *r, void *arg)
{
	struct rows *rows = arg;

	for (size_t i = 0; i < r->n_hours; i++) {
		struct rollup_hour *hour = &r->hours[i];

		arena_reset(&rows->scratch);
		if (insert_cells(rows, SPAN_HOUR, hour->start, &hour->cells) ||
			insert_cluster(
				rows, SPAN_HOUR, hour->start, hour->cluster))
			return -1;
	}
	if (span_floor(r->from, SPAN_DAY) != r->from ||
		span_next(r->from, SPAN_DAY) != r->until)
		return 0;
	return write_day(rows, r);
}

/* The periods that hours of [from, until) belong to, if they are over. */
static int sum_periods(struct rows *rows, enum span span, int64_t from,
	int64_t until, int64_t done)
{
	int64_t start = span_floor(from, span);

	while (start < until) {
		int64_t end = span_next(start, span);

		if (end > done)
			break;
		if (sum_period(rows, span, start, end))
			return -1;
		start = end;
	}
	return 0;
}

/* Rows of the hours [from, until) anew, and of the periods above; `done` is
 * where the hours end that are known. `until` ends a day, or is that. Of days,
 * just the one that began before `from` is not written with its hours. */
static int roll(struct sweep *s, int64_t from, int64_t until, int64_t done)
{
	struct rows rows = {.store = s->store,
		.cluster = s->cluster,
		.tres = s->tres,
		.n_tres = s->n_tres};
	int rc;

	if (open_insert(&rows))
		return -1;
	arena_init(&rows.scratch);
	s->sink = write_hours;
	s->arg = &rows;
	rc = delete_rows(&rows, SPAN_HOUR, from, until) ||
	     sweep(s, from, until) ||
	     sum_periods(
		     &rows, SPAN_DAY, from, span_ceil(from, SPAN_DAY), done) ||
	     sum_periods(&rows, SPAN_MONTH, from, until, done);
	arena_release(&rows.scratch);
	query_close(&rows.insert);
	return rc ? -1 : 0;
}

/* The first stretch of dirt behind `from`, with all that touches it. What ends
 * before it begins is of no job (it was suspended after what is now its end).
 */
static int first_dirt(struct store *store, int64_t cluster, int64_t from,
	int64_t until, struct stretch *dirt, bool *found)
{
	struct query q;

	*found = false;
	if (from >= until)
		return 0;
	if (query_open(&q, store,
		    "SELECT start, end FROM rollup_dirty"
		    " WHERE cluster = :cluster AND start < :until"
		    " AND end > :from AND end > start ORDER BY start"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":until", until);
	while (query_row(&q)) {
		struct stretch next = {query_int(&q, 0), query_int(&q, 1)};

		if (!*found)
			*dirt = next;
		else if (next.start <= dirt->end)
			dirt->end = larger(dirt->end, next.end);
		else
			break;
		*found = true;
	}
	dirt->start = larger(dirt->start, from);
	return query_close(&q);
}

/* What lies before `until` is clean again. */
static int clean(struct store *store, int64_t cluster, int64_t until)
{
	static const char *const statements[] = {
		"INSERT OR IGNORE INTO rollup_dirty SELECT cluster, :until,"
		" end FROM rollup_dirty WHERE cluster = :cluster"
		" AND start < :until AND end > :until",
		"DELETE FROM rollup_dirty WHERE cluster = :cluster"
		" AND start < :until"};

	for (size_t i = 0; i < 2; i++) {
		struct query q;

		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":cluster", cluster);
		query_bind_int(&q, ":until", until);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int mend(struct sweep *s, const struct stretch *dirt, int64_t done)
{
	int64_t until = smaller(dirt->end, dirt->start + PIECE);
	int64_t from = larger(span_floor(dirt->start, SPAN_DAY), s->reach.kept);
	int64_t last = smaller(span_ceil(until, SPAN_DAY), done);

	return roll(s, from, last, done) || clean(s->store, s->cluster, until)
		       ? -1
		       : 0;
}

static int advance(struct sweep *s, int64_t target)
{
	int64_t done = s->reach.done;
	int64_t until = smaller(span_floor(done + PIECE, SPAN_DAY), target);

	if (roll(s, done, until, until))
		return -1;
	s->reach.done = until;
	return save_state(s->store, s->cluster, &s->reach);
}

/* One piece of the work under the write lock. 1: there may be more. */
static int work(struct sweep *s, int64_t target)
{
	struct stretch dirt;
	bool dirty;

	if (load_state(s->store, s->cluster, &s->reach))
		return -1;
	if (!s->reach.found && begin_state(s->store, s->cluster, &s->reach))
		return -1;
	if (!s->reach.same_calendar)
		return 0;
	if (!s->began)
		s->began = s->reach.done;
	if (s->reach.done < target)
		return advance(s, target) ? -1 : 1;
	if (first_dirt(s->store, s->cluster, s->reach.kept, INT64_MAX, &dirt,
		    &dirty))
		return -1;
	return !dirty ? 0 : mend(s, &dirt, s->reach.done) ? -1 : 1;
}

static int work_locked(struct sweep *s, int64_t target)
{
	int rc = work(s, target);

	if (rc < 0) {
		store_rollback(s->store);
		return -1;
	}
	return store_commit_bulk(s->store) ? -1 : rc;
}

/* Is there anything to do? */
static int is_behind(struct store *store, int64_t cluster, int64_t target)
{
	struct stretch dirt;
	struct state state;
	bool dirty;

	if (load_state(store, cluster, &state) ||
		first_dirt(
			store, cluster, state.kept, INT64_MAX, &dirt, &dirty))
		return -1;
	if (!state.found)
		return 1;
	return state.same_calendar && (state.done < target || dirty);
}

int rollup_update(
	struct store *store, int64_t cluster, const struct rollup_watch *watch)
{
	int64_t target = span_floor(store->now, SPAN_HOUR);
	struct sweep s = {.store = store,
		.cluster = cluster,
		.watch = watch,
		.target = target};
	struct arena arena;
	uint32_t *ids;
	int rc = is_behind(store, cluster, target);

	if (rc <= 0 || store->read_only)
		return rc < 0 ? -1 : 0;
	arena_init(&arena);
	rc = load_tres_ids(store, &arena, &ids, &s.n_tres) ? -1 : 1;
	s.tres = ids;
	while (rc == 1) {
		if (store_begin_bulk(store))
			break; /* busy: what is missing gets computed */
		rc = work_locked(&s, target);
	}
	arena_release(&arena);
	return rc < 0 ? -1 : 0;
}

int rollup_keep(struct store *store, int64_t cluster, int64_t until)
{
	struct state state;

	if (load_state(store, cluster, &state))
		return -1;
	until = smaller(span_ceil(until, SPAN_HOUR), state.done);
	if (!state.found || until <= state.kept)
		return 0;
	state.kept = until;
	return save_state(store, cluster, &state);
}

/* ---- reading ------------------------------------------------------------ */

struct loading {
	struct rows rows;
	struct sweep sweep;
	struct rollup_report *report;
	int64_t *counts; /* sums, by place */
	int64_t *n_counts;
};

static void add_cluster_row(
	size_t place, const struct cluster_usage *usage, void *arg)
{
	struct loading *l = arg;

	cluster_usage_add(&l->report->cluster[place], usage);
	l->counts[place] = usage_sum(l->counts[place], usage->count);
	l->n_counts[place]++;
	l->report->registered = true;
}

static int add_hours(const struct rollup *r, void *arg)
{
	struct loading *l = arg;

	for (size_t h = 0; h < r->n_hours; h++)
		add_hour(
			r, &r->hours[h], &l->report->cells, add_cluster_row, l);
	return 0;
}

static int read_span(struct loading *l, enum span span, int64_t start,
	int64_t end, bool cluster)
{
	if (cluster)
		return read_cluster(
			&l->rows, span, start, end, add_cluster_row, l);
	return read_cells(&l->rows, span, start, end, &l->report->cells);
}

/* Rows for [start, end): the longest periods that fit, up to `span`. */
static int cover(struct loading *l, int64_t start, int64_t end, enum span span,
	bool cluster)
{
	int64_t first, last;

	if (start >= end)
		return 0;
	if (span == SPAN_HOUR)
		return read_span(l, span, start, end, cluster);
	first = span_ceil(start, span);
	last = span_floor(end, span);
	if (first >= last)
		return cover(l, start, end, span - 1, cluster);
	return cover(l, start, first, span - 1, cluster) ||
			       read_span(l, span, first, last, cluster) ||
			       cover(l, last, end, span - 1, cluster)
		       ? -1
		       : 0;
}

static int load_clean(
	struct loading *l, int64_t start, int64_t end, enum span span)
{
	return cover(l, start, end, SPAN_MONTH, false) ||
			       cover(l, start, end, span, true)
		       ? -1
		       : 0;
}

/* Stored rows where they are good, records where they are not. */
static int load_window(struct loading *l, const struct state *state,
	int64_t start, int64_t end, enum span span)
{
	int64_t done = smaller(end, state->done);

	while (start < done) {
		struct stretch dirt;
		bool dirty;

		if (first_dirt(l->rows.store, l->rows.cluster,
			    larger(start, state->kept), done, &dirt, &dirty))
			return -1;
		if (!dirty)
			dirt = (struct stretch){done, done};
		dirt.start = larger(span_floor(dirt.start, SPAN_HOUR), start);
		dirt.end = smaller(span_ceil(dirt.end, SPAN_HOUR), done);
		if (load_clean(l, start, dirt.start, span) ||
			sweep(&l->sweep, dirt.start, dirt.end))
			return -1;
		start = dirt.end;
	}
	return sweep(&l->sweep, start, end);
}

static void begin_report(struct loading *l, struct arena *arena)
{
	struct rollup_report *report = l->report;
	size_t n = report->n_tres;

	report->cluster = arena_array(arena, n, sizeof(*report->cluster));
	usage_cells_init(&report->cells, n, arena);
	l->rows.tres = l->sweep.tres = report->tres;
	l->rows.n_tres = l->sweep.n_tres = n;
	l->counts = arena_array(arena, n, sizeof(*l->counts));
	l->n_counts = arena_array(arena, n, sizeof(*l->n_counts));
	l->sweep.sink = add_hours;
	l->sweep.arg = l;
}

static int load_report(struct loading *l, int64_t start, int64_t end,
	bool direct, struct arena *arena)
{
	struct store *store = l->rows.store;
	enum span span = span_of_window(start, end, store->now);
	struct state *state = &l->sweep.reach;
	int64_t ignored;

	if (load_tres_ids(store, arena, &l->report->tres, &l->report->n_tres) ||
		load_state(store, l->rows.cluster, state))
		return -1;
	if (!state->found && measure(store, l->rows.cluster, state, &ignored))
		return -1;
	begin_report(l, arena);
	end = smaller(end, store->now);
	if (!state->found || !state->same_calendar || direct)
		return sweep(&l->sweep, start, end);
	return load_window(l, state, start, end, span);
}

static int load(struct store *store, int64_t cluster, int64_t start,
	int64_t end, bool direct, struct arena *arena,
	struct rollup_report *report)
{
	struct loading l = {
		.rows = {.store = store, .cluster = cluster},
		.sweep = {.store = store, .cluster = cluster},
		.report = report,
	};
	bool began = store_begin_read(store);
	int rc;

	*report = (struct rollup_report){0};
	rc = load_report(&l, start, end, direct, arena);
	store_end_read(store, began);
	for (size_t i = 0; !rc && i < report->n_tres; i++)
		if (l.n_counts[i])
			report->cluster[i].count = l.counts[i] / l.n_counts[i];
	return rc;
}

int rollup_load(struct store *store, int64_t cluster, int64_t start,
	int64_t end, struct arena *arena, struct rollup_report *report)
{
	return load(store, cluster, start, end, false, arena, report);
}

int rollup_compute(struct store *store, int64_t cluster, int64_t start,
	int64_t end, struct arena *arena, struct rollup_report *report)
{
	return load(store, cluster, start, end, true, arena, report);
}

/* ---- jobs --------------------------------------------------------------- */

#define JOB_COLUMNS                                                            \
	"SELECT id, array_job, user, coalesce(uid, 4294967294),"               \
	" coalesce(gid, 4294967294), account, assoc, wckey, partition,"        \
	" reservation, nodelist, start, end, suspended, tres_alloc, key,"      \
	" suspended_since FROM job"

static void read_job(struct query *q, struct job *job, struct arena *arena)
{
	*job = (struct job){
		.id = (uint32_t)query_int(q, 0),
		.array_job = (uint32_t)query_int(q, 1),
		.user = query_strdup(q, 2, arena),
		.uid = (uint32_t)query_int(q, 3),
		.gid = (uint32_t)query_int(q, 4),
		.account = query_strdup(q, 5, arena),
		.assoc = query_int(q, 6),
		.wckey = query_strdup(q, 7, arena),
		.partition = query_strdup(q, 8, arena),
		.reservation = query_strdup(q, 9, arena),
		.nodelist = query_strdup(q, 10, arena),
		.start = query_int(q, 11),
		.end = query_int(q, 12),
		.suspended = query_int(q, 13),
		.key = query_int(q, 15),
		.suspended_since = query_int(q, 16),
	};
	tres_unpack(query_text(q, 14), arena, &job->tres_alloc);
}

static int each_row(struct query *q, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg)
{
	struct job job;
	int rc = 0;

	while (!rc && query_row(q)) {
		arena_reset(scratch);
		read_job(q, &job, scratch);
		rc = each(&job, arg);
	}
	return query_close(q) ? -1 : rc;
}

int rollup_each_job(struct store *store, int64_t cluster, int64_t start,
	int64_t end, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg)
{
	static const char *const statements[] = {JOB_COLUMNS
		" WHERE +cluster = :cluster AND end > :start"
		" AND end < :last AND start < :end",
		JOB_COLUMNS " WHERE cluster = :cluster AND end IS NULL"
			    " AND start < :end"};
	struct state state;
	int64_t ignored;
	int rc = 0;

	if (load_state(store, cluster, &state) ||
		(!state.found && measure(store, cluster, &state, &ignored)))
		return -1;
	for (size_t i = 0; !rc && i < 2; i++) {
		struct query q;

		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":cluster", cluster);
		query_bind_int(&q, ":end", end);
		if (!i) {
			query_bind_int(&q, ":start", start);
			query_bind_int(&q, ":last",
				end + state.early + state.longest + 1);
		}
		rc = each_row(&q, scratch, each, arg);
	}
	return rc;
}

/* ---- associations ------------------------------------------------------- */

int rollup_assocs_load(struct store *store, int64_t cluster,
	struct arena *arena, struct rollup_assocs *list)
{
	struct query q;

	*list = (struct rollup_assocs){0};
	if (query_open(&q, store,
		    "SELECT key, account, user, partition, lineage FROM assoc"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct rollup_assoc){
				.key = query_int(&q, 0),
				.account = query_strdup(&q, 1, arena),
				.user = query_strdup(&q, 2, arena),
				.partition = query_strdup(&q, 3, arena),
				.lineage = query_strdup(&q, 4, arena),
			};
	return query_close(&q);
}
