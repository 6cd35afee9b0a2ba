#include "db/usage/facts.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/memory.h"
#include "common/table/qos.h"
#include "db/store/query.h"
#include "db/usage/policies.h"
#include "db/usage/usage.h"

struct held {
	int64_t id;
	UT_hash_handle hh;
};

int ledger_open(
	struct ledger *l, struct store *store, const struct policy *policy)
{
	*l = (struct ledger){.store = store};
	arena_init(&l->arena);
	return policies_load(&l->eras, store, policy);
}

void ledger_forget(struct ledger *l)
{
	HASH_CLEAR(hh, l->known);
	arena_reset(&l->arena);
}

void ledger_close(struct ledger *l)
{
	struct held *d, *next;

	HASH_ITER(hh, l->held, d, next)
	{
		HASH_DEL(l->held, d);
		free(d);
	}
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
	struct query q;

	if (query_open(&q, l->store,
		    "SELECT id, time, coalesce(heir, 0), raw, still, until,"
		    " was_still"
		    " FROM usage_fact WHERE owner = :owner ORDER BY id"))
		return -1;
	query_bind_int(&q, ":owner", facts->owner);
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
	facts->still = facts->n && facts->v[0].was_still;
	return facts->n || facts->owner > 0
		       ? 0
		       : usage_is_still(l->store, qos_of_owner(facts->owner),
				 &facts->still);
}

static struct owner_facts *facts_of(struct ledger *l, int64_t owner)
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

const struct owner_facts *ledger_facts(struct ledger *l, int64_t owner)
{
	return facts_of(l, owner);
}

int ledger_before(struct ledger *l, const struct usage_fact *fact)
{
	struct owner_facts *facts = facts_of(l, fact->owner);

	if (facts && !facts->n)
		facts->still = fact->was_still;
	return facts ? 0 : -1;
}

/* Later than what those before recorded, also where they were undone. */
int64_t ledger_first_fact(int64_t change)
{
	enum { OF_ONE_CHANGE = 20 };

	return change < INT64_MAX >> OF_ONE_CHANGE
		       ? (change + 1) << OF_ONE_CHANGE
		       : INT64_MAX;
}

ptrdiff_t ledger_place(const struct owner_facts *facts, int64_t id)
{
	ptrdiff_t place = (ptrdiff_t)facts->n - 1;

	while (place >= 0 && facts->v[place].id > id)
		place--;
	return place;
}

struct life ledger_last_life(const struct owner_facts *facts)
{
	return ledger_life(facts, (ptrdiff_t)facts->n - 1);
}

struct life ledger_life(const struct owner_facts *facts, ptrdiff_t place)
{
	struct life life = {.owner = facts->owner,
		.is_last = place + 1 == (ptrdiff_t)facts->n,
		.still = facts->still,
		.raw = NAN};

	if (place >= 0) {
		life.id = facts->v[place].id;
		life.still = facts->v[place].still;
		life.time = facts->v[place].time;
		life.raw = facts->v[place].raw;
	}
	return life;
}

static bool is_gone(const struct owner_facts *facts, ptrdiff_t place)
{
	return place >= 0 && facts->v[place].heir &&
	       facts->v[place].heir != facts->owner;
}

/* ---- runs ----------------------------------------------------------------*/

/* From one fact to the next: those that end the run's life before it ends. */
static int walk_lives(struct run_part *piece, int64_t *epoch,
	int (*each)(void *arg, const struct run_part *), void *arg)
{
	const struct owner_facts *facts = piece->facts;
	const int64_t end = piece->end;
	int rc = 0;

	for (; !rc; piece->place++) {
		const struct usage_fact *next = &facts->v[piece->place + 1];

		if (piece->place + 1 == (ptrdiff_t)facts->n || end <= next->time)
			return each(arg, piece) ? -1 : 0;
		piece->end = next->time;
		if (piece->start < piece->end)
			rc = each(arg, piece);
		piece->start = larger(piece->start, piece->end);
		piece->end = end;
		*epoch = next->id;
		if (is_gone(facts, piece->place + 1))
			return rc ? -1 : 1;
	}
	return -1;
}

int ledger_walk(struct ledger *l, int64_t owner, int64_t epoch, int64_t start,
	int64_t end, int (*each)(void *arg, const struct run_part *), void *arg)
{
	struct run_part piece = {.start = start, .end = end};
	int rc = 1;

	while (rc > 0) {
		const struct usage_fact *next;

		piece.facts = ledger_facts(l, owner);
		if (!piece.facts)
			return -1;
		piece.place = ledger_place(piece.facts, epoch);
		next = &piece.facts->v[piece.place + 1];
		if (!is_gone(piece.facts, piece.place)) {
			rc = walk_lives(&piece, &epoch, each, arg);
		} else if (piece.place + 1 < (ptrdiff_t)piece.facts->n &&
			   next->time < end) {
			/* It came back while the run went on: until then its heir
			 * is charged. */
			if (piece.start < next->time &&
				ledger_walk(l, piece.facts->v[piece.place].heir,
					epoch, piece.start, next->time, each,
					arg))
				return -1;
			epoch = next->id;
			piece.start = larger(piece.start, next->time);
		} else {
			owner = piece.facts->v[piece.place].heir;
		}
	}
	return rc;
}

/* ---- heirs ---------------------------------------------------------------*/

int ledger_heir(struct ledger *l, const struct usage_fact *fact,
	const struct owner_facts **facts, ptrdiff_t *place)
{
	const int64_t owner = fact->owner, id = fact->id;
	int64_t heir = fact->heir;

	for (;;) {
		*facts = ledger_facts(l, heir);
		if (!*facts)
			return -1;
		*place = ledger_place(*facts, heir == owner ? id : id - 1);
		if (heir == owner || !is_gone(*facts, *place))
			return 0;
		heir = (*facts)->v[*place].heir;
	}
}

/* What the life that the fact ends comes to in the heir's bucket: seconds in whole
 * parts, without RawUsage where that was set. */
static int inheritance(struct ledger *l, const struct owner_facts *facts,
	size_t place, bool still, const struct bucket *bucket,
	struct usage_sums *sums, struct arena *arena)
{
	const struct usage_fact *fact = &facts->v[place];
	const struct life life = ledger_life(facts, (ptrdiff_t)place - 1);
	struct balance b;
	long double factor;

	*sums = (struct usage_sums){0};
	if (balance_read(l->store, &l->eras, &life, INT64_MAX, arena, &b))
		return -1;
	if (!b.sums.n)
		return 0;
	factor = eras_factor(&l->eras, life.still, b.when, fact->time) *
		 eras_carry(&l->eras, still,
			 (struct carried){fact->time, fact->time}, bucket->end);
	for (size_t i = 0; i < b.sums.n; i++)
		if (b.sums.v[i].tres != USAGE_RAW || isnan(fact->raw))
			sums_at(sums, b.sums.v[i].tres, arena)->added =
				worth_of(b.sums.v[i].carried * factor);
	return 0;
}

static bool is_held(struct ledger *l, int64_t id)
{
	struct held *d;

	HASH_FIND(hh, l->held, &id, sizeof(id), d);
	return d != NULL;
}

/* Adds what the heir has of the life that the fact ends, `sign` times, and what it
 * had before (NULL: nothing) the other way. *sums: what it has. */
static int hand(struct ledger *l, const struct owner_facts *facts, size_t place,
	int sign, const struct usage_sums *before, struct usage_sums *sums,
	struct arena *arena)
{
	const struct usage_fact *fact = &facts->v[place];
	const struct owner_facts *heir;
	struct usage_sums moved = {0};
	struct bucket bucket;
	ptrdiff_t life;
	bool still;

	if (ledger_heir(l, fact, &heir, &life))
		return -1;
	still = ledger_life(heir, life).still;
	bucket = eras_bucket(&l->eras, still, fact->time);
	if (inheritance(l, facts, place, still, &bucket, sums, arena))
		return -1;
	if (!sign)
		return 0;
	sums_add(&moved, sums, sign, arena);
	if (before)
		sums_add(&moved, before, -sign, arena);
	return sums_none(&moved) ? 0
				 : ledger_write(l, heir, life, &bucket, &moved,
					   fact->time);
}

static int hand_all(struct ledger *l, const struct owner_facts *facts,
	size_t place, int sign)
{
	struct arena arena;
	struct usage_sums sums;
	int rc;

	if (!facts->v[place].heir)
		return 0;
	arena_init(&arena);
	rc = hand(l, facts, place, sign, NULL, &sums, &arena);
	arena_release(&arena);
	return rc;
}

int ledger_hold(struct ledger *l, const struct owner_facts *facts, size_t place)
{
	struct held *held;

	if (is_held(l, facts->v[place].id))
		return 0;
	held = memory_zeroed(1, sizeof(*held));
	held->id = facts->v[place].id;
	HASH_ADD(hh, l->held, id, sizeof(held->id), held);
	return 0;
}

int ledger_detach(struct ledger *l, const struct owner_facts *facts, size_t place)
{
	if (is_held(l, facts->v[place].id))
		return 0;
	return hand_all(l, facts, place, -1) || ledger_hold(l, facts, place)
		       ? -1
		       : 0;
}

int ledger_attach(struct ledger *l, const struct owner_facts *facts, size_t place)
{
	int64_t id = facts->v[place].id;
	struct held *held;

	HASH_FIND(hh, l->held, &id, sizeof(id), held);
	if (!held)
		return 0;
	HASH_DEL(l->held, held);
	free(held);
	return hand_all(l, facts, place, 1);
}

/* ---- adding --------------------------------------------------------------*/

int ledger_write(struct ledger *l, const struct owner_facts *facts,
	ptrdiff_t place, const struct bucket *bucket,
	const struct usage_sums *sums, int64_t last)
{
	const struct life life = ledger_life(facts, place);
	size_t next = (size_t)(place + 1);
	bool hands = next < facts->n && facts->v[next].heir &&
		     !is_held(l, facts->v[next].id);
	struct usage_sums before = {0}, after;
	struct arena arena;
	int rc;

	arena_init(&arena);
	rc = (hands && hand(l, facts, next, 0, NULL, &before, &arena)) ||
	     sums_write(l->store, &l->eras, &life, bucket, sums, last, &arena) ||
	     (hands && hand(l, facts, next, 1, &before, &after, &arena));
	arena_release(&arena);
	return rc ? -1 : 0;
}
