/*
 * Nodes that register themselves, in the store; see node.h.
 */
#include "db/entity/node.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "db/entity/cluster.h"
#include "db/store/query.h"

bool node_is_registered(const struct conf_node *node)
{
	return !strcmp(node->state, NODE_REGISTERED);
}

/* Nodes of the same kind follow each other: a line for all of them. */
int node_lines(struct store *store, const char *cluster,
	const struct conf *conf, struct arena *arena, struct strv *lines)
{
	struct strv names = {0};
	const char *kind = NULL;
	struct query q;
	/* Most stores have none, and this is soon asked. */
	int has = store_any(store, "SELECT 1 FROM node");

	if (has <= 0)
		return has;
	if (query_open(&q, store,
		    "SELECT name, conf FROM node WHERE cluster = (SELECT id"
		    "  FROM cluster WHERE name = :cluster AND NOT deleted)"
		    " ORDER BY conf, rowid"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	while (query_row(&q)) {
		const char *next = query_text(&q, 1);

		if (conf_node_by_name(conf, query_text(&q, 0)))
			continue;
		if (kind && strcmp(kind, next)) {
			strv_printf(lines, arena, "NodeName=%s %s",
				strv_join(&names, ",", arena), kind);
			names.n = 0;
		}
		if (!kind || strcmp(kind, next))
			kind = arena_strdup(arena, next);
		strv_push(&names, arena, query_text(&q, 0));
	}
	if (names.n)
		strv_printf(lines, arena, "NodeName=%s %s",
			strv_join(&names, ",", arena), kind);
	return query_close(&q);
}

/* An empty one is left out: what follows would be its value. */
static const char *maybe(const char *key, const char *value, struct arena *arena)
{
	return value && *value ? arena_printf(arena, " %s=%s", key, value) : "";
}

static const char *line_of(const struct conf_node *node, struct arena *arena)
{
	bool elsewhere = strcmp(node->address, node->name) != 0;

	return arena_printf(arena,
		"CPUs=%" PRIu32 " Boards=%" PRIu32 " Sockets=%" PRIu32
		" CoresPerSocket=%" PRIu32 " ThreadsPerCore=%" PRIu32
		" RealMemory=%" PRIu64 " TmpDisk=%" PRIu32 " Weight=%" PRIu32
		" State=" NODE_REGISTERED "%s%s%s",
		node->cpus, node->boards, node->sockets, node->cores,
		node->threads, node->real_memory, node->tmp_disk, node->weight,
		maybe("Gres", node->gres_text, arena),
		maybe("Feature", strv_join(&node->features, ",", arena), arena),
		elsewhere ? maybe("NodeAddr", node->address, arena) : "");
}

int node_register(
	struct store *store, int64_t cluster, const struct conf_node *node)
{
	SCRATCH_ARENA(scratch);

	return store_has(store,
		"INSERT INTO node (cluster, name, conf)"
		" VALUES (:cluster, :name, :conf)"
		" ON CONFLICT (cluster, name) DO UPDATE"
		" SET conf = excluded.conf WHERE conf != excluded.conf"
		" RETURNING 1",
		bind_int(":cluster", cluster), bind_text(":name", node->name),
		bind_text(":conf", line_of(node, &scratch)));
}

int node_forget(struct store *store, int64_t cluster, const char *name)
{
	return store_has(store,
		"DELETE FROM node WHERE cluster = :cluster AND name = :name"
		" RETURNING 1",
		bind_int(":cluster", cluster), bind_text(":name", name));
}

int node_is_known(struct site *site, const char *cluster, const char *name)
{
	const struct conf *conf = &site->conf;

	if (!conf->n_nodes || strcasecmp(cluster, site->cluster) != 0 ||
		conf_node_by_name(conf, name))
		return 1;
	return store_has(&site->store,
		"SELECT 1 FROM node WHERE cluster = :cluster"
		" AND name = :name UNION ALL SELECT 1 FROM event"
		" WHERE cluster = :cluster AND node = :name",
		bind_int(":cluster", cluster_key(&site->store, cluster)),
		bind_text(":name", name));
}
