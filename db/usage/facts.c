#include "db/usage/facts.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/table/qos.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

struct owner_facts {
	int64_t owner;
	struct usage_fact *v; /* [0]: how its first life begins, of number 0 */
	size_t n, cap;
	UT_hash_handle hh;
};

/* The last MAX_ERAS policies that were recorded; without any, this one (NULL: one
 * without decay) is taken to have been in force always. */
static int read_policies(
	struct eras *eras, struct store *store, const struct policy *policy)
{
	struct query q;

	eras->n = 0;
	if (query_open(&q, store,
		    "SELECT since, half_life, coalesce(reset, :reset) FROM"
		    " (SELECT * FROM decay WHERE since <= :until"
		    "  ORDER BY since DESC LIMIT :most)"
		    " ORDER BY since"))
		return -1;
	query_bind_int(&q, ":reset", policy ? policy->reset : RESET_NONE);
	query_bind_int(&q, ":until", store->is_past ? store->now : INT64_MAX);
	query_bind_int(&q, ":most", MAX_ERAS);
	while (query_row(&q))
		eras->v[eras->n++] = (struct era){query_int(&q, 0),
			(uint32_t)query_int(&q, 1),
			(enum usage_reset)query_int(&q, 2)};
	if (!eras->n && policy)
		eras->v[eras->n++] =
			(struct era){0, policy->half_life, policy->reset};
	if (!eras->n)
		eras->v[eras->n++] = (struct era){0};
	eras->v[0].since = INT64_MIN;
	return query_close(&q);
}

int ledger_open(
	struct ledger *l, struct store *store, const struct policy *policy)
{
	*l = (struct ledger){.store = store};
	return read_policies(&l->eras, store, policy);
}

void ledger_forget(struct ledger *l)
{
	HASH_CLEAR(hh, l->known);
	arena_reset(&l->arena);
}

void ledger_close(struct ledger *l)
{
	HASH_CLEAR(hh, l->known);
	arena_release(&l->arena);
}

/* ---- facts ---------------------------------------------------------------*/

int usage_is_still(struct store *store, uint32_t qos, bool *still)
{
	int64_t flags = 0;

	if (store_ask(store, "SELECT coalesce(flags, 0) FROM qos WHERE id = :id",
		    &flags, bind_int(":id", qos)))
		return -1;
	*still = flags & QOS_NO_DECAY;
	return 0;
}

static int read_facts(struct ledger *l, struct owner_facts *facts)
{
	struct usage_fact first = {.owner = facts->owner, .raw = NAN};
	struct query q;

	if (query_open(&q, l->store,
		    "SELECT id, time, coalesce(heir, 0), raw, still, until,"
		    " was_still"
		    " FROM usage_fact WHERE owner = :owner ORDER BY id"))
		return -1;
	query_bind_int(&q, ":owner", facts->owner);
	*ARENA_PUSH(&l->arena, facts->v, facts->n, facts->cap) = first;
	while (query_row(&q))
		*ARENA_PUSH(&l->arena, facts->v, facts->n,
			facts->cap) = (struct usage_fact){
			.id = query_int(&q, 0),
			.owner = facts->owner,
			.time = query_int(&q, 1),
			.heir = query_int(&q, 2),
			.raw = query_is_null(&q, 3) ? NAN : query_real(&q, 3),
			.still = query_int(&q, 4),
			.until = query_int(&q, 5),
			.was_still = query_int(&q, 6),
		};
	if (query_close(&q))
		return -1;
	facts->v[facts->n - 1].is_last = true;
	if (facts->n > 1)
		facts->v[0].still = facts->v[1].was_still;
	return facts->n > 1 || facts->owner > 0
		       ? 0
		       : usage_is_still(l->store, qos_of_owner(facts->owner),
				 &facts->v[0].still);
}

/* Those of an owner in their order. */
static const struct owner_facts *facts_of(struct ledger *l, int64_t owner)
{
	struct owner_facts *facts;

	HASH_FIND(hh, l->known, &owner, sizeof(owner), facts);
	if (facts)
		return facts;
	facts = arena_alloc(&l->arena, sizeof(*facts));
	*facts = (struct owner_facts){.owner = owner};
	if (read_facts(l, facts))
		return NULL;
	HASH_ADD(hh, l->known, owner, sizeof(owner), facts);
	return facts;
}

int ledger_before(struct ledger *l, const struct usage_fact *fact)
{
	const struct owner_facts *facts = facts_of(l, fact->owner);

	if (facts && facts->n == 1)
		facts->v[0].still = fact->was_still;
	return facts ? 0 : -1;
}

struct usage_fact *ledger_life(struct ledger *l, int64_t owner, int64_t id)
{
	const struct owner_facts *facts = facts_of(l, owner);
	size_t place = facts ? facts->n - 1 : 0;

	while (place && facts->v[place].id > id)
		place--;
	return facts ? &facts->v[place] : NULL;
}

static bool is_gone(const struct usage_fact *life)
{
	return life->heir && life->heir != life->owner;
}

/* ---- runs ----------------------------------------------------------------*/

int ledger_walk(struct ledger *l, int64_t owner, int64_t epoch, int64_t start,
	int64_t end, run_part_reader *each, void *arg)
{
	const struct usage_fact *life = ledger_life(l, owner, epoch);
	int rc = life ? 0 : -1;

	while (!rc) {
		const struct usage_fact *next = life_after(life);
		bool is_last = !next || end <= next->time;
		const struct run_part part = {
			life, start, is_last ? end : next->time};

		if (is_last || part.start < part.end)
			rc = is_gone(life)
				     ? ledger_walk(l, life->heir, epoch, start,
					       part.end, each, arg)
				     : each(arg, &part);
		if (is_last)
			break;
		life = next;
		epoch = next->id;
		start = larger(start, part.end);
	}
	return rc ? -1 : 0;
}

/* ---- heirs ---------------------------------------------------------------*/

const struct usage_fact *ledger_heir(
	struct ledger *l, const struct usage_fact *fact)
{
	const struct usage_fact *life;
	int64_t heir = fact->heir;

	for (;; heir = life->heir) {
		bool own = heir == fact->owner;

		life = ledger_life(l, heir, own ? fact->id : fact->id - 1);
		if (!life || own || !is_gone(life))
			return life;
	}
}

/* What an heir has of the life that a fact ends. */
struct inheritance {
	const struct usage_fact *fact, *heir;
	struct bucket bucket; /* of the heir */
	struct usage_sums moved;
};

static int find_heir(struct ledger *l, const struct usage_fact *fact,
	struct inheritance *i)
{
	*i = (struct inheritance){.fact = fact, .heir = ledger_heir(l, fact)};
	if (!i->heir)
		return -1;
	i->bucket = eras_bucket(&l->eras, i->heir->still, fact->time);
	return 0;
}

/* Adds what the life comes to in the bucket, `sign` times: seconds in whole parts,
 * without RawUsage where that was set. */
static int inherit(struct ledger *l, struct inheritance *i, int sign,
	struct arena *arena)
{
	const struct usage_fact *fact = i->fact, *life = fact - 1;
	struct balance b;
	long double factor;

	if (balance_read(l->store, &l->eras, life, INT64_MAX, arena, &b))
		return -1;
	if (!b.sums.n)
		return 0;
	factor = eras_factor(&l->eras, life->still, b.when, fact->time) *
		 eras_carry(&l->eras, i->heir->still,
			 (struct carried){fact->time, fact->time},
			 i->bucket.end);
	for (size_t n = 0; n < b.sums.n; n++)
		if (b.sums.v[n].tres != USAGE_RAW || isnan(fact->raw))
			sums_at(&i->moved, b.sums.v[n].tres, arena)->added +=
				sign * worth_of(b.sums.v[n].carried * factor);
	return 0;
}

static int hand_on(struct ledger *l, const struct inheritance *i)
{
	return sums_none(&i->moved) ? 0
				    : ledger_write(l, i->heir, &i->bucket,
					      &i->moved, i->fact->time);
}

static int hand_all(struct ledger *l, const struct usage_fact *fact, int sign)
{
	struct inheritance i;
	SCRATCH_ARENA(arena);

	if (!fact->heir)
		return 0;
	return any_failed(find_heir(l, fact, &i) ||
			  inherit(l, &i, sign, &arena) || hand_on(l, &i));
}

int ledger_hold(struct ledger *l, int64_t owner, int64_t id)
{
	struct usage_fact *fact = ledger_life(l, owner, id);

	if (fact)
		fact->is_held = true;
	return fact ? 0 : -1;
}

int ledger_detach(struct ledger *l, int64_t owner, int64_t id)
{
	struct usage_fact *fact = ledger_life(l, owner, id);

	if (!fact || (!fact->is_held && hand_all(l, fact, -1)))
		return -1;
	fact->is_held = true;
	return 0;
}

int ledger_attach(struct ledger *l, int64_t owner, int64_t id)
{
	struct usage_fact *fact = ledger_life(l, owner, id);
	bool was_held = fact && fact->is_held;

	if (was_held)
		fact->is_held = false;
	return !fact || (was_held && hand_all(l, fact, 1)) ? -1 : 0;
}

/* ---- adding --------------------------------------------------------------*/

int ledger_write(struct ledger *l, const struct usage_fact *life,
	const struct bucket *bucket, const struct usage_sums *sums, int64_t last)
{
	const struct usage_fact *next = life_after(life);
	bool hands = next && next->heir && !next->is_held;
	struct inheritance i;
	SCRATCH_ARENA(arena);

	return any_failed(
		(hands && (find_heir(l, next, &i) ||
				  inherit(l, &i, -1, &arena))) ||
		sums_write(
			l->store, &l->eras, life, bucket, sums, last, &arena) ||
		(hands && (inherit(l, &i, 1, &arena) || hand_on(l, &i))));
}
