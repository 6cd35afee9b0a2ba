#include "db/past/rebuild.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/meta.h"
#include "db/store/query.h"
#include "db/usage/fold.h"

/* An amount, as it was before usage was made anew, and as it is. */
struct rebuilt_amount {
	int64_t owner;
	int tres;
	long double seconds; /* decayed until now */
};

struct amounts {
	struct rebuilt_amount *v;
	size_t n, cap;
};

static int take_head(struct store *store, const struct eras *eras,
	struct query *q, struct amounts *all, struct arena *arena)
{
	const struct carried when = {query_int(q, 1), query_int(q, 2)};
	const long double factor =
		eras_factor(eras, query_int(q, 3), when, store->now);
	struct usage_sums sums = {0};

	if (query_is_null(q, 5))
		sums_at(&sums, USAGE_RAW, arena)->carried = query_real(q, 4);
	else if (sums_read(q, 5, &sums, arena))
		return -1;
	for (size_t i = 0; i < sums.n; i++)
		*ARENA_PUSH(arena, all->v, all->n, all->cap) =
			(struct rebuilt_amount){query_int(q, 0), sums.v[i].tres,
				sums.v[i].carried * factor};
	return 0;
}

/* Ascending by owner and TRES. */
static int take_all(struct store *store, const struct policy *policy,
	struct amounts *all, struct arena *arena)
{
	struct ledger ledger;
	struct query q;
	int rc = 0;

	*all = (struct amounts){0};
	if (ledger_open(&ledger, store, policy) ||
		query_open(&q, store,
			"SELECT u.owner, u.begin, u.at, u.still, u.raw, s.sums"
			" FROM usage u LEFT JOIN usage_sum s"
			" ON s.owner = u.owner AND s.life = u.life"
			" AND s.at = u.at ORDER BY u.owner")) {
		ledger_close(&ledger);
		return -1;
	}
	while (!rc && query_row(&q))
		rc = take_head(store, &ledger.eras, &q, all, arena);
	ledger_close(&ledger);
	return query_close(&q) || rc ? -1 : 0;
}

static int order(const struct rebuilt_amount *a, const struct rebuilt_amount *b)
{
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return (a->tres > b->tres) - (a->tres < b->tres);
}

/* The names of the owner; *cluster: it is on that one. */
static int name_owner(struct store *store, int64_t owner,
	struct rebuild_row *row, int64_t *cluster, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    owner > 0 ? "SELECT cluster, NULL, account, user, partition"
				" FROM assoc WHERE key = :owner"
			      : "SELECT -:owner >> 32, (SELECT name FROM qos"
				" WHERE id = -:owner & 4294967295), '', '', ''"))
		return -1;
	query_bind_int(&q, ":owner", owner);
	row->account = row->user = row->partition = "";
	*cluster = 0;
	if (query_row(&q)) {
		*cluster = query_int(&q, 0);
		row->qos = owner > 0 ? NULL : query_strdup(&q, 1, arena);
		row->account = query_strdup(&q, 2, arena);
		row->user = query_strdup(&q, 3, arena);
		row->partition = query_strdup(&q, 4, arena);
	}
	return query_close(&q);
}

/* NULL when there is no such amount. */
static int compare(struct store *store, const struct rebuilt_amount *was,
	const struct rebuilt_amount *is, const int64_t *clusters, size_t n,
	struct arena *arena, struct rebuild_list *lists)
{
	const struct rebuilt_amount *any = is ? is : was;
	struct rebuild_row row = {.tres = any->tres,
		.was = was ? was->seconds : 0,
		.is = is ? is->seconds : 0};
	int64_t cluster;

	if (!(row.was < row.is) && !(row.was > row.is))
		return 0;
	if (name_owner(store, any->owner, &row, &cluster, arena))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (clusters[i] == cluster)
			*ARENA_PUSH(arena, lists[i].v, lists[i].n,
				lists[i].cap) = row;
	return 0;
}

static int compare_all(struct store *store, const struct amounts *was,
	const struct amounts *is, const int64_t *clusters, size_t n,
	struct arena *arena, struct rebuild_list *lists)
{
	size_t i = 0, j = 0;

	while (i < was->n || j < is->n) {
		int first = i == was->n	 ? 1
			    : j == is->n ? -1
					 : order(&was->v[i], &is->v[j]);

		if (compare(store, first <= 0 ? &was->v[i] : NULL,
			    first >= 0 ? &is->v[j] : NULL, clusters, n, arena,
			    lists))
			return -1;
		i += first <= 0;
		j += first >= 0;
	}
	return 0;
}

int rebuild_usage(struct store *store, const struct policy *policy,
	const int64_t *clusters, size_t n, struct arena *arena,
	struct rebuild_list *lists)
{
	struct amounts was, is;

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct rebuild_list){0};
	return usage_settle_policy(store, policy) ||
			       take_all(store, policy, &was, arena) ||
			       usage_fold(store, policy, "job", INT64_MIN,
				       INT64_MAX) ||
			       take_all(store, policy, &is, arena) ||
			       compare_all(store, &was, &is, clusters, n, arena,
				       lists)
		       ? -1
		       : 0;
}

/* ---- gaps ----------------------------------------------------------------*/

static const char *const gap_names[] = {"purged_jobs", "purged_log"};

int rebuild_gaps(struct store *store, struct rebuild_gaps *gaps)
{
	*gaps = (struct rebuild_gaps){0};
	return meta_get_int(store, gap_names[false], &gaps->jobs) ||
			       meta_get_int(store, gap_names[true], &gaps->log)
		       ? -1
		       : 0;
}

int rebuild_note_purge(struct store *store, bool log, int64_t until)
{
	int64_t known = 0;

	if (meta_get_int(store, gap_names[log], &known))
		return -1;
	return until > known ? meta_set_int(store, gap_names[log], until) : 0;
}
