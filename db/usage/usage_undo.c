/*
 * Usage when a change is undone or redone: amounts are moved, not set, for jobs
 * may have added to them since.
 */
#include "db/usage/usage_parts.h"

#include "common/base/numbers.h"
#include "db/store/query.h"

static long double decayed(const struct half_lives *lives, long double amount,
	int64_t at, int64_t then)
{
	return half_lives_decay(lives, amount, at, then,
		half_lives_last_reset(lives, then));
}

int usage_shift_amount(struct store *store, const struct policy *policy,
	const struct usage_shift *shift)
{
	struct usage_owner owner = {.assoc = shift->qos ? 0 : shift->assoc,
		.qos = shift->qos,
		.cluster = shift->cluster};
	struct half_lives lives;
	long double amount;
	int64_t at, then;

	if (half_lives_prepare(&lives, store, policy) ||
		(shift->qos && usage_no_decay(store, shift->qos, &lives.none)) ||
		usage_amount_read(store, &owner, shift->tres, &amount, &at))
		return -1;
	then = larger(larger(at, store->now),
		larger(shift->from_at, shift->to_at));
	amount = amount != 0 ? decayed(&lives, amount, at, then) : 0;
	amount -= decayed(&lives, shift->from, shift->from_at, then);
	amount += decayed(&lives, shift->to, shift->to_at, then);
	if (amount == 0)
		return usage_amount_drop(store, &owner, shift->tres);
	return usage_amount_write(store, &owner, shift->tres, amount, then);
}

int usage_put_since(struct store *store, const struct usage_since *since)
{
	return store_run(store,
		"INSERT INTO assoc_usage_reset"
		" (assoc, epoch, since, removed, until)"
		" VALUES (:assoc, 1, :since, :removed, :until)"
		" ON CONFLICT DO UPDATE SET epoch = epoch + 1,"
		" since = :since, until = :until, removed = :removed",
		bind_int(":assoc", since->assoc),
		bind_int(":since", since->known ? since->since : 0),
		bind_int(":until", since->known ? since->until : 0),
		bind_real(":removed", since->known ? since->removed : 0));
}

int usage_next_epoch(struct store *store, int64_t assoc)
{
	return store_run(store,
		"INSERT INTO assoc_usage_reset"
		" (assoc, epoch, since, removed, until)"
		" VALUES (:assoc, 1, 0, 0, 0)"
		" ON CONFLICT DO UPDATE SET epoch = epoch + 1",
		bind_int(":assoc", assoc));
}
