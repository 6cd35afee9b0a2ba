#include "db/entity/names.h"

#include "db/store/query.h"

/* Behind every name that begins with a prefix: the last character of all. */
#define LAST "\xf4\x8f\xbf\xbf"

#define NAMES_OF(table)                                                        \
	"SELECT DISTINCT name FROM " table " WHERE deleted = 0"                \
	" AND name >= :from AND name < :to ORDER BY name LIMIT :max"

static const char *const statements[NAME_KINDS] = {
	[NAME_ACCOUNT] = NAMES_OF("account"),
	[NAME_USER] = NAMES_OF("user"),
	[NAME_CLUSTER] = NAMES_OF("cluster"),
	[NAME_QOS] = NAMES_OF("qos"),
	[NAME_WCKEY] = NAMES_OF("wckey"),
	[NAME_FEDERATION] = NAMES_OF("federation"),
	[NAME_RESOURCE] =
		"SELECT DISTINCT name FROM resource WHERE deleted = 0"
		" AND name COLLATE NOCASE >= :from"
		" AND name COLLATE NOCASE < :to ORDER BY name LIMIT :max",
};

int store_names(struct store *store, enum name_kind kind, const char *prefix,
	size_t max, struct arena *arena, struct strv *names)
{
	struct query q;

	if (query_open(&q, store, statements[kind]))
		return -1;
	query_bind_text(&q, ":from", prefix);
	query_bind_text(&q, ":to", arena_printf(arena, "%s" LAST, prefix));
	query_bind_int(&q, ":max", (int64_t)max);
	while (query_row(&q))
		strv_push(names, arena, query_text(&q, 0));
	return query_close(&q);
}
