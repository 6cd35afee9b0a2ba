/*
 * Clusters as they are shown; what changes them is db/change/cluster.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "cmd/sacctmgr/private.h"

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct cluster_list list;

	if (cluster_check_where(s, r))
		return -1;
	if (cluster_list(s->store, &r->where.cluster, &s->arena, &list))
		return complain_err(s);
	private_clusters(s, &list);
	listing_open(l,
		arena_printf(&s->arena, "Cl,Controlh,Controlp,RPC%s%s",
			r->where.without_limits
				? ""
				: ",Share,GrpJ,GrpTRES,GrpS,MaxJ,MaxTRES,MaxS,"
				  "MaxW,QOS,DefaultQOS",
			r->where.with_fed ? ",Federation,ID,Features,FedState"
					  : ""));
	for (size_t i = 0; i < list.n; i++) {
		const struct assoc *root = &list.v[i].root;

		/* In a document it stands inside the cluster. */
		listing_row(l, &list.v[i],
			root->key && !document_wanted(s) ? root : NULL);
	}
	return 0;
}

const struct entity cluster_entity = {
	.names = "Clusters:2",
	.rows = rows,
	.changes = &cluster_changes,
	.columns = {&cluster_members, &assoc_members},
	.document = "clusters",
	.help = "clusters and the limits of their root",
};
