/*
 * Usage of associations and QOS; see usage.h. Nothing here is periodic: an
 * amount is carried to the moment it is asked for (common/fair/decay.h).
 *
 * This part writes amounts and says who is charged for a run.
 */
#include "db/usage/usage_parts.h"

#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "common/table/qos.h"
#include "db/store/query.h"

struct noting {
	struct store *store;
	const struct policy *policy;
};

static int note(void *arg)
{
	const struct noting *n = arg;

	return half_lives_note(n->store, n->policy);
}

int usage_sync(struct store *store, const struct policy *policy)
{
	struct noting n = {store, policy};
	struct half_lives lives;

	if (half_lives_load(&lives, store, policy))
		return -1;
	if (store->read_only ||
		lives.eras[lives.n - 1].half_life == policy->half_life)
		return 0;
	return store_change_bulk(store, note, &n);
}

int usage_rules(struct store *store, const struct policy *policy, int64_t at,
	struct arena *arena, char **text)
{
	struct half_lives lives;

	if (half_lives_load(&lives, store, policy))
		return -1;
	*text = arena_printf(arena, "%u, reset %d at %lld", policy->half_life,
		(int)policy->reset,
		(long long)half_lives_last_reset(&lives, at));
	for (size_t i = 0; i < lives.n; i++)
		*text = arena_printf(arena, "%s, %u from %lld", *text,
			lives.eras[i].half_life,
			(long long)lives.eras[i].since);
	return 0;
}

/* ---- writing one amount ------------------------------------------------- */

static void bind_owner(
	struct query *q, const struct usage_owner *owner, int tres)
{
	if (owner->qos) {
		query_bind_int(q, ":qos", owner->qos);
		query_bind_int(q, ":cluster", owner->cluster);
	} else {
		query_bind_int(q, ":assoc", owner->assoc);
	}
	query_bind_int(q, ":tres", tres);
}

int usage_amount_read(struct store *store, const struct usage_owner *owner,
	int tres, long double *amount, int64_t *at)
{
	struct query q;

	*amount = 0;
	*at = INT64_MIN;
	if (query_open(&q, store,
		    owner->qos ? "SELECT amount, at FROM qos_usage"
				 " WHERE qos = :qos AND cluster = :cluster"
				 " AND tres = :tres"
			       : "SELECT amount, at FROM assoc_usage"
				 " WHERE assoc = :assoc AND tres = :tres"))
		return -1;
	bind_owner(&q, owner, tres);
	if (query_row(&q)) {
		*amount = query_real(&q, 0);
		*at = query_int(&q, 1);
	}
	return query_close(&q);
}

/* Runs a statement that stores the amount. */
static int store_amount(struct store *store, const char *sql,
	const struct usage_owner *owner, int tres, long double amount,
	int64_t at)
{
	struct query q;

	if (query_open(&q, store, sql))
		return -1;
	bind_owner(&q, owner, tres);
	query_bind_real(&q, ":amount", (double)amount);
	query_bind_int(&q, ":at", at);
	return query_run(&q);
}

int usage_amount_write(struct store *store, const struct usage_owner *owner,
	int tres, long double amount, int64_t at)
{
	return store_amount(store,
		owner->qos ? "INSERT INTO qos_usage"
			     " (qos, cluster, tres, amount, at) VALUES"
			     " (:qos, :cluster, :tres, :amount, :at)"
			     " ON CONFLICT DO UPDATE SET amount ="
			     " excluded.amount, at = excluded.at"
			   : "INSERT INTO assoc_usage (assoc, tres, "
			     "amount, at)"
			     " VALUES (:assoc, :tres, :amount, :at)"
			     " ON CONFLICT DO UPDATE SET amount ="
			     " excluded.amount, at = excluded.at",
		owner, tres, amount, at);
}

int usage_amount_change(struct store *store, const struct usage_owner *owner,
	int tres, long double amount, int64_t at)
{
	return store_amount(store,
		owner->qos ? "UPDATE qos_usage SET amount = :amount,"
			     " at = :at WHERE qos = :qos"
			     " AND cluster = :cluster AND tres = :tres"
			   : "UPDATE assoc_usage SET amount = :amount,"
			     " at = :at WHERE assoc = :assoc"
			     " AND tres = :tres",
		owner, tres, amount, at);
}

int usage_amount_drop(
	struct store *store, const struct usage_owner *owner, int tres)
{
	struct query q;

	if (query_open(&q, store,
		    owner->qos ? "DELETE FROM qos_usage WHERE qos = :qos"
				 " AND cluster = :cluster AND tres = :tres"
			       : "DELETE FROM assoc_usage WHERE assoc = :assoc"
				 " AND tres = :tres"))
		return -1;
	bind_owner(&q, owner, tres);
	return query_run(&q);
}

int usage_amount_add_run(struct store *store, const struct half_lives *lives,
	const struct usage_owner *owner, int tres, long double rate,
	int64_t start, int64_t end)
{
	long double amount;
	int64_t at, then, reset;

	if (usage_amount_read(store, owner, tres, &amount, &at))
		return -1;
	then = larger(at, end);
	reset = half_lives_last_reset(lives, then);
	amount = half_lives_decay(lives, amount, at, then, reset) +
		 rate * half_lives_worth(lives, start, end, then, reset);
	return usage_amount_write(store, owner, tres, amount, then);
}

/* ---- runs --------------------------------------------------------------- */

/* What a run adds a second, TRES by TRES; billing counts truncated, as the
 * list holds it. */
long double usage_tres_rate(
	const struct job *run, const struct tres_count *tres)
{
	if (tres->id == TRES_ENERGY || tres->count >= NO_VAL64)
		return 0;
	return (long double)tres->count * usage_rate(1, run->usage_factor);
}

long double usage_raw_rate(const struct job *run)
{
	return usage_rate(run->billing, run->usage_factor);
}

/* What is known of an association that is charged. */
struct account_state {
	int64_t key, parent;
	bool deleted;
	int64_t epoch, since;
};

static int read_state(struct store *store, struct account_state *state)
{
	struct query q;
	bool found;

	if (query_open(&q, store,
		    "SELECT coalesce(a.parent, 0), a.deleted,"
		    " coalesce(r.epoch, 0), coalesce(r.since, 0)"
		    " FROM assoc a LEFT JOIN assoc_usage_reset r"
		    " ON r.assoc = a.key WHERE a.key = :key"))
		return -1;
	query_bind_int(&q, ":key", state->key);
	found = query_row(&q);
	if (found) {
		state->parent = query_int(&q, 0);
		state->deleted = query_int(&q, 1);
		state->epoch = query_int(&q, 2);
		state->since = query_int(&q, 3);
	}
	return query_close(&q) ? -1 : found;
}

int usage_resolve(struct store *store, int64_t assoc, int64_t *epoch,
	int64_t *target, int64_t *since)
{
	struct account_state state = {.key = assoc};
	int64_t handed_up = 0;
	int found = read_state(store, &state);

	*target = *since = 0;
	if (*epoch < 0)
		*epoch = state.epoch;
	if (found <= 0)
		return found;
	if (!state.deleted && state.epoch > *epoch)
		*since = state.since;
	while (state.deleted && state.parent) {
		handed_up = larger(handed_up, state.since);
		state.key = state.parent;
		found = read_state(store, &state);
		if (found <= 0)
			return found;
		if (state.since > handed_up)
			*since = state.since;
	}
	*target = state.key;
	return 0;
}

int usage_no_decay(struct store *store, uint32_t qos, bool *none)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT coalesce(flags, 0) FROM qos WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", qos);
	*none = query_row(&q) && (query_int(&q, 0) & QOS_NO_DECAY);
	return query_close(&q);
}
