#include "db/usage/convert.h"

#include <math.h>

#include "common/base/notice.h"
#include "common/table/qos.h"
#include "db/store/migrations.h"
#include "db/store/query.h"
#include "db/usage/fold.h"

/* That of slurm.conf: an older store knows half-lives only. */
static struct policy policy;

/* The last life of each association begins when it was last set; it was removed
 * where its row is. Jobs belong to that life or, recorded before, to the first. */
static int make_facts(struct store *store)
{
	return store_exec(store,
		"INSERT INTO usage_fact (id, owner, time, heir, until)"
		" SELECT row_number() OVER (ORDER BY r.since, r.assoc), r.assoc,"
		" r.since, iif(a.deleted, a.parent, NULL), r.until"
		" FROM assoc_usage_reset r JOIN assoc a ON a.key = r.assoc;"
		"UPDATE job SET usage_epoch = coalesce((SELECT f.id"
		"  FROM usage_fact f JOIN assoc_usage_reset r"
		"   ON r.assoc = f.owner WHERE f.owner = job.assoc"
		"   AND r.epoch <= job.usage_epoch), 0)"
		" WHERE usage_epoch <> 0 OR assoc IN"
		"  (SELECT assoc FROM assoc_usage_reset WHERE epoch = 0)");
}

/* What an owner had. */
struct old_amount {
	int64_t owner;
	int tres;
	long double seconds; /* now */
};

struct old_amounts {
	struct old_amount *v;
	size_t n, cap;
};

static int read_amounts(struct store *store, const struct eras *eras,
	struct old_amounts *all, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT assoc, tres, amount, at, 0 FROM assoc_usage"
		    " UNION ALL SELECT -(u.cluster << 32 | u.qos), u.tres,"
		    " u.amount, u.at, coalesce(q.flags, 0) FROM qos_usage u"
		    " LEFT JOIN qos q ON q.id = u.qos"
		    " UNION ALL SELECT owner, 0, 0.0, at, still * :still"
		    "  FROM usage WHERE owner NOT IN"
		    "  (SELECT assoc FROM assoc_usage UNION ALL"
		    "   SELECT -(cluster << 32 | qos) FROM qos_usage)"
		    " ORDER BY 1, 2"))
		return -1;
	query_bind_int(&q, ":still", QOS_NO_DECAY);
	while (query_row(&q)) {
		const int64_t at = query_int(&q, 3);

		*ARENA_PUSH(arena, all->v, all->n, all->cap) = (struct old_amount){
			query_int(&q, 0), (int)query_int(&q, 1),
			query_real(&q, 2) *
				eras_factor(eras,
					query_int(&q, 4) & QOS_NO_DECAY,
					(struct carried){at, at}, store->now)};
	}
	return query_close(&q);
}

static long double amount_of(const struct old_amount *v, size_t n, int tres)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].tres == tres)
			return v[i].seconds;
	return 0;
}

/* What the amounts of an owner have beyond what its records come to, or less. */
static int keep_rest(struct ledger *l, int64_t owner, const struct old_amount *v,
	size_t n, struct arena *arena)
{
	const struct usage_fact *life = ledger_life(l, owner, INT64_MAX);
	const struct carried now = {l->store->now, l->store->now};
	struct usage_sums rest = {0};
	struct balance is;
	struct bucket bucket;
	long double factor, grown;

	if (!life || balance_read(l->store, &l->eras, life, INT64_MAX, arena,
			     &is))
		return -1;
	bucket = eras_bucket(&l->eras, life->still, now.at);
	factor = eras_factor(&l->eras, life->still, is.when, now.at);
	grown = eras_carry(&l->eras, life->still, now, bucket.end);
	for (size_t i = 0; i < n; i++)
		sums_at(&is.sums, v[i].tres, arena);
	for (size_t i = 0; i < is.sums.n; i++) {
		const struct usage_sum *sum = &is.sums.v[i];
		long double have = sum->carried * factor;
		long double was = amount_of(v, n, sum->tres);

		/* Rounding, as sums of floating point left it. */
		if (!(fabsl(was - have) <=
			    1e-9L * fmaxl(fabsl(was), fabsl(have)) + 1e-6L))
			sums_at(&rest, sum->tres, arena)->added =
				worth_of((was - have) * grown);
	}
	return sums_none(&rest) ? 0
				: sums_keep(l->store, life, &bucket, &rest,
					  arena) ||
					  ledger_write(l, life, &bucket, &rest,
						  now.at);
}

static int keep_rests(struct ledger *l, const struct old_amounts *all)
{
	SCRATCH_ARENA(scratch);
	size_t n;
	int rc = 0;

	for (size_t i = 0; !rc && i < all->n; i += n) {
		for (n = 1; i + n < all->n &&
			    all->v[i + n].owner == all->v[i].owner;)
			n++;
		arena_reset(&scratch);
		rc = keep_rest(l, all->v[i].owner, &all->v[i], n, &scratch);
	}
	return rc ? -1 : 0;
}

/* Who had nothing left, though records say so, has nothing: to the last bit. Not
 * those who run something, which would end now. */
static int reset_rests(struct store *store)
{
	return any_failed(
		store_run(store,
			"INSERT INTO usage_fact"
			" (id, owner, time, was_still, still)"
			" SELECT row_number() OVER (ORDER BY u.owner) +"
			"  (SELECT coalesce(max(id), 0) FROM usage_fact),"
			"  u.owner, :now, u.still, u.still FROM usage u"
			" WHERE NOT EXISTS (SELECT 1 FROM assoc_usage a"
			"   WHERE a.assoc = u.owner AND a.amount <> 0)"
			"  AND NOT EXISTS (SELECT 1 FROM qos_usage q"
			"   WHERE -(q.cluster << 32 | q.qos) = u.owner"
			"   AND q.amount <> 0)"
			"  AND u.owner NOT IN"
			"   (WITH runs AS MATERIALIZED (SELECT cluster, assoc,"
			"     qos, part_qos FROM job"
			"     WHERE end IS NULL AND start > 0)"
			"    SELECT assoc FROM runs WHERE assoc NOT NULL"
			"    UNION ALL SELECT -(cluster << 32 | qos) FROM runs"
			"     WHERE qos NOT NULL"
			"    UNION ALL SELECT -(cluster << 32 | part_qos)"
			"     FROM runs WHERE part_qos NOT NULL)",
			bind_int(":now", store->now)) ||
		store_exec(store, "DELETE FROM usage WHERE owner IN"
				  " (SELECT owner FROM usage_fact f"
				  "  WHERE f.id > usage.life"
				  "  AND f.heir IS NULL)"));
}

/* Who waits is told why. */
static int tell(struct store *store)
{
	enum { MANY = 100000 };
	int64_t jobs = 0;

	if (store_number(store, "SELECT count(*) FROM job", &jobs))
		return -1;
	if (jobs >= MANY && !store->is_private)
		notice("%s: the usage of %lld jobs is converted, once",
			store->path, (long long)jobs);
	return 0;
}

static int convert(struct store *store)
{
	struct old_amounts all = {0};
	struct ledger ledger;
	SCRATCH_ARENA(arena);
	int rc;

	rc = tell(store) ||
	     store_run(store, "UPDATE decay SET reset = :reset",
		     bind_int(":reset", policy.reset)) ||
	     make_facts(store) ||
	     usage_fold(store, &policy, false, INT64_MIN, INT64_MAX) ||
	     reset_rests(store) || ledger_open(&ledger, store, &policy);
	if (!rc) {
		rc = read_amounts(store, &ledger.eras, &all, &arena) ||
		     keep_rests(&ledger, &all);
		ledger_close(&ledger);
	}
	return rc ? -1 : 0;
}

void usage_convert_when_migrated(const struct policy *now)
{
	policy = *now;
	schema_usage_conversion(convert);
}
