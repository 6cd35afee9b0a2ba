#include "db/job/noted.h"

#include "common/base/bisect.h"
#include "db/store/query.h"

int expected_load(struct store *store, int64_t cluster, struct arena *arena,
	struct expected_list *list)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT e.job, e.start, e.nodes FROM expected_start e"
		    " CROSS JOIN job j ON j.key = e.job"
		    " WHERE j.cluster = :cluster AND j.start IS NULL"
		    " ORDER BY e.job"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct expected){query_int(&q, 0), query_int(&q, 1),
				query_strdup(&q, 2, arena)};
	return query_close(&q);
}

const struct expected *expected_find(
	const struct expected_list *list, int64_t job)
{
	size_t low = 0, high = list->n;

	BISECT(low, high, at, list->v[at].job < job);
	return low < list->n && list->v[low].job == job ? &list->v[low] : NULL;
}

int expected_replace(
	struct store *store, int64_t cluster, const struct expected_list *list)
{
	if (store_run(store,
		    "DELETE FROM expected_start WHERE :cluster ="
		    " (SELECT cluster FROM job WHERE key = expected_start.job)",
		    bind_int(":cluster", cluster)))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (store_run(store,
			    "INSERT INTO expected_start (job, start, nodes)"
			    " VALUES (:job, :start, :nodes)",
			    bind_int(":job", list->v[i].job),
			    bind_int(":start", list->v[i].start),
			    bind_text(":nodes", list->v[i].nodes)))
			return -1;
	return 0;
}

int preemption_load(struct store *store, int64_t cluster, struct arena *arena,
	struct preemption_list *list)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT p.job, p.preemptor, p.warned, p.due"
		    " FROM preemption p JOIN job j ON j.key = p.job"
		    " WHERE j.cluster = :cluster AND j.end IS NULL"
		    " ORDER BY p.job"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct preemption){query_int(&q, 0), query_int(&q, 1),
				query_int(&q, 2), query_int(&q, 3)};
	return query_close(&q);
}

const struct preemption *preemption_find(
	const struct preemption_list *list, int64_t job)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].job == job)
			return &list->v[i];
	return NULL;
}

int preemption_save(struct store *store, const struct preemption *p)
{
	return store_run(store,
		"INSERT OR REPLACE INTO preemption"
		" (job, preemptor, warned, due)"
		" VALUES (:job, :preemptor, :warned, :due)",
		bind_int(":job", p->job), bind_int(":preemptor", p->preemptor),
		bind_int(":warned", p->warned), bind_int(":due", p->due));
}

int preemption_remove(struct store *store, int64_t job)
{
	return store_run(store, "DELETE FROM preemption WHERE job = :job",
		bind_int(":job", job));
}
