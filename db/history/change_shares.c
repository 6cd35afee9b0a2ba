#include "db/history/change_shares.h"

#include <stdlib.h>
#include <string.h>

#include "db/history/past_log.h"
#include "db/store/query.h"

/* Columns of the table assoc that the tree is made of. */
enum column { DELETED, PARENT, LINEAGE, CLUSTER, SHARES, COLUMNS };

static const char *const names[COLUMNS] = {
	[DELETED] = "deleted",
	[PARENT] = "parent",
	[LINEAGE] = "lineage",
	[CLUSTER] = "cluster",
	[SHARES] = "shares",
};

struct looking {
	struct arena *arena;
	struct change_shares *shares;
	int at[COLUMNS];
};

static int find_columns(struct store *store, int at[COLUMNS])
{
	struct query q;

	if (query_open(&q, store, "SELECT name FROM pragma_table_info('assoc')"))
		return -1;
	for (int i = 0; query_row(&q); i++)
		for (int k = 0; k < COLUMNS; k++)
			if (!strcmp(query_text(&q, 0), names[k]))
				at[k] = i;
	return query_close(&q);
}

/* Nothing of it is in the factors. */
static bool is_apart(const char *table)
{
	static const char *const apart[] = {"account", "assoc_qos",
		"assoc_tres", "coordinator", "event", "federation", "lease",
		"node", "qos", "qos_preempt", "qos_tres", "qos_usage",
		"reservation", "resource", "resource_cluster", "step", "user",
		"wckey"};

	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		if (!strcmp(table, apart[i]))
			return true;
	return false;
}

static bool is_true(sqlite3_value *value)
{
	return value && sqlite3_value_int64(value);
}

static int look_at_assoc(
	struct looking *l, int op, sqlite3_changeset_iter *iter)
{
	struct change_shares *s = l->shares;
	struct change_share row = {.key = op_key(iter, op, 0)};

	if (op == SQLITE_INSERT) {
		row.is_new = true;
	} else if (op == SQLITE_DELETE) {
		s->more = true;
	} else {
		sqlite3_value *shares = op_old(iter, l->at[SHARES]);

		row.is_new = is_true(op_old(iter, l->at[DELETED])) &&
			     !is_true(op_new(iter, l->at[DELETED]));
		if (!row.is_new && (op_new(iter, l->at[DELETED]) ||
					   op_new(iter, l->at[PARENT]) ||
					   op_new(iter, l->at[LINEAGE]) ||
					   op_new(iter, l->at[CLUSTER])))
			s->more = true;
		if (!row.is_new && !op_new(iter, l->at[SHARES]))
			return 0;
		if (!row.is_new)
			row.shares_raw = (uint32_t)sqlite3_value_int64(shares);
	}
	if (!s->more)
		*ARENA_PUSH(l->arena, s->v, s->n, s->cap) = row;
	return s->more;
}

static int look(
	void *arg, const char *table, int op, sqlite3_changeset_iter *iter)
{
	struct looking *l = arg;

	if (!strcmp(table, "assoc"))
		return look_at_assoc(l, op, iter);
	l->shares->more = !is_apart(table);
	return l->shares->more;
}

static int by_key(const void *a, const void *b)
{
	int64_t x = ((const struct change_share *)a)->key;
	int64_t y = ((const struct change_share *)b)->key;

	return (x > y) - (x < y);
}

int change_shares(struct store *store, const void *blob, int size,
	struct arena *arena, struct change_shares *shares)
{
	struct looking l = {.arena = arena, .shares = shares};

	*shares = (struct change_shares){0};
	if (find_columns(store, l.at) || changeset_each(store, blob, size, look, &l) < 0)
		return -1;
	if (shares->n)
		qsort(shares->v, shares->n, sizeof(*shares->v), by_key);
	return 0;
}
