/*
 * Resources in the store; see resource.h.
 */
#include "db/entity/resource.h"

#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"

/* clang-format off */
const struct flag_word resource_flag_words[] = {
	{"Absolute:8", RESOURCE_ABSOLUTE, "ABSOLUTE", 0},
	{"SharedPool:10", RESOURCE_SHARED_POOL, "SHARED_POOL", 0},
	{NULL, 0, NULL, 0},
};

#define AT(type, member) MEMBER_##type, .offset = offsetof(struct resource, member)
static const struct member resource_rows[] = {
	{NULL, AT(COUNT, allocated), HEAD_ALLOCATED, .json = "allocated",
		.select = "(SELECT coalesce(sum(allowed), 0) FROM resource_cluster s WHERE s.resource = r.id)"},
	{"count", AT(COUNT, count), HEAD_COUNT, .json = "count",
		SETTABLE("count", "Count:3", ATTR_UINT)},
	{"description", AT(TEXT, description), HEAD_DESCRIPTION, .json = "description",
		SETTABLE("Description", "Description:1", ATTR_TEXT)},
	{"flags", AT(COUNT, flags),
		SETTABLE("Flags", "Flags:2", ATTR_FLAGS, .flags = resource_flag_words, .operators = true)},
	{NULL, AT(TEXT, flags_text), HEAD_FLAGS, .json = "flags"},
	{NULL, AT(COUNT, id), HEAD_ID, .json = "id", .select = "r.id"},
	{"last_consumed", AT(COUNT, last_consumed), HEAD_LAST_CONSUMED, .json = "last_consumed",
		SETTABLE("LastConsumed", "LastConsumed:8", ATTR_UINT)},
	{"name", AT(TEXT, name), HEAD_NAME, .json = "name"},
	{"server", AT(TEXT, server), HEAD_SERVER, .json = "server",
		SETTABLE("Server", "Server:1", ATTR_TEXT)},
	{"server_type", AT(TEXT, server_type), HEAD_SERVER_TYPE, .json = "server_type",
		SETTABLE("ServerType", "ServerType:1", ATTR_TEXT, .log = "manager")},
	{"type", AT(COUNT, type)},
	{NULL, AT(TEXT, type_text), HEAD_TYPE, .json = "type",
		SETTABLE("Type", "Type:1", ATTR_TEXT, .log = "type")},
	{"deleted", AT(BOOL, deleted)},
	{NULL, AT(INT, created), .select = "r.created"},
};
const struct members resource_members = MEMBERS(resource_rows);
#undef AT

#define AT(type, member) MEMBER_##type, .offset = offsetof(struct resource_share, member)
static const struct member resource_share_rows[] = {
	{"allowed", AT(COUNT, allowed), HEAD_ALLOWED, .json = "allowed",
		SETTABLE("Allowed", "Allowed:1 PercentAllowed:1", ATTR_UINT)},
	{NULL, AT(TEXT, cluster), HEAD_CLUSTER, .json = "cluster", .select = "c.name"},
	{NULL, AT(COUNT, count_allowed), HEAD_COUNT_ALLOWED, .json = "count_allowed"},
	{NULL, AT(COUNT, count_allowed), HEAD_COUNT_USED, .json = "count_used"},
};
const struct members resource_share_members = MEMBERS(resource_share_rows);
#undef AT
/* clang-format on */

const char *resource_type_text(uint32_t type)
{
	return type == RESOURCE_LICENSE ? "License" : "Unknown";
}

/* ---- reading -------------------------------------------------------------*/

#define SHARES "resource_cluster s JOIN cluster c ON c.id = s.cluster"

/* Which shares are asked for. */
static void where_share(struct where *w, const struct resource_cond *cond)
{
	where_one_of(w, "c.name", &cond->clusters);
	where_one_of(w, "s.allowed", &cond->allowed);
}

static uint32_t units(const struct resource *r, uint32_t allowed)
{
	if (r->flags & RESOURCE_ABSOLUTE)
		return allowed;
	return (uint32_t)((uint64_t)r->count * allowed / 100);
}

/* What is printed of it, and its shares. */
static int complete(struct store *store, const struct resource_cond *cond,
	struct arena *arena, struct resource *r)
{
	struct where w;

	r->type_text = resource_type_text(r->type);
	r->flags_text = flags_text(resource_flag_words, r->flags, arena);
	where_members(&w, "SELECT {s.columns} FROM " SHARES,
		&resource_share_members, arena);
	where_add(&w, " AND s.resource = %u", r->id);
	where_share(&w, cond);
	where_add(&w, " ORDER BY c.name");
	r->shares = where_records(&w, store, &resource_share_members,
		sizeof(*r->shares), &r->n_shares);
	if (!r->shares)
		return -1;
	for (size_t i = 0; i < r->n_shares; i++)
		r->shares[i].count_allowed = units(r, r->shares[i].allowed);
	return 0;
}

int resource_list(struct store *store, const struct resource_cond *cond,
	struct arena *arena, struct resource_list *list)
{
	struct where w;

	where_members(&w, "SELECT {r.columns} FROM resource r",
		&resource_members, arena);
	if (!cond->with_deleted)
		where_add(&w, " AND NOT r.deleted");
	where_one_of(&w, "r.name COLLATE NOCASE", &cond->names);
	where_one_of(&w, "r.server COLLATE NOCASE", &cond->servers);
	where_one_of(&w, "r.server_type", &cond->server_types);
	where_one_of(&w, "r.description", &cond->descriptions);
	where_one_of(&w, "r.id", &cond->ids);
	if (cond->clusters.n || cond->allowed.n) {
		where_add(&w, " AND EXISTS (SELECT 1 FROM " SHARES
			      " WHERE s.resource = r.id");
		where_share(&w, cond);
		where_add(&w, ")");
	}
	where_add(&w, " ORDER BY r.id");
	if (where_list(&w, store, &resource_members, list))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (complete(store, cond, arena, &list->v[i]))
			return -1;
	return 0;
}

int resource_find(struct store *store, const char *name, const char *server,
	struct arena *arena, struct resource *r)
{
	struct resource_cond cond = {
		.names = STRV_ONE(name), .servers = STRV_ONE(server)};
	struct resource_list list;

	if (resource_list(store, &cond, arena, &list))
		return -1;
	if (!list.n)
		return 0;
	*r = list.v[0];
	return 1;
}

/* ---- writing -------------------------------------------------------------*/

int resource_add(struct store *store, struct resource *r)
{
	struct query q;

	if (query_open_record(&q, store, &resource_members, r,
		    "INSERT INTO resource (created, modified, {columns})"
		    " VALUES (:now, :now, {:columns})"
		    " ON CONFLICT (name, server) DO UPDATE SET"
		    " {columns = excluded}, modified = :now RETURNING id"))
		return -1;
	query_bind_int(&q, ":now", store->now);
	if (query_row(&q))
		r->id = (uint32_t)query_int(&q, 0);
	return query_run(&q);
}

int resource_update(struct store *store, const struct resource *r)
{
	return store_write(store, &resource_members, r,
		"UPDATE resource SET {columns = :columns}, modified = :now"
		" WHERE id = :id",
		bind_int(":id", r->id), bind_int(":now", store->now));
}

int resource_remove(struct store *store, const struct resource *r)
{
	if (store_run(store,
		    "DELETE FROM resource_cluster WHERE resource = :id",
		    bind_int(":id", r->id)))
		return -1;
	return store_remove(store, is_young(store, r->created), "resource", "",
		"id = :id", bind_int(":id", r->id));
}

int resource_share_set(struct store *store, uint32_t id, const char *cluster,
	uint32_t allowed)
{
	const struct resource_share share = {cluster, allowed, 0};

	return store_write(store, &resource_share_members, &share,
		"INSERT INTO resource_cluster (resource, cluster,"
		" {columns}) VALUES (:id, (SELECT id FROM cluster"
		" WHERE name = :cluster), {:columns})"
		" ON CONFLICT (resource, cluster) DO UPDATE SET"
		" {columns = excluded}",
		bind_int(":id", id), bind_text(":cluster", cluster));
}

int resource_share_remove(
	struct store *store, uint32_t id, const char *cluster)
{
	return store_run(store,
		"DELETE FROM resource_cluster WHERE resource = :id AND"
		" cluster = (SELECT id FROM cluster WHERE name ="
		" :cluster)",
		bind_int(":id", id), bind_text(":cluster", cluster));
}

int resource_check(struct store *store, uint32_t id)
{
	struct query q;
	int64_t sum = 0, total = 0;
	bool pool = false, odd = false;

	if (query_open(&q, store,
		    "SELECT sum(s.allowed), total, pool,"
		    " max(s.allowed NOT IN (0, total)) FROM resource_cluster s,"
		    " (SELECT iif(flags & 1, count, 100) AS total,"
		    " flags & 2 AS pool FROM resource WHERE id = :id)"
		    " WHERE s.resource = :id"))
		return -1;
	query_bind_int(&q, ":id", id);
	if (query_row(&q)) {
		sum = query_int(&q, 0);
		total = query_int(&q, 1);
		pool = query_int(&q, 2);
		odd = query_int(&q, 3);
	}
	if (query_close(&q))
		return -1;
	if (pool && odd)
		return err_set(store->err, ERR_USAGE,
			"With the SharedPool flag a cluster may use all of a "
			"resource or nothing");
	if (!pool && sum > total)
		return err_set(store->err, ERR_USAGE,
			"You can not allocate more than 100%% of a resource");
	return 0;
}
