/*
 * Usage that is set, reset or handed up, and amounts as they are stored.
 */
#include "db/usage/usage_parts.h"

#include "common/base/numbers.h"
#include "common/table/qos.h"
#include "db/store/query.h"

static int cluster_of(struct store *store, int64_t assoc, int64_t *cluster)
{
	struct query q;

	if (query_open(&q, store, "SELECT cluster FROM assoc WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", assoc);
	*cluster = 0;
	return query_number(&q, cluster);
}

/* A new epoch from now on; `removed` shows until `until`. */
static int new_epoch(
	struct store *store, int64_t assoc, long double removed, int64_t until)
{
	return store_run(store,
		"INSERT INTO assoc_usage_reset"
		" (assoc, epoch, since, removed, until)"
		" VALUES (:assoc, 1, :now, :removed, :until)"
		" ON CONFLICT DO UPDATE SET epoch = epoch + 1,"
		" since = :now, until = :until, removed = :removed",
		bind_int(":assoc", assoc), bind_int(":now", store->now),
		bind_int(":until", until),
		bind_real(":removed", (double)removed));
}

static int drop_amounts(struct store *store, int64_t assoc)
{
	return store_run(store, "DELETE FROM assoc_usage WHERE assoc = :assoc",
		bind_int(":assoc", assoc));
}

static int put_usage(struct store *store, const struct usage *usage,
	int64_t assoc, double raw)
{
	struct usage_owner owner = {.assoc = assoc};

	if (usage_amount_write(store, &owner, USAGE_RAW, raw, store->now) ||
		usage_amount_write(
			store, &owner, USAGE_WALL, usage->wall, store->now))
		return -1;
	for (size_t i = 0; i < usage->n_tres; i++)
		if (usage_amount_write(store, &owner, (int)usage->tres[i].id,
			    usage->tres[i].seconds, store->now))
			return -1;
	return 0;
}

int usage_set_raw(struct store *store, const struct policy *policy,
	int64_t assoc, double value)
{
	struct usage_list list;
	struct arena arena;
	int64_t cluster;
	int rc = -1;

	arena_init(&arena);
	if (!half_lives_note(store, policy) &&
		!cluster_of(store, assoc, &cluster) &&
		!usage_read_one(store, policy, cluster, assoc, &arena, &list) &&
		!new_epoch(store, assoc, 0, 0) &&
		!put_usage(store, usage_of(&list, assoc), assoc, value))
		rc = 0;
	arena_release(&arena);
	return rc;
}

static int reset_all(struct store *store, const struct policy *policy,
	const int64_t *assocs, size_t n, struct arena *arena)
{
	int64_t until = store->now + policy->calc_period, cluster;
	struct usage_list list;

	if (half_lives_note(store, policy) ||
		cluster_of(store, assocs[0], &cluster) ||
		usage_read(store, policy, cluster, store->now, false, arena,
			&list))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct usage *usage = usage_of(&list, assocs[i]);

		if (drop_amounts(store, assocs[i]) ||
			new_epoch(store, assocs[i], usage->raw + usage->removed,
				until))
			return -1;
	}
	return 0;
}

int usage_reset(struct store *store, const struct policy *policy,
	const int64_t *assocs, size_t n)
{
	struct arena arena;
	int rc;

	if (!n)
		return 0;
	arena_init(&arena);
	rc = reset_all(store, policy, assocs, n, &arena);
	arena_release(&arena);
	return rc;
}

/* Moves one amount of a QOS by `delta`. What running jobs add is not stored, so
 * a wanted value is reached by the difference. */
static int move_qos(struct store *store, struct half_lives *lives,
	const struct usage_owner *owner, int tres, long double delta)
{
	long double amount;
	int64_t at, then;

	if (usage_amount_read(store, owner, tres, &amount, &at))
		return -1;
	then = larger(at, store->now);
	amount = half_lives_decay(
		lives, amount, at, then, half_lives_last_reset(lives, then));
	return usage_amount_write(store, owner, tres, amount + delta, then);
}

static int set_qos_on(struct store *store, struct half_lives *lives,
	const struct usage_owner *owner, double value, struct arena *arena)
{
	const struct usage *usage;
	struct usage_list list;

	if (usage_read_qos(store, lives->policy, owner->cluster, store->now,
		    true, arena, &list))
		return -1;
	usage = usage_of(&list, owner->qos);
	if (move_qos(store, lives, owner, USAGE_RAW, value - usage->raw))
		return -1;
	if (value > 0)
		return 0;
	if (move_qos(store, lives, owner, USAGE_WALL, -usage->wall))
		return -1;
	for (size_t i = 0; i < usage->n_tres; i++)
		if (move_qos(store, lives, owner, (int)usage->tres[i].id,
			    -usage->tres[i].seconds))
			return -1;
	return 0;
}

int usage_follow_qos(struct store *store, const struct policy *policy,
	const struct usage_move *move)
{
	struct usage_owner owner = {.qos = move->qos, .cluster = move->cluster};
	struct half_lives lives;
	long double amount, delta;
	int64_t at, then, reset;

	if (half_lives_prepare(&lives, store, policy) ||
		usage_no_decay(store, move->qos, &lives.none) ||
		usage_amount_read(store, &owner, move->tres, &amount, &at))
		return -1;
	if (!move->known)
		return usage_amount_write(
			store, &owner, move->tres, amount, move->to_at);
	then = larger(at, move->to_at);
	reset = half_lives_last_reset(&lives, then);
	delta = move->to - half_lives_decay(&lives, move->from, move->from_at,
				   move->to_at, reset);
	amount = half_lives_decay(&lives, amount, at, then, reset) +
		 half_lives_decay(&lives, delta, move->to_at, then, reset);
	return usage_amount_write(store, &owner, move->tres, amount, then);
}

static int settle_qos_on(struct store *store, struct half_lives *lives,
	const struct usage_owner *owner, double unused, struct arena *arena)
{
	struct query q;
	int *tres = NULL;
	size_t n = 0, cap = 0;

	(void)unused;
	if (query_open(&q, store,
		    "SELECT tres FROM qos_usage"
		    " WHERE qos = :qos AND cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":qos", owner->qos);
	query_bind_int(&q, ":cluster", owner->cluster);
	while (query_row(&q))
		*ARENA_PUSH(arena, tres, n, cap) = (int)query_int(&q, 0);
	if (query_close(&q))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (move_qos(store, lives, owner, tres[i], 0))
			return -1;
	return 0;
}

static int cluster_keys(
	struct store *store, struct arena *arena, int64_t **keys, size_t *n)
{
	struct query q;
	size_t cap = 0;

	*keys = NULL;
	*n = 0;
	if (query_open(&q, store, "SELECT id FROM cluster WHERE NOT deleted"))
		return -1;
	while (query_row(&q))
		*ARENA_PUSH(arena, *keys, *n, cap) = query_int(&q, 0);
	return query_close(&q);
}

static int on_every_cluster(struct store *store, const struct policy *policy,
	uint32_t qos,
	int (*change)(struct store *, struct half_lives *,
		const struct usage_owner *, double value, struct arena *),
	double value)
{
	struct half_lives lives;
	struct arena arena;
	int64_t *keys;
	size_t n;
	int rc;

	arena_init(&arena);
	rc = half_lives_prepare(&lives, store, policy) ||
	     usage_no_decay(store, qos, &lives.none) ||
	     cluster_keys(store, &arena, &keys, &n);
	for (size_t i = 0; !rc && i < n; i++) {
		const struct usage_owner owner = {
			.qos = qos, .cluster = keys[i]};

		rc = change(store, &lives, &owner, value, &arena);
	}
	arena_release(&arena);
	return rc ? -1 : 0;
}

int usage_set_qos(struct store *store, const struct policy *policy,
	uint32_t qos, double value)
{
	return on_every_cluster(store, policy, qos, set_qos_on, value);
}

int usage_settle_qos(
	struct store *store, const struct policy *policy, uint32_t qos)
{
	return on_every_cluster(store, policy, qos, settle_qos_on, 0);
}

/* One amount of the child goes to the parent, both as they are at `least` or
 * at the later of their times. */
static int hand_amount(struct store *store, const struct half_lives *lives,
	int64_t parent, int tres, long double amount, int64_t at, int64_t least)
{
	struct usage_owner owner = {.assoc = parent};
	long double sum;
	int64_t parent_at, then, reset;

	if (usage_amount_read(store, &owner, tres, &sum, &parent_at))
		return -1;
	then = larger(larger(at, parent_at), least);
	reset = half_lives_last_reset(lives, then);
	sum = half_lives_decay(lives, sum, parent_at, then, reset) +
	      half_lives_decay(lives, amount, at, then, reset);
	return usage_amount_write(store, &owner, tres, sum, then);
}

int usage_hand_up_at(struct store *store, const struct policy *policy,
	int64_t assoc, int64_t parent, int64_t at)
{
	struct half_lives lives;
	struct query q;
	int rc = 0;

	if (half_lives_prepare(&lives, store, policy) ||
		query_open(&q, store,
			"SELECT tres, amount, at FROM assoc_usage"
			" WHERE assoc = :assoc ORDER BY tres"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	while (!rc && parent && query_row(&q))
		rc = hand_amount(store, &lives, parent, (int)query_int(&q, 0),
			query_real(&q, 1), query_int(&q, 2), at);
	if (query_close(&q) || rc || drop_amounts(store, assoc))
		return -1;
	return new_epoch(store, assoc, 0, 0);
}

/* Brought up to now: the log of a change tells the time of an amount only where
 * that moved, and undo takes it for the time of the change. */
int usage_hand_up(struct store *store, const struct policy *policy,
	int64_t assoc, int64_t parent)
{
	return usage_hand_up_at(store, policy, assoc, parent, store->now);
}

int usage_revive(struct store *store, int64_t assoc)
{
	return new_epoch(store, assoc, 0, 0);
}

/* ---- amounts as they are stored ----------------------------------------- */

int usage_amounts(struct store *store, const struct policy *policy, bool qos,
	int64_t cluster, struct arena *arena, struct usage_amounts *list)
{
	struct half_lives lives;
	struct query q;
	int64_t reset;

	*list = (struct usage_amounts){0};
	if (half_lives_load(&lives, store, policy) ||
		query_open(&q, store,
			qos ? "SELECT u.qos, u.tres, u.amount, u.at,"
			      " coalesce(q.flags, 0) FROM qos_usage u"
			      " LEFT JOIN qos q ON q.id = u.qos"
			      " WHERE u.cluster = :cluster"
			      " ORDER BY u.qos, u.tres"
			    : "SELECT u.assoc, u.tres, u.amount, u.at, 0"
			      " FROM assoc_usage u JOIN assoc a"
			      " ON a.key = u.assoc WHERE a.cluster = :cluster"
			      " ORDER BY u.assoc, u.tres"))
		return -1;
	reset = half_lives_last_reset(&lives, store->now);
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q)) {
		struct usage_amount *a =
			ARENA_PUSH(arena, list->v, list->n, list->cap);

		a->owner = query_int(&q, 0);
		a->tres = (int)query_int(&q, 1);
		a->amount = query_real(&q, 2);
		a->at = query_int(&q, 3);
		lives.none = query_int(&q, 4) & QOS_NO_DECAY;
		a->now = half_lives_decay(&lives, a->amount, a->at, store->now,
			lives.none ? INT64_MIN : reset);
	}
	return query_close(&q);
}

static struct usage_owner owner_of(
	bool qos, int64_t cluster, const struct usage_amount *a)
{
	return qos ? (struct usage_owner){.qos = (uint32_t)a->owner,
			     .cluster = cluster}
		   : (struct usage_owner){.assoc = a->owner};
}

int usage_put_amount(struct store *store, bool qos, int64_t cluster,
	const struct usage_amount *a)
{
	struct usage_owner owner = owner_of(qos, cluster, a);

	return usage_amount_write(store, &owner, a->tres, a->amount, a->at);
}

int usage_drop_amount(struct store *store, bool qos, int64_t cluster,
	const struct usage_amount *a)
{
	struct usage_owner owner = owner_of(qos, cluster, a);

	return usage_amount_drop(store, &owner, a->tres);
}
