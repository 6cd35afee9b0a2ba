/*
 * Jobs and associations as reports need them; see rollup.h.
 */
#include "db/rollup/rollup_parts.h"

#include "db/job/job_rows.h"
#include "db/rows/members.h"

/* ---- jobs --------------------------------------------------------------- */

#define JOB_COLUMNS                                                            \
	"SELECT key, id, array_job, user, uid, gid, account, assoc, wckey,"     \
	" partition, reservation, nodelist, start, end, suspended, tres_alloc," \
	" suspended_since FROM job"

int rollup_each_job(struct store *store, int64_t cluster, int64_t start,
	int64_t end, struct arena *scratch,
	int (*each)(const struct job *, void *arg), void *arg)
{
	static const char *const statements[] = {JOB_COLUMNS
		" WHERE +cluster = :cluster AND end > :start"
		" AND end < :last AND start < :end",
		JOB_COLUMNS " WHERE cluster = :cluster AND end IS NULL"
			    " AND start < :end"};
	struct rollup_state state;
	int64_t ignored;
	int rc = 0;

	if (rollup_state_load(store, cluster, &state) ||
		(!state.found &&
			rollup_measure(store, cluster, &state, &ignored)))
		return -1;
	for (size_t i = 0; !rc && i < 2; i++) {
		struct query q;

		if (query_open_members(&q, store, &job_members, statements[i]))
			return -1;
		query_bind_int(&q, ":cluster", cluster);
		query_bind_int(&q, ":end", end);
		if (!i) {
			query_bind_int(&q, ":start", start);
			query_bind_int(&q, ":last",
				end + state.early + state.longest + 1);
		}
		rc = job_each_row(&q, scratch, job_read_some, each, arg);
	}
	return rc;
}

/* ---- associations ------------------------------------------------------- */

int rollup_assocs_load(struct store *store, int64_t cluster,
	struct arena *arena, struct rollup_assocs *list)
{
	struct query q;

	*list = (struct rollup_assocs){0};
	if (query_open(&q, store,
		    "SELECT key, account, user, partition, lineage FROM assoc"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	while (query_row(&q))
		*ARENA_PUSH(arena, list->v, list->n, list->cap) =
			(struct rollup_assoc){
				.key = query_int(&q, 0),
				.account = query_strdup(&q, 1, arena),
				.user = query_strdup(&q, 2, arena),
				.partition = query_strdup(&q, 3, arena),
				.lineage = query_strdup(&q, 4, arena),
			};
	return query_close(&q);
}
