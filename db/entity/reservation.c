/*
 * Reservations in the store; see reservation.h.
 */
#include "db/entity/reservation.h"

#include <inttypes.h>

#include "common/text/hostlist.h"
#include "db/store/query.h"
#include "db/store/where.h"
#include "db/store/trespack.h"

/* clang-format off */
#define R(field, type_, member) \
	{HEAD_##field, .json = NULL, .type = type_, .offset = offsetof(struct reservation, member)}
static const struct member reservation_rows[] = {
	R(ASSOCS, MEMBER_TEXT, assocs),
	R(CLUSTER, MEMBER_TEXT, cluster),
	R(COMMENT, MEMBER_TEXT, comment),
	R(FLAGS, MEMBER_TEXT, flags),
	R(ID, MEMBER_COUNT, id),
	R(NAME, MEMBER_TEXT, name),
	R(NODE_NAME, MEMBER_TEXT, nodes),
	R(TIME_END, MEMBER_TIME, end),
	R(TIME_START, MEMBER_TIME, start),
	R(TRES, MEMBER_TRES, tres),
	R(UNUSED_WALL, MEMBER_REAL, unused),
};
const struct members reservation_columns = MEMBERS(reservation_rows);
/* clang-format on */

#define SELECT                                                                 \
	"SELECT c.name, r.id, r.name, r.start, r.end, r.nodes, r.tres,"        \
	" r.assocs, r.flags, r.comment, r.unused FROM reservation r"           \
	" JOIN cluster c ON c.id = r.cluster"

static const char *select_reservations(struct where *w,
	const struct reservation_cond *cond, struct arena *arena)
{
	where_init(w, SELECT, arena);
	where_one_of(w, "c.name", &cond->clusters);
	where_one_of(w, "r.name", &cond->names);
	where_one_of(w, "r.id", &cond->ids);
	if (cond->from)
		where_add(w, " AND (r.end = 0 OR r.end >= %" PRId64 ")",
			cond->from);
	if (cond->until)
		where_add(w, " AND r.start < %" PRId64, cond->until);
	where_add(w, " ORDER BY c.name, r.start, r.name");
	return where_text(w);
}

static void read_reservation(
	struct query *q, struct reservation *r, struct arena *arena)
{
	*r = (struct reservation){
		.cluster = query_strdup(q, 0, arena),
		.id = (uint32_t)query_int(q, 1),
		.name = query_strdup(q, 2, arena),
		.start = query_int(q, 3),
		.end = query_int(q, 4),
		.nodes = query_strdup(q, 5, arena),
		.assocs = query_strdup(q, 7, arena),
		.flags = query_strdup(q, 8, arena),
		.comment = query_strdup(q, 9, arena),
		.unused = query_real(q, 10),
	};
	tres_unpack(query_text(q, 6), arena, &r->tres);
}

/* A host list nobody can read holds no node. */
static bool holds_node(const struct reservation *r, const struct strv *nodes,
	struct arena *arena)
{
	struct strv names = {0};
	struct err err;

	if (!nodes->n)
		return true;
	if (hostlist_expand(r->nodes, arena, &names, &err))
		return false;
	for (size_t i = 0; i < nodes->n; i++)
		if (strv_has(&names, nodes->v[i]))
			return true;
	return false;
}

int reservation_list(struct store *store, const struct reservation_cond *cond,
	struct arena *arena, struct reservation_list *list)
{
	struct where w;
	struct query q;

	*list = (struct reservation_list){0};
	if (query_open_text(&q, store, select_reservations(&w, cond, arena)))
		return -1;
	query_bind_words(&q, 1, &w.binds);
	while (query_row(&q)) {
		struct reservation r;

		read_reservation(&q, &r, arena);
		if (holds_node(&r, &cond->nodes, arena))
			*ARENA_PUSH(arena, list->v, list->n, list->cap) = r;
	}
	return query_close(&q);
}

int reservation_find(struct store *store, int64_t cluster, const char *name,
	uint32_t id, int64_t start, struct arena *arena, struct reservation *r)
{
	struct query q;
	int found;

	if (query_open(&q, store,
		    SELECT " WHERE r.cluster = :cluster AND r.name = :name"
			   " AND (r.id = :id OR :id = 0)"
			   " AND (r.start = :start OR :start = 0)"
			   " ORDER BY r.start DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":id", id);
	query_bind_int(&q, ":start", start);
	found = query_row(&q);
	if (found)
		read_reservation(&q, r, arena);
	return query_close(&q) ? -1 : found;
}

int reservation_save(
	struct store *store, int64_t cluster, const struct reservation *r)
{
	struct arena arena;
	struct query q;
	int rc;

	if (query_open(&q, store,
		    "INSERT INTO reservation (cluster, id, name,"
		    " start, end, nodes, tres, assocs, flags, comment, unused)"
		    " VALUES (:cluster, iif(:id, :id, (SELECT"
		    " coalesce(max(id), 0) + 1 FROM reservation"
		    " WHERE cluster = :cluster)), :name, :start, :end, :nodes,"
		    " :tres, :assocs, :flags, :comment, :unused)"
		    " ON CONFLICT DO UPDATE SET name = :name, end = :end,"
		    " nodes = :nodes, tres = :tres, assocs = :assocs,"
		    " flags = :flags, comment = :comment, unused = :unused"))
		return -1;
	arena_init(&arena);
	query_bind_int(&q, ":cluster", cluster);
	query_bind_int(&q, ":id", r->id);
	query_bind_text(&q, ":name", r->name);
	query_bind_int(&q, ":start", r->start);
	query_bind_int(&q, ":end", r->end);
	query_bind_text(&q, ":nodes", r->nodes);
	query_bind_text(&q, ":tres", tres_pack(&r->tres, &arena));
	query_bind_text(&q, ":assocs", r->assocs);
	query_bind_text(&q, ":flags", r->flags);
	query_bind_text(&q, ":comment", r->comment);
	query_bind_real(&q, ":unused", r->unused);
	rc = query_run(&q);
	arena_release(&arena);
	return rc;
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
	if (query_open_text(&q, store, where_text(&w)))
		return -1;
	query_bind_words(&q, 1, &w.binds);
	while (query_row(&q))
		*list = arena_printf(arena, "%s%s%" PRId64, *list,
			**list ? "," : "", query_int(&q, 0));
	return query_close(&q);
}
