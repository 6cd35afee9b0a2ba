/*
 * What the source says of one kind, kept until the store takes it.
 */
#include "cmd/srecord/sync/sync.h"

/* Most values are empty. */
static int keep(struct sync *sync, const char *const *values)
{
	struct sync_rows *rows = sync->of_rows;
	const char **row = arena_alloc(
		&sync->arena, rows->columns * sizeof(*row));

	for (size_t i = 0; i < rows->columns; i++)
		row[i] = *values[i] ? arena_strdup(&sync->arena, values[i])
				    : "";
	*ARENA_PUSH(&sync->arena, rows->v, rows->n, rows->cap) = row;
	return 0;
}

int sync_ask(struct sync *sync, const struct sync_table *table, int64_t since,
	struct sync_rows *rows)
{
	*rows = (struct sync_rows){.columns = table->n};
	sync->of_rows = rows;
	return sync->source->rows(sync, table, since, keep);
}

int sync_each(struct sync *sync, const struct sync_rows *rows, sync_row *each)
{
	for (size_t i = 0; i < rows->n; i++)
		if (each(sync, rows->v[i]))
			return -1;
	return 0;
}

int sync_count(struct sync *sync, int done)
{
	sync->changed += done > 0;
	return done < 0 ? -1 : 0;
}
