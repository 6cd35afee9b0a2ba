#include "db/usage/sums.h"

#include <math.h>
#include <string.h>

#include "db/store/query.h"
#include "db/usage/usage.h"

/* ---- sums ----------------------------------------------------------------*/

struct usage_sum *sums_at(
	struct usage_sums *sums, int tres, struct arena *arena)
{
	size_t i = sums->n;

	while (i && sums->v[i - 1].tres > tres)
		i--;
	if (i && sums->v[i - 1].tres == tres)
		return &sums->v[i - 1];
	(void)ARENA_PUSH(arena, sums->v, sums->n, sums->cap);
	memmove(&sums->v[i + 1], &sums->v[i],
		(sums->n - 1 - i) * sizeof(*sums->v));
	sums->v[i] = (struct usage_sum){.tres = tres};
	return &sums->v[i];
}

void sums_add(struct usage_sums *sums, const struct usage_sums *more,
	struct arena *arena)
{
	for (size_t i = 0; i < more->n; i++)
		sums_at(sums, more->v[i].tres, arena)->added +=
			more->v[i].added;
}

bool sums_none(const struct usage_sums *sums)
{
	for (size_t i = 0; i < sums->n; i++)
		if (sums->v[i].added)
			return false;
	return true;
}

/* ---- as bytes ------------------------------------------------------------*/

__extension__ typedef unsigned __int128 unsigned_worth;

struct bytes {
	unsigned char *v;
	size_t n, cap;
};

/* Seven bits at a time, small numbers of either sign in few bytes. */
static void put_number(struct bytes *b, worth number, struct arena *arena)
{
	unsigned_worth u = (unsigned_worth)number << 1 ^
			      (unsigned_worth)(number >> 127);

	for (; u > 127; u >>= 7)
		*ARENA_PUSH(arena, b->v, b->n, b->cap) =
			(unsigned char)(u | 128);
	*ARENA_PUSH(arena, b->v, b->n, b->cap) = (unsigned char)u;
}

static void put_real(struct bytes *b, double real, struct arena *arena)
{
	uint64_t u;

	memcpy(&u, &real, sizeof(u));
	for (int i = 0; i < 8; i++)
		*ARENA_PUSH(arena, b->v, b->n, b->cap) =
			(unsigned char)(u >> 8 * i);
}

static bool get_number(struct bytes *b, worth *number)
{
	unsigned_worth u = 0;

	for (int shift = 0; b->n && shift < 128; shift += 7) {
		unsigned char byte = *b->v++;

		b->n--;
		u |= (unsigned_worth)(byte & 127) << shift;
		if (byte < 128) {
			*number = (worth)(u >> 1) ^ -(worth)(u & 1);
			return true;
		}
	}
	return false;
}

static bool get_real(struct bytes *b, double *real)
{
	uint64_t u = 0;

	if (b->n < 8)
		return false;
	for (int i = 0; i < 8; i++)
		u |= (uint64_t)b->v[i] << 8 * i;
	b->v += 8;
	b->n -= 8;
	memcpy(real, &u, sizeof(u));
	return true;
}

static struct bytes pack(const struct usage_sums *sums, struct arena *arena)
{
	struct bytes b = {0};

	for (size_t i = 0; i < sums->n; i++) {
		const struct usage_sum *sum = &sums->v[i];

		if (!sum->added && fpclassify(sum->carried) == FP_ZERO)
			continue;
		put_number(&b, sum->tres, arena);
		put_number(&b, sum->added, arena);
		put_real(&b, sum->carried, arena);
	}
	return b;
}

int sums_read(struct query *q, int column, struct usage_sums *sums,
	struct arena *arena)
{
	struct bytes b = {0};
	int n;

	b.v = (unsigned char *)(uintptr_t)query_blob(q, column, &n);
	b.n = (size_t)n;
	*sums = (struct usage_sums){0};
	while (b.n) {
		struct usage_sum *sum =
			ARENA_PUSH(arena, sums->v, sums->n, sums->cap);
		worth tres;

		if (!get_number(&b, &tres) || !get_number(&b, &sum->added) ||
			!get_real(&b, &sum->carried))
			return err_set(q->store->err, ERR_STORE,
				"%s is damaged: usage (sacctmgr rebuild usage)",
				q->store->path);
		sum->tres = (int)tres;
	}
	return 0;
}

/* ---- rows ----------------------------------------------------------------*/

static void bind_life(struct query *q, const struct usage_fact *life, int64_t at)
{
	query_bind_int(q, ":owner", life->owner);
	query_bind_int(q, ":life", life->id);
	query_bind_int(q, ":at", at);
}

/* 1: the statement has a row; 0; -1. */
static int read_row(struct store *store, const char *sql,
	const struct usage_fact *life, int64_t at, struct balance *row,
	struct arena *arena)
{
	struct query q;
	int rc;

	*row = (struct balance){0};
	if (query_open(&q, store, sql))
		return -1;
	bind_life(&q, life, at);
	rc = query_row(&q);
	if (rc) {
		row->when.at = query_int(&q, 0);
		row->when.begin = query_int(&q, 1);
		if (sums_read(&q, 2, &row->sums, arena))
			rc = -1;
	}
	return query_close(&q) ? -1 : rc;
}

#define ROW                                                                    \
	"SELECT at, begin, sums FROM usage_sum"                                \
	" WHERE owner = :owner AND life = :life AND at "

/* Adds the RawUsage that the life begins with, once it has come to that time.
 */
static void begin_life(const struct eras *eras, const struct usage_fact *life,
	int64_t at, struct balance *b, struct arena *arena)
{
	long double factor;

	if (isnan(life->raw) || b->when.at >= life->time || at < life->time)
		return;
	factor = eras_factor(eras, life->still, b->when, life->time);
	for (size_t i = 0; i < b->sums.n; i++)
		b->sums.v[i].carried = (double)(b->sums.v[i].carried * factor);
	sums_at(&b->sums, USAGE_RAW, arena)->carried += life->raw;
	b->when = (struct carried){life->time, life->time};
}

int balance_read(struct store *store, const struct eras *eras,
	const struct usage_fact *life, int64_t at, struct arena *arena,
	struct balance *b)
{
	int found = read_row(store, ROW "<= :at ORDER BY at DESC LIMIT 1", life,
		at, b, arena);

	if (found < 0)
		return -1;
	if (!found)
		b->when = (struct carried){INT64_MIN, INT64_MIN};
	begin_life(eras, life, at, b, arena);
	return 0;
}

static int write_row(struct store *store, const struct usage_fact *life,
	const struct balance *row, bool kept, struct arena *arena)
{
#define DROP(table)                                                            \
	"DELETE FROM " table " WHERE owner = :owner AND life = :life"          \
	" AND at = :at"
#define PUT(table)                                                             \
	"INSERT INTO " table " (owner, life, at, begin, sums)"                 \
	" VALUES (:owner, :life, :at, :begin, :sums)"                          \
	" ON CONFLICT DO UPDATE SET begin = excluded.begin,"                   \
	" sums = excluded.sums"
	struct bytes b = pack(&row->sums, arena);
	bool none = sums_none(&row->sums);
	struct query q;

	if (query_open(&q, store,
		    kept ? none ? DROP("usage_kept") : PUT("usage_kept")
		    : none ? DROP("usage_sum")
			   : PUT("usage_sum")))
		return -1;
#undef DROP
#undef PUT
	bind_life(&q, life, row->when.at);
	if (!none) {
		query_bind_int(&q, ":begin", row->when.begin);
		query_bind_blob(&q, ":sums", b.v, (int)b.n);
	}
	return query_run(&q);
}

/* ---- what follows --------------------------------------------------------*/

static bool same(double a, double b)
{
	return !memcmp(&a, &b, sizeof(a));
}

/* What the row comes to after the one before. False: that is what it says. */
static bool carry(const struct eras *eras, const struct usage_fact *life,
	const struct balance *before, struct balance *row, struct arena *arena)
{
	long double factor = before->sums.n
				     ? eras_carry(eras, life->still,
					       before->when, row->when.at)
				     : 0;
	struct usage_sums was = row->sums;
	bool changed = false;
	size_t j = 0;

	row->sums = (struct usage_sums){0};
	for (size_t i = 0; i < before->sums.n; i++)
		sums_at(&row->sums, before->sums.v[i].tres, arena)->carried =
			(double)(before->sums.v[i].carried * factor);
	sums_add(&row->sums, &was, arena);
	for (size_t i = 0; i < row->sums.n; i++) {
		struct usage_sum *sum = &row->sums.v[i];

		sum->carried = (double)(sum->carried +
					worth_seconds(sum->added));
		while (j < was.n && was.v[j].tres < sum->tres)
			j++;
		changed |= !same(sum->carried,
			j < was.n && was.v[j].tres == sum->tres
				? was.v[j].carried
				: 0);
	}
	return changed;
}

/* Brings the buckets that end after `at` up to the balance before them, until one
 * stays as it is. *last: what the life has come to in the end. 1: one stayed; 0:
 * they were the last; -1. */
static int follow(struct store *store, const struct eras *eras,
	const struct usage_fact *life, int64_t at, struct balance *last,
	struct arena *arena)
{
	struct balance row;
	int found;

	while ((found = read_row(store, ROW "> :at ORDER BY at LIMIT 1", life,
			at, &row, arena)) > 0) {
		begin_life(eras, life, row.when.at, last, arena);
		if (!carry(eras, life, last, &row, arena))
			return 1;
		if (write_row(store, life, &row, false, arena))
			return -1;
		at = row.when.at;
		*last = row;
	}
	return found;
}

/* ---- the present life ----------------------------------------------------*/

static int put_head(struct store *store, const struct usage_fact *life,
	const struct balance *b, int64_t last)
{
	double raw = 0;

	if (!b->sums.n)
		return store_run(store,
			"DELETE FROM usage WHERE owner = :owner",
			bind_int(":owner", life->owner));
	for (size_t i = 0; i < b->sums.n; i++)
		if (b->sums.v[i].tres == USAGE_RAW)
			raw = b->sums.v[i].carried;
	return store_run(store,
		"INSERT INTO usage (owner, life, begin, at, still, raw, last)"
		" VALUES (:owner, :life, :begin, :at, :still, :raw, :last)"
		" ON CONFLICT DO UPDATE SET life = excluded.life,"
		" begin = excluded.begin, at = excluded.at,"
		" still = excluded.still, raw = excluded.raw,"
		" last = max(last, excluded.last)",
		bind_int(":owner", life->owner), bind_int(":life", life->id),
		bind_int(":begin", b->when.begin), bind_int(":at", b->when.at),
		bind_int(":still", life->still), bind_real(":raw", raw),
		bind_int(":last", last));
}

int usage_head_write(
	struct store *store, const struct eras *eras, const struct usage_fact *life)
{
	struct balance b;
	SCRATCH_ARENA(arena);

	return any_failed(
		balance_read(store, eras, life, INT64_MAX, &arena, &b) ||
		put_head(store, life, &b, isnan(life->raw) ? 0 : life->time));
}

/* ---- adding --------------------------------------------------------------*/

int sums_write(struct store *store, const struct eras *eras,
	const struct usage_fact *life, const struct bucket *bucket,
	const struct usage_sums *added, int64_t last, struct arena *arena)
{
	struct balance balance;
	struct balance row;
	int rest;

	if (read_row(store, ROW "= :at", life, bucket->end, &row, arena) < 0 ||
		balance_read(
			store, eras, life, bucket->end - 1, arena, &balance))
		return -1;
	row.when = (struct carried){bucket->begin, bucket->end};
	sums_add(&row.sums, added, arena);
	begin_life(eras, life, bucket->end, &balance, arena);
	carry(eras, life, &balance, &row, arena);
	if (write_row(store, life, &row, false, arena))
		return -1;
	if (!sums_none(&row.sums))
		balance = row;
	rest = follow(store, eras, life, bucket->end, &balance, arena);
	if (rest)
		return rest < 0 ? -1 : 0;
	begin_life(eras, life, INT64_MAX, &balance, arena);
	return life->is_last ? put_head(store, life, &balance, last) : 0;
}

int sums_keep(struct store *store, const struct usage_fact *life,
	const struct bucket *bucket, const struct usage_sums *added,
	struct arena *arena)
{
	struct balance row;

	if (read_row(store,
		    "SELECT at, begin, sums FROM usage_kept WHERE"
		    " owner = :owner AND life = :life AND at = :at",
		    life, bucket->end, &row, arena) < 0)
		return -1;
	row.when = (struct carried){bucket->begin, bucket->end};
	sums_add(&row.sums, added, arena);
	return write_row(store, life, &row, true, arena);
}
