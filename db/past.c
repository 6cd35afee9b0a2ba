/*
 * The store at another time; see past.h. A past is reached from the beginning:
 * first every change of the log is undone, then changes and job records are
 * gone through in order of time.
 */
#include "db/past.h"

#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/jobstate.h"
#include "db/job.h"
#include "db/query.h"
#include "db/usage.h"

/* ---- copies --------------------------------------------------------------*/

static int backup(struct store *from, sqlite3 *to)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", from->db, "main");
	int rc = b ? sqlite3_backup_step(b, -1) : sqlite3_errcode(to);

	sqlite3_backup_finish(b);
	if (rc == SQLITE_DONE)
		return 0;
	return err_set(from->err, ERR_STORE, "%s cannot be copied: %s",
		from->path, sqlite3_errstr(rc));
}

int store_copy(struct store *copy, struct store *from)
{
	static const struct strv no_tres;
	struct store_options options = {.path = ":memory:",
		.cluster = "copy",
		.tres = &no_tres,
		.default_qos = from->default_qos,
		.actor = from->actor,
		.now = from->now};

	if (store_open(copy, &options, from->err))
		return -1;
	if (backup(from, copy->db) || store_load_catalogs(copy) ||
		store_exec(copy, "PRAGMA foreign_keys = OFF")) {
		store_close(copy);
		return -1;
	}
	return 0;
}

int store_copy_file(struct store *from, const char *path)
{
	int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	sqlite3 *to = NULL;
	int status;

	if (fd < 0)
		return err_set(from->err, ERR_SYSTEM, "cannot write %s: %s",
			path, strerror(errno));
	close(fd);
	status = sqlite3_open_v2(
		path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (status == SQLITE_OK)
		status = sqlite3_exec(
			to, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	status = status == SQLITE_OK
			 ? backup(from, to)
			 : err_set(from->err, ERR_STORE, "cannot write %s: %s",
				   path, sqlite3_errstr(status));
	sqlite3_close(to);
	return status;
}

/* ---- changesets ----------------------------------------------------------*/

/* What is made anew is not taken from the log. */
static int wanted_table(void *context, const char *table)
{
	static const char *const anew[] = {
		"job", "step", "assoc_usage", "qos_usage"};

	(void)context;
	for (size_t i = 0; i < sizeof(anew) / sizeof(*anew); i++)
		if (!strcmp(table, anew[i]))
			return 0;
	return 1;
}

/* The log is right where the rows are not as it expects. */
static int on_conflict(void *context, int kind, sqlite3_changeset_iter *iter)
{
	(void)context;
	(void)iter;
	if (kind == SQLITE_CHANGESET_DATA || kind == SQLITE_CHANGESET_CONFLICT)
		return SQLITE_CHANGESET_REPLACE;
	return SQLITE_CHANGESET_OMIT;
}

static int apply(struct store *store, void *blob, int size)
{
	if (sqlite3changeset_apply(store->db, size, blob, wanted_table,
		    on_conflict, NULL) != SQLITE_OK)
		return store_fail(store, "the log cannot be followed");
	return 0;
}

static int unapply(struct store *store, const void *blob, int size)
{
	void *inverse = NULL;
	int inverse_size = 0, status;

	if (sqlite3changeset_invert(size, blob, &inverse_size, &inverse) !=
		SQLITE_OK)
		return store_fail(store, "the log cannot be undone");
	status = apply(store, inverse, inverse_size);
	sqlite3_free(inverse);
	return status;
}

/* One change of the log, its changeset owned by the caller. */
struct change {
	int64_t id, time;
	void *blob;
	int size;
};

/* The change next to `id`: 1, 0 when there is none, -1. */
static int next_change(
	struct store *store, int64_t id, bool back, struct change *change)
{
	struct query q;
	const void *blob;
	int found;

	if (query_open(&q, store,
		    back ? "SELECT id, time, changeset FROM change"
			   " WHERE id < :id ORDER BY id DESC LIMIT 1"
			 : "SELECT id, time, changeset FROM change"
			   " WHERE id > :id ORDER BY id LIMIT 1"))
		return -1;
	query_bind_int(&q, ":id", id);
	found = query_row(&q);
	if (found) {
		change->id = query_int(&q, 0);
		change->time = query_int(&q, 1);
		blob = query_blob(&q, 2, &change->size);
		change->blob = malloc((size_t)change->size + 1);
		if (!change->blob)
			abort();
		if (change->size)
			memcpy(change->blob, blob, (size_t)change->size);
	}
	return query_close(&q) ? -1 : found;
}

/* Calls `each` with every operation of the changeset until it returns not 0. */
static int each_op(struct store *store, const struct change *change,
	int (*each)(void *arg, const char *table, int op,
		sqlite3_changeset_iter *iter),
	void *arg)
{
	sqlite3_changeset_iter *iter;
	const char *table;
	int columns, op, status = 0;

	if (sqlite3changeset_start(&iter, change->size, change->blob) !=
		SQLITE_OK)
		return store_fail(store, "the log cannot be read");
	while (!status && sqlite3changeset_next(iter) == SQLITE_ROW) {
		sqlite3changeset_op(iter, &table, &columns, &op, NULL);
		status = each(arg, table, op, iter);
	}
	sqlite3changeset_finalize(iter);
	return status;
}

/* ---- rewinding -----------------------------------------------------------*/

static int undo_all(struct store *store)
{
	struct change change;
	int64_t id = INT64_MAX;
	int found;

	while ((found = next_change(store, id, true, &change)) > 0) {
		int status = unapply(store, change.blob, change.size);

		free(change.blob);
		if (status)
			return -1;
		id = change.id;
	}
	return found;
}

static bool is_new_thing(const char *table, int op)
{
	return op == SQLITE_INSERT && wanted_table(NULL, table) &&
	       strcmp(table, "assoc_usage_reset") != 0;
}

/* Puts a row that a change added back as it was then. */
static int put_row(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct store *store = arg;
	sqlite3_stmt *stmt = NULL;
	char *sql = NULL, *marks;
	int columns, status = -1;

	if (!is_new_thing(table, op))
		return 0;
	sqlite3changeset_op(iter, &table, &columns, &op, NULL);
	marks = calloc((size_t)columns * 2 + 1, 1);
	for (int i = 0; marks && i < columns; i++)
		memcpy(marks + 2 * i, i ? ",?" : " ?", 2);
	sql = sqlite3_mprintf("INSERT OR IGNORE INTO \"%w\" VALUES (%s)", table,
		marks ? marks : "");
	if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK) {
		for (int i = 0; i < columns; i++) {
			sqlite3_value *value = NULL;

			sqlite3changeset_new(iter, i, &value);
			if (value)
				sqlite3_bind_value(stmt, i + 1, value);
		}
		status = sqlite3_step(stmt) == SQLITE_DONE ? 0 : -1;
	}
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	free(marks);
	return status ? store_fail(store, "the log cannot be followed") : 0;
}

/* Before the log: whatever it adds stands as it was added. */
static int put_all(struct store *store)
{
	struct change change = {.id = 0};
	int found;

	while ((found = next_change(store, change.id, false, &change)) > 0) {
		int status = each_op(store, &change, put_row, store);

		free(change.blob);
		if (status)
			return -1;
	}
	return found;
}

static int rewind_to_start(struct past *p, bool all_exist)
{
	p->rewound = true;
	p->all_exist = all_exist;
	p->last_id = all_exist ? INT64_MAX : 0;
	p->at = INT64_MIN;
	if (undo_all(&p->store) || (all_exist && put_all(&p->store)))
		return -1;
	return store_exec(&p->store,
		"DELETE FROM assoc_usage; DELETE FROM qos_usage;"
		"DELETE FROM past_charged");
}

/* ---- jobs ----------------------------------------------------------------*/

/* Running jobs end at their limits, those that are over it now. */
static int foresee_ends(struct past *p)
{
	struct query q;

	if (query_open(&q, &p->store,
		    "UPDATE past_job SET state = :state, end = max(:now, start"
		    " + 60 * coalesce(wall_limit, time_limit))"
		    " WHERE end IS NULL AND start > 0 AND start <= :now"
		    " AND coalesce(wall_limit, time_limit) >= 0"))
		return -1;
	query_bind_int(&q, ":state", JOB_TIMEOUT);
	query_bind_int(&q, ":now", p->now);
	return query_run(&q);
}

/* What was open then: waiting, or running. */
static int set_jobs(struct past *p, int64_t at)
{
	static const char *const steps[] = {
		"INSERT INTO job SELECT * FROM past_job WHERE submit <= :at"
		" AND (end IS NULL OR end > :at)",
		"UPDATE job SET start = NULL, state = 0, tres_alloc = '',"
		" nodelist = '', nodes_alloc = 0"
		" WHERE end > :at AND (start IS NULL OR start > :at)"
		" OR end IS NULL AND start > :at",
		"UPDATE job SET state = iif(state & 255 > 2, 1, state),"
		" end = NULL, exit_code = 0 WHERE end > :at",
	};
	struct query q;

	if (store_exec(&p->store, "DELETE FROM job"))
		return -1;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		if (query_open(&q, &p->store, steps[i]))
			return -1;
		query_bind_int(&q, ":at", at);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

/* ---- charging ------------------------------------------------------------*/

static const char *charge_sql(const struct past *p)
{
	if (p->rewound)
		return "SELECT j.key, j.cluster, j.assoc, j.usage_epoch,"
		       " j.billing, j.usage_factor, j.tres_alloc, j.start,"
		       " j.end FROM past_job j JOIN assoc a ON a.key = j.assoc"
		       " WHERE j.end <= :at AND j.start > 0"
		       " AND j.key NOT IN (SELECT key FROM past_charged)"
		       " ORDER BY j.end";
	return "SELECT j.key, j.cluster, j.assoc, j.usage_epoch, j.billing,"
	       " j.usage_factor, j.tres_alloc, j.start, j.end"
	       " FROM past_job j JOIN job o ON o.key = j.key"
	       " WHERE o.end IS NULL AND o.start > 0 AND j.end <= :at"
	       " AND j.key NOT IN (SELECT key FROM past_charged)"
	       " ORDER BY j.end";
}

static int mark_charged(struct store *store, int64_t key)
{
	struct query q;

	if (query_open(
		    &q, store, "INSERT INTO past_charged (key) VALUES (:key)"))
		return -1;
	query_bind_int(&q, ":key", key);
	return query_run(&q);
}

/* One run, to its association alone: nobody asks for QOS here. */
static int charge_row(struct past *p, struct query *q, struct arena *scratch)
{
	struct tres_list alloc = {0};
	struct usage_run run = {
		.cluster = query_int(q, 1),
		.assoc = query_int(q, 2),
		.epoch = (uint32_t)query_int(q, 3),
		.billing = query_real(q, 4),
		.factor = query_real(q, 5),
		.alloc = &alloc,
		.start = query_int(q, 7),
		.end = query_int(q, 8),
	};

	arena_reset(scratch);
	if (p->details)
		tres_unpack(query_text(q, 6), scratch, &alloc);
	if (usage_add_run(&p->store, p->policy, &run, 1))
		return -1;
	return mark_charged(&p->store, query_int(q, 0));
}

/* Runs that ended up to `at` and are not charged yet. In the present they are
 * the foreseen ends of running jobs; the rest is in the amounts. */
static int charge_until(struct past *p, int64_t at)
{
	struct arena scratch;
	struct query q;
	int status = 0;

	if (query_open(&q, &p->store, charge_sql(p)))
		return -1;
	arena_init(&scratch);
	query_bind_int(&q, ":at", at);
	while (!status && query_row(&q))
		status = charge_row(p, &q, &scratch);
	arena_release(&scratch);
	return query_close(&q) || status ? -1 : 0;
}

/* ---- usage that the log set ----------------------------------------------*/

/* What one change says of the usage of associations. */
struct usage_change {
	struct past *past;
	int64_t time;
	struct arena *arena;
	int64_t *reset; /* set, reset or handed up */
	size_t n_reset, cap_reset;
};

static int64_t op_int(sqlite3_changeset_iter *iter, int op, int column)
{
	sqlite3_value *value = NULL;

	if (op == SQLITE_DELETE)
		sqlite3changeset_old(iter, column, &value);
	else
		sqlite3changeset_new(iter, column, &value);
	if (!value && op == SQLITE_UPDATE)
		sqlite3changeset_old(iter, column, &value);
	return value ? sqlite3_value_int64(value) : 0;
}

static int note_reset(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct usage_change *c = arg;

	if (op != SQLITE_DELETE && !strcmp(table, "assoc_usage_reset"))
		*ARENA_PUSH(c->arena, c->reset, c->n_reset, c->cap_reset) =
			op_int(iter, op, 0);
	return 0;
}

static bool was_reset(const struct usage_change *c, int64_t key)
{
	for (size_t i = 0; i < c->n_reset; i++)
		if (c->reset[i] == key)
			return true;
	return false;
}

/* Before the change: the removed ones, deepest first, hand up what they have.
 * Of those that go in this change, `deleted` marks or misses the row after. */
static int hand_up(struct usage_change *c, int64_t key)
{
	struct store *store = &c->past->store;
	struct query q;
	int64_t parent = 0;
	bool known;

	if (query_open(&q, store,
		    "SELECT coalesce(parent, 0) FROM assoc"
		    " WHERE key = :key AND NOT deleted"))
		return -1;
	query_bind_int(&q, ":key", key);
	known = query_row(&q);
	if (known)
		parent = query_int(&q, 0);
	if (query_close(&q))
		return -1;
	return known ? usage_hand_up(store, c->past->policy, key, parent) : 0;
}

/* Associations a change removes, with how deep they stand. */
struct removed {
	int64_t *keys;
	size_t n, cap;
	struct arena *arena;
};

static bool is_removal(int op, sqlite3_changeset_iter *iter, int column)
{
	sqlite3_value *value = NULL;

	if (op == SQLITE_DELETE)
		return true;
	if (op == SQLITE_UPDATE)
		sqlite3changeset_new(iter, column, &value);
	return value && sqlite3_value_int(value);
}

static int note_removed(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct removed *r = arg;
	int columns;

	sqlite3changeset_op(iter, &table, &columns, &op, NULL);
	if (!strcmp(table, "assoc") && is_removal(op, iter, columns - 1))
		*ARENA_PUSH(r->arena, r->keys, r->n, r->cap) = op_int(
			iter, op == SQLITE_UPDATE ? SQLITE_DELETE : op, 0);
	return 0;
}

/* Keys grow downwards in the tree as good as always; what is left on a removed
 * account in between goes on with the account itself. */
static int hand_up_removed(struct usage_change *c, const struct change *change)
{
	struct removed r = {.arena = c->arena};

	if (each_op(&c->past->store, change, note_removed, &r))
		return -1;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = r.n; i-- > 0;)
			if (hand_up(c, r.keys[i]))
				return -1;
	return 0;
}

static int drop_amount(struct store *store, int64_t assoc, int64_t tres)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM assoc_usage"
		    " WHERE assoc = :assoc AND tres = :tres"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":tres", tres);
	return query_run(&q);
}

static int set_amount(struct store *store, int64_t assoc, int64_t tres,
	double amount, int64_t at)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT OR REPLACE INTO assoc_usage"
		    " (assoc, tres, amount, at)"
		    " VALUES (:assoc, :tres, :amount, :at)"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":tres", tres);
	query_bind_real(&q, ":amount", amount);
	query_bind_int(&q, ":at", at);
	return query_run(&q);
}

/* An amount that was not changed is not in the log, and needs not be set. */
static int put_amount(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct usage_change *c = arg;
	struct store *store = &c->past->store;
	sqlite3_value *amount = NULL;
	int64_t assoc, tres;
	int key_op = op == SQLITE_UPDATE ? SQLITE_DELETE : op;

	if (strcmp(table, "assoc_usage") != 0)
		return 0;
	assoc = op_int(iter, key_op, 0);
	tres = op_int(iter, key_op, 1);
	if (!was_reset(c, assoc))
		return 0;
	if (op == SQLITE_DELETE)
		return drop_amount(store, assoc, tres);
	sqlite3changeset_new(iter, 2, &amount);
	if (!amount)
		return 0;
	return set_amount(
		store, assoc, tres, sqlite3_value_double(amount), c->time);
}

/* Jobs first recorded after the reset count on top of it. */
static int charge_again(struct usage_change *c)
{
	struct query q;

	for (size_t i = 0; i < c->n_reset; i++) {
		if (query_open(&q, &c->past->store,
			    "DELETE FROM past_charged WHERE key IN"
			    " (SELECT j.key FROM past_job j"
			    " JOIN assoc_usage_reset r ON r.assoc = j.assoc"
			    " JOIN assoc a ON a.key = j.assoc"
			    " WHERE NOT a.deleted AND j.assoc = :assoc"
			    " AND j.usage_epoch >= r.epoch)"))
			return -1;
		query_bind_int(&q, ":assoc", c->reset[i]);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int redo_in(struct past *p, struct change *change, struct arena *arena)
{
	struct store *store = &p->store;
	struct usage_change c = {p, change->time, arena, NULL, 0, 0};

	store->now = change->time;
	if (charge_until(p, change->time) ||
		each_op(store, change, note_reset, &c) ||
		hand_up_removed(&c, change) ||
		apply(store, change->blob, change->size) ||
		each_op(store, change, put_amount, &c))
		return -1;
	return charge_again(&c);
}

/* Carries out what the log has up to `at`. */
static int redo_until(struct past *p, int64_t at)
{
	struct change change;
	int found;

	while ((found = next_change(&p->store, p->last_id, false, &change)) >
		0) {
		struct arena arena;
		int status = 0;

		if (change.time <= at) {
			arena_init(&arena);
			status = redo_in(p, &change, &arena);
			arena_release(&arena);
			p->last_id = change.id;
		}
		free(change.blob);
		if (status)
			return -1;
		if (change.time > at)
			return 0;
	}
	return found;
}

/* ---- all -----------------------------------------------------------------*/

static int first_change(struct store *store, int64_t *time)
{
	struct query q;

	if (query_open(&q, store, "SELECT min(time) FROM change"))
		return -1;
	*time = INT64_MAX;
	if (query_row(&q) && !query_is_null(&q, 0))
		*time = query_int(&q, 0);
	return query_close(&q);
}

static int one_half_life(struct past *p)
{
	struct query q;

	if (store_exec(&p->store, "DELETE FROM decay") ||
		query_open(&q, &p->store,
			"INSERT INTO decay (since, half_life)"
			" VALUES (0, :half_life)"))
		return -1;
	query_bind_int(&q, ":half_life", p->policy->half_life);
	return query_run(&q);
}

static int prepare(struct past *p)
{
	struct store *store = &p->store;

	if (store_exec(store,
		    "CREATE TABLE past_charged (key INTEGER PRIMARY KEY);"
		    "CREATE TABLE past_job AS SELECT * FROM job;"
		    "CREATE INDEX past_job_end ON past_job (end)") ||
		first_change(store, &p->log_begins) || foresee_ends(p))
		return -1;
	return p->anew ? one_half_life(p) : usage_sync(store, p->policy);
}

int past_open(struct past *p, struct store *from, const struct policy *policy,
	bool details, bool anew)
{
	*p = (struct past){.policy = policy,
		.now = from->now,
		.details = details,
		.anew = anew,
		.at = INT64_MIN};
	if (store_copy(&p->store, from))
		return -1;
	if (prepare(p)) {
		store_close(&p->store);
		return -1;
	}
	return 0;
}

static int move_in(struct past *p, int64_t at)
{
	bool before_log = at < p->log_begins;

	if (at < p->at)
		BUG("a past that is at %lld cannot go back", (long long)p->at);
	if (!p->moved && (at < p->now || p->anew) &&
		rewind_to_start(p, before_log))
		return -1;
	if (p->rewound && p->all_exist && !before_log &&
		rewind_to_start(p, false))
		return -1;
	if (p->rewound && redo_until(p, at))
		return -1;
	p->store.now = at;
	if (charge_until(p, at) || set_jobs(p, at))
		return -1;
	p->moved = true;
	p->at = at;
	return 0;
}

int past_move(struct past *p, int64_t at)
{
	if (store_begin_bulk(&p->store))
		return -1;
	if (move_in(p, at)) {
		store_rollback(&p->store);
		return -1;
	}
	return store_commit_bulk(&p->store);
}

void past_close(struct past *p)
{
	store_close(&p->store);
}
