#include "db/entity/limits_rows.h"

#include "db/store/members.h"
#include "db/store/query.h"

int tres_rows_read(struct store *store, const struct tres_table *table,
	int64_t owner, struct tres_list *lists, size_t n_kinds,
	struct arena *arena)
{
	struct query q;

	if (query_open(&q, store, table->select))
		return -1;
	query_bind_int(&q, ":owner", owner);
	while (query_row(&q)) {
		size_t kind = (size_t)query_int(&q, 0);

		if (kind < n_kinds)
			tres_list_set(&lists[kind], arena,
				(uint32_t)query_int(&q, 1),
				(uint64_t)query_int(&q, 2));
	}
	return query_close(&q);
}

static int insert_tres(struct store *store, const struct tres_table *table,
	int64_t owner, uint32_t kind, const struct tres_count *tres)
{
	return store_run(store, table->insert, bind_int(":owner", owner),
		bind_int(":kind", kind), bind_int(":tres", tres->id),
		bind_int(":count", (int64_t)tres->count));
}

int tres_rows_set(struct store *store, const struct tres_table *table,
	int64_t owner, const struct tres_list *lists, const struct setting *s,
	struct arena *arena)
{
	uint32_t kind = s->attr->arg;
	struct tres_list list = tres_list_copy(&lists[kind], arena);

	tres_list_apply(&list, arena, &s->tres);
	if (store_run(store, table->erase, bind_int(":owner", owner),
		    bind_int(":kind", kind)))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (insert_tres(store, table, owner, kind, &list.v[i]))
			return -1;
	return 0;
}

int settings_write(struct store *store, const char *sql,
	const struct settings *settings, const void *record, int64_t key,
	struct arena *arena)
{
	struct member *changed =
		arena_array(arena, settings->n, sizeof(*changed));
	struct members members = {changed, 0};
	struct query q;

	for (size_t i = 0; i < settings->n; i++)
		if (settings->v[i].attr->column)
			changed[members.n++] = *settings->v[i].attr;
	if (!members.n)
		return 0;
	if (query_open_text(&q, store, members_sql(sql, &members, arena)))
		return -1;
	members_bind(&q, record, &members, arena);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":key", key);
	return query_run(&q);
}
