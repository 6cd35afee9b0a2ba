/*
 * Resources in the store; see resource.h.
 */
#include "db/entity/resource.h"

#include <string.h>

#include "db/store/query.h"
#include "db/store/where.h"

enum { A_DAY = 24 * 3600 };

/* clang-format off */
const struct flag_word resource_flag_words[] = {
	{"Absolute:8", RESOURCE_ABSOLUTE, "ABSOLUTE"},
	{"SharedPool:10", RESOURCE_SHARED_POOL, "SHARED_POOL"},
	{NULL, 0, NULL},
};

#define R(field, json_, type_, member) \
	{HEAD_##field, .json = (json_), .type = type_, .offset = offsetof(struct resource, member)}
static const struct member resource_rows[] = {
	R(ALLOCATED, "allocated", MEMBER_COUNT, allocated),
	R(COUNT, "count", MEMBER_COUNT, count),
	R(DESCRIPTION, "description", MEMBER_TEXT, description),
	R(FLAGS, "flags", MEMBER_TEXT, flags_text),
	R(ID, "id", MEMBER_COUNT, id),
	R(LAST_CONSUMED, "last_consumed", MEMBER_COUNT, last_consumed),
	R(NAME, "name", MEMBER_TEXT, name),
	R(SERVER, "server", MEMBER_TEXT, server),
	R(SERVER_TYPE, "server_type", MEMBER_TEXT, server_type),
	R(TYPE, "type", MEMBER_TEXT, type_text),
};
const struct members resource_columns = MEMBERS(resource_rows);
#undef R

#define R(field, json_, type_, member) \
	{HEAD_##field, .json = (json_), .type = type_, .offset = offsetof(struct resource_share, member)}
static const struct member resource_share_rows[] = {
	R(ALLOWED, "allowed", MEMBER_COUNT, allowed),
	R(CLUSTER, "cluster", MEMBER_TEXT, cluster),
	R(COUNT_ALLOWED, "count_allowed", MEMBER_COUNT, count_allowed),
	R(COUNT_USED, "count_used", MEMBER_COUNT, count_allowed),
};
const struct members resource_share_columns = MEMBERS(resource_share_rows);
#undef R
/* clang-format on */

const char *resource_type_text(uint32_t type)
{
	return type == RESOURCE_LICENSE ? "License" : "Unknown";
}

/* ---- reading -------------------------------------------------------------*/

static void read_resource(
	struct query *q, struct resource *r, struct arena *arena)
{
	*r = (struct resource){
		.id = (uint32_t)query_int(q, 0),
		.name = query_strdup(q, 1, arena),
		.server = query_strdup(q, 2, arena),
		.description = query_strdup(q, 3, arena),
		.server_type = query_strdup(q, 4, arena),
		.type = (uint32_t)query_int(q, 5),
		.count = (uint32_t)query_int(q, 6),
		.last_consumed = (uint32_t)query_int(q, 7),
		.flags = (uint32_t)query_int(q, 8),
		.deleted = query_int(q, 9),
		.created = query_int(q, 10),
		.allocated = (uint32_t)query_int(q, 11),
	};
	r->type_text = resource_type_text(r->type);
	r->flags_text = flags_text(resource_flag_words, r->flags, arena);
}

#define SHARES "resource_cluster s JOIN cluster c ON c.id = s.cluster"

/* Which shares are asked for. */
static void where_share(struct where *w, const struct resource_cond *cond)
{
	where_one_of(w, "c.name", &cond->clusters);
	where_one_of(w, "s.allowed", &cond->allowed);
}

static const char *select_resources(struct where *w,
	const struct resource_cond *cond, struct arena *arena)
{
	where_init(w,
		"SELECT r.id, r.name, r.server, r.description, r.server_type,"
		" r.type, r.count, r.last_consumed, r.flags, r.deleted,"
		" r.created, (SELECT coalesce(sum(allowed), 0)"
		" FROM resource_cluster s WHERE s.resource = r.id)"
		" FROM resource r",
		arena);
	if (!cond->with_deleted)
		where_add(w, " AND NOT r.deleted");
	where_one_of(w, "r.name COLLATE NOCASE", &cond->names);
	where_one_of(w, "r.server COLLATE NOCASE", &cond->servers);
	where_one_of(w, "r.server_type", &cond->server_types);
	where_one_of(w, "r.description", &cond->descriptions);
	where_one_of(w, "r.id", &cond->ids);
	if (cond->clusters.n || cond->allowed.n) {
		where_add(w, " AND EXISTS (SELECT 1 FROM " SHARES
			     " WHERE s.resource = r.id");
		where_share(w, cond);
		where_add(w, ")");
	}
	where_add(w, " ORDER BY r.id");
	return where_text(w);
}

static uint32_t units(const struct resource *r, uint32_t allowed)
{
	if (r->flags & RESOURCE_ABSOLUTE)
		return allowed;
	return (uint32_t)((uint64_t)r->count * allowed / 100);
}

static int load_shares(struct store *store, const struct resource_cond *cond,
	struct arena *arena, struct resource *r)
{
	struct where w;
	struct query q;

	where_init(&w, "SELECT c.name, s.allowed FROM " SHARES, arena);
	where_add(&w, " AND s.resource = %u", r->id);
	where_share(&w, cond);
	where_add(&w, " ORDER BY c.name");
	if (query_open_text(&q, store, where_text(&w)))
		return -1;
	query_bind_words(&q, 1, &w.binds);
	while (query_row(&q)) {
		uint32_t allowed = (uint32_t)query_int(&q, 1);

		*ARENA_PUSH(arena, r->shares, r->n_shares, r->cap) =
			(struct resource_share){
				.cluster = query_strdup(&q, 0, arena),
				.allowed = allowed,
				.count_allowed = units(r, allowed),
			};
	}
	return query_close(&q);
}

int resource_list(struct store *store, const struct resource_cond *cond,
	struct arena *arena, struct resource_list *list)
{
	struct where w;
	struct query q;

	*list = (struct resource_list){0};
	if (query_open_text(&q, store, select_resources(&w, cond, arena)))
		return -1;
	query_bind_words(&q, 1, &w.binds);
	while (query_row(&q))
		read_resource(&q,
			ARENA_PUSH(arena, list->v, list->n, list->cap), arena);
	if (query_close(&q))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (load_shares(store, cond, arena, &list->v[i]))
			return -1;
	return 0;
}

int resource_find(struct store *store, const char *name, const char *server,
	struct arena *arena, struct resource *r)
{
	struct resource_cond cond = {0};
	struct resource_list list;

	strv_push(&cond.names, arena, name);
	strv_push(&cond.servers, arena, server);
	if (resource_list(store, &cond, arena, &list))
		return -1;
	if (!list.n)
		return 0;
	*r = list.v[0];
	return 1;
}

/* ---- writing -------------------------------------------------------------*/

static void bind_values(struct query *q, const struct resource *r, int64_t now)
{
	query_bind_text(q, ":description", r->description);
	query_bind_text(q, ":server_type", r->server_type);
	query_bind_int(q, ":type", r->type);
	query_bind_int(q, ":count", r->count);
	query_bind_int(q, ":last_consumed", r->last_consumed);
	query_bind_int(q, ":flags", r->flags);
	query_bind_int(q, ":now", now);
}

int resource_add(struct store *store, struct resource *r)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT INTO resource (name, server, description,"
		    " server_type, type, count, last_consumed, flags, created,"
		    " modified) VALUES (:name, :server, :description,"
		    " :server_type, :type, :count, :last_consumed, :flags,"
		    " :now, :now) ON CONFLICT (name, server) DO UPDATE SET"
		    " deleted = 0, description = :description,"
		    " server_type = :server_type, type = :type,"
		    " count = :count, last_consumed = :last_consumed,"
		    " flags = :flags, modified = :now RETURNING id"))
		return -1;
	query_bind_text(&q, ":name", r->name);
	query_bind_text(&q, ":server", r->server);
	bind_values(&q, r, store->now);
	if (query_row(&q))
		r->id = (uint32_t)query_int(&q, 0);
	return query_run(&q);
}

int resource_update(struct store *store, const struct resource *r)
{
	struct query q;

	if (query_open(&q, store,
		    "UPDATE resource SET description = :description,"
		    " server_type = :server_type, type = :type,"
		    " count = :count, last_consumed = :last_consumed,"
		    " flags = :flags, modified = :now WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", r->id);
	bind_values(&q, r, store->now);
	return query_run(&q);
}

static int run_id(struct store *store, const char *sql, uint32_t id)
{
	struct query q;

	if (query_open(&q, store, sql))
		return -1;
	query_bind_int(&q, ":id", id);
	return query_run(&q);
}

int resource_remove(struct store *store, const struct resource *r)
{
	if (run_id(store, "DELETE FROM resource_cluster WHERE resource = :id",
		    r->id))
		return -1;
	return run_id(store,
		store->now - r->created < A_DAY
			? "DELETE FROM resource WHERE id = :id"
			: "UPDATE resource SET deleted = 1 WHERE id = :id",
		r->id);
}

int resource_share_set(struct store *store, uint32_t id, const char *cluster,
	uint32_t allowed)
{
	struct query q;

	if (query_open(&q, store,
		    "INSERT INTO resource_cluster (resource, cluster, allowed)"
		    " VALUES (:id, (SELECT id FROM cluster WHERE name ="
		    " :cluster), :allowed) ON CONFLICT (resource, cluster)"
		    " DO UPDATE SET allowed = :allowed"))
		return -1;
	query_bind_int(&q, ":id", id);
	query_bind_text(&q, ":cluster", cluster);
	query_bind_int(&q, ":allowed", allowed);
	return query_run(&q);
}

int resource_share_remove(
	struct store *store, uint32_t id, const char *cluster)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM resource_cluster WHERE resource = :id AND"
		    " cluster = (SELECT id FROM cluster WHERE name ="
		    " :cluster)"))
		return -1;
	query_bind_int(&q, ":id", id);
	query_bind_text(&q, ":cluster", cluster);
	return query_run(&q);
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
