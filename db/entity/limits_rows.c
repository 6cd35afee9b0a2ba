#include "db/entity/limits_rows.h"

#include "common/base/numbers.h"
#include "db/rows/members.h"
#include "db/store/query.h"

int limits_rows_read(struct store *store, const struct limits_table *table,
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

/* `tres` 0: all of the kind. */
static int erase_tres(struct store *store, const struct limits_table *table,
	int64_t owner, uint32_t kind, uint32_t tres)
{
	return store_run(store, table->erase, bind_int(":owner", owner),
		bind_int(":kind", kind), bind_int(":tres", tres));
}

static int insert_tres(struct store *store, const struct limits_table *table,
	int64_t owner, uint32_t kind, uint32_t tres, uint64_t count)
{
	return store_run(store, table->insert, bind_int(":owner", owner),
		bind_int(":kind", kind), bind_int(":tres", tres),
		bind_int(":count", (int64_t)count));
}

int limits_put_tres(struct store *store, const struct limits_table *table,
	int64_t owner, uint32_t kind, uint32_t tres, uint64_t count)
{
	if (erase_tres(store, table, owner, kind, tres))
		return -1;
	return count == NO_VAL64
		       ? 0
		       : insert_tres(store, table, owner, kind, tres, count);
}

static int set_tres(struct store *store, const struct limits_table *table,
	int64_t owner, const struct tres_list *lists, const struct setting *s,
	struct arena *arena)
{
	uint32_t kind = s->attr->arg;
	struct tres_list list = tres_list_copy(&lists[kind], arena);

	tres_list_apply(&list, arena, &s->tres);
	if (erase_tres(store, table, owner, kind, 0))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (insert_tres(store, table, owner, kind, list.v[i].id,
			    list.v[i].count))
			return -1;
	return 0;
}

int limits_put_lists(struct store *store, const struct limits_table *table,
	const void *record, int64_t owner, const struct tres_list *lists,
	const struct settings *settings, struct arena *arena)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		int rc = 0;

		if (s->attr->set->type == ATTR_TRES)
			rc = set_tres(store, table, owner, lists, s, arena);
		else if (s->attr->set->type == ATTR_QOS_LIST)
			rc = table->set_list(store, record, s, arena);
		if (rc)
			return -1;
	}
	return 0;
}

void limits_put(
	void *record, const void *blank, const struct settings *settings)
{
	for (size_t i = 0; i < settings->n; i++)
		if (settings->v[i].attr->column)
			setting_put(&settings->v[i], record, blank);
}

/* For each lease that the value may be. */
static int each_lease(struct store *store, const struct limits_table *table,
	int64_t owner, const struct setting *s, lease_call *each,
	struct arena *arena)
{
	const bool list = s->attr->set->type == ATTR_QOS_LIST;

	if (s->attr->set->type == ATTR_TRES)
		return lease_each_tres(
			store, table->lease_tres, owner, s, each, arena);
	if (list && table->lease_list != LEASE_KINDS)
		return each(store, table->lease_list, owner, NULL, "");
	return !list && s->attr->column
		       ? each(store, table->lease, owner, NULL, s->attr->column)
		       : 0;
}

/* Until when each value holds. */
static int note_leases(struct store *store, const struct limits_table *table,
	int64_t owner, const struct settings *settings, struct arena *arena)
{
	for (size_t i = 0; i < settings->n; i++)
		if (each_lease(store, table, owner, &settings->v[i], lease_note,
			    arena))
			return -1;
	return 0;
}

int limits_lease_differs(struct store *store, const struct limits_table *table,
	int64_t owner, const struct setting *s, struct arena *arena)
{
	return each_lease(store, table, owner, s, lease_differs, arena);
}

static int write_columns(struct store *store, const struct limits_table *table,
	const void *record, int64_t owner, const struct settings *settings,
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
	if (query_open_text(
		    &q, store, members_sql(table->update, &members, arena)))
		return -1;
	members_bind(&q, record, &members, arena);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":key", owner);
	return query_run(&q);
}

int limits_update(struct store *store, const struct limits_table *table,
	const void *record, void *changed, const void *blank, int64_t owner,
	const struct tres_list *lists, const struct settings *settings,
	struct arena *arena)
{
	if (note_leases(store, table, owner, settings, arena))
		return -1;
	limits_put(changed, blank, settings);
	return any_failed(
		write_columns(store, table, changed, owner, settings, arena) ||
		limits_put_lists(
			store, table, record, owner, lists, settings, arena));
}
