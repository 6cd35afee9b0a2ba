/*
 * Roll-ups kept up to date and read (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_rollup.c); see rollup.h. The arithmetic is
 * common/fair/rollup.c, the records come from rollup_sweep.c, the rows are those of rollup_rows.c.
 */
#include "db/rollup/rollup_parts.h"

#include <string.h>

#include "common/base/numbers.h"
#include "db/job/job.h"

enum { PIECE = 31 * DAY }; /* under one write lock */

/* Facts come in late. An hour is kept when it has been over for so long. */
enum { LATE = 3600 };

/* What the recorder of one fact does: of a store with so few jobs it begins the
 * roll-ups, which looks at all of them; of others it goes on by so much. */
enum { FEW_JOBS = 10000, FACT_PIECE = 2 * DAY };

struct time_span {
	int64_t start, end;
};

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

static void read_state(struct query *q, struct rollup_state *state)
{
	const char *calendar = query_text(q, 3);
	SCRATCH_ARENA(scratch);

	*state = (struct rollup_state){
		.found = true,
		.done = query_int(q, 0),
		.longest = query_int(q, 1),
		.early = query_int(q, 2),
		.kept = query_int(q, 4),
	};
	state->same_calendar =
		!strcmp(calendar, calendar_name(&scratch, state->done));
}

int rollup_state_load(
	struct store *store, int64_t cluster, struct rollup_state *state)
{
	struct query q;

	*state = (struct rollup_state){0};
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

int rollup_measure(struct store *store, int64_t cluster,
	struct rollup_state *state, int64_t *first)
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

int rollup_first(struct store *store, int64_t cluster, int64_t *first)
{
	struct rollup_state state;

	return rollup_measure(store, cluster, &state, first);
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
	struct store *store, int64_t cluster, const struct rollup_state *state)
{
	SCRATCH_ARENA(scratch);
	struct query q;

	if (query_open(&q, store,
		    "INSERT OR REPLACE INTO rollup_state (cluster, done,"
		    " longest, early, calendar, kept) VALUES (:cluster, :done,"
		    " :longest, :early, :calendar, :kept)"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":done", state->done);
	query_bind_int(&q, ":longest", state->longest);
	query_bind_int(&q, ":early", state->early);
	query_bind_int(&q, ":kept", state->kept);
	query_bind_text(&q, ":calendar", calendar_name(&scratch, state->done));
	return query_run(&q);
}

static int begin_state(
	struct store *store, int64_t cluster, struct rollup_state *state)
{
	int64_t first;

	if (rollup_measure(store, cluster, state, &first) ||
		first_event(store, cluster, &first))
		return -1;
	state->found = state->same_calendar = true;
	first = larger(smaller(first, store->now), 0);
	state->done = span_floor(first, SPAN_HOUR);
	return save_state(store, cluster, state);
}

/* ---- keeping them up to date -------------------------------------------- */

static void add_row(size_t index, const struct cluster_usage *usage, void *arg)
{
	cluster_usage_add(&((struct cluster_usage *)arg)[index], usage);
}

/* The row of a period, if it exists. */
static int write_period(struct rollup_rows *rows, enum span span, int64_t start,
	const struct usage_cells *cells, const struct cluster_usage *cluster)
{
	return any_failed(
		rollup_rows_delete(rows, span, start, start + 1) ||
		rollup_rows_insert(rows, span, start, cells) ||
		rollup_rows_insert_cluster(rows, span, start, cluster));
}

/* Makes the row of a day from its hours, of a month from its days. */
static int sum_period(
	struct rollup_rows *rows, enum span span, int64_t start, int64_t end)
{
	struct cluster_usage *cluster;
	struct usage_cells cells;

	arena_reset(&rows->scratch);
	cluster = arena_array(&rows->scratch, rows->n_tres, sizeof(*cluster));
	usage_cells_init(&cells, rows->n_tres, &rows->scratch);
	if (rollup_rows_read(rows, span - 1, start, end, &cells) ||
		rollup_rows_read_cluster(
			rows, span - 1, start, end, add_row, cluster))
		return -1;
	return write_period(rows, span, start, &cells, cluster);
}

/* The same of a day whose hours are all at hand. */
static int write_day(struct rollup_rows *rows, const struct rollup *r)
{
	struct cluster_usage *cluster;
	struct usage_cells cells;

	arena_reset(&rows->scratch);
	cluster = arena_array(&rows->scratch, rows->n_tres, sizeof(*cluster));
	usage_cells_init(&cells, rows->n_tres, &rows->scratch);
	for (size_t h = 0; h < r->n_hours; h++)
		rollup_hour_add(r, &r->hours[h], &cells, add_row, cluster);
	return write_period(rows, SPAN_DAY, r->from, &cells, cluster);
}

static int write_hours(const struct rollup *r, void *arg)
{
	struct rollup_rows *rows = arg;

	for (size_t i = 0; i < r->n_hours; i++) {
		struct rollup_hour *hour = &r->hours[i];

		arena_reset(&rows->scratch);
		if (rollup_rows_insert(
			    rows, SPAN_HOUR, hour->start, &hour->cells) ||
			rollup_rows_insert_cluster(
				rows, SPAN_HOUR, hour->start, hour->cluster))
			return -1;
	}
	if (span_floor(r->from, SPAN_DAY) != r->from ||
		span_next(r->from, SPAN_DAY) != r->until)
		return 0;
	return write_day(rows, r);
}

/* The periods that hours of [from, until) belong to, if they are over. */
static int sum_periods(struct rollup_rows *rows, enum span span, int64_t from,
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

/* Computes rows of the hours [from, until) again, and of the days and months
 * above; `done` is the end of the known hours. `until` ends a day, or is
 * `done`. Only a day that began before `from` is not written with its hours. */
static int roll(
	struct rollup_sweep *s, int64_t from, int64_t until, int64_t done)
{
	struct rollup_rows rows = {.store = s->store,
		.cluster = s->cluster,
		.tres = s->tres,
		.n_tres = s->n_tres};
	int rc;

	if (rollup_rows_open(&rows))
		return -1;
	s->sink = write_hours;
	s->arg = &rows;
	rc = rollup_rows_delete(&rows, SPAN_HOUR, from, until) ||
	     rollup_sweep_run(s, from, until) ||
	     sum_periods(
		     &rows, SPAN_DAY, from, span_ceil(from, SPAN_DAY), done) ||
	     sum_periods(&rows, SPAN_MONTH, from, until, done);
	arena_release(&rows.scratch);
	query_close(&rows.insert);
	return rc ? -1 : 0;
}

/* The first dirty span after `from`, joined with all that touch it. A span that
 * ends before it begins belongs to no job (one suspended after what is now its
 * end). */
static int first_dirt(struct store *store, int64_t cluster, int64_t from,
	int64_t until, struct time_span *dirt, bool *found)
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
		struct time_span next = {query_int(&q, 0), query_int(&q, 1)};

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
		"INSERT OR IGNORE INTO rollup_dirty (cluster, start, end)"
		" SELECT cluster, :until,"
		" end FROM rollup_dirty WHERE cluster = :cluster"
		" AND start < :until AND end > :until",
		"DELETE FROM rollup_dirty WHERE cluster = :cluster"
		" AND start < :until"};

	for (size_t i = 0; i < 2; i++)
		if (store_run(store, statements[i],
			    bind_int(":cluster", cluster),
			    bind_int(":until", until)))
			return -1;
	return 0;
}

static int mend(
	struct rollup_sweep *s, const struct time_span *dirt, int64_t done)
{
	int64_t until = smaller(dirt->end, dirt->start + s->piece);
	int64_t from = larger(span_floor(dirt->start, SPAN_DAY), s->reach.kept);
	int64_t last = smaller(span_ceil(until, SPAN_DAY), done);

	return any_failed(roll(s, from, last, done) ||
			  clean(s->store, s->cluster, until));
}

static int advance(struct rollup_sweep *s, int64_t target)
{
	int64_t done = s->reach.done;
	int64_t until = smaller(span_floor(done + s->piece, SPAN_DAY), target);

	if (roll(s, done, until, until))
		return -1;
	s->reach.done = until;
	return save_state(s->store, s->cluster, &s->reach);
}

/* One piece of the work under the write lock. 1: there may be more. */
static int work(struct rollup_sweep *s, int64_t target)
{
	struct time_span dirt;
	bool dirty;

	if (rollup_state_load(s->store, s->cluster, &s->reach))
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

static int work_locked(struct rollup_sweep *s, int64_t target)
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
	struct time_span dirt;
	struct rollup_state state;
	bool dirty;

	if (rollup_state_load(store, cluster, &state) ||
		first_dirt(
			store, cluster, state.kept, INT64_MAX, &dirt, &dirty))
		return -1;
	if (!state.found)
		return 1;
	return state.same_calendar && (state.done < target || dirty);
}

/* At most so many pieces. */
static int work_pieces(struct rollup_sweep *s, size_t most)
{
	SCRATCH_ARENA(arena);
	uint32_t *ids;
	int rc = load_tres_ids(s->store, &arena, &ids, &s->n_tres) ? -1 : 1;

	s->tres = ids;
	for (size_t i = 0; rc == 1 && i < most; i++) {
		if (store_begin_local(s->store))
			break; /* busy: what is missing gets computed */
		rc = work_locked(s, s->target);
	}
	return rc < 0 ? -1 : 0;
}

/* All hours before the target. */
static int update(struct store *store, int64_t cluster, int64_t target,
	const struct rollup_watch *watch)
{
	struct rollup_sweep s = {.store = store,
		.cluster = cluster,
		.watch = watch,
		.piece = PIECE,
		.target = target};
	int rc = is_behind(store, cluster, target);

	if (rc <= 0 || store->read_only)
		return rc < 0 ? -1 : 0;
	return work_pieces(&s, SIZE_MAX);
}

/* Of what may still come in nothing is kept. */
static int64_t settled(const struct store *store)
{
	return span_floor(store->now - LATE, SPAN_HOUR);
}

int rollup_update(
	struct store *store, int64_t cluster, const struct rollup_watch *watch)
{
	return update(store, cluster, settled(store), watch);
}

/* ---- by those who record ------------------------------------------------ */

static int has_few_jobs(struct store *store)
{
	int64_t newest;

	return job_newest_key(store, &newest) ? -1 : newest <= FEW_JOBS;
}

/* Once an hour: the hours that are over by now, and what is dirty. */
static int follow(struct store *store, int64_t cluster)
{
	struct rollup_sweep s = {.store = store,
		.cluster = cluster,
		.piece = FACT_PIECE,
		.target = settled(store)};
	struct rollup_state state;
	int few = 1;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	if (state.found ? state.done >= s.target
			: (few = has_few_jobs(store)) <= 0)
		return few < 0 ? -1 : 0;
	return work_pieces(&s, 2);
}

int rollup_follow(struct store *store, bool all)
{
	SCRATCH_ARENA(arena);
	int64_t *keys = NULL;
	size_t n = 0, cap = 0;
	struct query q;
	int rc;

	if (query_open(&q, store, "SELECT id FROM cluster"))
		return -1;
	while (query_row(&q))
		*ARENA_PUSH(&arena, keys, n, cap) = query_int(&q, 0);
	rc = query_close(&q);
	for (size_t i = 0; !rc && i < n; i++)
		rc = all ? rollup_update(store, keys[i], NULL)
			 : follow(store, keys[i]);
	return rc;
}

/* ---- anew --------------------------------------------------------------- */

/* As if nothing had been rolled up yet, unless records of it are gone. */
static int forget(struct store *store, int64_t cluster)
{
	static const char *const statements[] = {
		"DELETE FROM rollup WHERE cluster = :cluster",
		"DELETE FROM rollup_cluster WHERE cluster = :cluster",
		"DELETE FROM rollup_dirty WHERE cluster = :cluster",
		"DELETE FROM rollup_state WHERE cluster = :cluster"};
	struct rollup_state state;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	if (state.kept)
		return 0;
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (store_run(store, statements[i],
			    bind_int(":cluster", cluster)))
			return -1;
	return 0;
}

static int forget_locked(struct store *store, int64_t cluster)
{
	if (store_begin_local(store))
		return -1;
	if (forget(store, cluster)) {
		store_rollback(store);
		return -1;
	}
	return store_commit_bulk(store);
}

/* What records of are gone stays. */
static int distrust(struct store *store, int64_t cluster, int64_t from)
{
	struct query q;

	if (store_begin_local(store))
		return -1;
	if (!query_open(&q, store,
		    "INSERT INTO rollup_mark (cluster, start, end)"
		    " SELECT cluster, :from, done"
		    " FROM rollup_state WHERE cluster = :cluster")) {
		query_bind_int(&q, ":from", from);
		query_bind_int(&q, ":cluster", cluster);
		if (!query_run(&q))
			return store_commit_bulk(store);
	}
	store_rollback(store);
	return -1;
}

int rollup_remake(struct store *store, int64_t cluster)
{
	struct rollup_state state;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	if (state.kept ? distrust(store, cluster, state.kept)
		       : forget_locked(store, cluster))
		return -1;
	return update(store, cluster, span_floor(store->now, SPAN_HOUR), NULL);
}

int rollup_complete(struct store *store, int64_t cluster)
{
	struct rollup_state state;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	if (state.found && !state.same_calendar && !state.kept &&
		forget_locked(store, cluster))
		return -1;
	return update(store, cluster, span_floor(store->now, SPAN_HOUR), NULL);
}

int rollup_keep(struct store *store, int64_t cluster, int64_t until)
{
	int64_t over = span_floor(store->now, SPAN_HOUR);
	struct time_span dirt;
	struct rollup_state state;
	bool dirty;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	if (state.found && !state.same_calendar)
		return err_set(store->err, ERR_STORE,
			"reports of records that were purged are in hours of "
			"another time zone: set TZ as it was then");
	until = smaller(span_ceil(until, SPAN_HOUR), over);
	if (until <= state.kept)
		return 0;
	if (first_dirt(store, cluster, state.kept, until, &dirt, &dirty))
		return -1;
	if (!state.found || state.done < until || dirty)
		return err_set(store->err, ERR_STORE,
			"another program has recorded what is to be purged "
			"just now: do it again");
	state.kept = until;
	return save_state(store, cluster, &state);
}

int rollup_kept(struct store *store, int64_t cluster, int64_t *until)
{
	struct rollup_state state;

	if (rollup_state_load(store, cluster, &state))
		return -1;
	*until = state.kept;
	return 0;
}

/* ---- reading ------------------------------------------------------------ */

struct rollup_loading {
	struct rollup_rows rows;
	struct rollup_sweep sweep;
	struct rollup_report *report;
	int64_t *counts; /* sums, by index */
	int64_t *n_counts;
};

static void add_cluster_row(
	size_t index, const struct cluster_usage *usage, void *arg)
{
	struct rollup_loading *l = arg;

	cluster_usage_add(&l->report->cluster[index], usage);
	l->counts[index] = usage_sum(l->counts[index], usage->count);
	l->n_counts[index]++;
	l->report->registered = true;
}

static int add_hours(const struct rollup *r, void *arg)
{
	struct rollup_loading *l = arg;

	for (size_t h = 0; h < r->n_hours; h++)
		rollup_hour_add(
			r, &r->hours[h], &l->report->cells, add_cluster_row, l);
	return 0;
}

static int read_span(struct rollup_loading *l, enum span span, int64_t start,
	int64_t end, bool cluster)
{
	if (cluster)
		return rollup_rows_read_cluster(
			&l->rows, span, start, end, add_cluster_row, l);
	return rollup_rows_read(&l->rows, span, start, end, &l->report->cells);
}

/* Rows for [start, end): the longest periods that fit, up to `span`. */
static int cover(struct rollup_loading *l, int64_t start, int64_t end,
	enum span span, bool cluster)
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
	return any_failed(cover(l, start, first, span - 1, cluster) ||
			  read_span(l, span, first, last, cluster) ||
			  cover(l, last, end, span - 1, cluster));
}

/* Stored rows where they are good, records where they are not. */
static int load_window(struct rollup_loading *l,
	const struct rollup_state *state, int64_t start, int64_t end,
	enum span span)
{
	int64_t done = smaller(end, state->done);

	while (start < done) {
		struct time_span dirt;
		bool dirty;

		if (first_dirt(l->rows.store, l->rows.cluster,
			    larger(start, state->kept), done, &dirt, &dirty))
			return -1;
		if (!dirty)
			dirt = (struct time_span){done, done};
		dirt.start = larger(span_floor(dirt.start, SPAN_HOUR), start);
		dirt.end = smaller(span_ceil(dirt.end, SPAN_HOUR), done);
		if (cover(l, start, dirt.start, SPAN_MONTH, false) ||
			cover(l, start, dirt.start, span, true) ||
			rollup_sweep_run(&l->sweep, dirt.start, dirt.end))
			return -1;
		start = dirt.end;
	}
	return rollup_sweep_run(&l->sweep, start, end);
}

static void begin_report(struct rollup_loading *l, struct arena *arena)
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

static int load_report(struct rollup_loading *l, int64_t start, int64_t end,
	bool direct, struct arena *arena)
{
	struct store *store = l->rows.store;
	enum span span = span_of_window(start, end, store->now);
	struct rollup_state *state = &l->sweep.reach;
	int64_t ignored;

	if (load_tres_ids(store, arena, &l->report->tres, &l->report->n_tres) ||
		rollup_state_load(store, l->rows.cluster, state))
		return -1;
	if (!state->found &&
		rollup_measure(store, l->rows.cluster, state, &ignored))
		return -1;
	begin_report(l, arena);
	end = smaller(end, store->now);
	if (!state->found || !state->same_calendar || direct)
		return rollup_sweep_run(&l->sweep, start, end);
	return load_window(l, state, start, end, span);
}

static int load(struct store *store, int64_t cluster, int64_t start,
	int64_t end, bool direct, struct arena *arena,
	struct rollup_report *report)
{
	struct rollup_loading l = {
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
