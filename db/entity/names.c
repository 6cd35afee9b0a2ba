#include "db/entity/names.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/conf/conf.h"
#include "db/entity/rights.h"
#include "db/entity/user.h"
#include "db/store/query.h"

/* Behind every name that begins with a prefix: the last character of all. */
#define LAST "\xf4\x8f\xbf\xbf"

#define PRESENT(table) " FROM " table " WHERE deleted = 0"

/* What is asked of a table; `column`: its names, compared as prefixes are. */
#define OF(table, column)                                                      \
	.begin = "SELECT DISTINCT name" PRESENT(table) " AND " column          \
		 " >= :from AND " column " < :to ORDER BY name LIMIT :max",    \
	.all = "SELECT DISTINCT name" PRESENT(table),                          \
	.exact = "SELECT 1" PRESENT(table) " AND name = :name LIMIT 1",        \
	.count = "SELECT count(*)" PRESENT(table)

static const struct {
	const char *begin, *all, *exact, *count;
	const char *assocs; /* counts the names of one record, or NULL */
	const char *title;
	unsigned private;
} kinds[NAME_KINDS] = {
	[NAME_ACCOUNT] = {OF("account", "name"),
		.assocs = "SELECT count(*)" PRESENT("assoc") " AND user = ''",
		.title = "account",
		.private = PRIVATE_ACCOUNTS},
	[NAME_USER] = {OF("user", "name"),
		.assocs = "SELECT count(*)" PRESENT("assoc") " AND user <> ''",
		.title = "user",
		.private = PRIVATE_USERS},
	[NAME_CLUSTER] = {OF("cluster", "name"), .title = "cluster"},
	[NAME_QOS] = {OF("qos", "name"), .title = "QOS"},
	[NAME_WCKEY] = {OF("wckey", "name"),
		.title = "wckey",
		.private = PRIVATE_USERS},
	[NAME_FEDERATION] = {OF("federation", "name"), .title = "federation"},
	[NAME_RESOURCE] = {OF("resource", "name COLLATE NOCASE"),
		.title = "resource"},
};

int store_names(struct store *store, enum name_kind kind, const char *prefix,
	size_t max, struct arena *arena, struct strv *names)
{
	struct query q;

	if (query_open(&q, store, kinds[kind].begin))
		return -1;
	query_bind_text(&q, ":from", prefix);
	query_bind_text(&q, ":to", arena_printf(arena, "%s" LAST, prefix));
	query_bind_int(&q, ":max", (int64_t)max);
	while (query_row(&q))
		strv_push(names, arena, query_text(&q, 0));
	return query_close(&q);
}

/* Is there this very name? Asked first, as the index knows. */
static int is_there(struct store *store, enum name_kind kind, const char *name)
{
	struct query q;

	if (query_open(&q, store, kinds[kind].exact))
		return -1;
	query_bind_text(&q, ":name", name);
	return query_found(&q);
}

int store_nearest(
	struct store *store, enum name_kind kind, struct nearest *nearest)
{
	struct query q;
	int found = is_there(store, kind, nearest->typed);

	if (found)
		return found;
	if (query_open(&q, store, kinds[kind].all))
		return -1;
	while (!found && query_row(&q)) {
		const char *name = query_text(&q, 0);
		size_t len = strlen(name);

		found = len == nearest->len &&
			!strncasecmp(name, nearest->typed, len);
		nearest_try(nearest, name, len);
	}
	if (query_close(&q))
		return -1;
	return found;
}

static int count(struct store *store, const char *sql, int64_t *n)
{
	struct query q;

	*n = 0;
	if (!sql)
		return 0;
	if (query_open(&q, store, sql))
		return -1;
	while (query_row(&q))
		*n = query_int(&q, 0);
	return query_close(&q);
}

int store_count(struct store *store, enum name_kind kind, int64_t *records,
	int64_t *assocs)
{
	if (count(store, kinds[kind].count, records))
		return -1;
	return count(store, kinds[kind].assocs, assocs);
}

void site_missing(struct site *site, enum name_kind kind,
	const struct strv *names,
	void (*each)(const char *kind, const struct nearest *))
{
	enum { MOST = 10 }; /* each takes a look at all there are */
	unsigned private = site->dbd.private_data | site->conf.private_data;

	if (private & kinds[kind].private &&
		rights_level(site, &site->arena) < ADMIN_OPERATOR)
		return;
	for (size_t i = 0; i < names->n && i < MOST; i++) {
		struct nearest n;

		nearest_init(&n, names->v[i], strlen(names->v[i]));
		if (n.len && !store_nearest(&site->store, kind, &n))
			each(kinds[kind].title, &n);
	}
}

void site_missing_one(struct site *site, enum name_kind kind, const char *name,
	void (*each)(const char *kind, const struct nearest *))
{
	struct strv names = {0};

	strv_push(&names, &site->arena, name);
	site_missing(site, kind, &names, each);
}
