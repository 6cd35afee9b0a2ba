/*
 * Resources as they are shown; what changes them is db/change/resource.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "db/entity/resource.h"

/* With clusters a resource that none may use does not show. */
static void list_one(
	struct listing *l, const struct resource *resource, bool with_clusters)
{
	static const struct resource_share none = {.cluster = ""};

	if (!with_clusters)
		listing_row(l, resource, &none);
	for (size_t i = 0; with_clusters && i < resource->n_shares; i++)
		listing_row(l, resource, &resource->shares[i]);
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	const struct resource_cond *cond = &r->where.resource;
	struct resource_list list;
	bool with_clusters = r->where.with_clusters || cond->clusters.n;

	if (resource_list(s->store, cond, &s->arena, &list))
		return complain_err(s);
	listing_open(l,
		arena_printf(&s->arena,
			"Name,Server,Type,Count,LastConsumed,Allocated,"
			"ServerType%s,Flags",
			with_clusters ? ",Cluster,Allowed" : ""));
	for (size_t i = 0; i < list.n; i++)
		list_one(l, &list.v[i], with_clusters);
	return 0;
}

/* Unknown clusters are told of beside other bad words. */
static int show(struct session *s, char **words, int n)
{
	struct request r;

	parse_words(s, entity_words(&resource_entity, VERB_SHOW), PARSE_WHERE,
		false, words, n, &r);
	if (resource_check_clusters(s, &r.where.resource.clusters) || r.failed)
		return -1;
	return entity_list(s, &resource_entity, &r);
}

const struct entity resource_entity = {
	.names = "Resource:4",
	.rows = rows,
	.show = show,
	.changes = &resource_changes,
	.columns = {&resource_members, &resource_share_members},
	.help = "licenses and the like that clusters share",
};
