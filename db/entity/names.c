#include "db/entity/names.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/conf/conf.h"
#include "db/entity/privacy.h"
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
} kinds[STORED_NAMES] = {
	[FROM_ACCOUNTS] = {OF("account", "name"),
		.assocs = "SELECT count(*)" PRESENT("assoc") " AND user = ''",
		.title = "account",
		.private = PRIVATE_ACCOUNTS},
	[FROM_USERS] = {OF("user", "name"),
		.assocs = "SELECT count(*)" PRESENT("assoc") " AND user <> ''",
		.title = "user",
		.private = PRIVATE_USERS},
	[FROM_CLUSTERS] = {OF("cluster", "name"), .title = "cluster"},
	[FROM_QOS] = {OF("qos", "name"), .title = "QOS"},
	[FROM_WCKEYS] = {OF("wckey", "name"),
		.title = "wckey",
		.private = PRIVATE_USERS},
	[FROM_FEDERATIONS] = {OF("federation", "name"), .title = "federation"},
	[FROM_RESOURCES] = {OF("resource", "name COLLATE NOCASE"),
		.title = "resource"},
};

static bool hides(struct site *site, enum value_source kind)
{
	unsigned private = site->dbd.private_data | site->conf.private_data;

	return private & kinds[kind].private &&
	       rights_level(site, &site->arena) < ADMIN_OPERATOR;
}

int site_names(
	struct site *site, enum value_source kind, struct completion *c)
{
	enum { MOST = 500 };
	const char *prefix = str_lower(c->arena, completion_part(c));
	struct query q;

	if (hides(site, kind))
		return 0;
	if (query_open(&q, &site->store, kinds[kind].begin))
		return -1;
	query_bind_text(&q, ":from", prefix);
	query_bind_text(&q, ":to", arena_printf(c->arena, "%s" LAST, prefix));
	query_bind_int(&q, ":max", MOST);
	while (query_row(&q))
		offer_name(c, query_text(&q, 0), "", NULL);
	return query_close(&q);
}

int store_nearest(
	struct store *store, enum value_source kind, struct nearest *nearest)
{
	struct query q;
	/* Is there this very name? Asked first, as the index knows. */
	int found = store_has(
		store, kinds[kind].exact, bind_text(":name", nearest->typed));

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
	*n = 0;
	return sql ? store_number(store, sql, n) : 0;
}

int store_count(struct store *store, enum value_source kind, int64_t *records,
	int64_t *assocs)
{
	if (count(store, kinds[kind].count, records))
		return -1;
	return count(store, kinds[kind].assocs, assocs);
}

void site_missing(struct site *site, enum value_source kind,
	const struct strv *names,
	void (*each)(const char *kind, const struct nearest *))
{
	enum { MOST = 10 }; /* each takes a look at all there are */

	if (hides(site, kind))
		return;
	for (size_t i = 0; i < names->n && i < MOST; i++) {
		struct nearest n;

		nearest_init(&n, names->v[i], strlen(names->v[i]));
		if (n.len && !store_nearest(&site->store, kind, &n))
			each(kinds[kind].title, &n);
	}
}

void site_missing_one(struct site *site, enum value_source kind, const char *name,
	void (*each)(const char *kind, const struct nearest *))
{
	struct strv names = {0};

	strv_push(&names, &site->arena, name);
	site_missing(site, kind, &names, each);
}
