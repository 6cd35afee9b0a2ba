/*
 * Events in the store; see event.h.
 */
#include "db/entity/event.h"

#include <inttypes.h>
#include <string.h>

#include "db/store/query.h"
#include "db/rows/members.h"
#include "db/rows/where.h"

#define AT(member) .offset = offsetof(struct event, member)
static const struct member rows[] = {
	{NULL, MEMBER_INT, AT(id), .select = "e.id"},
	{NULL, MEMBER_INT, AT(cluster), .select = "e.cluster"},
	{"node", MEMBER_TEXT, AT(node)},
	{"start", MEMBER_INT, AT(start)},
	{"end", MEMBER_TIME, AT(end)},
	{"state", MEMBER_TEXT, AT(state)},
	{"reason", MEMBER_TEXT, AT(reason)},
	{"user", MEMBER_TEXT, AT(user)},
	{"tres", MEMBER_TRES, AT(tres)},
	{"nodes", MEMBER_TEXT, AT(nodes)},
	{"extra", MEMBER_TEXT, AT(extra)},
	{"instance_id", MEMBER_TEXT, AT(instance_id)},
	{"instance_type", MEMBER_TEXT, AT(instance_type)},
};
#undef AT
const struct members event_members = MEMBERS(rows);

void event_init(struct event *event)
{
	memset(event, 0, sizeof(*event));
	members_init(event, &event_members);
}

static int write_event(struct store *store, const struct event *event)
{
	return store_write(store, &event_members, event,
		"INSERT INTO event (cluster, {columns})"
		" VALUES (:cluster, {:columns})"
		" ON CONFLICT (cluster, node, start) DO UPDATE SET"
		" {columns = excluded}",
		bind_int(":cluster", event->cluster));
}

/* The event of the same node that was open at `end` and began before the time
 * `before` ends there. 1: there was one. */
static int close_open(struct store *store, int64_t cluster, const char *node,
	int64_t end, int64_t before)
{
	return store_has(store,
		"UPDATE event SET end = :end WHERE cluster = :cluster"
		" AND node = :node AND start < :before"
		" AND (end IS NULL OR (node = '' AND end > :end))"
		" RETURNING 1",
		bind_int(":cluster", cluster), bind_text(":node", node),
		bind_int(":end", end), bind_int(":before", before));
}

int event_add_node(struct store *store, const struct event *event)
{
	/* One of the same second is written over. */
	if (close_open(store, event->cluster, event->node, event->start,
		    event->start) < 0)
		return -1;
	return write_event(store, event);
}

int event_end_node(
	struct store *store, int64_t cluster, const char *node, int64_t end)
{
	return close_open(store, cluster, node, end, end + 1);
}

/* When the next recorded capacity begins; 0: none. */
static int next_capacity(
	struct store *store, const struct event *event, int64_t *start)
{
	*start = 0;
	return store_ask(store,
		"SELECT coalesce(min(start), 0) FROM event"
		" WHERE cluster = :cluster AND node = '' AND start > :start",
		start, bind_int(":cluster", event->cluster),
		bind_int(":start", event->start));
}

static int set_record(struct store *store, const struct event *event)
{
	SCRATCH_ARENA(scratch);

	return store_run(store,
		"UPDATE cluster SET nodes = :nodes, tres = :tres,"
		" modified = :now WHERE id = :cluster",
		bind_text(":nodes", event->nodes),
		bind_text(":tres", tres_pack(&event->tres, &scratch)),
		bind_int(":now", store->now),
		bind_int(":cluster", event->cluster));
}

bool event_is_assumed(const struct event *event)
{
	return !strcmp(event->reason, EVENT_ASSUMED);
}

int event_assume(struct store *store, const struct event *event)
{
	if (event->id)
		return store_run(store,
			"UPDATE event SET start = :start WHERE id = :id",
			bind_int(":start", event->start),
			bind_int(":id", event->id));
	return any_failed(close_open(store, event->cluster, "", event->start,
				  event->start) < 0 ||
			  write_event(store, event));
}

int event_add_cluster(struct store *store, const struct event *event)
{
	struct event capacity = *event;

	capacity.node = "";
	if (store_run(store,
		    "DELETE FROM event WHERE cluster = :cluster AND node = ''"
		    " AND start >= :start AND reason = :assumed",
		    bind_int(":cluster", event->cluster),
		    bind_int(":start", event->start),
		    bind_text(":assumed", EVENT_ASSUMED)) ||
		close_open(store, event->cluster, "", event->start,
			event->start) < 0 ||
		next_capacity(store, event, &capacity.end) ||
		write_event(store, &capacity))
		return -1;
	return capacity.end ? 0 : set_record(store, &capacity);
}

int event_load(struct store *store, const struct event_cond *cond,
	struct arena *arena, struct event_list *list)
{
	struct where w;

	where_members(&w, "SELECT {e.columns} FROM event e", &event_members,
		arena);
	if (cond->cluster)
		where_add(&w, " AND cluster = %" PRId64, cond->cluster);
	if (cond->only_nodes)
		where_add(&w, " AND node != ''");
	if (cond->only_cluster)
		where_add(&w, " AND node = ''");
	if (cond->open)
		where_add(&w, " AND end IS NULL");
	if (cond->from && cond->open)
		where_add(&w, " AND start > %" PRId64, cond->from);
	else if (cond->from)
		where_add(&w, " AND (end IS NULL OR end > %" PRId64 ")",
			cond->from);
	if (cond->until && !cond->open)
		where_add(&w, " AND start < %" PRId64, cond->until);
	where_one_of(&w, "node", &cond->nodes);
	where_add(&w, cond->by_node ? " ORDER BY cluster, node, start"
				    : " ORDER BY cluster, start, node");
	return where_list(&w, store, &event_members, list);
}
