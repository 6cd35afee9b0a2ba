/*
 * Resources as they are shown; what changes them is db/change/resource.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "common/cli/cli.h"
#include "db/entity/resource.h"

/* With clusters a resource that none may use does not show. */
static void show_one(
	struct listing *l, const struct resource *resource, bool with_clusters)
{
	static const struct resource_share none = {.cluster = ""};
	struct part parts[] = {{&resource_members, resource},
		{&resource_share_members, &none}};

	if (!with_clusters)
		listing_row(l, parts);
	for (size_t i = 0; with_clusters && i < resource->n_shares; i++) {
		parts[1].row = &resource->shares[i];
		listing_row(l, parts);
	}
}

static int show(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{&resource_members, NULL}, {&resource_share_members, NULL}};
	struct request r;
	struct resource_cond cond;
	struct resource_list list;
	struct listing l;
	bool with_clusters;

	parse_words(s, &resource_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (resource_check_clusters(s, &r.where.assoc.clusters) || r.failed)
		return -1;
	cond = resource_cond_of(&r);
	cond.with_deleted = r.where.with_deleted;
	with_clusters = r.where.with_clusters || cond.clusters.n;
	if (resource_list(s->store, &cond, &s->arena, &list))
		return complain_err(s);
	listing_open(&l, s, &r.where.format,
		arena_printf(&s->arena,
			"Name,Server,Type,Count,LastConsumed,Allocated,"
			"ServerType%s,Flags",
			with_clusters ? ",Cluster,Allowed" : ""),
		parts, 2);
	for (size_t i = 0; i < list.n; i++)
		show_one(&l, &list.v[i], with_clusters);
	listing_close(&l);
	return 0;
}

const struct entity resource_entity = {
	.names = "Resource:4",
	.show = show,
	.changes = &resource_changes,
	.vocabulary = &resource_vocabulary,
	.add = &resource_add_vocabulary,
	.columns = {&resource_members, &resource_share_members},
	.help = "licenses and the like that clusters share",
};
