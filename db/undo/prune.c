#include "db/undo/prune.h"

#include "db/store/meta.h"
#include "db/store/query.h"

/* The number that one statement gives; 0 for none. */
static int ask(struct store *store, const char *sql, const char *name,
	int64_t value, int64_t *number)
{
	struct query q;

	*number = 0;
	if (query_open(&q, store, sql))
		return -1;
	if (name)
		query_bind_int(&q, name, value);
	return query_number(&q, number);
}

/* The last change to be pruned; 0: none. Looks at the oldest first, because
 * this is asked after every change. */
static int last_to_go(
	struct store *store, int64_t time, int64_t keep, int64_t *last)
{
	int64_t first, newest, oldest, by_age = 0;

	*last = 0;
	if (ask(store, "SELECT min(id) FROM change", NULL, 0, &first) ||
		ask(store, "SELECT max(id) FROM change", NULL, 0, &newest) ||
		ask(store, "SELECT time FROM change ORDER BY id LIMIT 1", NULL,
			0, &oldest))
		return -1;
	if (!first)
		return 0;
	if (keep && newest - keep >= first)
		*last = newest - keep;
	if (!time || oldest >= time)
		return 0;
	if (ask(store, "SELECT max(id) FROM change WHERE time < :time", ":time",
		    time, &by_age))
		return -1;
	*last = by_age > *last ? by_age : *last;
	return 0;
}

static int run(struct store *store, const char *sql, int64_t last)
{
	return store_run(store, sql, bind_int(":last", last));
}

static int take_away(struct store *store, int64_t last)
{
	int64_t until;

	if (ask(store, "SELECT max(time) FROM change WHERE id <= :last",
		    ":last", last, &until) ||
		meta_raise_int(store, META_PURGED_LOG, until + 1))
		return -1;
	/* What came with no change of ours is as old as what it stands among. */
	return any_failed(
		run(store,
			"DELETE FROM txn WHERE"
			" change <= :last OR change IS NULL"
			" AND time <= (SELECT max(time) FROM change"
			"  WHERE id <= :last)",
			last) ||
		run(store,
			"DELETE FROM txn_pack"
			" WHERE change <= :last",
			last) ||
		run(store, "DELETE FROM change WHERE id <= :last", last));
}

struct pruning {
	struct store *store;
	int64_t time, keep;
};

/* Another process may have done it already. */
static int prune(void *arg)
{
	const struct pruning *p = arg;
	int64_t last;

	if (last_to_go(p->store, p->time, p->keep, &last))
		return -1;
	return last ? take_away(p->store, last) : 0;
}

int undo_log_prune(struct store *store, int64_t time, int64_t keep)
{
	struct pruning p = {store, time, keep};
	int64_t last;

	if (last_to_go(store, time, keep, &last))
		return -1;
	return last ? store_change_bulk(store, prune, &p) : 0;
}
