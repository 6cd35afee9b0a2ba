#include "db/entity/federation.h"

#include "db/rows/members.h"
#include "db/store/query.h"

/* A job id of a federation has six bits for its cluster. */
enum { MOST_CLUSTERS = 63 };

#define AT(type, member)                                                       \
	MEMBER_##type, .offset = offsetof(struct federation, member)
static const struct member rows[] = {
	{"name", AT(TEXT, name), HEAD_FEDERATION},
	{"flags", AT(COUNT, flags)},
	{"deleted", AT(BOOL, deleted)},
};
const struct members federation_members = MEMBERS(rows);

int federation_exists(struct store *store, const char *name)
{
	return store_has(store,
		"SELECT 1 FROM federation WHERE name = :name"
		" AND NOT deleted",
		bind_text(":name", name));
}

int federation_add(struct store *store, const char *name)
{
	const struct federation federation = {.name = name};

	return store_write(store, &federation_members, &federation,
		"INSERT INTO federation (created, modified, {columns})"
		" VALUES (:now, :now, {:columns})"
		" ON CONFLICT (name) DO UPDATE SET {columns = excluded},"
		" created = :now, modified = :now",
		bind_int(":now", store->now));
}

int federation_remove(struct store *store, const char *name)
{
	if (store_run(store,
		    "UPDATE cluster SET federation = NULL, fed_id = 0,"
		    " fed_state = 0 WHERE federation ="
		    " (SELECT id FROM federation WHERE name = :name)",
		    bind_text(":name", name)))
		return -1;
	return store_run(store, "DELETE FROM federation WHERE name = :name",
		bind_text(":name", name));
}

int federation_names(struct store *store, bool with_deleted,
	struct arena *arena, struct strv *names)
{
	return store_words(store,
		"SELECT name FROM federation WHERE NOT deleted OR :deleted"
		" ORDER BY name",
		names, arena, bind_int(":deleted", with_deleted));
}

int federation_join(
	struct store *store, const char *federation, const char *cluster)
{
	struct query q;
	bool full;

	if (query_open(&q, store,
		    "WITH RECURSIVE f (id) AS (SELECT id FROM federation"
		    " WHERE name = :federation),"
		    " n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
		    " WHERE i < 64)"
		    " UPDATE cluster SET federation = (SELECT id FROM f),"
		    " fed_state = 1, fed_id = (SELECT min(i) FROM n"
		    " WHERE i NOT IN (SELECT fed_id FROM cluster"
		    " WHERE federation = (SELECT id FROM f)))"
		    " WHERE name = :cluster AND"
		    " federation IS NOT (SELECT id FROM f)"
		    " RETURNING fed_id"))
		return -1;
	query_bind_text(&q, ":federation", federation);
	query_bind_text(&q, ":cluster", cluster);
	full = query_row(&q) && query_int(&q, 0) > MOST_CLUSTERS;
	if (query_run(&q))
		return -1;
	return full ? err_set(store->err, ERR_USAGE,
			      "Too many clusters in federation")
		    : 0;
}

int federation_leave(struct store *store, const char *cluster)
{
	return store_run(store,
		"UPDATE cluster SET federation = NULL, fed_id = 0,"
		" fed_state = 0 WHERE name = :name",
		bind_text(":name", cluster));
}
