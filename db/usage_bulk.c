/*
 * Many runs charged in memory, written now and then: imports.
 */
#include "db/usage_parts.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/decay.h"
#include "common/numbers.h"

enum { NEAR = 4096, MOST_SUMS = 10000 };
enum { SUM_TRES = 12 }; /* kept in place; further TRES go to the store */

/* What the runs of one owner come to, true at `at`. */
struct owner_sum {
	struct usage_owner owner;
	int64_t at;
	bool no_decay;
	size_t n;
	int tres[SUM_TRES];
	long double amount[SUM_TRES];
	UT_hash_handle hh;
};

/* Who is charged for an association's runs of an epoch, and from when on. */
struct known_assoc {
	struct {
		int64_t assoc, epoch;
	} of;
	int64_t target, since, now_epoch;
	struct owner_sum *sum;
	UT_hash_handle hh;
};

struct usage_bulk {
	struct store *store;
	const struct policy *policy;
	struct fading fading;
	struct owner_sum *sums;
	struct known_assoc *assocs;
	struct known_assoc *near[NEAR]; /* by assoc: no hashing, mostly */
	struct arena arena;
	int64_t bucket, reset; /* the last answer of last_reset */
};

struct usage_bulk *usage_bulk_open(
	struct store *store, const struct policy *policy)
{
	struct usage_bulk *bulk = calloc(1, sizeof(*bulk));

	if (!bulk)
		BUG("no memory");
	bulk->store = store;
	bulk->policy = policy;
	arena_init(&bulk->arena);
	return bulk;
}

static void bulk_forget(struct usage_bulk *bulk)
{
	HASH_CLEAR(hh, bulk->sums);
	HASH_CLEAR(hh, bulk->assocs);
	memset(bulk->near, 0, sizeof(bulk->near));
	bulk->bucket = INT64_MIN;
	arena_reset(&bulk->arena);
}

void usage_bulk_close(struct usage_bulk *bulk)
{
	bulk_forget(bulk);
	arena_release(&bulk->arena);
	free(bulk);
}

int usage_bulk_begin(struct usage_bulk *bulk)
{
	bulk_forget(bulk);
	return fading_prepare(&bulk->fading, bulk->store, bulk->policy);
}

/* Resets happen at full quarters of an hour in every zone. */
static int64_t bulk_reset(struct usage_bulk *bulk, int64_t at)
{
	if (bulk->fading.none || bulk->policy->reset == RESET_NONE)
		return INT64_MIN;
	if (at / 900 != bulk->bucket) {
		bulk->bucket = at / 900;
		bulk->reset = fading_last_reset(&bulk->fading, at);
	}
	return bulk->reset;
}

static struct owner_sum *sum_for(
	struct usage_bulk *bulk, const struct usage_owner *owner)
{
	struct owner_sum *sum;

	HASH_FIND(hh, bulk->sums, owner, sizeof(*owner), sum);
	if (sum)
		return sum;
	sum = arena_alloc(&bulk->arena, sizeof(*sum));
	memcpy(&sum->owner, owner, sizeof(*owner));
	sum->at = INT64_MIN;
	if (owner->qos &&
		usage_no_decay(bulk->store, owner->qos, &sum->no_decay))
		return NULL;
	HASH_ADD(hh, bulk->sums, owner, sizeof(*owner), sum);
	return sum;
}

static long double *sum_amount(struct owner_sum *sum, int tres)
{
	for (size_t i = 0; i < sum->n; i++)
		if (sum->tres[i] == tres)
			return &sum->amount[i];
	if (sum->n == SUM_TRES)
		return NULL;
	sum->tres[sum->n] = tres;
	return &sum->amount[sum->n++];
}

static void sum_carry(
	struct usage_bulk *bulk, struct owner_sum *sum, int64_t to)
{
	long double factor;

	if (to <= sum->at)
		return;
	factor = sum->n ? fading_carry(&bulk->fading, 1, sum->at, to,
				  bulk_reset(bulk, to))
			: 1;
	for (size_t i = 0; i < sum->n; i++)
		sum->amount[i] *= factor;
	sum->at = to;
}

static int sum_add(struct usage_bulk *bulk, struct owner_sum *sum, int tres,
	long double rate, long double seconds, const struct usage_run *run)
{
	long double *amount = sum_amount(sum, tres);

	if (!amount)
		return usage_amount_add_run(bulk->store, &bulk->fading,
			&sum->owner, tres, rate, run);
	*amount += rate * seconds;
	return 0;
}

/* As charge_owner, in memory. */
static int sum_run(struct usage_bulk *bulk, struct owner_sum *sum,
	const struct usage_run *run, int sign)
{
	const struct tres_list *alloc = run->alloc;
	long double seconds;
	int rc;

	bulk->fading.none = sum->no_decay;
	sum_carry(bulk, sum, run->end);
	seconds = fading_worth(&bulk->fading, run->start, run->end, sum->at,
		bulk_reset(bulk, sum->at));
	rc = sum_add(bulk, sum, USAGE_RAW, sign * usage_raw_rate(run), seconds,
		     run) ||
	     sum_add(bulk, sum, USAGE_WALL,
		     sign * (long double)usage_rate(1, run->factor), seconds,
		     run);
	for (size_t i = 0; !rc && i < alloc->n; i++) {
		long double rate = sign * usage_tres_rate(run, &alloc->v[i]);

		if (rate < 0 || rate > 0)
			rc = sum_add(bulk, sum, (int)alloc->v[i].id, rate,
				seconds, run);
	}
	bulk->fading.none = false;
	return rc ? -1 : 0;
}

static struct known_assoc *look_up(
	struct usage_bulk *bulk, int64_t assoc, int64_t epoch)
{
	struct known_assoc *known, key = {.of = {assoc, epoch}};

	HASH_FIND(hh, bulk->assocs, &key.of, sizeof(key.of), known);
	if (known)
		return known;
	known = arena_alloc(&bulk->arena, sizeof(*known));
	known->of = key.of;
	known->now_epoch = usage_epoch(bulk->store, assoc);
	if (known->now_epoch < 0 ||
		usage_resolve(bulk->store, assoc,
			(uint32_t)(epoch < 0 ? known->now_epoch : epoch),
			&known->target, &known->since))
		return NULL;
	HASH_ADD(hh, bulk->assocs, of, sizeof(known->of), known);
	return known;
}

/* Of the epoch that is now: -1 stands for it. */
static struct known_assoc *known_now(struct usage_bulk *bulk, int64_t assoc)
{
	struct known_assoc **near = &bulk->near[assoc % NEAR];

	if (!*near || (*near)->of.assoc != assoc)
		*near = look_up(bulk, assoc, -1);
	return *near;
}

static struct known_assoc *known_assoc(
	struct usage_bulk *bulk, int64_t assoc, int64_t epoch)
{
	struct known_assoc *known = known_now(bulk, assoc);

	return !known || known->now_epoch == epoch
		       ? known
		       : look_up(bulk, assoc, epoch);
}

int usage_bulk_epoch(struct usage_bulk *bulk, int64_t assoc, int64_t *epoch)
{
	const struct known_assoc *known = known_now(bulk, assoc);

	if (!known)
		return -1;
	*epoch = known->now_epoch;
	return 0;
}

static int bulk_assoc(
	struct usage_bulk *bulk, const struct usage_run *run, int sign)
{
	struct usage_run counted = *run;
	struct known_assoc *known;

	if (!run->assoc)
		return 0;
	known = known_assoc(bulk, run->assoc, run->epoch);
	if (!known)
		return -1;
	counted.start = larger(run->start, known->since);
	if (!known->target || counted.start >= counted.end)
		return 0;
	if (!known->sum) {
		struct usage_owner owner;

		memset(&owner, 0, sizeof(owner));
		owner.assoc = known->target;
		known->sum = sum_for(bulk, &owner);
	}
	return known->sum ? sum_run(bulk, known->sum, &counted, sign) : -1;
}

static int bulk_qos(struct usage_bulk *bulk, uint32_t qos,
	const struct usage_run *run, int sign)
{
	struct owner_sum *sum;
	struct usage_owner owner;

	if (!qos)
		return 0;
	memset(&owner, 0, sizeof(owner));
	owner.qos = qos;
	owner.cluster = run->cluster;
	sum = sum_for(bulk, &owner);
	return sum ? sum_run(bulk, sum, run, sign) : -1;
}

/* As usage_add_run, in memory. */
static int bulk_add(
	struct usage_bulk *bulk, const struct usage_run *run, int sign)
{
	if (bulk_assoc(bulk, run, sign) || bulk_qos(bulk, run->qos, run, sign))
		return -1;
	if (run->part_qos == run->qos)
		return 0;
	return bulk_qos(bulk, run->part_qos, run, sign);
}

static int sum_write(struct usage_bulk *bulk, const struct owner_sum *sum)
{
	for (size_t i = 0; i < sum->n; i++) {
		long double amount;
		int64_t at, then, reset;

		if (usage_amount_read(bulk->store, &sum->owner, sum->tres[i],
			    &amount, &at))
			return -1;
		then = larger(at, sum->at);
		reset = bulk_reset(bulk, then);
		amount = fading_carry(&bulk->fading, amount, at, then, reset) +
			 fading_carry(&bulk->fading, sum->amount[i], sum->at,
				 then, reset);
		if (usage_amount_write(bulk->store, &sum->owner, sum->tres[i],
			    amount, then))
			return -1;
	}
	return 0;
}

int usage_bulk_write(struct usage_bulk *bulk)
{
	struct owner_sum *sum, *next;
	int rc = 0;

	HASH_ITER (hh, bulk->sums, sum, next) {
		bulk->fading.none = sum->no_decay;
		rc = rc || sum_write(bulk, sum);
	}
	bulk->fading.none = false;
	bulk_forget(bulk);
	return rc ? -1 : 0;
}

int usage_bulk_add(
	struct usage_bulk *bulk, const struct usage_run *run, int sign)
{
	if (run->start <= 0 || run->end <= run->start)
		return 0;
	if (bulk_add(bulk, run, sign))
		return -1;
	return HASH_COUNT(bulk->sums) < MOST_SUMS ? 0 : usage_bulk_write(bulk);
}
