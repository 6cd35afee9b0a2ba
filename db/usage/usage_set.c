/*
 * Usage that is set, reset or handed up: a fact each (db/usage/facts.h).
 */
#include <math.h>

#include "common/base/numbers.h"
#include "common/table/qos.h"
#include "db/store/query.h"
#include "db/usage/fold.h"

/* ---- recording facts -----------------------------------------------------*/

/* Later than all there are, and than what changes of the log recorded before, also
 * where they were undone. */
static int next_id(struct store *store, int64_t *id)
{
	enum { OF_ONE_CHANGE = 20 };
	int64_t change = 0, last = 0;

	if (store_number(store, "SELECT coalesce(max(id), 0) FROM usage_fact",
		    &last) ||
		store_number(store, "SELECT coalesce(max(id), 0) FROM change",
			&change))
		return -1;
	*id = larger(last + 1, change < INT64_MAX >> OF_ONE_CHANGE
				       ? (change + 1) << OF_ONE_CHANGE
				       : INT64_MAX);
	return 0;
}

static int insert(struct store *store, const struct usage_fact *fact)
{
	/* NAN is NULL to SQLite. */
	return store_run(store,
		"INSERT INTO usage_fact"
		" (id, owner, time, heir, raw, was_still, still, until)"
		" VALUES (:id, :owner, :time, nullif(:heir, 0), :raw,"
		" :was_still, :still, :until)",
		bind_int(":id", fact->id), bind_int(":owner", fact->owner),
		bind_int(":time", fact->time), bind_int(":heir", fact->heir),
		bind_real(":raw", fact->raw),
		bind_int(":was_still", fact->was_still),
		bind_int(":still", fact->still),
		bind_int(":until", fact->until));
}

/* Numbers the facts, and says whom they concern. */
static int begin_facts(struct store *store, struct usage_moving *m,
	struct usage_fact *facts, size_t n)
{
	struct ledger *l = usage_bulk_ledger(m->bulk);
	/* Has a run ended that ends yet? Where a clock went back. */
	int later =
		store_has(store, "SELECT 1 FROM job WHERE end > :time LIMIT 1",
			bind_int(":time", store->now));
	int64_t id;

	if (!l || later < 0 || next_id(store, &id))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct usage_fact *fact = &facts[i];

		fact->time = store->now;
		fact->id = id++;
		if (ledger_before(l, fact))
			return -1;
		if (!later)
			usage_moving_begins(m, fact->owner, fact->id);
		else if (usage_moving_fact(
				 m, fact->owner, fact->id, fact->time))
			return -1;
	}
	return 0;
}

static int insert_all(
	struct store *store, const struct usage_fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (insert(store, &facts[i]))
			return -1;
	return 0;
}

/* Of different owners. */
static int add_facts(struct store *store, const struct policy *policy,
	struct usage_fact *facts, size_t n)
{
	struct usage_moving m;
	int rc;

	usage_moving_open(&m, store, policy, false, INT64_MAX);
	rc = begin_facts(store, &m, facts, n) || usage_moving_out(&m) ||
	     insert_all(store, facts, n) || usage_moving_in(&m);
	usage_moving_close(&m);
	return rc ? -1 : 0;
}

/* ---- associations --------------------------------------------------------*/

int usage_set_raw(struct store *store, const struct policy *policy,
	int64_t assoc, double value)
{
	struct usage_fact fact = {.owner = assoc, .heir = assoc, .raw = value};

	return add_facts(store, policy, &fact, 1);
}

int usage_reset(struct store *store, const struct policy *policy,
	const int64_t *assocs, size_t n)
{
	SCRATCH_ARENA(arena);
	struct usage_fact *facts = arena_array(&arena, n, sizeof(*facts));

	for (size_t i = 0; i < n; i++)
		facts[i] = (struct usage_fact){.owner = assocs[i],
			.raw = NAN,
			.until = store->now + policy->calc_period};
	return add_facts(store, policy, facts, n);
}

int usage_hand_up(struct store *store, const struct policy *policy,
	int64_t assoc, int64_t parent)
{
	struct usage_fact fact = {.owner = assoc, .heir = parent, .raw = NAN};

	return add_facts(store, policy, &fact, 1);
}

int usage_revive(struct store *store, int64_t assoc)
{
	struct usage_fact fact = {.owner = assoc, .raw = NAN};

	return add_facts(store, NULL, &fact, 1);
}

int usage_forget(struct store *store, int64_t assoc)
{
	return store_run(store,
		"DELETE FROM usage_fact WHERE owner = :owner AND NOT EXISTS"
		" (SELECT 1 FROM usage_sum WHERE owner = :owner)"
		" AND NOT EXISTS (SELECT 1 FROM usage_fact"
		"  WHERE owner = :owner AND raw NOT NULL)",
		bind_int(":owner", assoc));
}

/* ---- QOS -----------------------------------------------------------------*/

/* A fact about the QOS on every cluster; one that sets nothing where it is not known
 * yet, by the facts before it or from what was. */
static int add_for_qos(struct store *store, const struct policy *policy,
	uint32_t qos, const struct usage_fact *of)
{
	SCRATCH_ARENA(arena);
	struct usage_fact *facts = NULL;
	struct query q;
	size_t n = 0, cap = 0;

	if (query_open(&q, store,
		    "SELECT id, coalesce((SELECT still FROM usage_fact"
		    "  WHERE owner = -(cluster.id << 32 | :qos)"
		    "  ORDER BY usage_fact.id DESC LIMIT 1), :was) AS was"
		    " FROM cluster WHERE :sets OR was <> :still"))
		return -1;
	query_bind_int(&q, ":qos", qos);
	query_bind_int(&q, ":was", of->was_still);
	query_bind_int(&q, ":still", of->still);
	query_bind_int(&q, ":sets", !of->heir || !isnan(of->raw));
	while (query_row(&q)) {
		struct usage_fact *fact = ARENA_PUSH(&arena, facts, n, cap);

		*fact = *of;
		fact->owner = owner_of_qos(qos, query_int(&q, 0));
		fact->heir = of->heir ? fact->owner : 0;
	}
	return any_failed(
		query_close(&q) || add_facts(store, policy, facts, n));
}

int usage_set_qos(struct store *store, const struct policy *policy,
	uint32_t qos, double value)
{
	struct usage_fact fact = {
		.heir = value > 0, .raw = value > 0 ? value : NAN};

	if (usage_is_still(store, qos, &fact.still))
		return -1;
	fact.was_still = fact.still;
	return add_for_qos(store, policy, qos, &fact);
}

int usage_settle_qos(struct store *store, const struct policy *policy,
	uint32_t qos, bool was_still)
{
	struct usage_fact fact = {
		.heir = 1, .raw = NAN, .was_still = was_still};

	return any_failed(usage_is_still(store, qos, &fact.still) ||
			  add_for_qos(store, policy, qos, &fact));
}

int usage_drop_qos(struct store *store, uint32_t qos)
{
	struct usage_fact fact = {.raw = NAN};

	if (usage_is_still(store, qos, &fact.was_still))
		return -1;
	return add_for_qos(store, NULL, qos, &fact);
}

/* ---- more than one owner -------------------------------------------------*/

int usage_drop_cluster(struct store *store, int64_t cluster)
{
	SCRATCH_ARENA(arena);
	struct usage_fact *facts = NULL;
	struct query q;
	size_t n = 0, cap = 0;

	if (query_open(&q, store,
		    "SELECT owner, still FROM usage WHERE CASE WHEN owner < 0"
		    " THEN -owner >> 32 ELSE (SELECT cluster FROM assoc"
		    "  WHERE key = owner) END = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q))
		*ARENA_PUSH(&arena, facts, n, cap) =
			(struct usage_fact){.owner = query_int(&q, 0),
				.raw = NAN,
				.was_still = query_int(&q, 1),
				.still = query_int(&q, 1)};
	return any_failed(query_close(&q) || add_facts(store, NULL, facts, n));
}

int usage_renumber_qos(struct store *store, int64_t from, int64_t to)
{
#define RENUMBER(table)                                                        \
	store_run(store,                                                       \
		"UPDATE " table " SET owner = owner + :from - :to"             \
		" WHERE owner < 0 AND -owner & 4294967295 = :from",            \
		bind_int(":from", from), bind_int(":to", to))
	return any_failed(
		RENUMBER("usage") || RENUMBER("usage_sum") ||
		RENUMBER("usage_kept") ||
		store_run(store,
			"UPDATE usage_fact SET heir = heir +"
			" :from - :to WHERE heir < 0 AND"
			" -heir & 4294967295 = :from",
			bind_int(":from", from), bind_int(":to", to)) ||
		RENUMBER("usage_fact"));
#undef RENUMBER
}
