#include "db/past/rebuild.h"

#include "db/store/query.h"
#include "db/usage/fold.h"

/* What owners of a cluster have used, before usage is made anew, or then. */
struct cluster_use {
	struct usage_list assocs, qos;
};

static int read_use(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, struct arena *arena,
	struct cluster_use *use)
{
	return any_failed(usage_read(store, policy, cluster, at, true, arena,
				  &use->assocs) ||
			  usage_read_qos(store, policy, cluster, at, true,
				  arena, &use->qos));
}

static int name_owner(struct store *store, bool qos, int64_t key,
	struct rebuild_row *row, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    qos ? "SELECT name, '', '' FROM qos WHERE id = :key"
			: "SELECT account, user, partition FROM assoc"
			  " WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	row->qos = qos ? "" : NULL;
	row->account = row->user = row->partition = "";
	if (query_row(&q)) {
		*(qos ? &row->qos : &row->account) = query_strdup(&q, 0, arena);
		row->user = query_strdup(&q, 1, arena);
		row->partition = query_strdup(&q, 2, arena);
	}
	return query_close(&q);
}

/* Two readings of one owner: what differs is listed. */
struct comparison {
	struct store *store;
	bool qos;
	int64_t key;
	struct arena *arena;
	struct rebuild_list *list;
};

static int compare(
	const struct comparison *c, int tres, long double was, long double is)
{
	struct rebuild_row row = {.tres = tres, .was = was, .is = is};

	if (!(was < is) && !(was > is))
		return 0;
	if (name_owner(c->store, c->qos, c->key, &row, c->arena))
		return -1;
	*ARENA_PUSH(c->arena, c->list->v, c->list->n, c->list->cap) = row;
	return 0;
}

static int compare_owner(const struct comparison *c, const struct usage *was,
	const struct usage *is)
{
	size_t i = 0, j = 0;

	if (compare(c, USAGE_WALL, was->wall, is->wall) ||
		compare(c, USAGE_RAW, was->raw, is->raw))
		return -1;
	while (i < was->n_tres || j < is->n_tres) {
		const struct usage_tres none = {.id = UINT32_MAX};
		const struct usage_tres *a =
			i < was->n_tres ? &was->tres[i] : &none;
		const struct usage_tres *b =
			j < is->n_tres ? &is->tres[j] : &none;
		uint32_t id = a->id < b->id ? a->id : b->id;

		if (compare(c, (int)id, a->id == id ? a->seconds : 0,
			    b->id == id ? b->seconds : 0))
			return -1;
		i += a->id == id;
		j += b->id == id;
	}
	return 0;
}

static int compare_all(struct comparison c, const struct usage_list *was,
	const struct usage_list *is)
{
	size_t i = 0, j = 0;

	while (i < was->n || j < is->n) {
		c.key = i == was->n			   ? is->v[j].assoc
			: j == is->n			   ? was->v[i].assoc
			: was->v[i].assoc < is->v[j].assoc ? was->v[i].assoc
							   : is->v[j].assoc;
		if (compare_owner(
			    &c, usage_of(was, c.key), usage_of(is, c.key)))
			return -1;
		i += i < was->n && was->v[i].assoc == c.key;
		j += j < is->n && is->v[j].assoc == c.key;
	}
	return 0;
}

static int compare_cluster(struct store *store, const struct policy *policy,
	int64_t cluster, int64_t at, const struct cluster_use *was,
	struct arena *arena, struct rebuild_list *list)
{
	struct comparison c = {.store = store, .arena = arena, .list = list};
	struct cluster_use is;

	*list = (struct rebuild_list){0};
	if (read_use(store, policy, cluster, at, arena, &is) ||
		compare_all(c, &was->assocs, &is.assocs))
		return -1;
	c.qos = true;
	return compare_all(c, &was->qos, &is.qos);
}

int rebuild_usage(struct store *store, const struct policy *policy,
	const int64_t *clusters, size_t n, struct arena *arena,
	struct rebuild_list *lists)
{
	struct cluster_use *was = arena_array(arena, n, sizeof(*was));

	int64_t at;

	/* Now, or where a clock went back when all that is known has
	 * happened: before, an amount is what it was when the last run ended
	 * that was ever known. */
	if (usage_settle_policy(store, policy) ||
		store_ask(store,
			"SELECT max(:now,"
			" coalesce((SELECT max(end) FROM job), 0),"
			" coalesce((SELECT max(time) FROM usage_fact), 0),"
			" coalesce((SELECT max(last) FROM usage), 0))",
			&at, bind_int(":now", store->now)))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (read_use(store, policy, clusters[i], at, arena, &was[i]))
			return -1;
	if (usage_fold(store, policy, false, INT64_MIN, INT64_MAX))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (compare_cluster(store, policy, clusters[i], at, &was[i],
			    arena, &lists[i]))
			return -1;
	return 0;
}
