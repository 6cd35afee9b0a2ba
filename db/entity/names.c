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

#define ALL_OF(table) "SELECT DISTINCT name FROM " table " WHERE deleted = 0"

static const char *const all[NAME_KINDS] = {
	[NAME_ACCOUNT] = ALL_OF("account"),
	[NAME_USER] = ALL_OF("user"),
	[NAME_CLUSTER] = ALL_OF("cluster"),
	[NAME_QOS] = ALL_OF("qos"),
	[NAME_WCKEY] = ALL_OF("wckey"),
	[NAME_FEDERATION] = ALL_OF("federation"),
	[NAME_RESOURCE] = ALL_OF("resource"),
};

#define THE_ONE(table)                                                         \
	"SELECT name FROM " table " WHERE name = :name AND deleted = 0 LIMIT 1"

static const char *const exact[NAME_KINDS] = {
	[NAME_ACCOUNT] = THE_ONE("account"),
	[NAME_USER] = THE_ONE("user"),
	[NAME_CLUSTER] = THE_ONE("cluster"),
	[NAME_QOS] = THE_ONE("qos"),
	[NAME_WCKEY] = THE_ONE("wckey"),
	[NAME_FEDERATION] = THE_ONE("federation"),
	[NAME_RESOURCE] = THE_ONE("resource"),
};

/* Is there this very name? Asked first, as the index knows. */
static int is_there(struct store *store, enum name_kind kind, const char *name)
{
	struct query q;

	if (query_open(&q, store, exact[kind]))
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
	if (query_open(&q, store, all[kind]))
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

/* Rows of the associations that belong to a record of the kind. */
static const char *const counts[NAME_KINDS][2] = {
	[NAME_ACCOUNT] = {"SELECT count(*) FROM account WHERE deleted = 0",
		"SELECT count(*) FROM assoc WHERE deleted = 0 AND user = ''"},
	[NAME_USER] = {"SELECT count(*) FROM user WHERE deleted = 0",
		"SELECT count(*) FROM assoc WHERE deleted = 0 AND user <> ''"},
	[NAME_CLUSTER] = {"SELECT count(*) FROM cluster WHERE deleted = 0", NULL},
	[NAME_QOS] = {"SELECT count(*) FROM qos WHERE deleted = 0", NULL},
	[NAME_WCKEY] = {"SELECT count(*) FROM wckey WHERE deleted = 0", NULL},
	[NAME_FEDERATION] = {
		"SELECT count(*) FROM federation WHERE deleted = 0", NULL},
	[NAME_RESOURCE] = {"SELECT count(*) FROM resource WHERE deleted = 0",
		NULL},
};

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
	if (count(store, counts[kind][0], records))
		return -1;
	return count(store, counts[kind][1], assocs);
}

static const struct {
	const char *name;
	unsigned private;
} kinds[NAME_KINDS] = {
	[NAME_ACCOUNT] = {"account", PRIVATE_ACCOUNTS},
	[NAME_USER] = {"user", PRIVATE_USERS},
	[NAME_CLUSTER] = {"cluster", 0},
	[NAME_QOS] = {"QOS", 0},
	[NAME_WCKEY] = {"wckey", PRIVATE_USERS},
	[NAME_FEDERATION] = {"federation", 0},
	[NAME_RESOURCE] = {"resource", 0},
};

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
			each(kinds[kind].name, &n);
	}
}

void site_missing_one(struct site *site, enum name_kind kind, const char *name,
	void (*each)(const char *kind, const struct nearest *))
{
	struct strv names = {0};

	strv_push(&names, &site->arena, name);
	site_missing(site, kind, &names, each);
}
