#include "db/usage/fold.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/notice.h"
#include "common/base/numbers.h"
#include "db/rows/members.h"
#include "db/store/changeset.h"
#include "db/store/query.h"

enum { WEEK = 604800 };

#define RUNS(table) "SELECT " USAGE_RUN_COLUMNS " FROM " table

/* The jobs of a store that is moved through time are in a table of their own.
 */
static int add_key_of(struct usage_bulk *bulk, struct store *store, bool past,
	int64_t key, int64_t until, int sign)
{
#define ONE(table) RUNS(table) " WHERE key = :key AND end <= :until"
	struct query q;

	if (query_open_members(&q, store, &job_members,
		    past ? ONE("past_job") : ONE("job")))
		return -1;
#undef ONE
	query_bind_int(&q, ":key", key);
	query_bind_int(&q, ":until", until);
	return usage_bulk_add_rows(bulk, &q, sign);
}

int usage_bulk_add_key(struct usage_bulk *bulk, int64_t job, int sign)
{
	struct ledger *l = usage_bulk_ledger(bulk);

	return l ? add_key_of(bulk, l->store, false, job, INT64_MAX, sign) : -1;
}

/* ---- all of it -----------------------------------------------------------*/

int usage_bulk_add_ended(struct usage_bulk *bulk, struct store *store, bool past,
	int64_t from, int64_t until)
{
#define ENDED " WHERE end > :from AND end <= :until AND start > 0"
	struct query q;

	if (query_open_members(&q, store, &job_members,
		    past ? RUNS("past_job") ENDED : RUNS("job") ENDED))
		return -1;
#undef ENDED
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":until", until);
	return usage_bulk_add_rows(bulk, &q, 1) || usage_bulk_write(bulk) ? -1
									  : 0;
}

/* Rows of usage_kept, `sign` times; closes the statement. */
static int add_kept(struct usage_bulk *bulk, struct query *q, int sign)
{
	SCRATCH_ARENA(scratch);
	int rc = 0;

	while (!rc && query_row(q)) {
		struct usage_sums sums;

		arena_reset(&scratch);
		rc = sums_read(q, 3, &sums, &scratch) ||
		     usage_bulk_restore(bulk, query_int(q, 0), query_int(q, 1),
			     query_int(q, 2), &sums, sign);
	}
	return query_close(q) || rc || usage_bulk_write(bulk) ? -1 : 0;
}

#define KEPT "SELECT owner, life, at, sums FROM usage_kept"

int usage_bulk_add_kept(struct usage_bulk *bulk, struct store *store,
	int64_t from, int64_t until)
{
	struct query q;

	if (!usage_bulk_ledger(bulk) ||
		query_open(&q, store,
			KEPT " WHERE begin >= :from AND begin < :until"))
		return -1;
	query_bind_int(&q, ":from", from);
	query_bind_int(&q, ":until", until);
	return add_kept(bulk, &q, 1);
}

/* For each fact (owner, id) that the statement gives, which is closed. */
static int hand_each(
	struct usage_bulk *bulk, struct query *q, ledger_handing *change)
{
	int rc = 0;

	while (!rc && query_row(q))
		rc = change(usage_bulk_ledger(bulk), query_int(q, 0),
			query_int(q, 1));
	return query_close(q) || rc ? -1 : 0;
}

/* Those later than `from`, in their order. */
static int hand_later(struct usage_bulk *bulk, struct store *store, int64_t from,
	ledger_handing *change)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT owner, id FROM usage_fact"
		    " WHERE time > :from AND heir NOT NULL ORDER BY id"))
		return -1;
	query_bind_int(&q, ":from", from);
	return hand_each(bulk, &q, change);
}

/* Those of owners that have used nothing. In the past of all: when the last run
 * ended is not what it is now. */
static int drop_heads(struct store *store, bool all)
{
	return store_exec(store,
		all ? "DELETE FROM usage"
		    : "DELETE FROM usage WHERE NOT EXISTS"
		      " (SELECT 1 FROM usage_sum s WHERE s.owner = usage.owner)"
		      " AND NOT EXISTS (SELECT 1 FROM usage_fact f"
		      "  WHERE f.owner = usage.owner AND raw NOT NULL)");
}

/* What the present life of the owner has come to. */
static int write_head(struct ledger *l, int64_t owner)
{
	const struct usage_fact *life = ledger_life(l, owner, INT64_MAX);

	return life ? usage_head_write(l->store, &l->eras, life) : -1;
}

/* Of every owner. */
static int fold_heads(struct usage_bulk *bulk, struct store *store, bool past)
{
	struct ledger *l = usage_bulk_ledger(bulk);
	struct query q;
	int rc = 0;

	if (drop_heads(store, past) ||
		query_open(&q, store,
			"WITH RECURSIVE one (owner) AS"
			" (SELECT min(owner) FROM usage_sum"
			"  UNION ALL SELECT (SELECT min(s.owner) FROM usage_sum s"
			"   WHERE s.owner > one.owner) FROM one"
			"  WHERE one.owner NOT NULL)"
			" SELECT owner FROM one WHERE owner NOT NULL"
			" UNION SELECT owner FROM usage_fact WHERE raw NOT NULL"))
		return -1;
	while (!rc && query_row(&q))
		rc = write_head(l, query_int(&q, 0));
	return query_close(&q) || rc ? -1 : 0;
}

/* A time from which buckets begin, under whatever policy. */
static int64_t boundary(int64_t at)
{
	int64_t over = at % WEEK;

	return at == INT64_MIN ? at : at - (over < 0 ? over + WEEK : over);
}

static int fold(struct usage_bulk *bulk, struct store *store, bool past,
	int64_t from, int64_t until)
{
	/* Heirs have nothing of lives that end later, until all runs are in. */
	return any_failed(
		!usage_bulk_ledger(bulk) ||
		store_run(store, "DELETE FROM usage_sum WHERE at > :from",
			bind_int(":from", from)) ||
		hand_later(bulk, store, from, ledger_hold) ||
		usage_bulk_add_ended(bulk, store, past, from, until) ||
		usage_bulk_add_kept(bulk, store, from, until) ||
		hand_later(bulk, store, from, ledger_attach) ||
		fold_heads(bulk, store, past));
}

/* Runs that end after `until` and are to go began at *start, the first of those that
 * a fact of their association may cut, or of a QOS. */
static int first_to_go(struct store *store, int64_t until, int64_t *start)
{
	*start = INT64_MAX;
	if (until == INT64_MAX)
		return 0;
	return store_ask(store,
		"SELECT min(coalesce((SELECT min(start) FROM past_job"
		"  WHERE assoc IN (SELECT owner FROM usage_fact)"
		"  AND end > :until AND start > 0), :start),"
		" coalesce((SELECT min(start) FROM"
		"  (SELECT 1 FROM usage_fact WHERE owner < 0 LIMIT 1)"
		"  CROSS JOIN past_job"
		"  WHERE end > :until AND start > 0), :start))",
		start, bind_int(":start", INT64_MAX),
		bind_int(":until", until));
}

/* What lies before *from stays as it is. Where a clock went back a fact may hand on, at
 * an earlier time, what is made anew later: all that follow on one that is later than
 * *from are. And a fact may cut a run that is to go. */
static int begin_before_facts(
	struct store *store, int64_t *from, int64_t until)
{
	int64_t was, start;

	if (*from == INT64_MIN)
		return 0;
	if (first_to_go(store, until, &start))
		return -1;
	do {
		was = *from = boundary(*from);
		if (store_ask(store,
			    "SELECT coalesce(min(time) - 1, :from)"
			    " FROM usage_fact WHERE time <= :from"
			    " AND (time > :start OR id >"
			    " (SELECT id FROM usage_fact WHERE time > :from"
			    "  ORDER BY id LIMIT 1))",
			    from, bind_int(":from", was),
			    bind_int(":start", start)))
			return -1;
	} while (*from < was);
	return 0;
}

int usage_fold(struct store *store, const struct policy *policy, bool past,
	int64_t from, int64_t until)
{
	struct usage_bulk_options o = {0};
	struct usage_bulk *bulk;
	int rc;

	/* Of all jobs, those who wait are shown how far it is. */
	if ((from == INT64_MIN && !past &&
		    store_number(store, "SELECT coalesce(max(key), 0) FROM job",
			    &o.all_runs)) ||
		begin_before_facts(store, &from, until))
		return -1;
	o.bound = from;
	bulk = usage_bulk_open(store, policy, &o);
	rc = fold(bulk, store, past, from, until);
	progress_end();
	usage_bulk_close(bulk);
	return rc;
}

/* ---- what is moved -------------------------------------------------------*/

struct moving_key {
	int64_t key;
	int64_t first; /* of an owner: its first fact that is moved */
	UT_hash_handle hh;
};

static struct moving_key *key_for(
	struct moving_key **keys, int64_t key, struct arena *arena)
{
	struct moving_key *found;

	HASH_FIND(hh, *keys, &key, sizeof(key), found);
	if (found)
		return found;
	found = arena_alloc(arena, sizeof(*found));
	found->key = key;
	found->first = INT64_MAX;
	HASH_ADD(hh, *keys, key, sizeof(key), found);
	return found;
}

void usage_moving_open(struct usage_moving *m, struct store *store,
	const struct policy *policy, bool past, int64_t until)
{
	*m = (struct usage_moving){.store = store,
		.bulk = usage_bulk_open(store, policy, NULL),
		.past = past,
		.until = until};
}

void usage_moving_close(struct usage_moving *m)
{
	HASH_CLEAR(hh, m->keys);
	HASH_CLEAR(hh, m->owners);
	usage_bulk_close(m->bulk);
	arena_release(&m->arena);
}

void usage_moving_job(struct usage_moving *m, int64_t key)
{
	(void)key_for(&m->keys, key, &m->arena);
}

/* Runs of the owner that the fact may decide about. */
static int find_runs(
	struct usage_moving *m, int64_t owner, int64_t id, int64_t time)
{
#define OF_ASSOC(table)                                                        \
	"SELECT key FROM " table " WHERE assoc = :owner" CONCERNED
#define OF_QOS(table)                                                          \
	"SELECT key FROM " table " WHERE cluster = -:owner >> 32"              \
	" AND -:owner & 4294967295 IN (qos, part_qos)" CONCERNED
#define CONCERNED " AND end <= :until AND (end > :time OR usage_epoch >= :id)"
	struct query q;

	if (query_open(&q, m->store,
		    owner > 0 ? m->past ? OF_ASSOC("past_job") : OF_ASSOC("job")
		    : m->past ? OF_QOS("past_job")
			      : OF_QOS("job")))
		return -1;
	query_bind_int(&q, ":owner", owner);
	query_bind_int(&q, ":until", m->until);
	query_bind_int(&q, ":time", time);
	query_bind_int(&q, ":id", id);
	while (query_row(&q))
		usage_moving_job(m, query_int(&q, 0));
	return query_close(&q);
}

/* Those that are gone, or below one that is, and whose later runs it is charged
 * with. */
static int find_runs_of_gone(
	struct usage_moving *m, int64_t owner, int64_t id, int64_t time)
{
	struct query q;
	int rc = 0;

	if (query_open(&q, m->store,
		    "WITH RECURSIVE gone (owner) AS"
		    " (SELECT owner FROM usage_fact"
		    "   WHERE heir = :owner AND owner <> :owner"
		    "  UNION SELECT f.owner FROM gone g"
		    "   CROSS JOIN usage_fact f ON f.heir = g.owner"
		    "   WHERE f.owner <> f.heir)"
		    " SELECT owner FROM gone"))
		return -1;
	query_bind_int(&q, ":owner", owner);
	while (!rc && query_row(&q))
		rc = find_runs(m, query_int(&q, 0), id, time);
	return query_close(&q) || rc ? -1 : 0;
}

void usage_moving_begins(struct usage_moving *m, int64_t owner, int64_t id)
{
	struct moving_key *of = key_for(&m->owners, owner, &m->arena);

	of->first = smaller(of->first, id);
	*ARENA_PUSH(&m->arena, m->facts, m->n_facts, m->cap_facts) =
		(struct usage_fact){.id = id, .owner = owner};
}

int usage_moving_fact(
	struct usage_moving *m, int64_t owner, int64_t id, int64_t time)
{
	usage_moving_begins(m, owner, id);
	return any_failed(find_runs(m, owner, id, time) ||
			  (owner > 0 && find_runs_of_gone(m, owner, id, time)));
}

int usage_moving_op(
	void *m, const char *table, int op, sqlite3_changeset_iter *iter)
{
	enum { ID, OWNER, TIME };

	if (strcmp(table, "usage_fact") != 0 || op == SQLITE_UPDATE)
		return 0;
	return usage_moving_fact(m, op_key(iter, op, OWNER),
		op_key(iter, op, ID), op_key(iter, op, TIME));
}

static bool moves_nothing(const struct usage_moving *m)
{
	return !m->keys && !m->n_facts;
}

/* Runs of the owner whose records are gone, of the life that its first fact
 * begins or later ones. */
static int charge_kept(
	struct usage_moving *m, const struct moving_key *owner, int sign)
{
	struct query q;

	if (query_open(&q, m->store,
		    KEPT " WHERE owner = :owner AND life >= :id"
			 " AND begin < :until"))
		return -1;
	query_bind_int(&q, ":owner", owner->key);
	query_bind_int(&q, ":id", owner->first);
	query_bind_int(&q, ":until", m->until);
	return add_kept(m->bulk, &q, sign);
}

static int charge_runs(struct usage_moving *m, int sign)
{
	for (struct moving_key *k = m->keys; k; k = k->hh.next)
		if (add_key_of(
			    m->bulk, m->store, m->past, k->key, m->until, sign))
			return -1;
	for (struct moving_key *o = m->owners; o; o = o->hh.next)
		if (charge_kept(m, o, sign))
			return -1;
	return usage_bulk_write(m->bulk);
}

/* ---- heirs ---------------------------------------------------------------*/

/* The fact itself, the next one of its owner, and those in between that made it an
 * heir. */
static int each_handing(struct usage_moving *m, const struct usage_fact *fact,
	ledger_handing *change)
{
	struct ledger *l = usage_bulk_ledger(m->bulk);
	const struct usage_fact *own = ledger_life(l, fact->owner, fact->id);
	const struct usage_fact *next = own ? life_after(own) : NULL;
	struct query q;

	if (!own || (own->id == fact->id && change(l, own->owner, own->id)) ||
		(next && change(l, next->owner, next->id)) ||
		query_open(&q, m->store,
			"SELECT owner, id FROM usage_fact WHERE heir = :owner"
			" AND owner <> :owner AND id > :id AND id <= :next"))
		return -1;
	query_bind_int(&q, ":owner", fact->owner);
	query_bind_int(&q, ":id", fact->id);
	query_bind_int(&q, ":next", next ? next->id : INT64_MAX);
	return hand_each(m->bulk, &q, change);
}

static int change_handing(struct usage_moving *m, ledger_handing *change)
{
	for (size_t i = 0; i < m->n_facts; i++)
		if (each_handing(m, &m->facts[i], change))
			return -1;
	return 0;
}

int usage_moving_out(struct usage_moving *m)
{
	if (moves_nothing(m))
		return 0;
	return any_failed(!usage_bulk_ledger(m->bulk) || charge_runs(m, -1) ||
			  change_handing(m, ledger_detach));
}

/* All are held before the first is attached: what one hands on is not handed on by
 * the next once more. */
int usage_moving_in(struct usage_moving *m)
{
	struct ledger *l;

	if (moves_nothing(m))
		return 0;
	l = usage_bulk_ledger(m->bulk);
	ledger_forget(l);
	if (change_handing(m, ledger_hold) ||
		change_handing(m, ledger_attach) || charge_runs(m, 1))
		return -1;
	for (struct moving_key *o = m->owners; o; o = o->hh.next)
		if (write_head(l, o->key))
			return -1;
	return 0;
}
