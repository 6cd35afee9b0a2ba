/*
 * Reservations in the store; see reservation.h.
 */
#include "db/entity/reservation.h"

#include <inttypes.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "db/rows/members.h"
#include "db/rows/where.h"
#include "db/store/query.h"

/* clang-format off */
#define AT(type, member) MEMBER_##type, .offset = offsetof(struct reservation, member)
static const struct member rows[] = {
	{"assocs", AT(TEXT, assocs), HEAD_ASSOCS},
	{NULL, AT(TEXT, cluster), HEAD_CLUSTER, .select = "c.name"},
	{"comment", AT(TEXT, comment), HEAD_COMMENT},
	{"flags", AT(TEXT, flags), HEAD_FLAGS},
	{NULL, AT(COUNT, id), HEAD_ID, .select = "r.id"},
	{"name", AT(TEXT, name), HEAD_NAME},
	{"nodes", AT(TEXT, nodes), HEAD_NODE_NAME},
	{"end", AT(KNOWN_TIME, end), HEAD_TIME_END},
	{"start", AT(KNOWN_TIME, start), HEAD_TIME_START},
	{"tres", AT(TRES, tres), HEAD_TRES},
	{"unused", AT(REAL, unused), HEAD_UNUSED_WALL},
};
const struct members reservation_members = MEMBERS(rows);
/* clang-format on */

bool reservation_is_active(const struct reservation *r, int64_t now)
{
	return r->start <= now && (!r->end || r->end >= now);
}

uint64_t reservation_duration(const struct reservation *r)
{
	return r->end ? (uint64_t)(r->end - r->start) : INFINITE64;
}

#define SELECT_RESERVATION                                                     \
	"SELECT {r.columns} FROM reservation r JOIN cluster c ON c.id = r.cluster"

int reservation_list(struct store *store, const struct reservation_cond *cond,
	struct arena *arena, struct reservation_list *list)
{
	struct where w;
	size_t kept = 0;

	where_members(&w, SELECT_RESERVATION, &reservation_members, arena);
	where_one_of(&w, "c.name", &cond->clusters);
	where_one_of(&w, "r.name", &cond->names);
	where_one_of(&w, "r.id", &cond->ids);
	if (cond->from)
		where_add(&w, " AND (r.end = 0 OR r.end >= %" PRId64 ")",
			cond->from);
	if (cond->until)
		where_add(&w, " AND r.start < %" PRId64, cond->until);
	where_add(&w, " ORDER BY c.name, r.start, r.name");
	if (where_list(&w, store, &reservation_members, list))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (hostlist_meets(list->v[i].nodes, &cond->nodes, arena))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

int reservation_find(struct store *store, int64_t cluster, const char *name,
	uint32_t id, int64_t start, struct arena *arena, struct reservation *r)
{
	struct query q;
	int found;

	if (query_open_members(&q, store, &reservation_members,
		    SELECT_RESERVATION " WHERE r.cluster = :cluster"
		    " AND r.name = :name AND (r.id = :id OR :id = 0)"
		    " AND (r.start = :start OR :start = 0)"
		    " ORDER BY r.start DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":id", id);
	query_bind_int(&q, ":start", start);
	found = query_row(&q);
	if (found)
		members_read(&q, 0, r, &reservation_members, arena);
	return query_close(&q) ? -1 : found;
}

int reservation_save(
	struct store *store, int64_t cluster, const struct reservation *r)
{
	return store_write(store, &reservation_members, r,
		"INSERT INTO reservation (cluster, id, {columns})"
		" VALUES (:cluster, iif(:id, :id, (SELECT"
		" coalesce(max(id), 0) + 1 FROM reservation"
		" WHERE cluster = :cluster)), {:columns})"
		" ON CONFLICT DO UPDATE SET {columns = excluded}",
		bind_int(":cluster", cluster), bind_int(":id", r->id));
}

int reservation_assocs(struct store *store, int64_t cluster,
	const struct strv *accounts, const struct strv *users,
	struct arena *arena, const char **list)
{
	struct where w;
	struct query q;

	where_init(&w, "SELECT a.id FROM assoc a", arena);
	where_add(
		&w, " AND a.cluster = %" PRId64 " AND a.deleted = 0", cluster);
	where_one_of(&w, "a.account", accounts);
	where_one_of(&w, "a.user", users);
	if (!users->n)
		where_add(&w, " AND a.user = ''");
	where_add(&w, " ORDER BY a.id");
	*list = "";
	if (where_open(&w, &q, store))
		return -1;
	while (query_row(&q))
		*list = arena_printf(arena, "%s%s%" PRId64, *list,
			**list ? "," : "", query_int(&q, 0));
	return query_close(&q);
}
