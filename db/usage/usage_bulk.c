/*
 * Runs charged in memory, to the buckets of the lives that they belong to, and
 * written: one, or those of an import now and then.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/notice.h"
#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "db/rows/members.h"
#include "db/usage/fold.h"

enum { MOST_SUMS = 10000 };

/* What was added to one bucket. */
struct bucket_sum {
	struct bucket_key {
		const struct usage_fact *life;
		int64_t end;
	} key;
	struct bucket bucket;
	struct usage_sums sums;
	int64_t last;
	UT_hash_handle hh;
};

/* The bucket of the last run, and what it was worth. */
struct last_worth {
	bool known;
	struct bucket bucket;
	int64_t start, end;
	long double seconds;
};

struct usage_bulk {
	struct store *store;
	const struct policy *policy;
	struct ledger ledger;
	bool opened; /* these are there: a run was added */
	struct usage_bulk_options o;
	int64_t runs; /* that were added of all, to be shown */
	int64_t epoch;
	struct bucket_sum *sums;
	struct arena arena, keep;
	struct run_rates rates; /* of the run at hand */
	int sign;
	struct last_worth worth[2]; /* also of what is still */
};

struct usage_bulk *usage_bulk_open(struct store *store,
	const struct policy *policy, const struct usage_bulk_options *options)
{
	struct usage_bulk *bulk = memory_zeroed(1, sizeof(*bulk));

	bulk->store = store;
	bulk->policy = policy;
	if (options)
		bulk->o = *options;
	return bulk;
}

static void forget_sums(struct usage_bulk *bulk)
{
	HASH_CLEAR(hh, bulk->sums);
	arena_reset(&bulk->arena);
}

void usage_bulk_begin(struct usage_bulk *bulk)
{
	forget_sums(bulk);
	memset(bulk->worth, 0, sizeof(bulk->worth));
	if (bulk->opened)
		ledger_close(&bulk->ledger);
	bulk->opened = false;
}

void usage_bulk_close(struct usage_bulk *bulk)
{
	usage_bulk_begin(bulk);
	arena_release(&bulk->arena);
	arena_release(&bulk->keep);
	free(bulk);
}

static int open_ledger(struct usage_bulk *bulk)
{
	if (bulk->opened)
		return 0;
	if (usage_settle_policy(bulk->store, bulk->policy))
		return -1;
	bulk->opened = true; /* to be closed */
	bulk->epoch = 0;
	return any_failed(
		ledger_open(&bulk->ledger, bulk->store, bulk->policy) ||
		store_number(bulk->store,
			"SELECT coalesce(max(id), 0)"
			" FROM usage_fact",
			&bulk->epoch));
}

struct ledger *usage_bulk_ledger(struct usage_bulk *bulk)
{
	return open_ledger(bulk) ? NULL : &bulk->ledger;
}

int usage_bulk_epoch(struct usage_bulk *bulk, int64_t *epoch)
{
	if (open_ledger(bulk))
		return -1;
	*epoch = bulk->epoch;
	return 0;
}

/* ---- rates ---------------------------------------------------------------*/

static void add_rate(struct run_rates *rates, int tres, long double rate,
	struct arena *arena)
{
	*ARENA_PUSH(arena, rates->v, rates->n, rates->cap) =
		(struct run_rate){tres, rate};
}

/* Billing counts truncated, as the list holds it. */
void usage_rates(const struct job *run, bool raw, struct run_rates *rates,
	struct arena *arena)
{
	const long double one = usage_rate(1, run->usage_factor);

	rates->n = 0;
	if (!raw)
		add_rate(rates, USAGE_WALL, one, arena);
	add_rate(rates, USAGE_RAW, usage_rate(run->billing, run->usage_factor),
		arena);
	for (size_t i = 0; i < run->tres_alloc.n && !raw; i++) {
		const struct tres_count *tres = &run->tres_alloc.v[i];
		bool counts = tres->id != TRES_ENERGY && tres->count < NO_VAL64;

		add_rate(rates, (int)tres->id,
			counts ? (long double)tres->count * one : 0, arena);
	}
}

/* ---- buckets -------------------------------------------------------------*/

/* The bucket in which the run ends, and what a second of it is worth there. */
static const struct last_worth *worth_of_run(
	struct usage_bulk *bulk, bool still, int64_t start, int64_t end)
{
	struct last_worth *w = &bulk->worth[still];
	const struct eras *eras = &bulk->ledger.eras;

	if (w->known && w->start == start && w->end == end)
		return w;
	if (!w->known || end <= w->bucket.begin || end > w->bucket.end)
		w->bucket = eras_bucket(eras, still, end);
	w->known = true;
	w->start = start;
	w->end = end;
	w->seconds = eras_worth(eras, still, &w->bucket, start, end);
	return w;
}

static struct bucket_sum *sum_for(struct usage_bulk *bulk,
	const struct usage_fact *life, const struct bucket *bucket)
{
	const struct bucket_key key = {.life = life, .end = bucket->end};
	struct bucket_sum *sum;

	HASH_FIND(hh, bulk->sums, &key, sizeof(key), sum);
	if (sum)
		return sum;
	sum = arena_alloc(&bulk->arena, sizeof(*sum));
	*sum = (struct bucket_sum){
		.key = key, .bucket = *bucket, .last = INT64_MIN};
	HASH_ADD(hh, bulk->sums, key, sizeof(key), sum);
	return sum;
}

static int add_piece(void *arg, const struct run_part *piece)
{
	struct usage_bulk *bulk = arg;
	const struct last_worth *w;
	struct bucket_sum *sum;

	if (piece->start >= piece->end)
		return 0;
	w = worth_of_run(bulk, piece->life->still, piece->start, piece->end);
	if (w->bucket.end <= bulk->o.bound)
		return 0;
	sum = sum_for(bulk, piece->life, &w->bucket);
	sum->last = larger(sum->last, piece->end);
	for (size_t i = 0; i < bulk->rates.n; i++)
		sums_at(&sum->sums, bulk->rates.v[i].tres, &bulk->arena)
			->added += bulk->sign *
				   worth_of(bulk->rates.v[i].rate * w->seconds);
	return 0;
}

int usage_owners(const struct job *run, int64_t owners[3])
{
	int n = 0;

	if (run->assoc)
		owners[n++] = run->assoc;
	if (run->qos)
		owners[n++] = owner_of_qos(run->qos, run->cluster);
	if (run->part_qos && run->part_qos != run->qos)
		owners[n++] = owner_of_qos(run->part_qos, run->cluster);
	return n;
}

int usage_bulk_add(struct usage_bulk *bulk, const struct job *run, int sign)
{
	int64_t owners[3];
	int n = usage_owners(run, owners);

	/* With a usage factor of 0 it adds nothing. */
	if (run->start <= 0 || run->end <= run->start ||
		fpclassify(run->usage_factor) == FP_ZERO)
		return 0;
	if (open_ledger(bulk))
		return -1;
	usage_rates(run, bulk->o.raw, &bulk->rates, &bulk->keep);
	bulk->sign = sign;
	for (int i = 0; i < n; i++)
		if (ledger_walk(&bulk->ledger, owners[i], run->usage_epoch,
			    run->start, run->end, add_piece, bulk))
			return -1;
	return HASH_COUNT(bulk->sums) < MOST_SUMS ? 0 : usage_bulk_write(bulk);
}

int usage_bulk_add_rows(struct usage_bulk *bulk, struct query *q, int sign)
{
	SCRATCH_ARENA(scratch);
	struct job run;
	int rc = 0;

	query_bind_int(q, ":details", !bulk->o.raw);
	while (!rc && query_row(q)) {
		arena_reset(&scratch);
		members_read_named(q, 0, &run, &job_members, &scratch);
		rc = usage_bulk_add(bulk, &run, sign);
		if (bulk->o.all_runs)
			progress("counting usage", ++bulk->runs, bulk->o.all_runs);
	}
	return query_close(q) || rc ? -1 : 0;
}

/* ---- into the store ------------------------------------------------------*/

/* A life's buckets in their order, so that each is written once. */
static int by_bucket(const struct bucket_sum *a, const struct bucket_sum *b)
{
	const struct usage_fact *x = a->key.life, *y = b->key.life;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (a->key.end > b->key.end) - (a->key.end < b->key.end);
}

static int write_sum(struct usage_bulk *bulk, const struct bucket_sum *sum)
{
	const struct usage_fact *life = sum->key.life;

	if (sums_none(&sum->sums))
		return 0;
	return bulk->o.kept ? sums_keep(bulk->store, life, &sum->bucket,
				    &sum->sums, &bulk->arena)
			  : ledger_write(&bulk->ledger, life, &sum->bucket,
				    &sum->sums, sum->last);
}

int usage_bulk_write(struct usage_bulk *bulk)
{
	int rc = 0;

	HASH_SORT(bulk->sums, by_bucket);
	for (struct bucket_sum *sum = bulk->sums; !rc && sum; sum = sum->hh.next)
		rc = write_sum(bulk, sum);
	forget_sums(bulk);
	return rc;
}

/* Under a policy that came since its bucket may be another. */
int usage_bulk_restore(struct usage_bulk *bulk, int64_t owner, int64_t id,
	int64_t at, const struct usage_sums *kept, int sign)
{
	const struct usage_fact *life = ledger_life(&bulk->ledger, owner, id);
	struct bucket_sum *sum;
	struct bucket bucket;
	long double factor;

	if (!life)
		return -1;
	bucket = eras_bucket(&bulk->ledger.eras, life->still, at);
	factor = eras_factor(&bulk->ledger.eras, life->still,
		(struct carried){at, at}, bucket.end);
	sum = sum_for(bulk, life, &bucket);
	sum->last = larger(sum->last, bucket.begin); /* or later, but not the end */
	for (size_t i = 0; i < kept->n; i++)
		sums_at(&sum->sums, kept->v[i].tres, &bulk->arena)->added +=
			sign *
			(bucket.end == at ? kept->v[i].added
					  : worth_of(worth_seconds(
							     kept->v[i].added) *
						     factor));
	return 0;
}
