/*
 * What associations and QOS have used: amounts, and jobs that still run.
 */
#include <math.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "db/rows/members.h"
#include "db/usage/fold.h"

enum fact_kind { FACT_USED, FACT_REMOVED, FACT_TO_RUN };

/* One amount that counts for someone; sorted and summed up at the end. */
struct used_amount {
	int64_t key;
	int tres;
	enum fact_kind kind;
	long double amount;
};

/* A reading while it goes on. */
struct usage_reading {
	struct store *store;
	struct ledger ledger;
	int64_t cluster, at;
	bool qos;     /* of QOS instead */
	bool details;
	struct usage_rows *rows; /* or NULL: facts are collected */
	struct arena *arena;
	struct run_rates rates; /* of the run at hand */
	struct used_amount *v;
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
			(struct used_amount){key, tres, kind, amount};
}

static int64_t key_of(const struct usage_reading *r, int64_t owner)
{
	return r->qos ? qos_of_owner(owner) : owner;
}

/* What the present life has come to by its last bucket, or by its beginning, when
 * usage was set and nothing that ran since is known. */
static int last_sums(
	struct usage_reading *r, struct query *q, struct usage_sums *sums)
{
	const struct usage_fact *life;
	struct balance b;

	if (!query_is_null(q, 6))
		return sums_read(q, 6, sums, r->arena);
	life = ledger_life(&r->ledger, query_int(q, 0), INT64_MAX);
	if (!life || balance_read(r->store, &r->ledger.eras, life, INT64_MAX,
			     r->arena, &b))
		return -1;
	*sums = b.sums;
	return 0;
}

/* RawUsage alone, or all that there is. */
static int head_facts(struct usage_reading *r, struct query *q, long double factor)
{
	int64_t key = key_of(r, query_int(q, 0));
	struct usage_sums sums;

	if (!r->details) {
		add_fact(r, key, USAGE_RAW, FACT_USED, query_real(q, 5) * factor);
		return 0;
	}
	if (last_sums(r, q, &sums))
		return -1;
	sums_at(&sums, USAGE_RAW, r->arena)->carried = query_real(q, 5);
	for (size_t i = 0; i < sums.n; i++)
		add_fact(r, key, sums.v[i].tres, FACT_USED,
			sums.v[i].carried * factor);
	return 0;
}

/* What lives have come to by their last bucket; the cluster's associations are those
 * that are found among the rows. What is true at a later time may not be read before:
 * a clock may go back. */
static int read_heads(struct usage_reading *r)
{
#define HEADS(sums, joined, where)                                             \
	"SELECT u.owner, u.begin, u.at, u.last, u.still, u.raw, " sums         \
	" FROM usage u" joined " WHERE u.owner BETWEEN :first AND :last" where
	struct query q;
	int failed = 0;

	/* What is NULL is not looked up. */
	if (query_open(&q, r->store,
		    r->rows ? HEADS("NULL", "", "")
			    : HEADS("s.sums",
				      " LEFT JOIN usage_sum s"
				      " ON s.owner = iif(:details, u.owner, NULL)"
				      " AND s.life = u.life AND s.at = u.at"
				      " LEFT JOIN assoc a"
				      " ON a.key = iif(:qos, NULL, u.owner)",
				      " AND (:qos OR a.cluster = :cluster)")))
		return -1;
#undef HEADS
	query_bind_int(&q, ":first",
		r->qos ? owner_of_qos(UINT32_MAX, r->cluster) : 1);
	query_bind_int(
		&q, ":last", r->qos ? owner_of_qos(0, r->cluster) : INT64_MAX);
	if (!r->rows) {
		query_bind_int(&q, ":details", r->details);
		query_bind_int(&q, ":qos", r->qos);
		query_bind_int(&q, ":cluster", r->cluster);
	}
	while (!failed && query_row(&q)) {
		const struct carried when = {query_int(&q, 1), query_int(&q, 2)};

		failed = head_facts(r, &q,
			eras_factor(&r->ledger.eras, query_int(&q, 4), when,
				larger(r->at, query_int(&q, 3))));
	}
	return query_close(&q) || failed ? -1 : 0;
}

/* ---- what has just been reset --------------------------------------------*/

/* Until the next calculation, or until it is set. */
static bool shows_yet(const struct usage_fact *fact, int64_t at)
{
	if (fact->heir || fact->until <= at)
		return false;
	while ((fact = life_after(fact)))
		if (!isnan(fact->raw))
			return false;
	return true;
}

static int removed_by(struct usage_reading *r, int64_t owner, int64_t id)
{
	const struct usage_fact *fact = ledger_life(&r->ledger, owner, id), *life;
	struct balance b;

	if (!fact)
		return -1;
	if (!shows_yet(fact, r->at))
		return 0;
	life = fact - 1;
	if (balance_read(r->store, &r->ledger.eras, life, INT64_MAX, r->arena,
		    &b))
		return -1;
	for (size_t i = 0; i < b.sums.n; i++)
		if (b.sums.v[i].tres == USAGE_RAW)
			add_fact(r, owner, USAGE_RAW, FACT_REMOVED,
				b.sums.v[i].carried *
					eras_factor(&r->ledger.eras,
						life->still, b.when, r->at));
	return 0;
}

static int read_removed(struct usage_reading *r)
{
	struct query q;
	int failed = 0;

	if (query_open(&q, r->store,
		    "SELECT f.owner, f.id FROM usage_fact f CROSS JOIN assoc a"
		    " ON a.key = f.owner WHERE f.until > :at AND f.until > 0"
		    " AND a.cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":at", r->at);
	query_bind_int(&q, ":cluster", r->cluster);
	while (!failed && query_row(&q))
		failed = removed_by(r, query_int(&q, 0), query_int(&q, 1));
	return query_close(&q) || failed ? -1 : 0;
}

/* ---- running jobs --------------------------------------------------------*/

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

/* A part of a run that goes on. */
struct running_part {
	struct usage_reading *r;
	long double left; /* what it may run yet, seconds */
};

/* Whoever has the part: what a run of 1 a second would be worth now. */
static void part_facts(const struct running_part *g, int64_t key,
	long double seconds, enum fact_kind kind, bool raw)
{
	const struct run_rates *rates = &g->r->rates;

	for (size_t i = 0; i < rates->n; i++)
		if (rates->v[i].tres == USAGE_RAW ? raw : kind == FACT_USED)
			add_fact(g->r, key, rates->v[i].tres, kind,
				rates->v[i].rate * seconds);
}

/* What it may use yet. */
static void left_facts(const struct running_part *g, int64_t key)
{
	const struct run_rates *rates = &g->r->rates;

	for (size_t i = 0; i < rates->n; i++)
		if (rates->v[i].tres > USAGE_RAW)
			add_fact(g->r, key, rates->v[i].tres, FACT_TO_RUN,
				rates->v[i].rate * g->left);
}

static long double decayed(const struct running_part *g, bool still,
	struct carried from, int64_t to)
{
	return eras_factor(&g->r->ledger.eras, still, from, to);
}

/* A part in a life that has ended is its heir's; or nobody's, which shows a
 * while. */
static int charge_part(void *arg, const struct run_part *part)
{
	const struct running_part *g = arg;
	struct usage_reading *r = g->r;
	const struct usage_fact *life = part->life, *next;
	bool raw = true;
	const struct bucket bucket =
		eras_bucket(&r->ledger.eras, life->still, part->end);
	struct carried when = {bucket.begin, bucket.end};
	long double seconds = eras_worth(
		&r->ledger.eras, life->still, &bucket, part->start, part->end);

	while ((next = life_after(life)) && next->heir) {
		raw = raw && isnan(next->raw);
		seconds *= decayed(g, life->still, when, next->time);
		when = (struct carried){next->time, next->time};
		life = ledger_heir(&r->ledger, next);
		if (!life)
			return -1;
	}
	if (part->end == r->at) /* it is the last part */
		left_facts(g, key_of(r, life->owner));
	if (!next || shows_yet(next, r->at))
		part_facts(g, key_of(r, life->owner),
			seconds * decayed(g, life->still, when, r->at),
			next ? FACT_REMOVED : FACT_USED, raw);
	return 0;
}

static int run_facts(struct usage_reading *r, const struct job *run)
{
	uint32_t limit = run->wall_limit != NO_VAL ? run->wall_limit
						   : run->time_limit;
	const struct running_part g = {r, left_of(limit, run->start, r->at)};
	int64_t owners[3];
	int n = usage_owners(run, owners);

	usage_rates(run, !r->details, &r->rates, r->arena);
	for (int i = 0; i < n; i++)
		if (r->qos == (owners[i] < 0) &&
			ledger_walk(&r->ledger, owners[i], run->usage_epoch,
				run->start, r->at, charge_part,
				(void *)(uintptr_t)&g))
			return -1;
	return 0;
}

/* Running jobs are charged up to now, not stored. */
static int read_runs(struct usage_reading *r)
{
	struct query q;
	int failed = 0;

	if (query_open_members(&q, r->store, &job_members,
		    "SELECT wall_limit, time_limit, " USAGE_RUN_COLUMNS
		    " FROM job WHERE cluster = :cluster AND end IS NULL"
		    " AND start > 0 AND start <= :at"))
		return -1;
	query_bind_int(&q, ":details", r->details);
	query_bind_int(&q, ":cluster", r->cluster);
	query_bind_int(&q, ":at", r->at);
	while (!failed && query_row(&q)) {
		struct job run;

		members_read_named(&q, 0, &run, &job_members, r->arena);
		failed = run_facts(r, &run);
	}
	return query_close(&q) || failed ? -1 : 0;
}

static int compare_facts(const void *a, const void *b)
{
	const struct used_amount *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->tres > y->tres) - (x->tres < y->tres);
}

static long double *sum_of(struct usage *usage, size_t *cap,
	const struct used_amount *fact, struct arena *arena)
{
	struct usage_tres *last =
		usage->n_tres ? &usage->tres[usage->n_tres - 1] : NULL;

	if (fact->kind == FACT_REMOVED)
		return &usage->removed;
	if (fact->tres == USAGE_RAW)
		return &usage->raw;
	if (fact->tres == USAGE_WALL)
		return &usage->wall;
	if (!last || last->id != (uint32_t)fact->tres) {
		last = ARENA_PUSH(arena, usage->tres, usage->n_tres, *cap);
		last->id = (uint32_t)fact->tres;
	}
	return fact->kind == FACT_TO_RUN ? &last->run_seconds : &last->seconds;
}

static bool sorted(const struct used_amount *v, size_t n)
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
			usage = ARENA_PUSH(
				r->arena, list->v, list->n, list->cap);
			usage->assoc = r->v[i].key;
			cap = 0;
		}
		*sum_of(usage, &cap, &r->v[i], r->arena) += r->v[i].amount;
	}
}

/* `list` NULL: into the rows. */
static int read_all(struct usage_reading *r, const struct policy *policy,
	struct usage_list *list)
{
	int rc = ledger_open(&r->ledger, r->store, policy) || read_heads(r) ||
		 (!r->qos && read_removed(r)) || read_runs(r);

	ledger_close(&r->ledger);
	if (!rc && list)
		sum_up(r, list);
	return rc ? -1 : 0;
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

	return read_all(&r, policy, NULL);
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
