/*
 * Runs charged in memory and written: one, or those of an import now and then.
 */
#include "db/usage/usage_parts.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/fair/decay.h"

enum { NEAR = 4096, MOST_SUMS = 10000 };
enum { SUM_TRES = 12 }; /* kept in place; further TRES go to the store */

/* What the store has. */
struct stored_amount {
	int tres;
	double amount;
	int64_t at;
};

/* What the runs of one owner come to, true at the `at` of all sums. */
struct owner_sum {
	struct usage_owner owner;
	int64_t last; /* it is written as it is by then: when the last run ended */
	bool no_decay, is_open;
	size_t n, n_stored;
	int tres[SUM_TRES];
	long double amount[SUM_TRES];
	struct stored_amount stored[SUM_TRES]; /* those that were written */
	struct owner_sum *next; /* of those that are open */
	UT_hash_handle hh;
};

/* What a second of the run at hand adds, TRES by TRES. */
struct run_rates {
	size_t n, cap;
	struct rate {
		int tres;
		long double rate;
	} *v;
};

/* Which association is charged for an association's runs of an epoch, and from
 * when on. */
struct charged_assoc {
	struct {
		int64_t assoc, epoch;
	} of;
	int64_t target, since, epoch; /* the present one in place of -1 */
	struct owner_sum *sum;
	UT_hash_handle hh;
};

struct usage_bulk {
	struct store *store;
	const struct policy *policy;
	struct half_lives lives;
	bool prepared; /* these are there: a run was added */
	bool raw;      /* RawUsage alone */
	struct owner_sum *sums;
	struct owner_sum *open; /* those with runs that are not written yet */
	size_t n_open;
	struct charged_assoc *assocs;
	struct charged_assoc *near[NEAR]; /* by assoc: no hashing, mostly */
	struct arena arena, keep;
	struct run_rates rates;
	int64_t at, reset; /* what sums are true at, and the last reset by then */
	struct {
		int64_t start, end, at;
		long double seconds;
	} worth; /* the last answer of run_worth */
};

static void close_sums(struct usage_bulk *bulk)
{
	for (struct owner_sum *sum = bulk->open; sum; sum = sum->next) {
		sum->is_open = false;
		sum->last = INT64_MIN;
		sum->n = 0;
	}
	bulk->open = NULL;
	bulk->n_open = 0;
	bulk->at = bulk->reset = bulk->worth.at = INT64_MIN;
}

struct usage_bulk *usage_bulk_open(
	struct store *store, const struct policy *policy)
{
	struct usage_bulk *bulk = memory_zeroed(1, sizeof(*bulk));

	bulk->store = store;
	bulk->policy = policy;
	arena_init(&bulk->arena);
	arena_init(&bulk->keep);
	close_sums(bulk);
	return bulk;
}

void usage_bulk_raw(struct usage_bulk *bulk, bool raw)
{
	bulk->raw = raw;
}

static void bulk_forget(struct usage_bulk *bulk)
{
	close_sums(bulk);
	HASH_CLEAR(hh, bulk->sums);
	HASH_CLEAR(hh, bulk->assocs);
	memset(bulk->near, 0, sizeof(bulk->near));
	arena_reset(&bulk->arena);
}

void usage_bulk_close(struct usage_bulk *bulk)
{
	HASH_CLEAR(hh, bulk->sums);
	HASH_CLEAR(hh, bulk->assocs);
	arena_release(&bulk->arena);
	arena_release(&bulk->keep);
	free(bulk);
}

void usage_bulk_begin(struct usage_bulk *bulk)
{
	bulk_forget(bulk);
	bulk->prepared = false;
}

static int prepare(struct usage_bulk *bulk)
{
	if (!bulk->prepared && half_lives_prepare(&bulk->lives, bulk->store,
				       bulk->policy))
		return -1;
	bulk->prepared = true;
	return 0;
}

/* ---- what all sums are true at ------------------------------------------- */

/* So that no amount decays to nothing on the way to the next of these times. */
static int64_t shortest_half_life(const struct half_lives *lives)
{
	int64_t shortest = 0;

	for (size_t i = 0; i < lives->n; i++)
		if (!shortest || (lives->eras[i].half_life &&
					 lives->eras[i].half_life < shortest))
			shortest = lives->eras[i].half_life;
	return shortest ? shortest : 86400;
}

/* Some time behind the end of the run at hand, so that few runs move it; but
 * never beyond a reset that the run comes before. */
static int64_t time_ahead(const struct usage_bulk *bulk, int64_t end)
{
	int64_t ahead = end + shortest_half_life(&bulk->lives);

	return half_lives_last_reset(&bulk->lives, ahead) > end ? end : ahead;
}

static void sum_carry(
	const struct usage_bulk *bulk, struct owner_sum *sum, int64_t to)
{
	long double factor =
		half_lives_decay(&bulk->lives, 1, bulk->at, to, bulk->reset);

	for (size_t i = 0; i < sum->n; i++)
		sum->amount[i] *= factor;
	sum->last = larger(sum->last, bulk->reset);
}

/* All sums are kept at one time, so that the decayed value of a run is the same
 * for everything it is charged to. */
static void carry_all(struct usage_bulk *bulk, int64_t end)
{
	int64_t to = time_ahead(bulk, end);

	bulk->reset = half_lives_last_reset(&bulk->lives, to);
	for (struct owner_sum *sum = bulk->open; sum; sum = sum->next)
		if (!sum->no_decay)
			sum_carry(bulk, sum, to);
	bulk->at = to;
}

static long double run_worth(
	struct usage_bulk *bulk, int64_t start, int64_t end)
{
	if (end > bulk->at)
		carry_all(bulk, end);
	if (bulk->worth.start != start || bulk->worth.end != end ||
		bulk->worth.at != bulk->at) {
		bulk->worth.start = start;
		bulk->worth.end = end;
		bulk->worth.at = bulk->at;
		bulk->worth.seconds = half_lives_worth(
			&bulk->lives, start, end, bulk->at, bulk->reset);
	}
	return bulk->worth.seconds;
}

/* ---- sums ---------------------------------------------------------------- */

static struct owner_sum *sum_for(
	struct usage_bulk *bulk, const struct usage_owner *owner)
{
	struct owner_sum *sum;

	HASH_FIND(hh, bulk->sums, owner, sizeof(*owner), sum);
	if (sum)
		return sum;
	sum = arena_alloc(&bulk->arena, sizeof(*sum));
	memcpy(&sum->owner, owner, sizeof(*owner));
	sum->last = INT64_MIN;
	if (owner->qos &&
		usage_no_decay(bulk->store, owner->qos, &sum->no_decay))
		return NULL;
	HASH_ADD(hh, bulk->sums, owner, sizeof(*owner), sum);
	return sum;
}

/* Runs list their TRES in one order, mostly. */
static long double *sum_amount(struct owner_sum *sum, size_t likely, int tres)
{
	if (likely < sum->n && sum->tres[likely] == tres)
		return &sum->amount[likely];
	for (size_t i = 0; i < sum->n; i++)
		if (sum->tres[i] == tres)
			return &sum->amount[i];
	if (sum->n == SUM_TRES)
		return NULL;
	sum->tres[sum->n] = tres;
	sum->amount[sum->n] = 0;
	return &sum->amount[sum->n++];
}

static struct stored_amount *find_stored(struct owner_sum *sum, int tres)
{
	for (size_t i = 0; i < sum->n_stored; i++)
		if (sum->stored[i].tres == tres)
			return &sum->stored[i];
	return NULL;
}

/* One that has no place here any longer: it is charged in the store. */
static int charge_stored(struct usage_bulk *bulk, struct owner_sum *sum,
	const struct rate *rate, int64_t start, int64_t end)
{
	struct stored_amount *stored = find_stored(sum, rate->tres);

	if (stored)
		*stored = sum->stored[--sum->n_stored];
	return usage_amount_add_run(bulk->store, &bulk->lives, &sum->owner,
		rate->tres, rate->rate, start, end);
}

static void push_rate(struct usage_bulk *bulk, int tres, long double rate)
{
	*ARENA_PUSH(&bulk->keep, bulk->rates.v, bulk->rates.n,
		bulk->rates.cap) = (struct rate){tres, rate};
}

/* Billing, wall time, and every TRES. */
static void list_rates(
	struct usage_bulk *bulk, const struct job *run, int sign)
{
	bulk->rates.n = 0;
	push_rate(bulk, USAGE_RAW, sign * usage_raw_rate(run));
	if (bulk->raw)
		return;
	push_rate(bulk, USAGE_WALL,
		sign * (long double)usage_rate(1, run->usage_factor));
	for (size_t i = 0; i < run->tres_alloc.n; i++) {
		const struct tres_count *tres = &run->tres_alloc.v[i];
		long double rate = usage_tres_rate(run, tres);

		if (rate < 0 || rate > 0)
			push_rate(bulk, (int)tres->id, sign * rate);
	}
}

static int sum_add(struct usage_bulk *bulk, struct owner_sum *sum,
	int64_t start, int64_t end, long double seconds)
{
	for (size_t i = 0; i < bulk->rates.n; i++) {
		const struct rate *rate = &bulk->rates.v[i];
		long double *amount = sum_amount(sum, i, rate->tres);

		if (amount)
			*amount += rate->rate * seconds;
		else if (charge_stored(bulk, sum, rate, start, end))
			return -1;
	}
	return 0;
}

static void open_sum(struct usage_bulk *bulk, struct owner_sum *sum)
{
	if (sum->is_open)
		return;
	sum->is_open = true;
	sum->next = bulk->open;
	bulk->open = sum;
	bulk->n_open++;
}

static int sum_run(struct usage_bulk *bulk, struct owner_sum *sum,
	int64_t start, int64_t end)
{
	long double seconds;
	int rc;

	open_sum(bulk, sum);
	seconds = sum->no_decay ? (long double)(end - start)
				: run_worth(bulk, start, end);
	sum->last = larger(sum->last, end);
	bulk->lives.none = sum->no_decay;
	rc = sum_add(bulk, sum, start, end, seconds);
	bulk->lives.none = false;
	return rc;
}

/* ---- what is charged ----------------------------------------------------- */

static struct charged_assoc *look_up(
	struct usage_bulk *bulk, int64_t assoc, int64_t epoch)
{
	struct charged_assoc *known, key = {.of = {assoc, epoch}};

	HASH_FIND(hh, bulk->assocs, &key.of, sizeof(key.of), known);
	if (known)
		return known;
	known = arena_alloc(&bulk->arena, sizeof(*known));
	known->of = key.of;
	known->epoch = epoch;
	if (usage_resolve(bulk->store, assoc, &known->epoch, &known->target,
		    &known->since))
		return NULL;
	HASH_ADD(hh, bulk->assocs, of, sizeof(known->of), known);
	return known;
}

/* Of the present epoch, which -1 stands for. */
static struct charged_assoc *known_now(struct usage_bulk *bulk, int64_t assoc)
{
	struct charged_assoc **near = &bulk->near[assoc % NEAR];

	if (!*near || (*near)->of.assoc != assoc)
		*near = look_up(bulk, assoc, -1);
	return *near;
}

static struct charged_assoc *known_assoc(
	struct usage_bulk *bulk, int64_t assoc, int64_t epoch)
{
	struct charged_assoc *known = known_now(bulk, assoc);

	return !known || known->epoch == epoch
		       ? known
		       : look_up(bulk, assoc, epoch);
}

int usage_bulk_epoch(struct usage_bulk *bulk, int64_t assoc, int64_t *epoch)
{
	const struct charged_assoc *known = known_now(bulk, assoc);

	if (!known)
		return -1;
	*epoch = known->epoch;
	return 0;
}

static int bulk_assoc(struct usage_bulk *bulk, const struct job *run)
{
	struct charged_assoc *known;
	int64_t start;

	if (!run->assoc)
		return 0;
	known = known_assoc(bulk, run->assoc, run->usage_epoch);
	if (!known)
		return -1;
	start = larger(run->start, known->since);
	if (!known->target || start >= run->end)
		return 0;
	if (!known->sum) {
		struct usage_owner owner;

		memset(&owner, 0, sizeof(owner));
		owner.assoc = known->target;
		known->sum = sum_for(bulk, &owner);
	}
	return known->sum ? sum_run(bulk, known->sum, start, run->end) : -1;
}

static int bulk_qos(
	struct usage_bulk *bulk, uint32_t qos, const struct job *run)
{
	struct owner_sum *sum;
	struct usage_owner owner;

	if (!qos)
		return 0;
	memset(&owner, 0, sizeof(owner));
	owner.qos = qos;
	owner.cluster = run->cluster;
	sum = sum_for(bulk, &owner);
	return sum ? sum_run(bulk, sum, run->start, run->end) : -1;
}

static int bulk_add(struct usage_bulk *bulk, const struct job *run, int sign)
{
	list_rates(bulk, run, sign);
	if (bulk_assoc(bulk, run) || bulk_qos(bulk, run->qos, run))
		return -1;
	if (run->part_qos == run->qos)
		return 0;
	return bulk_qos(bulk, run->part_qos, run);
}

/* ---- into the store ------------------------------------------------------ */

/* As the store has it: what was written before is not read again. */
static int stored_amount(
	struct usage_bulk *bulk, struct owner_sum *sum, int tres,
	struct stored_amount **found)
{
	struct stored_amount *stored = find_stored(sum, tres);
	long double amount;

	*found = stored;
	if (stored)
		return 0;
	if (sum->n_stored == SUM_TRES)
		sum->n_stored = 0; /* those that come are others */
	*found = stored = &sum->stored[sum->n_stored++];
	stored->tres = tres;
	if (usage_amount_read(bulk->store, &sum->owner, tres, &amount,
		    &stored->at))
		return -1;
	stored->amount = (double)amount;
	return 0;
}

static int amount_write(struct usage_bulk *bulk, struct owner_sum *sum,
	size_t i, long double added)
{
	struct stored_amount *stored;
	long double amount;
	int64_t then, reset;
	bool is_new;

	if (stored_amount(bulk, sum, sum->tres[i], &stored))
		return -1;
	is_new = stored->at == INT64_MIN;
	then = larger(stored->at, sum->last);
	reset = half_lives_last_reset(&bulk->lives, then);
	amount = half_lives_decay(&bulk->lives, stored->amount, stored->at,
			 then, reset) +
		 half_lives_decay(&bulk->lives, added, sum->last, then, reset);
	stored->amount = (double)amount;
	stored->at = then;
	return is_new ? usage_amount_write(bulk->store, &sum->owner,
				stored->tres, amount, then)
		      : usage_amount_change(bulk->store, &sum->owner,
				stored->tres, amount, then);
}

/* As it was when its last run ended: what is true at a later time may not be
 * read before. */
static int sum_write(struct usage_bulk *bulk, struct owner_sum *sum)
{
	long double decayed;
	int rc = 0;

	bulk->lives.none = sum->no_decay;
	decayed = half_lives_decay(
		&bulk->lives, 1, sum->last, bulk->at, INT64_MIN);
	for (size_t i = 0; !rc && i < sum->n; i++)
		rc = amount_write(bulk, sum, i, sum->amount[i] / decayed);
	bulk->lives.none = false;
	return rc;
}

static int write_open(struct usage_bulk *bulk)
{
	int rc = 0;

	for (struct owner_sum *sum = bulk->open; !rc && sum; sum = sum->next)
		rc = sum_write(bulk, sum);
	return rc;
}

int usage_bulk_write(struct usage_bulk *bulk)
{
	int rc = write_open(bulk);

	bulk_forget(bulk);
	return rc;
}

int usage_bulk_flush(struct usage_bulk *bulk)
{
	int rc = write_open(bulk);

	if (rc || HASH_COUNT(bulk->sums) >= MOST_SUMS ||
		HASH_COUNT(bulk->assocs) >= MOST_SUMS)
		bulk_forget(bulk);
	close_sums(bulk);
	return rc;
}

int usage_bulk_add(struct usage_bulk *bulk, const struct job *run, int sign)
{
	if (run->start <= 0 || run->end <= run->start)
		return 0;
	if (prepare(bulk) || bulk_add(bulk, run, sign))
		return -1;
	return bulk->n_open < MOST_SUMS ? 0 : usage_bulk_write(bulk);
}
