/*
 * What the store says of itself; see stats.h.
 */
#include "db/store/stats.h"

#include <string.h>

#include "db/store/query.h"

/* One number; 0 when there is none. */
static int read_number(struct store *store, const char *sql, int64_t *number)
{
	struct query q;

	*number = 0;
	if (query_open_text(&q, store, sql))
		return -1;
	return query_number(&q, number);
}

static int read_names(
	struct store *store, struct arena *arena, struct stats *stats)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT name FROM sqlite_schema WHERE type = 'table'"
		    " AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name"))
		return -1;
	while (query_row(&q)) {
		struct table_rows *t = ARENA_PUSH(
			arena, stats->tables, stats->n_tables, stats->cap);

		t->name = query_strdup(&q, 0, arena);
	}
	return query_close(&q);
}

static int count_rows(
	struct store *store, struct arena *arena, struct stats *stats)
{
	for (size_t i = 0; i < stats->n_tables; i++) {
		struct table_rows *t = &stats->tables[i];

		if (read_number(store,
			    arena_printf(arena,
				    "SELECT count(*) FROM \"%s\"", t->name),
			    &t->rows))
			return -1;
	}
	return 0;
}

static int check_integrity(
	struct store *store, struct arena *arena, struct strv *problems)
{
	struct query q;

	if (query_open(&q, store, "PRAGMA integrity_check(20)"))
		return -1;
	while (query_row(&q))
		if (strcmp(query_text(&q, 0), "ok") != 0)
			strv_push(problems, arena, query_text(&q, 0));
	return query_close(&q);
}

int stats_read(struct store *store, struct arena *arena, struct stats *stats)
{
	const struct {
		const char *sql;
		int64_t *number;
	} numbers[] = {
		{"PRAGMA page_size", &stats->page_size},
		{"PRAGMA page_count", &stats->pages},
		{"PRAGMA freelist_count", &stats->free_pages},
		{"SELECT min(created) FROM cluster", &stats->since},
		{"SELECT count(*) FROM job WHERE end IS NULL",
			&stats->jobs_open},
		{"SELECT min(submit) FROM job", &stats->oldest_job},
		{"SELECT max(submit) FROM job", &stats->newest_job},
		{"SELECT value FROM meta WHERE key = 'rollup'",
			&stats->last_rollup},
	};

	*stats = (struct stats){0};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (read_number(store, numbers[i].sql, numbers[i].number))
			return -1;
	return any_failed(read_names(store, arena, stats) ||
			  count_rows(store, arena, stats) ||
			  check_integrity(store, arena, &stats->problems));
}
