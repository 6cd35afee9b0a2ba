#include "db/past/rebuild.h"

#include <math.h>

#include "db/past/past.h"
#include "db/store/meta.h"
#include "db/store/query.h"

/* One cluster's amounts, as they are and as they should be. */
struct rebuild {
	struct store *store;
	const struct policy *policy;
	int64_t cluster;
	bool qos;
	struct arena *arena;
	struct rebuild_list *list;
};

/* Less than a thousandth of a second of difference is rounding. */
static bool same(long double a, long double b)
{
	return fabsl(a - b) <= 1e-9L * fmaxl(fabsl(a), fabsl(b)) + 1e-3L;
}

static int name_assoc(struct rebuild *r, int64_t key, struct rebuild_row *row)
{
	struct query q;

	if (query_open(&q, r->store,
		    "SELECT account, user, partition FROM assoc"
		    " WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	row->account = row->user = row->partition = "";
	if (query_row(&q)) {
		row->account = query_strdup(&q, 0, r->arena);
		row->user = query_strdup(&q, 1, r->arena);
		row->partition = query_strdup(&q, 2, r->arena);
	}
	return query_close(&q);
}

static int name_qos(struct rebuild *r, int64_t id, struct rebuild_row *row)
{
	struct query q;

	if (query_open(&q, r->store, "SELECT name FROM qos WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", id);
	row->qos = query_row(&q) ? query_strdup(&q, 0, r->arena) : "";
	return query_close(&q);
}

/* NULL when there is no such amount. */
static int compare(struct rebuild *r, const struct usage_amount *was,
	const struct usage_amount *is)
{
	const struct usage_amount *any = is ? is : was;
	struct rebuild_row row = {.tres = any->tres,
		.was = was ? was->now : 0,
		.is = is ? is->now : 0};

	if (same(row.was, row.is))
		return 0;
	if (r->qos ? name_qos(r, any->owner, &row)
		   : name_assoc(r, any->owner, &row))
		return -1;
	*ARENA_PUSH(r->arena, r->list->v, r->list->n, r->list->cap) = row;
	return is ? usage_put_amount(r->store, r->qos, r->cluster, is)
		  : usage_drop_amount(r->store, r->qos, r->cluster, was);
}

static int order(const struct usage_amount *a, const struct usage_amount *b)
{
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return (a->tres > b->tres) - (a->tres < b->tres);
}

static int replace(struct rebuild *r, struct store *made)
{
	struct usage_amounts was, is;
	size_t i = 0, j = 0;

	if (usage_amounts(
		    r->store, r->policy, r->qos, r->cluster, r->arena, &was) ||
		usage_amounts(
			made, r->policy, r->qos, r->cluster, r->arena, &is))
		return -1;
	while (i < was.n || j < is.n) {
		int first = i == was.n	? 1
			    : j == is.n ? -1
					: order(&was.v[i], &is.v[j]);

		if (compare(r, first <= 0 ? &was.v[i] : NULL,
			    first >= 0 ? &is.v[j] : NULL))
			return -1;
		i += first <= 0;
		j += first >= 0;
	}
	return 0;
}

static int replace_all(struct rebuild *r, struct store *made,
	const int64_t *clusters, size_t n, struct rebuild_list *lists)
{
	for (size_t i = 0; i < n; i++) {
		lists[i] = (struct rebuild_list){0};
		r->list = &lists[i];
		r->cluster = clusters[i];
		for (int qos = 0; qos < 2; qos++) {
			r->qos = qos;
			if (replace(r, made))
				return -1;
		}
	}
	return 0;
}

int rebuild_usage(struct store *store, const struct policy *policy,
	const int64_t *clusters, size_t n, struct arena *arena,
	struct rebuild_list *lists)
{
	struct rebuild r = {.store = store, .policy = policy, .arena = arena};
	struct past past;
	int rc;

	if (past_open(&past, store, policy, true, PAST_FROM_RECORDS,
		    store->now))
		return -1;
	rc = past_move(&past, store->now) ||
	     replace_all(&r, past.store, clusters, n, lists);
	past_close(&past);
	return rc ? -1 : 0;
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
