/*
 * Reservations in the store; see reservation.h.
 */
#include "db/reservation.h"

#include <inttypes.h>

#include "common/hostlist.h"
#include "db/job.h"
#include "db/query.h"
#include "db/row.h"

/* clang-format off */
#define R(field, getter, member) \
	{FIELD_##field, NULL, getter, offsetof(struct reservation, member), 0}
const struct column reservation_columns[] = {
	R(ASSOCS, get_text, assocs),
	R(CLUSTER, get_text, cluster),
	R(COMMENT, get_text, comment),
	R(FLAGS, get_text, flags),
	R(ID, get_uint, id),
	R(NAME, get_text, name),
	R(NODE_NAME, get_text, nodes),
	R(TIME_END, get_time, end),
	R(TIME_START, get_time, start),
	R(TRES, get_tres, tres),
	R(UNUSED_WALL, get_real, unused),
	{FIELD_NONE, NULL, NULL, 0, 0},
};
/* clang-format on */

static const char *select_reservations(struct where *w,
	const struct reservation_cond *cond, struct arena *arena)
{
	where_init(w,
		"SELECT c.name, r.id, r.name, r.start, r.end, r.nodes, r.tres,"
		" r.assocs, r.flags, r.comment, r.unused FROM reservation r"
		" JOIN cluster c ON c.id = r.cluster",
		arena);
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
