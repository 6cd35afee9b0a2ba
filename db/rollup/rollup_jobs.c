/*
 * Jobs and associations as reports need them; see rollup.h.
 */
#include "db/rollup/rollup_parts.h"

#include "db/job/job_rows.h"
#include "db/store/trespack.h"

/* ---- jobs --------------------------------------------------------------- */

#define JOB_COLUMNS                                                            \
	"SELECT id, array_job, user, coalesce(uid, 4294967294),"               \
	" coalesce(gid, 4294967294), account, assoc, wckey, partition,"        \
	" reservation, nodelist, start, end, suspended, tres_alloc, key,"      \
	" suspended_since FROM job"

static void read_job(struct query *q, struct job *job, struct arena *arena)
{
	*job = (struct job){
		.id = (uint32_t)query_int(q, 0),
		.array_job = (uint32_t)query_int(q, 1),
		.user = query_strdup(q, 2, arena),
		.uid = (uint32_t)query_int(q, 3),
		.gid = (uint32_t)query_int(q, 4),
		.account = query_strdup(q, 5, arena),
		.assoc = query_int(q, 6),
		.wckey = query_strdup(q, 7, arena),
		.partition = query_strdup(q, 8, arena),
		.reservation = query_strdup(q, 9, arena),
		.nodelist = query_strdup(q, 10, arena),
		.start = query_int(q, 11),
		.end = query_int(q, 12),
		.suspended = query_int(q, 13),
		.key = query_int(q, 15),
		.suspended_since = query_int(q, 16),
	};
	tres_unpack(query_text(q, 14), arena, &job->tres_alloc);
}

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

		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":cluster", cluster);
		query_bind_int(&q, ":end", end);
		if (!i) {
			query_bind_int(&q, ":start", start);
			query_bind_int(&q, ":last",
				end + state.early + state.longest + 1);
		}
		rc = job_each_row(&q, scratch, read_job, each, arg);
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
