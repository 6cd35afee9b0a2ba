/*
 * Usage of associations and QOS; see usage.h. Nothing here is periodic: an
 * amount is carried to the moment it is asked for (common/decay.h).
 */
#include "db/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/billing.h"
#include "common/decay.h"
#include "common/numbers.h"
#include "common/qos.h"
#include "db/job.h"
#include "db/query.h"

enum { MAX_HALF_LIVES = 64 };

/* ---- time --------------------------------------------------------------- */

/* A half-life and from when it was in force. */
struct era {
	int64_t since;
	uint32_t half_life;
};

/* How usage fades: every half-life there was, newest last, and the reset
 * period. */
struct fading {
	struct era eras[MAX_HALF_LIVES];
	size_t n;
	const struct policy *policy;
	bool none; /* of a QOS with NoDecay: neither decay nor reset */
};

static int fading_load(
	struct fading *fading, struct store *store, const struct policy *policy)
{
	struct query q;

	fading->n = 0;
	fading->policy = policy;
	fading->none = false;
	if (query_open(&q, store,
		    "SELECT since, half_life FROM (SELECT since, half_life"
		    " FROM decay ORDER BY since DESC LIMIT :most)"
		    " ORDER BY since"))
		return -1;
	query_bind_int(&q, ":most", MAX_HALF_LIVES);
	while (query_row(&q))
		fading->eras[fading->n++] = (struct era){
			query_int(&q, 0), (uint32_t)query_int(&q, 1)};
	if (!fading->n)
		fading->eras[fading->n++] = (struct era){0, policy->half_life};
	fading->eras[0].since = INT64_MIN;
	return query_close(&q);
}

static int64_t era_end(const struct fading *fading, size_t i)
{
	return i + 1 < fading->n ? fading->eras[i + 1].since : INT64_MAX;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The last scheduled reset up to `at`; INT64_MIN when there was none. */
static int64_t last_reset(const struct fading *fading, int64_t at)
{
	const time_t year = 400 * 86400;
	time_t reset;

	if (fading->none || fading->policy->reset == RESET_NONE || at < year)
		return INT64_MIN;
	reset = usage_reset_last(fading->policy->reset, at - year, at);
	return reset == at - year ? INT64_MIN : reset;
}

/* An amount true at `from` as it is at `to`, resets aside. */
static long double fade(const struct fading *fading, long double amount,
	int64_t from, int64_t to)
{
	if (fading->none)
		return amount;
	for (size_t i = 0; i < fading->n && from < to; i++) {
		int64_t end = earlier(era_end(fading, i), to);

		if (end <= from)
			continue;
		amount = decay_carry(
			amount, from, end, fading->eras[i].half_life);
		from = end;
	}
	return amount;
}

static long double carry(const struct fading *fading, long double amount,
	int64_t from, int64_t to, int64_t reset)
{
	return from < reset ? 0 : fade(fading, amount, from, to);
}

/* What a rate of 1 from `start` to `end` is worth at `at`. */
static long double worth(const struct fading *fading, int64_t start,
	int64_t end, int64_t at, int64_t reset)
{
	long double sum = 0;

	start = later(start, reset);
	end = earlier(end, at);
	if (fading->none)
		return end > start ? (long double)(end - start) : 0;
	for (size_t i = 0; i < fading->n && start < end; i++) {
		int64_t stop = earlier(era_end(fading, i), end);

		if (stop <= start)
			continue;
		sum += fade(fading,
			decay_integral(1, start, stop, stop,
				fading->eras[i].half_life),
			stop, at);
		start = stop;
	}
	return sum;
}

/* Before anything is written: a new half-life rules from now on. */
static int note_half_life(struct store *store, const struct policy *policy)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT OR REPLACE INTO decay (since, half_life)"
		    " SELECT iif(EXISTS (SELECT 1 FROM decay), :now, 0),"
		    " :half_life WHERE :half_life IS NOT (SELECT half_life"
		    " FROM decay ORDER BY since DESC LIMIT 1)"))
		return -1;
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":half_life", policy->half_life);
	return query_run(&q);
}

int usage_sync(struct store *store, const struct policy *policy)
{
	struct fading fading;

	if (fading_load(&fading, store, policy))
		return -1;
	if (store->read_only ||
		fading.eras[fading.n - 1].half_life == policy->half_life)
		return 0;
	if (store_begin_bulk(store))
		return -1;
	if (note_half_life(store, policy)) {
		store_rollback(store);
		return -1;
	}
	return store_commit_bulk(store);
}

static int prepare(
	struct fading *fading, struct store *store, const struct policy *policy)
{
	return note_half_life(store, policy) ||
			       fading_load(fading, store, policy)
		       ? -1
		       : 0;
}

/* ---- writing one amount ------------------------------------------------- */

/* Whose: an association, or (qos not 0) a QOS on a cluster. */
struct owner {
	int64_t assoc;
	uint32_t qos;
	int64_t cluster;
};

static void bind_owner(struct query *q, const struct owner *owner, int tres)
{
	if (owner->qos) {
		query_bind_int(q, ":qos", owner->qos);
		query_bind_int(q, ":cluster", owner->cluster);
	} else {
		query_bind_int(q, ":assoc", owner->assoc);
	}
	query_bind_int(q, ":tres", tres);
}

/* amount and at; 0 and INT64_MIN when there is none. */
static int amount_read(struct store *store, const struct owner *owner, int tres,
	long double *amount, int64_t *at)
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

static int amount_write(struct store *store, const struct owner *owner,
	int tres, long double amount, int64_t at)
{
	struct query q;

	if (query_open(&q, store,
		    owner->qos ? "INSERT INTO qos_usage"
				 " (qos, cluster, tres, amount, at) VALUES"
				 " (:qos, :cluster, :tres, :amount, :at)"
				 " ON CONFLICT DO UPDATE SET amount ="
				 " excluded.amount, at = excluded.at"
			       : "INSERT INTO assoc_usage (assoc, tres, "
				 "amount, at)"
				 " VALUES (:assoc, :tres, :amount, :at)"
				 " ON CONFLICT DO UPDATE SET amount ="
				 " excluded.amount, at = excluded.at"))
		return -1;
	bind_owner(&q, owner, tres);
	query_bind_real(&q, ":amount", (double)amount);
	query_bind_int(&q, ":at", at);
	return query_run(&q);
}

/* Adds `rate` a second from start to end. */
static int amount_add_run(struct store *store, const struct fading *fading,
	const struct owner *owner, int tres, long double rate,
	const struct usage_run *run)
{
	long double amount;
	int64_t at, then, reset;

	if (amount_read(store, owner, tres, &amount, &at))
		return -1;
	then = later(at, run->end);
	reset = last_reset(fading, then);
	amount = carry(fading, amount, at, then, reset) +
		 rate * worth(fading, run->start, run->end, then, reset);
	return amount_write(store, owner, tres, amount, then);
}

/* ---- runs --------------------------------------------------------------- */

/* What a run adds a second, TRES by TRES; billing counts truncated, as the
 * list holds it. */
static long double tres_rate(
	const struct usage_run *run, const struct tres_count *tres)
{
	if (tres->id == TRES_ENERGY || tres->count >= NO_VAL64)
		return 0;
	return (long double)tres->count * usage_rate(1, run->factor);
}

static long double raw_rate(const struct usage_run *run)
{
	return usage_rate(run->billing, run->factor);
}

static int charge_owner(struct store *store, const struct fading *fading,
	const struct owner *owner, const struct usage_run *run, int sign)
{
	if (amount_add_run(store, fading, owner, USAGE_RAW,
		    sign * raw_rate(run), run) ||
		amount_add_run(store, fading, owner, USAGE_WALL,
			sign * (long double)usage_rate(1, run->factor), run))
		return -1;
	for (size_t i = 0; i < run->alloc->n; i++) {
		const struct tres_count *tres = &run->alloc->v[i];
		long double rate = sign * tres_rate(run, tres);

		if ((rate < 0 || rate > 0) &&
			amount_add_run(
				store, fading, owner, (int)tres->id, rate, run))
			return -1;
	}
	return 0;
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

/*
 * Who is charged for the run, and from when on: the association itself, or for
 * a deleted one the nearest ancestor that is not. 0: nobody.
 */
static int resolve(struct store *store, int64_t assoc, uint32_t epoch,
	int64_t *target, int64_t *since)
{
	struct account_state state = {.key = assoc};
	int64_t handed_up = 0;
	int found = read_state(store, &state);

	*target = *since = 0;
	if (found <= 0)
		return found;
	if (!state.deleted && state.epoch > epoch)
		*since = state.since;
	while (state.deleted && state.parent) {
		handed_up = later(handed_up, state.since);
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

int64_t usage_epoch(struct store *store, int64_t assoc)
{
	struct account_state state = {.key = assoc};

	return read_state(store, &state) < 0 ? -1 : state.epoch;
}

static int charge_assoc(struct store *store, const struct fading *fading,
	const struct usage_run *run, int sign)
{
	struct owner owner = {.cluster = run->cluster};
	struct usage_run counted = *run;
	int64_t since;

	if (!run->assoc)
		return 0;
	if (resolve(store, run->assoc, run->epoch, &owner.assoc, &since))
		return -1;
	counted.start = later(run->start, since);
	if (!owner.assoc || counted.start >= counted.end)
		return 0;
	return charge_owner(store, fading, &owner, &counted, sign);
}

static int no_decay(struct store *store, uint32_t qos, bool *none)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT coalesce(flags, 0) FROM qos WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", qos);
	*none = query_row(&q) && (query_int(&q, 0) & QOS_NO_DECAY);
	return query_close(&q);
}

static int charge_qos(struct store *store, struct fading *fading, uint32_t qos,
	const struct usage_run *run, int sign)
{
	struct owner owner = {.qos = qos, .cluster = run->cluster};

	if (!qos)
		return 0;
	if (no_decay(store, qos, &fading->none))
		return -1;
	return charge_owner(store, fading, &owner, run, sign);
}

int usage_add_run(struct store *store, const struct policy *policy,
	const struct usage_run *run, int sign)
{
	struct fading fading;

	if (run->start <= 0 || run->end <= run->start)
		return 0;
	if (prepare(&fading, store, policy) ||
		charge_assoc(store, &fading, run, sign) ||
		charge_qos(store, &fading, run->qos, run, sign))
		return -1;
	if (run->part_qos == run->qos)
		return 0;
	return charge_qos(store, &fading, run->part_qos, run, sign);
}

/* ---- many runs ---------------------------------------------------------- */

enum { NEAR = 4096, MOST_SUMS = 10000 };
enum { SUM_TRES = 12 }; /* kept in place; further TRES go to the store */

/* What the runs of one owner come to, true at `at`. */
struct owner_sum {
	struct owner owner;
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
	return prepare(&bulk->fading, bulk->store, bulk->policy);
}

/* Resets happen at full quarters of an hour in every zone. */
static int64_t bulk_reset(struct usage_bulk *bulk, int64_t at)
{
	if (bulk->fading.none || bulk->policy->reset == RESET_NONE)
		return INT64_MIN;
	if (at / 900 != bulk->bucket) {
		bulk->bucket = at / 900;
		bulk->reset = last_reset(&bulk->fading, at);
	}
	return bulk->reset;
}

static struct owner_sum *sum_for(
	struct usage_bulk *bulk, const struct owner *owner)
{
	struct owner_sum *sum;

	HASH_FIND(hh, bulk->sums, owner, sizeof(*owner), sum);
	if (sum)
		return sum;
	sum = arena_alloc(&bulk->arena, sizeof(*sum));
	memcpy(&sum->owner, owner, sizeof(*owner));
	sum->at = INT64_MIN;
	if (owner->qos && no_decay(bulk->store, owner->qos, &sum->no_decay))
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
	factor = sum->n ? carry(&bulk->fading, 1, sum->at, to,
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
		return amount_add_run(bulk->store, &bulk->fading, &sum->owner,
			tres, rate, run);
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
	seconds = worth(&bulk->fading, run->start, run->end, sum->at,
		bulk_reset(bulk, sum->at));
	rc = sum_add(bulk, sum, USAGE_RAW, sign * raw_rate(run), seconds,
		     run) ||
	     sum_add(bulk, sum, USAGE_WALL,
		     sign * (long double)usage_rate(1, run->factor), seconds,
		     run);
	for (size_t i = 0; !rc && i < alloc->n; i++) {
		long double rate = sign * tres_rate(run, &alloc->v[i]);

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
		resolve(bulk->store, assoc,
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
	counted.start = later(run->start, known->since);
	if (!known->target || counted.start >= counted.end)
		return 0;
	if (!known->sum) {
		struct owner owner;

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
	struct owner owner;

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

		if (amount_read(bulk->store, &sum->owner, sum->tres[i], &amount,
			    &at))
			return -1;
		then = later(at, sum->at);
		reset = bulk_reset(bulk, then);
		amount = carry(&bulk->fading, amount, at, then, reset) +
			 carry(&bulk->fading, sum->amount[i], sum->at, then,
				 reset);
		if (amount_write(bulk->store, &sum->owner, sum->tres[i], amount,
			    then))
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

/* ---- reading ------------------------------------------------------------ */

enum fact_kind { FACT_USED, FACT_REMOVED, FACT_TO_RUN };

/* One amount that counts for someone; sorted and summed up at the end. */
struct fact {
	int64_t key;
	int tres;
	enum fact_kind kind;
	long double amount;
};

/* A reading while it goes on. */
struct reading {
	struct store *store;
	struct fading fading;
	int64_t cluster, at, reset;
	int64_t only; /* one association; 0: all */
	bool qos;     /* of QOS instead */
	bool details;
	struct arena *arena;
	struct fact *v;
	size_t n, cap;
};

static void add_fact(struct reading *r, int64_t key, int tres,
	enum fact_kind kind, long double amount)
{
	struct fact *fact = ARENA_PUSH(r->arena, r->v, r->n, r->cap);

	*fact = (struct fact){key, tres, kind, amount};
}

static const char *amounts_sql(const struct reading *r)
{
	if (r->qos)
		return "SELECT u.qos, u.tres, u.amount, u.at,"
		       " coalesce(q.flags, 0) FROM qos_usage u"
		       " JOIN qos q ON q.id = u.qos WHERE u.cluster = :key";
	if (r->only)
		return "SELECT assoc, tres, amount, at, 0 FROM assoc_usage"
		       " WHERE assoc = :key";
	if (r->details)
		return "SELECT u.assoc, u.tres, u.amount, u.at, 0"
		       " FROM assoc_usage u CROSS JOIN assoc a"
		       " ON a.key = u.assoc WHERE a.cluster = :key";
	return "SELECT u.assoc, u.tres, u.amount, u.at, 0"
	       " FROM assoc_usage u CROSS JOIN assoc a ON a.key = u.assoc"
	       " WHERE u.tres = 0 AND a.cluster = :key";
}

static int read_amounts(struct reading *r)
{
	struct query q;

	if (query_open(&q, r->store, amounts_sql(r)))
		return -1;
	query_bind_int(&q, ":key", r->only ? r->only : r->cluster);
	while (query_row(&q)) {
		r->fading.none = query_int(&q, 4) & QOS_NO_DECAY;
		add_fact(r, query_int(&q, 0), (int)query_int(&q, 1), FACT_USED,
			carry(&r->fading, query_real(&q, 2), query_int(&q, 3),
				r->at, r->fading.none ? INT64_MIN : r->reset));
	}
	r->fading.none = false;
	return query_close(&q);
}

static int read_removed(struct reading *r)
{
	struct query q;

	if (query_open(&q, r->store,
		    "SELECT r.assoc, r.removed, r.since"
		    " FROM assoc_usage_reset r JOIN assoc a ON a.key = r.assoc"
		    " WHERE r.until > :at AND a.cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":at", r->at);
	query_bind_int(&q, ":cluster", r->cluster);
	while (query_row(&q))
		add_fact(r, query_int(&q, 0), USAGE_RAW, FACT_REMOVED,
			carry(&r->fading, query_real(&q, 1), query_int(&q, 2),
				r->at, r->reset));
	return query_close(&q);
}

/* Seconds until the limit; UNLIMITED counts as the number it is. */
static long double left_of(uint32_t limit, int64_t start, int64_t at)
{
	long double left = (long double)limit * 60;

	if (limit == NO_VAL)
		return 0;
	if (limit != INFINITE)
		left -= (long double)(at - start);
	return left > 0 ? left : 0;
}

/* A running job's facts for one key. */
static void run_facts(struct reading *r, int64_t key,
	const struct usage_run *run, long double left)
{
	int64_t reset = r->fading.none ? INT64_MIN : r->reset;
	long double seconds =
		worth(&r->fading, run->start, r->at, r->at, reset);

	add_fact(r, key, USAGE_RAW, FACT_USED, raw_rate(run) * seconds);
	if (!r->details)
		return;
	add_fact(r, key, USAGE_WALL, FACT_USED,
		usage_rate(1, run->factor) * seconds);
	for (size_t i = 0; i < run->alloc->n; i++) {
		const struct tres_count *tres = &run->alloc->v[i];
		long double rate = tres_rate(run, tres);

		add_fact(r, key, (int)tres->id, FACT_USED, rate * seconds);
		add_fact(r, key, (int)tres->id, FACT_TO_RUN, rate * left);
	}
}

static int run_facts_qos(
	struct reading *r, const struct usage_run *run, long double left)
{
	const uint32_t qos[] = {
		run->qos, run->part_qos == run->qos ? 0 : run->part_qos};

	for (size_t i = 0; i < 2; i++) {
		if (!qos[i])
			continue;
		if (no_decay(r->store, qos[i], &r->fading.none))
			return -1;
		run_facts(r, qos[i], run, left);
	}
	r->fading.none = false;
	return 0;
}

static int run_facts_assoc(
	struct reading *r, struct usage_run *run, long double left)
{
	int64_t target, since;

	if (!run->assoc)
		return 0;
	if (resolve(r->store, run->assoc, run->epoch, &target, &since))
		return -1;
	run->start = later(run->start, since);
	if (target && (!r->only || target == r->only))
		run_facts(r, target, run, left);
	return 0;
}

#define OPEN_RUNS                                                              \
	"SELECT assoc, qos, part_qos, billing, usage_factor, usage_epoch,"     \
	" tres_alloc, start, wall_limit, time_limit FROM job"                  \
	" WHERE cluster = :cluster AND end IS NULL AND start > 0"              \
	" AND start <= :at"

static uint32_t limit_of(struct query *q)
{
	for (int column = 8; column <= 9; column++)
		if (!query_is_null(q, column))
			return query_int(q, column) < 0
				       ? INFINITE
				       : (uint32_t)query_int(q, column);
	return NO_VAL;
}

/* Running jobs are charged up to now, not stored. */
static int read_runs(struct reading *r)
{
	struct query q;
	int failed = 0;

	if (query_open(&q, r->store, OPEN_RUNS))
		return -1;
	query_bind_int(&q, ":cluster", r->cluster);
	query_bind_int(&q, ":at", r->at);
	while (!failed && query_row(&q)) {
		struct tres_list alloc;
		struct usage_run run = {
			.cluster = r->cluster,
			.assoc = query_int(&q, 0),
			.qos = (uint32_t)query_int(&q, 1),
			.part_qos = (uint32_t)query_int(&q, 2),
			.billing = query_real(&q, 3),
			.factor = query_real(&q, 4),
			.epoch = (uint32_t)query_int(&q, 5),
			.alloc = &alloc,
			.start = query_int(&q, 7),
		};
		long double left = left_of(limit_of(&q), run.start, r->at);

		tres_unpack(query_text(&q, 6), r->arena, &alloc);
		failed = r->qos ? run_facts_qos(r, &run, left)
				: run_facts_assoc(r, &run, left);
	}
	return query_close(&q) || failed ? -1 : 0;
}

static int compare_facts(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->tres > y->tres) - (x->tres < y->tres);
}

static long double *detail_of(struct usage *usage, size_t *cap,
	const struct fact *fact, struct arena *arena)
{
	struct usage_tres *last =
		usage->n_tres ? &usage->tres[usage->n_tres - 1] : NULL;

	if (!last || last->id != (uint32_t)fact->tres) {
		last = ARENA_PUSH(arena, usage->tres, usage->n_tres, *cap);
		last->id = (uint32_t)fact->tres;
	}
	return fact->kind == FACT_TO_RUN ? &last->run_seconds : &last->seconds;
}

static long double *sum_of(struct usage *usage, size_t *cap,
	const struct fact *fact, struct arena *arena)
{
	if (fact->kind == FACT_REMOVED)
		return &usage->removed;
	if (fact->tres == USAGE_RAW)
		return &usage->raw;
	if (fact->tres == USAGE_WALL)
		return &usage->wall;
	return detail_of(usage, cap, fact, arena);
}

/* Rounding may leave a speck below nothing where runs were taken out. */
static void no_less_than_0(struct usage *usage)
{
	usage->raw = fmaxl(usage->raw, 0);
	usage->wall = fmaxl(usage->wall, 0);
	for (size_t i = 0; i < usage->n_tres; i++)
		usage->tres[i].seconds = fmaxl(usage->tres[i].seconds, 0);
}

static bool sorted(const struct fact *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_facts(&v[i - 1], &v[i]) > 0)
			return false;
	return true;
}

static void sum_up(struct reading *r, struct usage_list *list)
{
	struct usage *usage = NULL;
	size_t cap = 0;

	*list = (struct usage_list){0};
	if (!sorted(r->v, r->n))
		qsort(r->v, r->n, sizeof(*r->v), compare_facts);
	for (size_t i = 0; i < r->n; i++) {
		if (!usage || usage->assoc != r->v[i].key) {
			if (usage)
				no_less_than_0(usage);
			usage = ARENA_PUSH(
				r->arena, list->v, list->n, list->cap);
			usage->assoc = r->v[i].key;
			cap = 0;
		}
		*sum_of(usage, &cap, &r->v[i], r->arena) += r->v[i].amount;
	}
	if (usage)
		no_less_than_0(usage);
}

static int read_all(
	struct reading *r, const struct policy *policy, struct usage_list *list)
{
	if (fading_load(&r->fading, r->store, policy))
		return -1;
	r->reset = last_reset(&r->fading, r->at);
	if (read_amounts(r) || (!r->qos && !r->only && read_removed(r)) ||
		read_runs(r))
		return -1;
	sum_up(r, list);
	return 0;
}

int usage_read(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, bool details, struct arena *arena,
	struct usage_list *list)
{
	struct reading r = {.store = store,
		.cluster = cluster,
		.at = at,
		.details = details,
		.arena = arena};

	return read_all(&r, policy, list);
}

int usage_read_qos(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, bool details, struct arena *arena,
	struct usage_list *list)
{
	struct reading r = {.store = store,
		.cluster = cluster,
		.at = at,
		.qos = true,
		.details = details,
		.arena = arena};

	return read_all(&r, policy, list);
}

static int compare_keys(const void *key, const void *entry)
{
	int64_t a = *(const int64_t *)key;
	int64_t b = ((const struct usage *)entry)->assoc;

	return (a > b) - (a < b);
}

const struct usage *usage_of(const struct usage_list *list, int64_t key)
{
	static const struct usage none;
	const struct usage *found = NULL;

	if (list->n)
		found = bsearch(
			&key, list->v, list->n, sizeof(*list->v), compare_keys);
	return found ? found : &none;
}

/* ---- setting and handing up --------------------------------------------- */

static int cluster_of(struct store *store, int64_t assoc, int64_t *cluster)
{
	struct query q;

	if (query_open(&q, store, "SELECT cluster FROM assoc WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", assoc);
	*cluster = query_row(&q) ? query_int(&q, 0) : 0;
	return query_close(&q);
}

/* A new epoch from now on; `removed` shows until `until`. */
static int new_epoch(
	struct store *store, int64_t assoc, long double removed, int64_t until)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT INTO assoc_usage_reset"
		    " (assoc, epoch, since, removed, until)"
		    " VALUES (:assoc, 1, :now, :removed, :until)"
		    " ON CONFLICT DO UPDATE SET epoch = epoch + 1,"
		    " since = :now, until = :until, removed = :removed"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":until", until);
	query_bind_real(&q, ":removed", (double)removed);
	return query_run(&q);
}

static int drop_amounts(struct store *store, int64_t assoc)
{
	struct query q;

	if (query_open(
		    &q, store, "DELETE FROM assoc_usage WHERE assoc = :assoc"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	return query_run(&q);
}

static int put_usage(struct store *store, const struct usage *usage,
	int64_t assoc, double raw)
{
	struct owner owner = {.assoc = assoc};

	if (amount_write(store, &owner, USAGE_RAW, raw, store->now) ||
		amount_write(
			store, &owner, USAGE_WALL, usage->wall, store->now))
		return -1;
	for (size_t i = 0; i < usage->n_tres; i++)
		if (amount_write(store, &owner, (int)usage->tres[i].id,
			    usage->tres[i].seconds, store->now))
			return -1;
	return 0;
}

int usage_set_raw(struct store *store, const struct policy *policy,
	int64_t assoc, double value)
{
	struct reading r = {.store = store,
		.at = store->now,
		.only = assoc,
		.details = true};
	struct usage_list list;
	struct arena arena;
	int rc = -1;

	arena_init(&arena);
	r.arena = &arena;
	if (!note_half_life(store, policy) &&
		!cluster_of(store, assoc, &r.cluster) &&
		!read_all(&r, policy, &list) &&
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

	if (note_half_life(store, policy) ||
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
static int move_qos(struct store *store, struct fading *fading,
	const struct owner *owner, int tres, long double delta)
{
	long double amount;
	int64_t at, then;

	if (amount_read(store, owner, tres, &amount, &at))
		return -1;
	then = later(at, store->now);
	amount = carry(fading, amount, at, then, last_reset(fading, then));
	return amount_write(store, owner, tres, amount + delta, then);
}

static int set_qos_on(struct store *store, struct fading *fading,
	const struct owner *owner, double value, struct arena *arena)
{
	const struct usage *usage;
	struct usage_list list;

	if (usage_read_qos(store, fading->policy, owner->cluster, store->now,
		    true, arena, &list))
		return -1;
	usage = usage_of(&list, owner->qos);
	if (move_qos(store, fading, owner, USAGE_RAW, value - usage->raw))
		return -1;
	if (value > 0)
		return 0;
	if (move_qos(store, fading, owner, USAGE_WALL, -usage->wall))
		return -1;
	for (size_t i = 0; i < usage->n_tres; i++)
		if (move_qos(store, fading, owner, (int)usage->tres[i].id,
			    -usage->tres[i].seconds))
			return -1;
	return 0;
}

int usage_follow_qos(struct store *store, const struct policy *policy,
	const struct usage_move *move)
{
	struct owner owner = {.qos = move->qos, .cluster = move->cluster};
	struct fading fading;
	long double amount, delta;
	int64_t at, then, reset;

	if (prepare(&fading, store, policy) ||
		no_decay(store, move->qos, &fading.none) ||
		amount_read(store, &owner, move->tres, &amount, &at))
		return -1;
	if (!move->known)
		return amount_write(
			store, &owner, move->tres, amount, move->to_at);
	then = later(at, move->to_at);
	reset = last_reset(&fading, then);
	delta = move->to -
		carry(&fading, move->from, move->from_at, move->to_at, reset);
	amount = carry(&fading, amount, at, then, reset) +
		 carry(&fading, delta, move->to_at, then, reset);
	return amount_write(store, &owner, move->tres, amount, then);
}

static int settle_qos_on(struct store *store, struct fading *fading,
	const struct owner *owner, double unused, struct arena *arena)
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
		if (move_qos(store, fading, owner, tres[i], 0))
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
	int (*change)(struct store *, struct fading *, const struct owner *,
		double value, struct arena *),
	double value)
{
	struct fading fading;
	struct arena arena;
	int64_t *keys;
	size_t n;
	int rc;

	arena_init(&arena);
	rc = prepare(&fading, store, policy) ||
	     no_decay(store, qos, &fading.none) ||
	     cluster_keys(store, &arena, &keys, &n);
	for (size_t i = 0; !rc && i < n; i++) {
		const struct owner owner = {.qos = qos, .cluster = keys[i]};

		rc = change(store, &fading, &owner, value, &arena);
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

/* One amount of the child goes to the parent, both as they are at the later of
 * their times. */
static int hand_amount(struct store *store, const struct fading *fading,
	int64_t parent, int tres, long double amount, int64_t at)
{
	struct owner owner = {.assoc = parent};
	long double sum;
	int64_t parent_at, then, reset;

	if (amount_read(store, &owner, tres, &sum, &parent_at))
		return -1;
	then = later(at, parent_at);
	reset = last_reset(fading, then);
	sum = carry(fading, sum, parent_at, then, reset) +
	      carry(fading, amount, at, then, reset);
	return amount_write(store, &owner, tres, sum, then);
}

int usage_hand_up(struct store *store, const struct policy *policy,
	int64_t assoc, int64_t parent)
{
	struct fading fading;
	struct query q;
	int rc = 0;

	if (prepare(&fading, store, policy) ||
		query_open(&q, store,
			"SELECT tres, amount, at FROM assoc_usage"
			" WHERE assoc = :assoc ORDER BY tres"))
		return -1;
	query_bind_int(&q, ":assoc", assoc);
	while (!rc && parent && query_row(&q))
		rc = hand_amount(store, &fading, parent, (int)query_int(&q, 0),
			query_real(&q, 1), query_int(&q, 2));
	if (query_close(&q) || rc || drop_amounts(store, assoc))
		return -1;
	return new_epoch(store, assoc, 0, 0);
}

int usage_revive(struct store *store, int64_t assoc)
{
	return new_epoch(store, assoc, 0, 0);
}

/* ---- amounts as they are stored ----------------------------------------- */

int usage_amounts(struct store *store, const struct policy *policy, bool qos,
	int64_t cluster, struct arena *arena, struct usage_amounts *list)
{
	struct fading fading;
	struct query q;
	int64_t reset;

	*list = (struct usage_amounts){0};
	if (fading_load(&fading, store, policy) ||
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
	reset = last_reset(&fading, store->now);
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q)) {
		struct usage_amount *a =
			ARENA_PUSH(arena, list->v, list->n, list->cap);

		a->owner = query_int(&q, 0);
		a->tres = (int)query_int(&q, 1);
		a->amount = query_real(&q, 2);
		a->at = query_int(&q, 3);
		fading.none = query_int(&q, 4) & QOS_NO_DECAY;
		a->now = carry(&fading, a->amount, a->at, store->now,
			fading.none ? INT64_MIN : reset);
	}
	return query_close(&q);
}

static struct owner owner_of(
	bool qos, int64_t cluster, const struct usage_amount *a)
{
	return qos ? (struct owner){.qos = (uint32_t)a->owner,
			     .cluster = cluster}
		   : (struct owner){.assoc = a->owner};
}

int usage_put_amount(struct store *store, bool qos, int64_t cluster,
	const struct usage_amount *a)
{
	struct owner owner = owner_of(qos, cluster, a);

	return amount_write(store, &owner, a->tres, a->amount, a->at);
}

int usage_drop_amount(struct store *store, bool qos, int64_t cluster,
	const struct usage_amount *a)
{
	struct owner owner = owner_of(qos, cluster, a);
	struct query q;

	if (query_open(&q, store,
		    qos ? "DELETE FROM qos_usage WHERE qos = :qos"
			  " AND cluster = :cluster AND tres = :tres"
			: "DELETE FROM assoc_usage WHERE assoc = :assoc"
			  " AND tres = :tres"))
		return -1;
	bind_owner(&q, &owner, a->tres);
	return query_run(&q);
}
