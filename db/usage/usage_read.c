/*
 * What associations and QOS have used: amounts, and jobs that still run.
 */
#include "db/usage/usage_parts.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/fair/decay.h"
#include "common/table/qos.h"
#include "db/rows/members.h"
#include "db/rows/trespack.h"

enum fact_kind { FACT_USED, FACT_REMOVED, FACT_TO_RUN };

/* One amount that counts for someone; sorted and summed up at the end. */
struct usage_fact {
	int64_t key;
	int tres;
	enum fact_kind kind;
	long double amount;
};

/* A reading while it goes on. */
struct usage_reading {
	struct store *store;
	struct half_lives lives;
	int64_t cluster, at, reset;
	int64_t only; /* one association; 0: all */
	bool qos;     /* of QOS instead */
	bool details;
	struct usage_rows *rows; /* or NULL: facts are collected */
	struct arena *arena;
	struct usage_fact *v;
	size_t n, cap;
};

static void add_to_row(struct usage_reading *r, int64_t key,
	enum fact_kind kind, long double amount)
{
	struct usage_rows *rows = r->rows;
	uint32_t row = rows->find(rows->arg, key);

	if (row == UINT32_MAX)
		return;
	if (kind == FACT_USED) {
		rows->raw[row] += amount;
		return;
	}
	if (!rows->removed)
		rows->removed = arena_array(
			r->arena, rows->n, sizeof(*rows->removed));
	rows->removed[row] += amount;
}

static void add_fact(struct usage_reading *r, int64_t key, int tres,
	enum fact_kind kind, long double amount)
{
	if (r->rows)
		add_to_row(r, key, kind, amount);
	else
		*ARENA_PUSH(r->arena, r->v, r->n, r->cap) =
			(struct usage_fact){key, tres, kind, amount};
}

static const char *amounts_sql(const struct usage_reading *r)
{
	if (r->qos)
		return "SELECT u.qos, u.tres, u.amount, u.at,"
		       " coalesce(q.flags, 0) FROM qos_usage u"
		       " JOIN qos q ON q.id = u.qos WHERE u.cluster = :key";
	/* The cluster's are those that are found among the rows. */
	if (r->rows)
		return "SELECT assoc, tres, amount, at, 0 FROM assoc_usage"
		       " WHERE tres = 0";
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

static int read_amounts(struct usage_reading *r)
{
	struct query q;

	if (query_open(&q, r->store, amounts_sql(r)))
		return -1;
	if (!r->rows)
		query_bind_int(&q, ":key", r->only ? r->only : r->cluster);
	while (query_row(&q)) {
		r->lives.none = query_int(&q, 4) & QOS_NO_DECAY;
		add_fact(r, query_int(&q, 0), (int)query_int(&q, 1), FACT_USED,
			half_lives_decay(&r->lives, query_real(&q, 2),
				query_int(&q, 3), r->at,
				r->lives.none ? INT64_MIN : r->reset));
	}
	r->lives.none = false;
	return query_close(&q);
}

static int read_removed(struct usage_reading *r)
{
	struct query q;

	if (query_open(&q, r->store,
		    "SELECT r.assoc, r.removed, r.since"
		    " FROM assoc_usage_reset r"
		    " CROSS JOIN assoc a ON a.key = r.assoc"
		    " WHERE r.until > :at AND a.cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":at", r->at);
	query_bind_int(&q, ":cluster", r->cluster);
	while (query_row(&q))
		add_fact(r, query_int(&q, 0), USAGE_RAW, FACT_REMOVED,
			half_lives_decay(&r->lives, query_real(&q, 1),
				query_int(&q, 2), r->at, r->reset));
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
static void run_facts(struct usage_reading *r, int64_t key,
	const struct job *run, long double left)
{
	int64_t reset = r->lives.none ? INT64_MIN : r->reset;
	long double seconds =
		half_lives_worth(&r->lives, run->start, r->at, r->at, reset);

	add_fact(r, key, USAGE_RAW, FACT_USED, usage_raw_rate(run) * seconds);
	if (!r->details)
		return;
	add_fact(r, key, USAGE_WALL, FACT_USED,
		usage_rate(1, run->usage_factor) * seconds);
	for (size_t i = 0; i < run->tres_alloc.n; i++) {
		const struct tres_count *tres = &run->tres_alloc.v[i];
		long double rate = usage_tres_rate(run, tres);

		add_fact(r, key, (int)tres->id, FACT_USED, rate * seconds);
		add_fact(r, key, (int)tres->id, FACT_TO_RUN, rate * left);
	}
}

static int run_facts_qos(
	struct usage_reading *r, const struct job *run, long double left)
{
	const uint32_t qos[] = {
		run->qos, run->part_qos == run->qos ? 0 : run->part_qos};

	for (size_t i = 0; i < 2; i++) {
		if (!qos[i])
			continue;
		if (usage_no_decay(r->store, qos[i], &r->lives.none))
			return -1;
		run_facts(r, qos[i], run, left);
	}
	r->lives.none = false;
	return 0;
}

/* Mostly `itself` is charged, from its start. */
static int run_facts_assoc(struct usage_reading *r, struct job *run,
	bool itself, long double left)
{
	int64_t target = run->assoc, since = 0, epoch = run->usage_epoch;

	if (!run->assoc)
		return 0;
	if (!itself && usage_resolve(r->store, run->assoc, &epoch, &target,
			       &since))
		return -1;
	run->start = larger(run->start, since);
	if (target && (!r->only || target == r->only))
		run_facts(r, target, run, left);
	return 0;
}

#define OPEN_RUNS                                                              \
	"SELECT EXISTS (SELECT 1 FROM assoc a WHERE a.key = job.assoc"         \
	" AND NOT a.deleted) AND NOT EXISTS (SELECT 1 FROM assoc_usage_reset r" \
	" WHERE r.assoc = job.assoc AND r.epoch > job.usage_epoch),"           \
	" wall_limit, time_limit, " USAGE_RUN_COLUMNS " FROM job"              \
	" WHERE cluster = :cluster AND end IS NULL AND start > 0"              \
	" AND start <= :at"

/* Running jobs are charged up to now, not stored. */
static int read_runs(struct usage_reading *r)
{
	struct query q;
	int failed = 0;

	if (query_open_members(&q, r->store, &job_members, OPEN_RUNS))
		return -1;
	query_bind_int(&q, ":details", r->details);
	query_bind_int(&q, ":cluster", r->cluster);
	query_bind_int(&q, ":at", r->at);
	while (!failed && query_row(&q)) {
		struct job run;
		long double left;

		members_read_named(&q, 1, &run, &job_members, r->arena);
		left = left_of(run.wall_limit != NO_VAL ? run.wall_limit
							: run.time_limit,
			run.start, r->at);
		failed = r->qos ? run_facts_qos(r, &run, left)
				: run_facts_assoc(
					  r, &run, query_int(&q, 0), left);
	}
	return query_close(&q) || failed ? -1 : 0;
}

static int compare_facts(const void *a, const void *b)
{
	const struct usage_fact *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->tres > y->tres) - (x->tres < y->tres);
}

static long double *detail_of(struct usage *usage, size_t *cap,
	const struct usage_fact *fact, struct arena *arena)
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
	const struct usage_fact *fact, struct arena *arena)
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
static void clamp_usage(struct usage *usage)
{
	usage->raw = fmaxl(usage->raw, 0);
	usage->wall = fmaxl(usage->wall, 0);
	for (size_t i = 0; i < usage->n_tres; i++)
		usage->tres[i].seconds = fmaxl(usage->tres[i].seconds, 0);
}

static bool sorted(const struct usage_fact *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_facts(&v[i - 1], &v[i]) > 0)
			return false;
	return true;
}

static void sum_up(struct usage_reading *r, struct usage_list *list)
{
	struct usage *usage = NULL;
	size_t cap = 0;

	*list = (struct usage_list){0};
	if (!sorted(r->v, r->n))
		qsort(r->v, r->n, sizeof(*r->v), compare_facts);
	for (size_t i = 0; i < r->n; i++) {
		if (!usage || usage->assoc != r->v[i].key) {
			if (usage)
				clamp_usage(usage);
			usage = ARENA_PUSH(
				r->arena, list->v, list->n, list->cap);
			usage->assoc = r->v[i].key;
			cap = 0;
		}
		*sum_of(usage, &cap, &r->v[i], r->arena) += r->v[i].amount;
	}
	if (usage)
		clamp_usage(usage);
}

static int read_facts(struct usage_reading *r, const struct policy *policy)
{
	if (half_lives_load(&r->lives, r->store, policy))
		return -1;
	r->reset = half_lives_last_reset(&r->lives, r->at);
	return read_amounts(r) || (!r->qos && !r->only && read_removed(r)) ||
			       read_runs(r)
		       ? -1
		       : 0;
}

static int read_all(struct usage_reading *r, const struct policy *policy,
	struct usage_list *list)
{
	if (read_facts(r, policy))
		return -1;
	sum_up(r, list);
	return 0;
}

int usage_read(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, bool details, struct arena *arena,
	struct usage_list *list)
{
	struct usage_reading r = {.store = store,
		.cluster = cluster,
		.at = at,
		.details = details,
		.arena = arena};

	return read_all(&r, policy, list);
}

int usage_read_rows(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, struct arena *arena,
	struct usage_rows *rows)
{
	struct usage_reading r = {.store = store,
		.cluster = cluster,
		.at = at,
		.rows = rows,
		.arena = arena};

	if (read_facts(&r, policy))
		return -1;
	for (uint32_t i = 0; i < rows->n; i++)
		if (!(rows->raw[i] >= 0))
			rows->raw[i] = 0; /* as clamp_usage() */
	return 0;
}

int usage_read_one(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t assoc, struct arena *arena,
	struct usage_list *list)
{
	struct usage_reading r = {.store = store,
		.cluster = cluster,
		.at = store->now,
		.only = assoc,
		.details = true,
		.arena = arena};

	return read_all(&r, policy, list);
}

int usage_read_qos(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, bool details, struct arena *arena,
	struct usage_list *list)
{
	struct usage_reading r = {.store = store,
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
