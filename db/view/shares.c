#include "db/view/shares.h"

#include "common/base/numbers.h"
#include "common/table/assoc.h"
#include "db/entity/cluster.h"
#include "db/store/query.h"
#include "db/usage/usage.h"
#include "db/entity/qos.h"
#include "db/job/accrue.h"
#include "db/job/job.h"

/* ---- the tree ------------------------------------------------------------*/

/* How many rows there may be at most. */
static int count_rows(struct store *store, size_t *n)
{
	struct query q;

	if (query_open(&q, store, "SELECT count(*) FROM assoc"))
		return -1;
	if (query_row(&q))
		*n = (size_t)query_int(&q, 0);
	return query_close(&q);
}

static int read_tree(
	struct store *store, struct shares *shares, struct arena *arena)
{
	struct shares_tree tree;
	struct query q;
	size_t most = 0;

	if (count_rows(store, &most) || store_read_once(store, true))
		return -1;
	shares_begin(&tree, shares, most, arena);
	/* Columns of the index assoc_tree: the table is not read. */
	if (query_open(&q, store,
		    "SELECT key, parent, id, lineage, shares, priority"
		    " FROM assoc WHERE cluster = :cluster AND NOT deleted"
		    " ORDER BY lineage"))
		return -1;
	query_bind_int(&q, ":cluster", shares->cluster_key);
	while (query_row(&q)) {
		if (shares->n == most) {
			query_close(&q);
			return err_set(store->err, ERR_STORE,
				"%s is damaged: an index of associations lacks "
				"some (PRAGMA integrity_check)",
				store->path);
		}
		shares_add(&tree, &(struct share_row){
					  .key = query_int(&q, 0),
					  .parent = query_int(&q, 1),
					  .id = (uint32_t)query_int(&q, 2),
					  .lineage = query_text(&q, 3),
					  .shares_raw = (uint32_t)query_int(&q, 4),
					  .priority = query_limit(&q, 5),
				  });
	}
	return query_close(&q) || store_read_once(store, false) ? -1 : 0;
}

/* ---- usage ---------------------------------------------------------------*/

static void set_tres(struct shares *shares, uint32_t row,
	const struct usage *usage, const struct tres_catalog *catalog)
{
	for (size_t i = 0; i < usage->n_tres; i++) {
		const struct usage_tres *t = &usage->tres[i];
		const struct tres *tres = tres_by_id(catalog, t->id);

		if (!tres)
			continue;
		shares_seconds(shares, row)[tres - catalog->v] =
			(double)t->seconds;
		shares_run_seconds(shares, row)[tres - catalog->v] =
			(double)t->run_seconds;
	}
}

/* What is read into a tree that is there. */
struct shares_loading {
	struct store *store;
	const struct policy *policy;
	int64_t at;
	struct shares *shares;
	struct arena *arena;
	struct shares_index *index; /* made when a row is first asked for */
};

static uint32_t find_row(void *loading, int64_t key)
{
	struct shares_loading *l = loading;

	if (!l->index)
		l->index = shares_index(l->shares, l->arena);
	return shares_find(l->index, key);
}

static int read_raw(struct shares_loading *l)
{
	struct shares *shares = l->shares;
	struct usage_rows rows = {.n = shares->n,
		.find = find_row,
		.arg = l,
		.raw = shares->tree.usage_own};

	if (usage_read_rows(l->store, l->policy, shares->cluster_key, l->at,
		    l->arena, &rows))
		return -1;
	if (!rows.removed)
		return 0;
	shares->usage_raw =
		arena_array(l->arena, shares->n, sizeof(*shares->usage_raw));
	for (uint32_t i = 0; i < shares->n; i++) {
		shares->usage_raw[i] = rows.raw[i];
		rows.raw[i] += rows.removed[i];
	}
	return 0;
}

static int read_details(struct shares_loading *l)
{
	struct shares *shares = l->shares;
	struct usage_list list = {0};

	if (usage_read(l->store, l->policy, shares->cluster_key, l->at, true,
		    l->arena, &list))
		return -1;
	shares_make_room(shares, l->store->tres.n, l->arena);
	shares->usage_raw =
		arena_array(l->arena, shares->n, sizeof(*shares->usage_raw));
	for (size_t i = 0; i < list.n; i++) {
		const struct usage *u = &list.v[i];
		uint32_t row = find_row(l, u->assoc);

		if (row == UINT32_MAX)
			continue;
		shares->tree.usage_own[row] = u->raw + u->removed;
		shares->usage_raw[row] = u->raw;
		set_tres(shares, row, u, &l->store->tres);
	}
	return 0;
}

/* ---- limits --------------------------------------------------------------*/

static int read_limits(struct shares_loading *l)
{
	struct shares *shares = l->shares;
	struct query q;

	shares->limits =
		arena_array(l->arena, shares->n, sizeof(*shares->limits));
	if (query_open(&q, l->store,
		    "SELECT assoc, tres, count FROM assoc_tres"
		    " WHERE kind = :kind"))
		return -1;
	query_bind_int(&q, ":kind", ASSOC_GRP_TRES_MINS);
	while (query_row(&q)) {
		uint32_t row = find_row(l, query_int(&q, 0));
		struct tres_list **limits;

		if (row == UINT32_MAX)
			continue;
		limits = &shares->limits[row];
		if (!*limits)
			*limits = arena_alloc(l->arena, sizeof(**limits));
		tres_list_set(*limits, l->arena, (uint32_t)query_int(&q, 1),
			(uint64_t)query_int(&q, 2));
	}
	return query_close(&q);
}

/* ---- all -----------------------------------------------------------------*/

static int read_all(struct store *store, const struct policy *policy,
	int64_t at, struct shares *shares, struct arena *arena)
{
	struct shares_loading l = {store, policy, at, shares, arena, NULL};

	shares->cluster_key = cluster_key(store, shares->cluster);
	if (shares->cluster_key < 0)
		return -1;
	if (!shares->cluster_key)
		return err_set(store->err, ERR_USAGE,
			"No cluster '%s' known by database.", shares->cluster);
	if (shares->details & SHARES_NONE)
		return 0;
	if (read_tree(store, shares, arena) ||
		(l.shares->details & SHARES_TRES_USAGE ? read_details(&l)
						       : read_raw(&l)))
		return -1;
	if (shares->details & SHARES_TRES_LIMITS)
		return read_limits(&l);
	return 0;
}

int shares_load(struct store *store, const struct policy *policy,
	const char *cluster, int64_t at, unsigned details, struct arena *arena,
	struct shares *shares)
{
	bool began = store_begin_read(store);
	int status;

	*shares = (struct shares){.cluster = cluster, .details = details};
	status = read_all(store, policy, at, shares, arena);
	store_end_read(store, began);
	if (!status)
		shares_finish(shares, policy, arena);
	return status;
}

/* ---- priorities ----------------------------------------------------------*/

int jobprio_open(struct jobprio *prio, struct site *site, const char *cluster,
	int64_t at, struct arena *arena)
{
	struct store *store = &site->store;
	struct accrue_times *times = NULL;
	const struct qos_cond all = {0};
	/* Is there a job whose priority can be asked? Without it the tree of
	 * associations need not be read. */
	int asked = job_any(
		store, cluster, at - site->conf.min_job_age);

	*prio = (struct jobprio){
		.context = {.policy = &site->conf.policy, .now = at},
		.conf = &site->conf,
		.tres = &store->tres,
	};
	if (asked < 0 ||
		shares_load(store, &site->conf.policy, cluster, at,
			asked ? 0 : SHARES_NONE, arena, &prio->shares) ||
		qos_list(store, &all, arena, &prio->qos))
		return -1;
	if ((prio->conf->enforce & ENFORCE_LIMITS) &&
		accrue_load(store, prio->shares.cluster_key, at, arena,
			&times))
		return -1;
	prio->accrue = accrue_jobs(times);
	return jobprio_prepare(prio, arena, store->err);
}
