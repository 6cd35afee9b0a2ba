/*
 * Federations as they are shown; what changes them is db/change/federation.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "common/cli/cli.h"
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
static void show_one(struct listing *l, const char *name,
	const struct cluster_list *members, bool tree)
{
	struct federation row = {.name = name}, blank = {.name = ""};
	struct part parts[] = {
		{&federation_members, &row}, {&cluster_members, NULL}};
	size_t n = shows_clusters(l) ? members->n : 0;
	enum table_mode mode = l->grid.table.mode;
	bool later = tree;

	if (tree || !n)
		listing_row(l, parts);
	if (tree)
		parts[0].row = &blank;
	for (size_t i = 0; i < n; i++, later = true) {
		parts[1].row = &members->v[i];
		if (later && mode == TABLE_PARSABLE2)
			l->grid.table.mode = TABLE_PARSABLE;
		listing_row(l, parts);
	}
	l->grid.table.mode = mode;
}

static int show(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{&federation_members, NULL}, {&cluster_members, NULL}};
	struct request r;
	struct strv names = {0};
	struct listing l;

	parse_words(s, &federation_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	if (federation_names(
		    s->store, r.where.with_deleted, &s->arena, &names))
		return complain_err(s);
	listing_open(&l, s, &r.where.format,
		"Federation,Cluster,ID%2,Features,FedState", parts, 2);
	for (size_t i = 0; i < names.n; i++) {
		struct cluster_cond cond = {.names = r.where.assoc.clusters};
		struct cluster_list members;

		strv_push(&cond.federations, &s->arena, names.v[i]);
		if (cluster_list(s->store, &cond, &s->arena, &members)) {
			complain_err(s);
			break;
		}
		if (r.where.names.n && !strv_has(&r.where.names, names.v[i]))
			continue;
		if (r.where.assoc.clusters.n && !members.n)
			continue;
		show_one(&l, names.v[i], &members, r.where.tree);
	}
	listing_close(&l);
	return s->status ? -1 : 0;
}

const struct entity federation_entity = {
	.names = "Federations:1",
	.show = show,
	.changes = &federation_changes,
	.vocabulary = &federation_vocabulary,
	.columns = {&federation_members, &cluster_members},
	.help = "clusters that share their jobs",
};
