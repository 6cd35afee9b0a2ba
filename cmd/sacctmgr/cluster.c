/*
 * Clusters as they are shown; what changes them is db/change/cluster.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "common/cli/cli.h"

static int show(struct session *s, char **words, int n)
{
	struct part parts[] = {
		{&cluster_members, NULL}, {&assoc_members, NULL}};
	struct request r;
	struct cluster_cond cond;
	struct cluster_list list;
	struct listing l;

	parse_words(s, &cluster_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	if (r.where.flags.n) {
		complain(s, " Unknown Flag(s)=%s", r.where.flags.v[0]);
		return -1;
	}
	cond = cluster_cond_of(&r);
	if (cluster_list(s->store, &cond, &s->arena, &list))
		return complain_err(s);
	if (private_clusters(s, &list))
		return -1;
	listing_open(&l, s, &r.where.format,
		arena_printf(&s->arena, "Cl,Controlh,Controlp,RPC%s%s",
			r.where.without_limits
				? ""
				: ",Share,GrpJ,GrpTRES,GrpS,MaxJ,MaxTRES,MaxS,"
				  "MaxW,QOS,DefaultQOS",
			r.where.with_fed ? ",Federation,ID,Features,FedState"
					 : ""),
		parts, document_wanted(s) ? 1 : 2);
	for (size_t i = 0; i < list.n; i++) {
		parts[0].row = &list.v[i];
		parts[1].row = list.v[i].root.key ? &list.v[i].root : NULL;
		listing_row(&l, parts);
	}
	listing_close(&l);
	return 0;
}

const struct entity cluster_entity = {
	.names = "Clusters:2",
	.show = show,
	.changes = &cluster_changes,
	.vocabulary = &cluster_vocabulary,
	.columns = {&cluster_members, &assoc_members},
	.document = "clusters",
	.help = "clusters and the limits of their root",
};
