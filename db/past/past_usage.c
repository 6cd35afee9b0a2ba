#include "db/past/past_usage.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "db/past/past_keep.h"
#include "db/past/rebuild.h"
#include "db/rows/members.h"
#include "db/usage/usage.h"

enum { NEAR_ASSOCS = 4096, NEAR_QOS = 64 };

/* What decides whether runs of an association are charged. */
struct assoc_state {
	int64_t key;
	bool there, deleted;
	int64_t epoch; /* of the last reset */
};

/* Runs on their way to the amounts. */
struct past_charging {
	struct usage_bulk *bulk;
	struct arena scratch;
	bool holds; /* what was looked up: nothing has changed since */
	/* By their number: looked up once, mostly. */
	struct assoc_state assocs[NEAR_ASSOCS];
	struct {
		uint32_t id;
		bool there;
	} qos[NEAR_QOS];
};

void past_usage_open(struct past *p)
{
	struct past_charging *c = memory_zeroed(1, sizeof(*c));

	c->bulk = usage_bulk_open(p->store, p->policy);
	arena_init(&c->scratch);
	p->charging = c;
}

void past_usage_close(struct past *p)
{
	struct past_charging *c = p->charging;

	if (!c)
		return;
	usage_bulk_close(c->bulk);
	arena_release(&c->scratch);
	free(c);
	p->charging = NULL;
}

void past_usage_changed(struct past *p)
{
	p->charging->holds = false;
}

int past_usage_clear(struct past *p)
{
	p->charged = INT64_MIN;
	past_usage_changed(p);
	return store_exec(
		p->store, "DELETE FROM assoc_usage; DELETE FROM qos_usage");
}

/* ---- who is charged ------------------------------------------------------*/

static int look_up_assoc(struct past *p, struct assoc_state *a)
{
	struct query q;

	if (query_open(&q, p->store,
		    "SELECT a.deleted, coalesce((SELECT r.epoch"
		    " FROM assoc_usage_reset r WHERE r.assoc = a.key), 0)"
		    " FROM assoc a WHERE a.key = :key AND NOT EXISTS"
		    " (SELECT 1 FROM past_erased e WHERE e.assoc = a.key"
		    " AND e.change > :followed)"))
		return -1;
	query_bind_int(&q, ":key", a->key);
	query_bind_int(&q, ":followed", p->last_id);
	a->there = query_row(&q);
	a->deleted = a->there && query_int(&q, 0);
	a->epoch = a->there ? query_int(&q, 1) : 0;
	return query_close(&q);
}

/* An association that is not there yet is charged when it comes. So is one that
 * is removed, with what was recorded after it came back. A row is erased only
 * while no job record names it: those that do are of the one that comes after. */
static int choose_assoc(struct past *p, struct job *run)
{
	struct assoc_state *a = &p->charging->assocs[run->assoc % NEAR_ASSOCS];

	if (!run->assoc)
		return 0;
	if (a->key != run->assoc) {
		a->key = run->assoc;
		if (look_up_assoc(p, a))
			return -1;
	}
	if (!a->there || (a->deleted && run->usage_epoch > a->epoch))
		run->assoc = 0;
	return 0;
}

/* A QOS that is not there yet is charged when it comes. */
static int choose_qos(struct past *p, uint32_t *id)
{
	uint32_t place = *id % NEAR_QOS;
	int found;

	if (!*id)
		return 0;
	if (p->charging->qos[place].id != *id) {
		found = store_has(p->store, "SELECT 1 FROM qos WHERE id = :id",
			bind_int(":id", *id));
		if (found < 0)
			return -1;
		p->charging->qos[place].id = *id;
		p->charging->qos[place].there = found;
	}
	if (!p->charging->qos[place].there)
		*id = 0;
	return 0;
}

/* Nothing is known yet, or any longer. */
static void look_anew(struct past *p)
{
	struct past_charging *c = p->charging;

	memset(c->assocs, 0, sizeof(c->assocs));
	memset(c->qos, 0, sizeof(c->qos));
	usage_bulk_begin(c->bulk);
}

/* ---- charging ------------------------------------------------------------*/

#define RUNS "SELECT " USAGE_RUN_COLUMNS " FROM past_job j"

/* Who is charged for runs, and with which sign. */
struct charging {
	struct past *past;
	bool assoc, all_qos;
	uint32_t qos; /* this one alone */
	int sign;
	bool on_the_way; /* one after the other, as they ended */
};

static int choose(const struct charging *c, struct job *run)
{
	if (!c->all_qos && run->qos != c->qos)
		run->qos = 0;
	if (!c->all_qos && run->part_qos != c->qos)
		run->part_qos = 0;
	if (!c->assoc)
		run->assoc = 0;
	return choose_assoc(c->past, run) || choose_qos(c->past, &run->qos) ||
			       choose_qos(c->past, &run->part_qos)
		       ? -1
		       : 0;
}

static int charge_row(const struct charging *c, struct job *run)
{
	return choose(c, run) || usage_bulk_add(c->past->charging->bulk, run,
					 c->sign)
		       ? -1
		       : 0;
}

/* What was charged so far is written: the moment has all that ended by then. */
static int keep_moment(struct past *p, int64_t at)
{
	return usage_bulk_flush(p->charging->bulk) || past_keep_note(p, at)
		       ? -1
		       : 0;
}

/* Charges all runs of a query, and closes it. On the way through all records
 * moments are kept; nothing is charged yet after `from`. */
static int charge_rows(
	const struct charging *c, struct query *q, int64_t from)
{
	struct past *p = c->past;
	struct arena *scratch = &p->charging->scratch;
	struct job run;
	int status = 0;

	usage_bulk_raw(p->charging->bulk, !p->details);
	query_bind_int(q, ":details", p->details);
	if (!p->charging->holds || !c->on_the_way)
		look_anew(p);
	while (!status && query_row(q)) {
		arena_reset(scratch);
		members_read_named(q, 0, &run, &job_members, scratch);
		if (c->on_the_way && past_keep_is_due(p, from, run.end))
			status = keep_moment(p, from);
		if (c->on_the_way)
			past_keep_count(p);
		from = run.end;
		status = status || charge_row(c, &run);
	}
	if (query_close(q) || status || usage_bulk_flush(p->charging->bulk))
		status = -1;
	p->charging->holds = !status && c->on_the_way && p->usage_only;
	return status;
}

/* In the present these are the foreseen ends of running jobs; the rest is in
 * the amounts. */
int past_charge(struct past *p, int64_t at)
{
	const struct charging all = {p, true, true, 0, 1, p->rewound};
	int64_t from = p->charged;
	struct query q;

	if (at <= p->charged)
		return 0;
	if (query_open_members(&q, p->store, &job_members,
		    p->rewound ? RUNS " WHERE j.end > :from AND j.end <= :at"
				      " AND j.start > 0 ORDER BY j.end"
			       : RUNS " WHERE j.key IN (SELECT key FROM past_open)"
				      " AND +j.end > :from AND +j.end <= :at"
				      " ORDER BY +j.end"))
		return -1;
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":at", at);
	p->charged = at;
	return charge_rows(&all, &q, from);
}

/* Charged runs of one association that were recorded under `epoch` or later:
 * out of its amounts, or in again. */
static int charge_recorded(
	struct past *p, int64_t assoc, int64_t epoch, int sign)
{
	const struct charging one = {p, true, false, 0, sign, false};
	struct query q;

	if (query_open_members(&q, p->store, &job_members,
		    RUNS " WHERE j.assoc = :assoc AND j.end <= :at"
			 " AND j.start > 0 AND j.usage_epoch >= :epoch"
			 " ORDER BY j.end"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":at", p->charged);
	query_bind_int(&q, ":epoch", epoch);
	return charge_rows(&one, &q, 0);
}

/* Charged runs under a QOS that is new. */
static int charge_qos(struct past *p, uint32_t qos)
{
	const struct charging one = {p, false, false, qos, 1, false};
	struct query q;

	if (query_open_members(&q, p->store, &job_members,
		    RUNS " WHERE (j.qos = :qos OR j.part_qos = :qos)"
			 " AND j.end <= :at AND j.start > 0 ORDER BY j.end"))
		return -1;
	query_bind_int(&q, ":qos", qos);
	query_bind_int(&q, ":at", p->charged);
	return charge_rows(&one, &q, 0);
}

/* ---- what a change says of usage -----------------------------------------*/

/* Keys of rows that a change is about. */
struct keys {
	int64_t *v;
	size_t n, cap;
};

/* An association whose usage was set, reset or handed up. */
struct assoc_reset {
	int64_t assoc, epoch;
};

struct usage_change {
	struct past *past;
	int64_t time;
	struct arena *arena;
	struct assoc_reset *resets;
	size_t n_resets, cap_resets;
	struct keys added, removed; /* associations */
	struct keys erased; /* of the removed, those without a mark */
	struct keys qos_added, qos_changed;
	bool own_amounts; /* of QOS are those of jobs, or were rebuilt */
	int deleted; /* number of the column of associations */
};

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Once they are sorted. */
static bool has_key(const struct keys *keys, int64_t key)
{
	return keys->n && bsearch(&key, keys->v, keys->n, sizeof(key), by_number);
}

static void push_key(struct usage_change *c, struct keys *keys, int64_t key)
{
	*ARENA_PUSH(c->arena, keys->v, keys->n, keys->cap) = key;
}

static void note_reset(
	struct usage_change *c, int op, sqlite3_changeset_iter *iter)
{
	sqlite3_value *epoch = op_new(iter, 1);

	if (epoch)
		*ARENA_PUSH(c->arena, c->resets, c->n_resets, c->cap_resets) =
			(struct assoc_reset){op_key(iter, op, 0),
				sqlite3_value_int64(epoch)};
}

static int note_op(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct usage_change *c = arg;
	int64_t key = op_key(iter, op, 0);

	if (!strcmp(table, "assoc_usage_reset") && op != SQLITE_DELETE)
		note_reset(c, op, iter);
	if (!strcmp(table, "assoc") && op == SQLITE_INSERT)
		push_key(c, &c->added, key);
	else if (!strcmp(table, "assoc") && op_is_removal(iter, op, c->deleted))
		push_key(c, &c->removed, key);
	if (!strcmp(table, "assoc") && op == SQLITE_DELETE)
		push_key(c, &c->erased, key);
	if (!strcmp(table, "job"))
		c->own_amounts = true;
	if (!strcmp(table, "qos") && op != SQLITE_DELETE)
		push_key(c,
			op == SQLITE_INSERT ? &c->qos_added : &c->qos_changed,
			key);
	return 0;
}

/* Looked up by their first member. */
_Static_assert(!offsetof(struct assoc_reset, assoc), "by_number");

static bool was_reset(const struct usage_change *c, int64_t key)
{
	return c->n_resets && bsearch(&key, c->resets, c->n_resets,
				      sizeof(*c->resets), by_number);
}

static void sort(struct usage_change *c)
{
	if (c->n_resets)
		qsort(c->resets, c->n_resets, sizeof(*c->resets), by_number);
	if (c->removed.n)
		qsort(c->removed.v, c->removed.n, sizeof(*c->removed.v),
			by_number);
}

/* ---- associations --------------------------------------------------------*/

/* Of runs that were recorded after the change, though they ended before it, it
 * knows nothing: they are taken out, and count again on top of it. Who is
 * removed hands up those that are recorded until it comes back. */
static int recorded_later(struct usage_change *c, int sign)
{
	for (size_t i = 0; i < c->n_resets; i++) {
		const struct assoc_reset *r = &c->resets[i];
		bool removed = has_key(&c->removed, r->assoc);

		if ((!removed || sign < 0) && charge_recorded(c->past, r->assoc,
						      r->epoch + removed, sign))
			return -1;
	}
	return 0;
}

/* Runs from before the association was there: imported history. */
static int charge_added(struct usage_change *c)
{
	for (size_t i = 0; i < c->added.n; i++)
		if (!was_reset(c, c->added.v[i]) &&
			charge_recorded(c->past, c->added.v[i], 0, 1))
			return -1;
	return 0;
}

/* 1: it is there; its parent is 0 at the top. */
static int parent_of(struct store *store, int64_t key, int64_t *parent)
{
	struct query q;
	bool known;

	if (query_open(&q, store,
		    "SELECT coalesce(parent, 0) FROM assoc"
		    " WHERE key = :key AND NOT deleted"))
		return -1;
	query_bind_int(&q, ":key", key);
	known = query_row(&q);
	*parent = known ? query_int(&q, 0) : 0;
	return query_close(&q) ? -1 : known;
}

/* Before the change, while the rows still say who is above whom. What is above
 * may go in the same change, and the log has them in no order: all goes to the
 * nearest that stays. */
static int hand_up(struct usage_change *c, int64_t key)
{
	struct store *store = c->past->store;
	int64_t parent, next;
	int known = parent_of(store, key, &parent);

	if (known <= 0)
		return known;
	while (parent && has_key(&c->removed, parent)) {
		if (parent_of(store, parent, &next) < 0)
			return -1;
		parent = next;
	}
	return usage_hand_up_at(
		store, c->past->policy, key, parent, INT64_MIN);
}

static int hand_up_removed(struct usage_change *c)
{
	for (size_t i = 0; i < c->removed.n; i++)
		if (hand_up(c, c->removed.v[i]))
			return -1;
	return 0;
}

/* With an erased row goes when it was set or handed up, as in the store itself: one
 * of the same key that comes later begins anew. */
static int forget_erased(struct usage_change *c)
{
	for (size_t i = 0; i < c->erased.n; i++)
		if (store_run(c->past->store,
			    "DELETE FROM assoc_usage_reset"
			    " WHERE assoc = :assoc",
			    bind_int(":assoc", c->erased.v[i])))
			return -1;
	return 0;
}

static int drop_amount(struct store *store, int64_t assoc, int64_t tres)
{
	return store_run(store,
		"DELETE FROM assoc_usage"
		" WHERE assoc = :assoc AND tres = :tres",
		bind_int(":assoc", assoc), bind_int(":tres", tres));
}

/* Without `amount` it came out as the number that it was before. */
static int set_amount(struct store *store, int64_t assoc, int64_t tres,
	sqlite3_value *amount, int64_t at)
{
	struct query q;

	if (query_open(&q, store,
		    amount ? "INSERT OR REPLACE INTO assoc_usage"
			     " (assoc, tres, amount, at)"
			     " VALUES (:assoc, :tres, :amount, :at)"
			   : "UPDATE assoc_usage SET at = :at"
			     " WHERE assoc = :assoc AND tres = :tres"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":tres", tres);
	query_bind_int(&q, ":at", at);
	if (amount)
		query_bind_real(&q, ":amount", sqlite3_value_double(amount));
	return query_run(&q);
}

static int put_amount(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct usage_change *c = arg;
	struct store *store = c->past->store;
	int64_t assoc, tres;

	if (strcmp(table, "assoc_usage") != 0)
		return 0;
	assoc = op_key(iter, op, 0);
	tres = op_key(iter, op, 1);
	if (!was_reset(c, assoc) || has_key(&c->removed, assoc))
		return 0;
	if (op == SQLITE_DELETE)
		return drop_amount(store, assoc, tres);
	return set_amount(store, assoc, tres, op_new(iter, 2), c->time);
}

/* ---- QOS -----------------------------------------------------------------*/

/* Their usage is moved by a difference, to which runs add what they do. */
static int move_amount(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct usage_change *c = arg;
	struct past *p = c->past;
	sqlite3_value *old = op_old(iter, 3), *new = op_new(iter, 3);
	sqlite3_value *old_at = op_old(iter, 4), *new_at = op_new(iter, 4);
	struct usage_move move = {.known = new != NULL, .to_at = c->time};

	if (strcmp(table, "qos_usage") != 0 || op == SQLITE_DELETE ||
		c->own_amounts)
		return 0;
	move.qos = (uint32_t)op_key(iter, op, 0);
	move.cluster = op_key(iter, op, 1);
	move.tres = (int)op_key(iter, op, 2);
	move.from = old ? sqlite3_value_double(old) : 0;
	move.to = new ? sqlite3_value_double(new) : 0;
	if (new_at)
		move.to_at = sqlite3_value_int64(new_at);
	move.from_at = old_at ? sqlite3_value_int64(old_at) : move.to_at;
	return usage_follow_qos(p->store, p->policy, &move);
}

/* Flags change how usage decays. */
static int settle_qos(struct usage_change *c)
{
	for (size_t i = 0; i < c->qos_changed.n; i++)
		if (usage_settle_qos(c->past->store, c->past->policy,
			    (uint32_t)c->qos_changed.v[i]))
			return -1;
	return 0;
}

static int charge_qos_added(struct usage_change *c)
{
	for (size_t i = 0; i < c->qos_added.n; i++)
		if (charge_qos(c->past, (uint32_t)c->qos_added.v[i]))
			return -1;
	return 0;
}

/* ---- a change ------------------------------------------------------------*/

static int before(struct usage_change *c, const struct logged_change *change)
{
	struct store *store = c->past->store;

	if (change_each_of(store, change, "assoc assoc_usage_reset job qos",
		    note_op, c))
		return -1;
	sort(c);
	return settle_qos(c) ||
			       change_each_of(store, change, "qos_usage",
				       move_amount, c) ||
			       recorded_later(c, -1) || hand_up_removed(c)
		       ? -1
		       : 0;
}

static int after(struct usage_change *c, const struct logged_change *change)
{
	return forget_erased(c) ||
			       change_each_of(c->past->store, change,
				       "assoc_usage", put_amount, c) ||
			       recorded_later(c, 1) || charge_added(c) ||
			       charge_qos_added(c)
		       ? -1
		       : 0;
}

int past_follow(struct past *p, const struct logged_change *change)
{
	struct usage_change c = {.past = p,
		.time = change->time,
		.own_amounts = change->rebuild,
		.deleted = op_column(p->store, "assoc", "deleted")};
	struct arena arena;
	int status;

	arena_init(&arena);
	c.arena = &arena;
	p->store->now = change->time;
	status = c.deleted < 0 || past_charge(p, change->time) ||
		 before(&c, change) ||
		 change_apply(p->store, change) || after(&c, change);
	past_usage_changed(p);
	arena_release(&arena);
	return status ? -1 : 0;
}
