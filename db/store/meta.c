#include "db/store/meta.h"

#include "db/store/query.h"

int meta_get_int(struct store *store, const char *key, int64_t *value)
{
	return store_ask(store, "SELECT value FROM meta WHERE key = :key",
		value, bind_text(":key", key));
}

int meta_set_int(struct store *store, const char *key, int64_t value)
{
	return store_run(store,
		"INSERT OR REPLACE INTO meta (key, value)"
		" VALUES (:key, :value)",
		bind_text(":key", key), bind_int(":value", value));
}

int meta_raise_int(struct store *store, const char *key, int64_t value)
{
	int64_t known = 0;

	if (meta_get_int(store, key, &known))
		return -1;
	return value > known ? meta_set_int(store, key, value) : 0;
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
	return store_run(store, "DELETE FROM meta WHERE key = :key",
		bind_text(":key", key));
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
