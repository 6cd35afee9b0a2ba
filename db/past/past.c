/*
 * The store at another time; see past.h. A past is reached from the present: what
 * ended later goes out of the sums, and changes of the undo log are taken back one by
 * one. From there on changes and job records are gone through in order of time.
 */
#include "db/past/past.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/jobstate.h"
#include "db/entity/lease.h"
#include "db/store/query.h"
#include "db/store/undo_log.h"
#include "db/usage/fold.h"

/* ---- usage ---------------------------------------------------------------*/

/* Makes usage anew of what ended after the bucket before `from` (INT64_MIN:
 * all) and up to `until`. */
static int fold(struct past *p, int64_t from, int64_t until)
{
	usage_bulk_begin(p->bulk);
	return usage_fold(p->store, p->policy, true, from, until);
}

/* Charges the runs that ended up to `at` and are not charged yet. */
static int charge(struct past *p, int64_t at)
{
	const int64_t from = p->charged;

	if (at <= from)
		return 0;
	p->charged = at;
	if (usage_bulk_add_ended(p->bulk, p->store, true, from, at))
		return -1;
	return p->rewound && from <= p->last_kept
		       ? usage_bulk_add_kept(p->bulk, p->store, from, at)
		       : 0;
}

/* ---- the log -------------------------------------------------------------*/

/* Carries out a change, or takes it back, and what it does to usage: of runs that
 * are charged. */
static int carry_out(
	struct past *p, const struct logged_change *change, bool back)
{
	struct usage_moving m;
	int rc;

	usage_moving_open(&m, p->store, p->policy, true, p->charged);
	rc = change_each_of(
		     p->store, change, "usage_fact", usage_moving_op, &m) ||
	     usage_moving_out(&m) ||
	     (back ? change_unapply : change_apply)(p->store, change) ||
	     usage_moving_in(&m);
	usage_moving_close(&m);
	usage_bulk_begin(p->bulk);
	return rc ? -1 : 0;
}

static int follow(struct past *p, const struct logged_change *change)
{
	p->store->now = change->time;
	return charge(p, change->time) || carry_out(p, change, false) ? -1 : 0;
}

/* Carries out the changes up to a time, from the last one on that is; with `back`
 * takes back those after one, from the present on. */
static int walk_log(struct past *p, bool back, int64_t until)
{
	struct logged_change change = {.id = back ? INT64_MAX : p->last_id};
	int found;

	while ((found = change_next(p->store, change.id, back, &change)) > 0) {
		bool due = back ? change.id > until : change.time <= until;
		int status = !due   ? 0
			     : back ? carry_out(p, &change, true)
				    : follow(p, &change);

		free(change.blob);
		if (status || !due)
			return status;
		if (!back)
			p->last_id = change.id;
	}
	return found;
}

/* Amounts that were set without an entry in the log (by a sync): `out`, those
 * later than `at` are not set yet; else the others are. */
static int move_amounts(struct past *p, bool out, int64_t at)
{
#define LATER(what)                                                            \
	what " FROM usage_fact WHERE raw NOT NULL AND time > :at"
#define DUE(what) what " FROM past_fact WHERE time <= :at"
	struct usage_moving m;
	struct query q;
	int rc = 0;

	if (query_open(&q, p->store,
		    out ? LATER("SELECT owner, id, time")
			: DUE("SELECT owner, id, time")))
		return -1;
	query_bind_int(&q, ":at", at);
	usage_moving_open(&m, p->store, p->policy, true, p->charged);
	while (!rc && query_row(&q))
		rc = usage_moving_fact(&m, query_int(&q, 0), query_int(&q, 1),
			query_int(&q, 2));
	rc = query_close(&q) || rc;
	if (!rc && m.n_facts) {
		rc = usage_moving_out(&m) ||
		     store_run(p->store,
			     out ? LATER("INSERT INTO past_fact SELECT *")
				 : DUE("INSERT INTO usage_fact SELECT *"),
			     bind_int(":at", at)) ||
		     store_run(p->store,
			     out ? LATER("DELETE") : DUE("DELETE"),
			     bind_int(":at", at)) ||
		     usage_moving_in(&m);
		usage_bulk_begin(p->bulk);
	}
#undef LATER
#undef DUE
	usage_moving_close(&m);
	return rc ? -1 : 0;
}

/* ---- rewinding -----------------------------------------------------------*/

/* Facts that came and went on the way say when usage was last set. */
static int forget_later(struct past *p)
{
	return store_run(p->store,
		"UPDATE usage SET last = :at WHERE last > :at",
		bind_int(":at", p->charged));
}

/* Runs the statements that a statement selects. */
static int run_selected(struct store *store, const char *sql)
{
	struct strv statements = {0};
	SCRATCH_ARENA(arena);
	int status = store_all_words(store, sql, &statements, &arena);

	for (size_t i = 0; !status && i < statements.n; i++)
		status = store_exec(store, statements.v[i]);
	return status;
}

static int drop_triggers(struct store *store)
{
	return run_selected(store,
		"SELECT 'DROP TRIGGER \"' || name || '\"' FROM sqlite_schema"
		" WHERE type = 'trigger'");
}

/* Before the undo log begins: all that it adds is there, as it was added. */
static int undo_all(struct past *p)
{
	return any_failed(
		run_selected(p->store,
			"SELECT 'CREATE TRIGGER \"keep ' || name || '\" BEFORE"
			" DELETE ON \"' || name || '\" BEGIN"
			" SELECT RAISE(IGNORE); END' FROM sqlite_schema"
			" WHERE type = 'table' AND name NOT LIKE 'usage%'"
			" AND name NOT LIKE 'sqlite%'") ||
		walk_log(p, true, INT64_MIN) || drop_triggers(p->store));
}

/* The last change before the first one that was made later. */
static int last_until(struct store *store, int64_t at, int64_t *id)
{
	return store_ask(store,
		"SELECT coalesce((SELECT min(id) - 1 FROM change"
		"  WHERE time > :at), max(id), 0) FROM change",
		id, bind_int(":at", at));
}

/* From the present back. Runs that ended later, and policies that came later, are out
 * of the sums first, so that each change moves few. Before the log begins all of it is
 * undone: the numbers of a damaged log may be any. */
static int rewind_first(struct past *p, int64_t at)
{
	p->charged = p->store->now = at;
	p->store->is_past = true;
	p->last_id = INT64_MAX;
	return any_failed(
		fold(p, p->one_half_life ? INT64_MIN : at, at) ||
		(p->all_exist ? undo_all(p)
			      : last_until(p->store, at, &p->last_id) ||
					walk_log(p, true, p->last_id)) ||
		move_amounts(p, true, at) || forget_later(p));
}

/* The log begins: what it adds is not there yet, nor that its QOS do not decay. */
static int enter_log(struct past *p)
{
	int still = store_has(p->store, "SELECT 1 FROM usage WHERE still = :still",
		bind_int(":still", true));

	p->last_id = 0;
	return any_failed(still < 0 || walk_log(p, true, INT64_MIN) ||
			  (still && fold(p, INT64_MIN, p->at)) ||
			  forget_later(p));
}

/* ---- jobs ----------------------------------------------------------------*/

/* Running jobs end at their limits, those that are over it at once: now they
 * still run. */
static int foresee_ends(struct past *p)
{
	return store_run(p->store,
		"UPDATE past_job SET state = :state,"
		" end = max(:now + 1, start"
		" + 60 * coalesce(wall_limit, time_limit))"
		" WHERE end IS NULL AND start > 0 AND start <= :now"
		" AND coalesce(wall_limit, time_limit) >= 0",
		bind_int(":state", JOB_TIMEOUT), bind_int(":now", p->now));
}

static int run_steps(struct past *p, const char *const *step, int64_t at)
{
	for (; *step; step++) {
		struct query q;

		if (query_open(&q, p->store, *step))
			return -1;
		query_bind_int(&q, ":at", at);
		if (strstr(*step, ":from"))
			query_bind_int(&q, ":from", p->shown);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

/* What was open then: waiting, or running. On the way forward only what was
 * submitted, started or ended since is looked at. */
static int set_jobs(struct past *p, int64_t at)
{
#define SHOW "INSERT OR REPLACE INTO job SELECT * FROM past_job WHERE "
	static const char *const first[] = {
		SHOW "end IS NULL AND +submit <= :at",
		SHOW "end > :at AND +submit <= :at",
		NULL,
	};
	static const char *const next[] = {
		"DELETE FROM job WHERE key IN (SELECT key FROM past_job"
		" WHERE end > :from AND end <= :at)",
		SHOW "submit > :from AND submit <= :at"
		     " AND (end IS NULL OR end > :at)",
		SHOW "key IN (SELECT j.key FROM job j"
		     " CROSS JOIN past_job p ON p.key = j.key"
		     " WHERE j.start IS NULL AND p.start <= :at)",
		NULL,
	};
#undef SHOW
	/* Those that are shown anew are yet as they were to become. */
	static const char *const as_then[] = {
		"UPDATE job SET start = NULL, state = 0, tres_alloc = '',"
		" nodelist = '', nodes_alloc = 0"
		" WHERE start > :at OR start IS NULL AND end > :at",
		"UPDATE job SET end = NULL, exit_code = 0,"
		" state = iif(state & 255 > 2, 1, state) WHERE end > :at",
		NULL,
	};

	if (run_steps(p, p->shown == INT64_MIN ? first : next, at) ||
		run_steps(p, as_then, at))
		return -1;
	p->shown = at;
	return 0;
}

/* Policies that have come since `from`. */
static int enter_policies(struct past *p, int64_t from, int64_t at)
{
	int64_t since = INT64_MAX;

	if (store_ask(p->store,
		    "SELECT min(since) FROM decay WHERE since > :from"
		    " AND since <= :at HAVING min(since) NOT NULL",
		    &since, bind_int(":from", from), bind_int(":at", at)))
		return -1;
	return since < INT64_MAX ? fold(p, since, at) : 0;
}

/* ---- all -----------------------------------------------------------------*/

static int one_half_life(struct past *p)
{
	return any_failed(
		store_exec(p->store, "DELETE FROM decay") ||
		store_run(p->store,
			"INSERT INTO decay (since, half_life)"
			" VALUES (0, :half_life)",
			bind_int(":half_life", p->policy->half_life)));
}

/* All jobs become past_job as they stand, with their indexes; `job` is what is
 * open at the time that is shown, first of all nothing. past_name has the
 * clusters as they are called now. */
static int set_jobs_aside(struct store *store)
{
	SCRATCH_ARENA(arena);
	struct query q;
	char *sql = NULL;

	if (query_open(&q, store,
		    "SELECT sql FROM sqlite_schema"
		    " WHERE type = 'table' AND name = 'job'"))
		return -1;
	if (query_row(&q))
		sql = query_strdup(&q, 0, &arena);
	return any_failed(
		query_close(&q) ||
		store_exec(store,
			"PRAGMA legacy_alter_table = ON;"
			"ALTER TABLE job RENAME TO past_job;"
			"CREATE TABLE past_fact AS SELECT * FROM usage_fact"
			" WHERE false;"
			"CREATE TABLE past_name AS SELECT id, name FROM"
			" cluster") ||
		store_exec(store, sql));
}

static int prepare(struct past *p)
{
	struct store *store = p->store;

	/* No report reads roll-ups: to keep them up to date would only cost
	 * time. */
	if (store_exec(store, "PRAGMA foreign_keys = OFF") ||
		drop_triggers(store) ||
		(p->one_half_life ? one_half_life(p)
				  : usage_settle_policy(store, p->policy)) ||
		store_number(store,
			"SELECT coalesce(max(begin), 0) FROM usage_kept",
			&p->last_kept) ||
		set_jobs_aside(store))
		return -1;
	p->bulk = usage_bulk_open(store, p->policy,
		&(struct usage_bulk_options){.raw = !p->details});
	return 0;
}

static void begin(struct past *p, const struct store *store,
	const struct policy *policy, bool details, bool one_half_life)
{
	*p = (struct past){.policy = policy,
		.now = store->now,
		.details = details,
		.one_half_life = one_half_life,
		.charged = INT64_MIN,
		.shown = INT64_MIN,
		.at = INT64_MIN};
}

int past_open(struct past *p, struct store *store, const struct policy *policy,
	bool details, bool one_half_life)
{
	begin(p, store, policy, details, one_half_life);
	if (change_first_time(store, &p->log_begins))
		return -1;
	if (!lease_open_private(&p->own, store, policy)) {
		p->store = &p->own;
		if (!prepare(p))
			return 0;
		store_close(&p->own);
	}
	return -1;
}

int past_open_in(struct past *p, struct store *store,
	const struct policy *policy, bool details, bool one_half_life)
{
	begin(p, store, policy, details, one_half_life);
	p->store = store;
	return change_first_time(store, &p->log_begins) || prepare(p) ? -1 : 0;
}

/* Leases that end by then and are not in the log yet. Usage is moved to each
 * end first: a row that goes passes on what was used until then. */
static int end_leases(struct past *p, int64_t at)
{
	SCRATCH_ARENA(arena);
	struct lease_list list;
	int rc = lease_read(p->store, at, &arena, &list);

	for (size_t i = 0; !rc && i < list.n; i++) {
		p->store->now = list.v[i].until;
		if (i && list.v[i].until == list.v[i - 1].until)
			continue;
		rc = charge(p, p->store->now) || set_jobs(p, p->store->now) ||
		     lease_expire(p->store, p->policy, p->store->now);
		usage_bulk_begin(p->bulk);
	}
	p->store->now = at;
	return rc ? -1 : 0;
}

/* What has ended is in the sums, also where a clock went back and its end lies
 * ahead: it does not run any longer. */
static int end_recorded(struct past *p)
{
	p->charged = p->now;
	return store_run(p->store,
		"UPDATE past_job SET end = :now WHERE end > :now",
		bind_int(":now", p->now));
}

/* From the present to another time. */
static int leave_present(struct past *p, int64_t at)
{
	p->rewound = at < p->now || p->one_half_life;
	p->all_exist = p->rewound && at < p->log_begins;
	return any_failed(
		(p->rewound ? rewind_first(p, at) : end_recorded(p)) ||
		foresee_ends(p));
}

static int move_in(struct past *p, int64_t at)
{
	bool before_log = at < p->log_begins;

	if (at < p->at)
		BUG("a past that is at %lld cannot go back", (long long)p->at);
	if (!p->moved && leave_present(p, at))
		return -1;
	if (p->rewound && p->all_exist && !before_log) {
		p->all_exist = false;
		if (enter_log(p))
			return -1;
	}
	/* slurm.conf and whoever asks know a cluster by the name it has now. */
	if (p->rewound &&
		(walk_log(p, false, at) ||
			store_exec(p->store,
				"UPDATE OR IGNORE cluster SET name = n.name"
				" FROM past_name n WHERE n.id = cluster.id"
				" AND n.name <> cluster.name")))
		return -1;
	p->store->now = at;
	if (end_leases(p, at) || charge(p, at) ||
		(p->rewound && move_amounts(p, false, at)) ||
		(p->rewound && p->moved && enter_policies(p, p->at, at)) ||
		set_jobs(p, at))
		return -1;
	p->moved = true;
	p->at = at;
	return 0;
}

int past_move(struct past *p, int64_t at)
{
	if (store_begin_bulk(p->store))
		return -1;
	if (move_in(p, at)) {
		store_rollback(p->store);
		return -1;
	}
	return store_commit_bulk(p->store);
}

void past_close(struct past *p)
{
	if (p->bulk)
		usage_bulk_close(p->bulk);
	p->bulk = NULL;
	if (p->store == &p->own)
		store_close(&p->own);
}
