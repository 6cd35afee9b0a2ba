#include "db/job/active.h"

#include "db/store/query.h"

#define SELECT_ACTIVE                                                          \
	"SELECT j.id, c.name, j.account, j.user, coalesce(q.name, '')," \
	" j.wckey FROM job j JOIN cluster c ON c.id = j.cluster"           \
	" LEFT JOIN qos q ON q.id = j.qos WHERE j.end IS NULL"

static int active_jobs(struct store *store, const char *sql, int64_t of,
	struct arena *arena, struct active_job_list *list)
{
	struct query q;

	*list = (struct active_job_list){0};
	if (query_open(&q, store, sql))
		return -1;
	query_bind_int(&q, ":of", of);
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct active_job){
				.id = (uint32_t)query_int(&q, 0),
				.cluster = query_strdup(&q, 1, arena),
				.account = query_strdup(&q, 2, arena),
				.user = query_strdup(&q, 3, arena),
				.qos = query_strdup(&q, 4, arena),
				.wckey = query_strdup(&q, 5, arena),
			};
	return query_close(&q);
}

int active_jobs_of_assoc(struct store *store, int64_t assoc_key,
	struct arena *arena, struct active_job_list *list)
{
	return active_jobs(store, SELECT_ACTIVE " AND j.assoc = :of ORDER BY j.id",
		assoc_key, arena, list);
}

int active_jobs_of_qos(struct store *store, uint32_t qos, struct arena *arena,
	struct active_job_list *list)
{
	return active_jobs(store, SELECT_ACTIVE " AND j.qos = :of ORDER BY j.id",
		qos, arena, list);
}
