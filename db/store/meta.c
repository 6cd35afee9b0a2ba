#include "db/store/meta.h"

#include "db/store/query.h"

int meta_get_int(struct store *store, const char *key, int64_t *value)
{
	struct query q;

	if (query_open(&q, store, "SELECT value FROM meta WHERE key = :key"))
		return -1;
	query_bind_text(&q, ":key", key);
	return query_number(&q, value);
}

int meta_set_int(struct store *store, const char *key, int64_t value)
{
	struct query q;

	if (query_open(&q, store, "INSERT OR REPLACE INTO meta (key, value)"
				  " VALUES (:key, :value)"))
		return -1;
	query_bind_text(&q, ":key", key);
	query_bind_int(&q, ":value", value);
	return query_run(&q);
}

struct note {
	struct store *store;
	const char *key;
	int64_t value;
};

static int set_note(void *arg)
{
	const struct note *n = arg;

	return meta_set_int(n->store, n->key, n->value);
}

int meta_note_int(struct store *store, const char *key, int64_t value)
{
	struct note n = {store, key, value};

	return store_change_bulk(store, set_note, &n);
}

int meta_remove(struct store *store, const char *key)
{
	struct query q;

	if (query_open(&q, store, "DELETE FROM meta WHERE key = :key"))
		return -1;
	query_bind_text(&q, ":key", key);
	return query_run(&q);
}

int meta_others(struct store *store, int64_t *number)
{
	struct query q;

	if (query_open(&q, store, "PRAGMA data_version"))
		return -1;
	if (query_row(&q))
		*number = query_int(&q, 0) + store->times_taken;
	return query_close(&q);
}
