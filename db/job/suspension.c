#include "db/job/suspension.h"

#include "db/store/query.h"

static struct suspension *push(
	struct suspensions *all, size_t *cap, struct arena *arena)
{
	return ARENA_PUSH(arena, all->v, all->n, *cap);
}

static int load_rows(struct store *store, int64_t job, struct arena *arena,
	struct suspensions *all, size_t *cap)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT start, end FROM suspension WHERE job = :job"
		    " ORDER BY start"))
		return -1;
	query_bind_int(&q, ":job", job);
	while (query_row(&q)) {
		struct suspension s = {query_int(&q, 0), query_int(&q, 1)};

		all->loose -= s.end - s.start;
		*push(all, cap, arena) = s;
	}
	return query_close(&q);
}

int suspensions_load(struct store *store, int64_t job, int64_t suspended,
	int64_t since, struct arena *arena, struct suspensions *all)
{
	size_t cap = 0;

	*all = (struct suspensions){.loose = suspended};
	if (suspended && load_rows(store, job, arena, all, &cap))
		return -1;
	if (since)
		*push(all, &cap, arena) = (struct suspension){.start = since};
	if (all->loose < 0)
		all->loose = 0;
	return 0;
}

/* ---- as another system has them ------------------------------------------*/

/* When it ran is spread over its hours in another way now. While an import has
 * put the triggers away there are no roll-ups to be told, and no way to. */
static int mark_rollup(struct store *store, int64_t job)
{
	int any = store_any(store, "SELECT 1 FROM rollup_state");

	if (any <= 0)
		return any;
	return store_run(store,
		"INSERT INTO rollup_mark (cluster, start, end)"
		" SELECT cluster, start, end FROM job WHERE key = :job",
		bind_int(":job", job));
}

int suspensions_put(struct store *store, int64_t job,
	const struct suspension *v, size_t n, int64_t since)
{
	int changed = store_has(store,
		"UPDATE job SET suspended_since = nullif(:since, 0)"
		" WHERE key = :job AND suspended_since IS NOT"
		" nullif(:since, 0) RETURNING 1",
		bind_int(":job", job), bind_int(":since", since));

	for (size_t i = 0; changed >= 0 && i < n; i++) {
		int new = store_has(store,
			"INSERT INTO suspension (job, start, end)"
			" VALUES (:job, :start, :end) ON CONFLICT (job, start)"
			" DO UPDATE SET end = :end WHERE end <> :end"
			" RETURNING 1",
			bind_int(":job", job), bind_int(":start", v[i].start),
			bind_int(":end", v[i].end));

		changed = new < 0 ? -1 : changed | new;
	}
	if (changed > 0 && mark_rollup(store, job))
		return -1;
	return changed;
}
