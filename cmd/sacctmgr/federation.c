/*
 * Federations as they are shown; what changes them is db/change/federation.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "db/entity/federation.h"

/* Is a column asked for that only clusters fill? Features do not count. */
static bool shows_clusters(const struct listing *l)
{
	static const char *const of_clusters[] = {
		"CLUSTER", "FED_STATE", "FED_STATE_RAW", "ID"};

	for (size_t i = 0; i < l->grid.table.n; i++)
		for (size_t j = 0;
			j < sizeof(of_clusters) / sizeof(*of_clusters); j++)
			if (field_is(l->grid.columns[i], of_clusters[j]))
				return true;
	return l->grid.table.n == 0; /* a document */
}

/* The member's row; in a tree the name stands on a row of its own. With -P a
 * delimiter ends the rows after a federation's first: Slurm's columns are
 * counted on there. */
static void list_one(struct listing *l, const char *name,
	const struct cluster_list *members, bool tree)
{
	const struct federation row = {.name = name}, blank = {.name = ""};
	size_t n = shows_clusters(l) ? members->n : 0;
	enum table_mode mode = l->grid.table.mode;
	bool later = tree;

	if (tree || !n)
		listing_row(l, &row);
	for (size_t i = 0; i < n; i++, later = true) {
		if (later && mode == TABLE_PARSABLE2)
			l->grid.table.mode = TABLE_PARSABLE;
		listing_row(l, tree ? &blank : &row, &members->v[i]);
	}
	l->grid.table.mode = mode;
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	const struct conds *where = &r->where;
	struct strv names = {0};

	if (federation_names(s->store, where->with_deleted, &s->arena, &names))
		return complain_err(s);
	listing_open(l, "Federation,Cluster,ID%2,Features,FedState");
	for (size_t i = 0; i < names.n; i++) {
		struct cluster_cond cond = {.names = where->assoc.clusters};
		struct cluster_list members;

		strv_push(&cond.federations, &s->arena, names.v[i]);
		if (cluster_list(s->store, &cond, &s->arena, &members))
			return complain_err(s);
		if (where->names.n && !strv_has(&where->names, names.v[i]))
			continue;
		if (where->assoc.clusters.n && !members.n)
			continue;
		list_one(l, names.v[i], &members, where->tree);
	}
	return 0;
}

const struct entity federation_entity = {
	.names = "Federations:1",
	.rows = rows,
	.changes = &federation_changes,
	.columns = {&federation_members, &cluster_members},
	.help = "clusters that share their jobs",
};
