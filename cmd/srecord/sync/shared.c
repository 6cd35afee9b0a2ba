/*
 * What clusters have together: federations, and resources of which each may use
 * a share. Of clusters that this store does not have nothing is kept.
 */
#include "cmd/srecord/sync/sync.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/value.h"
#include "db/entity/cluster.h"
#include "db/entity/mirror.h"
#include "db/entity/resource.h"

static uint32_t number(const char *text)
{
	return (uint32_t)strtoul(text, NULL, 10);
}

/* ---- federations ---------------------------------------------------------*/

static int sync_member(struct sync *sync, const char *const *values)
{
	const struct mirror_member member = {.cluster = values[0],
		.federation = values[1],
		.id = number(values[2]),
		.state = number(values[3]),
		.features = values[4]};

	return sync_count(sync, mirror_member(sync->s->store, &member));
}

static int ask_federations(struct sync *sync, struct sync_shared *shared)
{
	static const struct sync_column names[] = {
		{"Federation", "name", SYNC_PLAIN}};
	static const struct sync_table federations = {"federation",
		"federation", "federation_table t WHERE t.deleted = 0", names,
		1, NULL, NULL};
	static const struct sync_column columns[] = {
		{"Cluster", "name", SYNC_PLAIN},
		{"Federation", "federation", SYNC_PLAIN},
		{"ID", "fed_id", SYNC_PLAIN},
		{"FedStateRaw", "fed_state", SYNC_PLAIN},
		{"Features", "features", SYNC_PLAIN}};
	static const struct sync_table members = {"cluster", "cluster",
		"cluster_table t WHERE t.deleted = 0", columns, 5, NULL, NULL};

	return sync_ask(sync, &federations, 0, &shared->federations) ||
			       sync_ask(sync, &members, 0, &shared->members)
		       ? -1
		       : 0;
}

static int sync_federations(
	struct sync *sync, const struct sync_shared *shared)
{
	struct strv all = {0};

	for (size_t i = 0; i < shared->federations.n; i++)
		if (!strv_has(&all, shared->federations.v[i][0]))
			strv_push(&all, &sync->arena,
				shared->federations.v[i][0]);
	if (sync_count(sync, mirror_federations(
				     sync->s->store, &all, &sync->arena)))
		return -1;
	for (size_t i = 0; i < shared->members.n; i++)
		if (sync_member(sync, shared->members.v[i]))
			return -1;
	return 0;
}

/* ---- resources -----------------------------------------------------------*/

enum {
	R_NAME, R_SERVER, R_SERVER_TYPE, R_DESCRIPTION, R_TYPE, R_COUNT,
	R_CONSUMED, R_FLAGS, R_COLUMNS
};
enum { S_NAME, S_SERVER, S_CLUSTER, S_ALLOWED, S_PERCENT, S_COLUMNS };

struct resources {
	struct resource *v;
	size_t n, cap;
};

/* A number, or words. */
static uint32_t flags_of(const char *text)
{
	char *end;
	unsigned long bits = strtoul(text, &end, 10);

	if (*text && !*end)
		return (uint32_t)bits;
	return (strcasestr(text, "absolute") ? RESOURCE_ABSOLUTE : 0) |
	       (strcasestr(text, "sharedpool") ? RESOURCE_SHARED_POOL : 0);
}

static struct resource *find_resource(struct resources *all,
	const char *name, const char *server)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->v[i].name, name) &&
			!strcmp(all->v[i].server, server))
			return &all->v[i];
	return NULL;
}

static void take_resource(struct sync *sync, struct resources *all,
	const char *const *values)
{
	*ARENA_PUSH(&sync->arena, all->v, all->n, all->cap) =
		(struct resource){
			.name = values[R_NAME],
			.server = values[R_SERVER],
			.description = values[R_DESCRIPTION],
			.server_type = values[R_SERVER_TYPE],
			.type = number(values[R_TYPE]) ||
						!strcasecmp(values[R_TYPE],
							"license")
					? RESOURCE_LICENSE
					: RESOURCE_UNKNOWN,
			.count = number(values[R_COUNT]),
			.last_consumed = number(values[R_CONSUMED]),
			.flags = flags_of(values[R_FLAGS])};
}

static void take_share(struct sync *sync, struct resources *all,
	const char *const *values)
{
	struct resource *r =
		find_resource(all, values[S_NAME], values[S_SERVER]);

	if (r && *values[S_CLUSTER])
		*ARENA_PUSH(&sync->arena, r->shares, r->n_shares, r->cap) =
			(struct resource_share){
				.cluster = values[S_CLUSTER],
				.allowed = number(*values[S_ALLOWED]
						? values[S_ALLOWED]
						: values[S_PERCENT])};
}

static int ask_resources(struct sync *sync, struct sync_shared *shared)
{
	static const struct sync_column columns[R_COLUMNS] = {
		{"Name", "name", SYNC_PLAIN}, {"Server", "server", SYNC_PLAIN},
		{"ServerType", "manager", SYNC_PLAIN},
		{"Description", "description", SYNC_PLAIN},
		{"Type", "type", SYNC_PLAIN}, {"Count", "count", SYNC_PLAIN},
		{"LastConsumed", "last_consumed", SYNC_PLAIN},
		{"Flags", "flags", SYNC_PLAIN}};
	static const struct sync_table table = {"resource", "resource",
		"res_table t WHERE t.deleted = 0 ORDER BY t.id", columns,
		R_COLUMNS, NULL, NULL};
	/* 22.05 names the share of a cluster by its percents. */
	static const struct sync_column share[S_COLUMNS] = {
		{"Name", "name", SYNC_PLAIN}, {"Server", "server", SYNC_PLAIN},
		{"Cluster", "c.cluster", SYNC_PLAIN},
		{"Allowed", "{a}", SYNC_PLAIN},
		{"PercentAllowed", NULL, SYNC_PLAIN}};
	static const struct sync_table shares = {"resource",
		"resource withclusters",
		"res_table t JOIN clus_res_table c ON c.res_id = t.id"
		" WHERE c.deleted = 0 AND t.deleted = 0 ORDER BY t.id",
		share, S_COLUMNS, NULL, NULL};

	return sync_ask(sync, &table, 0, &shared->resources) ||
			       sync_ask(sync, &shares, 0, &shared->shares)
		       ? -1
		       : 0;
}

static int sync_resources(struct sync *sync, const struct sync_shared *shared)
{
	struct resources all = {0};
	struct strv names = {0};

	for (size_t i = 0; i < shared->resources.n; i++)
		take_resource(sync, &all, shared->resources.v[i]);
	for (size_t i = 0; i < shared->shares.n; i++)
		take_share(sync, &all, shared->shares.v[i]);
	for (size_t i = 0; i < all.n; i++) {
		strv_push(&names, &sync->arena,
			arena_printf(&sync->arena, "%s@%s", all.v[i].name,
				all.v[i].server));
		if (sync_count(sync, mirror_resource(sync->s->store, &all.v[i],
					&sync->arena)))
			return -1;
	}
	return sync_count(sync,
		mirror_resources(sync->s->store, &names, &sync->arena));
}

int sync_shared_ask(struct sync *sync, struct sync_shared *shared)
{
	return ask_federations(sync, shared) || ask_resources(sync, shared)
		       ? -1
		       : 0;
}

int sync_shared(struct sync *sync, const struct sync_shared *shared)
{
	return sync_federations(sync, shared) || sync_resources(sync, shared)
		       ? -1
		       : 0;
}
