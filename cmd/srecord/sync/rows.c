/*
 * What the source says of one kind, kept until the store takes it.
 */
#include "cmd/srecord/sync/sync.h"

const char **sync_row(
	struct sync *sync, struct sync_rows *rows, size_t columns)
{
	const char **row = arena_array(&sync->arena, columns, sizeof(*row));

	*ARENA_PUSH(&sync->arena, rows->v, rows->n, rows->cap) = row;
	return row;
}

int sync_ask(struct sync *sync, const struct sync_table *table, int64_t since,
	struct sync_rows *rows)
{
	*rows = (struct sync_rows){0};
	if (!sync->ahead)
		return sync->source->rows(sync, table, since, rows);
	sync->source->ahead(sync, table, since);
	return 0;
}

int sync_ask_all(struct sync *sync, int (*ask)(struct sync *, void *), void *arg)
{
	if (sync->source->ahead) {
		sync->ahead = true;
		ask(sync, arg);
		sync->ahead = false;
	}
	return ask(sync, arg);
}

int sync_count(struct sync *sync, int done)
{
	sync->changed += done > 0;
	return done < 0 ? -1 : 0;
}
