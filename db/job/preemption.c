#include "db/job/preemption.h"

#include "db/store/query.h"

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
