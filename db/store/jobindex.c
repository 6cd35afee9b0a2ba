#include "db/store/jobindex.h"

#include <time.h>

#include "db/store/meta.h"
#include "db/store/query.h"

enum { ALIVE = 60 }; /* seconds */

static const char alive_key[] = "job indexes dropped";

/* Those of a few jobs only stay: they cost next to nothing to keep, and a look
 * at every job to build. */
static const char big_indexes[] =
	" FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'job'"
	" AND sql NOT NULL AND sql NOT LIKE '% WHERE %'";
static const char indexes_of_nobody[] =
	" FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'job'"
	" AND sql LIKE '% WHERE assoc IS NULL'";

/* Texts of the first column, in the arena. */
static int texts(struct store *store, const char *sql, struct arena *arena,
	struct strv *list)
{
	struct query q;

	if (query_open_text(&q, store, sql))
		return -1;
	while (query_row(&q))
		strv_push(list, arena, query_text(&q, 0));
	return query_close(&q);
}

static int exec_all(struct store *store, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (store_exec(store, list->v[i]))
			return -1;
	return 0;
}

/* When the process that dropped them last gave a sign of life; INT64_MAX: no
 * index is dropped. */
static int dropped(struct store *store, int64_t *seen)
{
	*seen = INT64_MAX;
	return meta_get_int(store, alive_key, seen);
}

int job_index_missing(struct store *store)
{
	int64_t seen;

	return dropped(store, &seen) ? -1 : seen != INT64_MAX;
}

int job_index_busy(struct store *store)
{
	return store_run(store, "UPDATE meta SET value = :now WHERE key = :key",
		bind_int(":now", time(NULL)), bind_text(":key", alive_key));
}

static int drop(struct store *store, const char *indexes)
{
	struct strv drops = {0};
	SCRATCH_ARENA(arena);

	return any_failed(
		store_exec(store,
			arena_printf(&arena,
				"INSERT OR REPLACE INTO meta (key, value)"
				" SELECT 'index ' || name, sql%s",
				indexes)) ||
		texts(store,
			arena_printf(&arena, "SELECT 'DROP INDEX ' || name%s",
				indexes),
			&arena, &drops) ||
		exec_all(store, &drops));
}

/* The shared log says nothing of indexes: a replica keeps its own. */
int job_index_drop(struct store *store, bool owned)
{
	int rc = store->shared_log ? 1
			    : store_any(store, "SELECT 1 FROM job LIMIT 1");

	if (rc)
		return rc < 0 ? -1 : 0;
	if (drop(store, big_indexes) ||
		(!owned && drop(store, indexes_of_nobody)))
		return -1;
	return meta_set_int(store, alive_key, time(NULL));
}

int job_index_build(struct store *store)
{
	struct strv builds = {0};
	SCRATCH_ARENA(arena);

	return any_failed(
		texts(store, "SELECT value FROM meta WHERE key GLOB 'index *'",
			&arena, &builds) ||
		exec_all(store, &builds) ||
		store_exec(
			store, "DELETE FROM meta WHERE key GLOB 'index *'") ||
		meta_remove(store, alive_key));
}

static int heal(struct store *store)
{
	if (store_begin_bulk(store))
		return -1;
	if (job_index_build(store)) {
		store_rollback(store);
		return -1;
	}
	return store_commit_bulk(store);
}

int job_index_heal(struct store *store)
{
	int64_t seen;

	if (dropped(store, &seen))
		return -1;
	if (seen == INT64_MAX || seen > time(NULL) - ALIVE)
		return 0;
	return any_failed(store_sort_in_files(store, SORT_CACHE) ||
			  heal(store) || store_sort_in_memory(store));
}
