/*
 * Reservations: show (Slurm's src/sacctmgr/reservation_functions.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "cmd/sacctmgr/private.h"
#include "common/text/hostlist.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Clusters:1", WHERE_LIST, COND(reservation.clusters), GROUP_RECORD, "clusters", FROM_CLUSTERS},
	{"End:1", WHERE_LIST_CASE, COND(end), GROUP_RECORD, "before this time", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Ids:1", WHERE_IDS, COND(reservation.ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{"Names:2", WHERE_LIST_CASE, COND(reservation.names), GROUP_RECORD, "names", FROM_NOTHING},
	{"Nodes:2", WHERE_LIST_CASE, COND(nodes), GROUP_RECORD, "nodes in it, a host list", FROM_NOTHING},
	{"Start:5", WHERE_LIST_CASE, COND(start), GROUP_RECORD, "from this time on; default: now", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(reservation.names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
};

/* Node names mean something on one cluster only. */
static int choose_cluster(struct session *s, struct conds *where)
{
	if (!where->nodes.n || where->reservation.clusters.n)
		return 0;
	if (!prompt(s,
		    arena_printf(&s->arena,
			    "If requesting nodes you must also request the "
			    "cluster.\nWould you like to use the local cluster "
			    "of '%s'?",
			    s->site.cluster)))
		return -1;
	strv_push(&where->reservation.clusters, &s->arena, s->site.cluster);
	return 0;
}

static int cond_of(struct session *s, const struct conds *where,
	struct reservation_cond *cond)
{
	*cond = where->reservation;
	for (size_t i = 0; i < where->nodes.n; i++)
		if (hostlist_expand(where->nodes.v[i], &s->arena, &cond->nodes,
			    &s->err))
			return -1;
	if (read_time(s, &where->start, &cond->from) ||
		read_time(s, &where->end, &cond->until))
		return -1;
	if (!cond->from)
		cond->from = s->site.now;
	return 0;
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct reservation_cond cond;
	struct reservation_list list;

	if (choose_cluster(s, &r->where) ||
		private_refuse(s, PRIVATE_RESERVATIONS,
			" Problem with query."))
		return -1;
	if (cond_of(s, &r->where, &cond) ||
		reservation_list(s->store, &cond, &s->arena, &list))
		return complain_err(s);
	listing_open(
		l, "Cluster,Name%15,TRES%30,TimeStart,TimeEnd,UnusedWall");
	for (size_t i = 0; i < list.n; i++)
		listing_row(l, &list.v[i]);
	return 0;
}

const struct entity reservation_entity = {
	.names = "Reservations:4 Resv:4",
	.rows = rows,
	.vocabulary = &vocabulary,
	.columns = {&reservation_members},
	.help = "nodes set aside for some jobs",
};
