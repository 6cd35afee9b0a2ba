#include "db/undo/undo_usage.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "db/job/job.h"
#include "db/rows/members.h"
#include "db/usage/usage.h"

/* Keys of rows. */
struct key {
	int64_t key;
	bool erased; /* the row does not stay as a deleted one */
	UT_hash_handle hh;
};

struct moving {
	struct store *store;
	const struct policy *policy;
	struct arena *arena;
	int64_t time;	     /* of the change that is undone or redone */
	struct key *settled; /* QOS whose amounts the change only brought up */
	struct key *moved;   /* associations */
	struct key *leaving; /* associations that are removed */
	bool jobs;	     /* job records change, and usage with them */
	int deleted;	     /* number of the column of associations */
};

static bool has_key(struct key *keys, int64_t key)
{
	struct key *found;

	HASH_FIND(hh, keys, &key, sizeof(key), found);
	return found != NULL;
}

static struct key *add_key(struct key **keys, int64_t key)
{
	struct key *added;

	HASH_FIND(hh, *keys, &key, sizeof(key), added);
	if (added)
		return added;
	added = memory_zeroed(1, sizeof(*added));
	added->key = key;
	HASH_ADD(hh, *keys, key, sizeof(key), added);
	return added;
}

static void free_keys(struct key **keys)
{
	struct key *key, *next;

	HASH_ITER(hh, *keys, key, next)
	{
		HASH_DEL(*keys, key);
		free(key);
	}
}

/* ---- amounts -------------------------------------------------------------*/

static double real(sqlite3_value *value)
{
	return value ? sqlite3_value_double(value) : 0;
}

static int64_t moment(sqlite3_value *value, int64_t unsaid)
{
	return value ? sqlite3_value_int64(value) : unsaid;
}

/* Amount and time are adjacent columns. An update holds only changed values: an
 * unchanged time was that of the change. False: the amount did not change. */
static bool read_shift(const struct moving *m, int op,
	sqlite3_changeset_iter *iter, int amount, struct usage_shift *shift)
{
	if (op == SQLITE_UPDATE && !op_new(iter, amount))
		return false;
	shift->from = op == SQLITE_INSERT ? 0 : real(op_old(iter, amount));
	shift->to = op == SQLITE_DELETE ? 0 : real(op_new(iter, amount));
	shift->from_at = op == SQLITE_INSERT
				 ? moment(op_new(iter, amount + 1), m->time)
				 : moment(op_old(iter, amount + 1), m->time);
	shift->to_at = op == SQLITE_DELETE
			       ? shift->from_at
			       : moment(op_new(iter, amount + 1), m->time);
	return true;
}

static int is_there(struct store *store, int64_t assoc)
{
	return store_has(store,
		"SELECT 1 FROM assoc WHERE key = :key AND NOT deleted",
		bind_int(":key", assoc));
}

static int move_amount(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct moving *m = arg;
	bool qos = !strcmp(table, "qos_usage");
	struct usage_shift shift = {.tres = 0};
	int there;

	if (!qos && strcmp(table, "assoc_usage") != 0)
		return 0;
	if (!read_shift(m, op, iter, qos ? 3 : 2, &shift))
		return 0;
	shift.tres = (int)op_key(iter, op, qos ? 2 : 1);
	if (qos) {
		shift.qos = (uint32_t)op_key(iter, op, 0);
		shift.cluster = op_key(iter, op, 1);
		return has_key(m->settled, shift.qos)
			       ? 0
			       : usage_shift_amount(
					 m->store, m->policy, &shift);
	}
	shift.assoc = op_key(iter, op, 0);
	there = is_there(m->store, shift.assoc);
	if (there <= 0)
		return there;
	add_key(&m->moved, shift.assoc);
	return usage_shift_amount(m->store, m->policy, &shift);
}

/* ---- before --------------------------------------------------------------*/

static int refuse_active(struct moving *m, int64_t assoc)
{
	struct job_list jobs;

	if (jobs_open_of_assoc(m->store, assoc, m->arena, &jobs))
		return -1;
	if (!jobs.n)
		return 0;
	return err_set(m->store->err, ERR_USAGE,
		"job %u of user %s in account %s is active", jobs.v[0].id,
		jobs.v[0].user, jobs.v[0].account);
}

static int64_t parent_of(struct store *store, int64_t assoc)
{
	int64_t parent = 0;

	return store_ask(store,
		       "SELECT coalesce(parent, 0) FROM assoc WHERE key = :key",
		       &parent, bind_int(":key", assoc))
		       ? -1
		       : parent;
}

/* An amount, or the mark of one that was. */
static int has_usage(struct store *store, int64_t assoc)
{
	return store_has(store,
		"SELECT 1 FROM assoc_usage WHERE assoc = :assoc"
		" UNION ALL SELECT 1 FROM assoc_usage_reset"
		" WHERE assoc = :assoc LIMIT 1",
		bind_int(":assoc", assoc));
}

/* The usage since then of one that is removed again goes to the nearest above
 * that stays: the log has those that go in no order. */
static int leave(struct moving *m, const struct key *leaving)
{
	int64_t assoc = leaving->key, parent;
	int used = leaving->erased ? has_usage(m->store, assoc) : 1;

	if (used < 0 || refuse_active(m, assoc))
		return -1;
	if (!used)
		return 0;
	parent = parent_of(m->store, assoc);
	while (parent > 0 && has_key(m->leaving, parent))
		parent = parent_of(m->store, parent);
	if (parent < 0)
		return -1;
	return parent ? usage_hand_up(m->store, m->policy, assoc, parent) : 0;
}

static int look_before(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct moving *m = arg;

	if (!strcmp(table, "qos") && op == SQLITE_UPDATE)
		return usage_settle_qos(
			m->store, m->policy, (uint32_t)op_key(iter, op, 0));
	if (!strcmp(table, "assoc") && op_is_removal(iter, op, m->deleted))
		add_key(&m->leaving, op_key(iter, op, 0))->erased =
			op == SQLITE_DELETE;
	return 0;
}

/* What the change itself hands up of them is not handed up twice. */
static int move_leaving(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct moving *m = arg;

	if (strcmp(table, "assoc_usage") != 0 ||
		!has_key(m->leaving, op_key(iter, op, 0)))
		return 0;
	return move_amount(arg, table, op, iter);
}

static int leave_all(struct moving *m)
{
	for (const struct key *k = m->leaving; k; k = k->hh.next)
		if (leave(m, k))
			return -1;
	return 0;
}

int undo_usage_before(struct store *store, const struct policy *policy,
	const struct logged_change *change, struct arena *arena)
{
	struct moving m = {.store = store,
		.policy = policy,
		.arena = arena,
		.time = change->time,
		.deleted = op_column(store, "assoc", "deleted")};
	int rc = m.deleted < 0 ||
		 change_each_of(store, change, "qos assoc", look_before, &m) ||
		 change_each_of(
			 store, change, "assoc_usage", move_leaving, &m) ||
		 leave_all(&m);

	free_keys(&m.leaving);
	free_keys(&m.moved);
	return rc ? -1 : 0;
}

/* ---- after ---------------------------------------------------------------*/

static int look(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct moving *m = arg;

	if (!strcmp(table, "job"))
		m->jobs = true;
	if (!strcmp(table, "qos") && op == SQLITE_UPDATE)
		add_key(&m->settled, op_key(iter, op, 0));
	return 0;
}

/* Runs that the moment lies in, which ended since: out of the amounts, or in
 * again by what counts now. */
static int recharge(struct moving *m, int64_t assoc, int64_t at, int sign)
{
	struct usage_bulk *bulk;
	struct query q;
	int rc = 0;

	if (query_open_members(&q, m->store, &job_members,
		    "SELECT " USAGE_RUN_COLUMNS " FROM job WHERE assoc = :assoc"
		    " AND start > 0 AND start < :at AND end > :at"))
		return -1;
	query_bind_int(&q, ":details", true);
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":at", at);
	bulk = usage_bulk_open(m->store, m->policy);
	while (!rc && query_row(&q)) {
		struct job run;

		members_read_named(&q, 0, &run, &job_members, m->arena);
		run.qos = run.part_qos = 0;
		rc = usage_bulk_add(bulk, &run, sign);
	}
	rc = query_close(&q) || rc || usage_bulk_write(bulk) ? -1 : 0;
	usage_bulk_close(bulk);
	return rc;
}

/* What was recorded before a reset counts whole again, or no longer. */
static int put_since(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct moving *m = arg;
	struct usage_since since = {.assoc = op_key(iter, op, 0),
		.known = op != SQLITE_DELETE};
	int64_t was, there;

	if (strcmp(table, "assoc_usage_reset") != 0)
		return 0;
	there = is_there(m->store, since.assoc);
	if (there <= 0)
		return (int)there;
	add_key(&m->moved, since.assoc);
	if (op == SQLITE_UPDATE && !op_new(iter, 2))
		return 0; /* the same moment */
	was = op == SQLITE_INSERT ? 0 : moment(op_old(iter, 2), 0);
	since.since = since.known ? moment(op_new(iter, 2), 0) : 0;
	since.removed = since.known ? real(op_new(iter, 3)) : 0;
	since.until = since.known ? moment(op_new(iter, 4), 0) : 0;
	if (since.since > was)
		was = since.since;
	return recharge(m, since.assoc, was, -1) ||
			       usage_put_since(m->store, &since) ||
			       recharge(m, since.assoc, was, 1)
		       ? -1
		       : 0;
}

/* The log follows the amounts of those with a new epoch. */
static int begin_epochs(struct moving *m)
{
	for (const struct key *k = m->moved; !m->jobs && k; k = k->hh.next)
		if (usage_next_epoch(m->store, k->key))
			return -1;
	return 0;
}

int undo_usage_after(struct store *store, const struct policy *policy,
	const struct logged_change *change, struct arena *arena)
{
	struct moving m = {.store = store,
		.policy = policy,
		.arena = arena,
		.time = change->time};
	int rc = change_each_of(store, change, "job qos", look, &m) ||
		 change_each_of(store, change, "qos_usage assoc_usage",
			 move_amount, &m) ||
		 change_each_of(store, change, "assoc_usage_reset", put_since,
			 &m) ||
		 begin_epochs(&m);

	free_keys(&m.settled);
	free_keys(&m.moved);
	return rc ? -1 : 0;
}
