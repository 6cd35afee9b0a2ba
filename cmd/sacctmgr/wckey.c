/*
 * `show wckeys`: workload keys of users (Slurm's
 * src/sacctmgr/wckey_functions.c). They are added and removed with users.
 */
#include "cmd/sacctmgr/sacctmgr.h"

/* clang-format off */
static const struct where_word wckey_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(wckey.with_deleted), GROUP_NONE, "deleted wckeys too", FROM_NOTHING},
	{"Ids:1", WHERE_IDS, COND(wckey.ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{"WCKeys:3 Names:3", WHERE_LIST, COND(wckey.names), GROUP_RECORD, "wckeys", FROM_WCKEYS},
	{"Clusters:3", WHERE_LIST, COND(wckey.clusters), GROUP_RECORD, "clusters", FROM_CLUSTERS},
	{"End:1", WHERE_LIST_CASE, COND(end), GROUP_RECORD, "accepted, no effect", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Start:1", WHERE_LIST_CASE, COND(start), GROUP_RECORD, "accepted, no effect", FROM_NOTHING},
	{"Users:1", WHERE_LIST, COND(wckey.users), GROUP_RECORD, "users", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary wckey_vocabulary = {
	.where = {wckey_words},
	.bare = COND(wckey.names),
	.id_label = "WCKeyID",
	.bare_group = GROUP_RECORD,
};

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct wckey_list list;

	if (!is_operator(s))
		return complain_denied(s);
	if (wckey_list(s->store, &r->where.wckey, &s->arena, &list))
		return complain_err(s);
	listing_open(l, "Name,Cluster,User");
	for (size_t i = 0; i < list.n; i++)
		listing_row(l, &list.v[i]);
	return 0;
}

const struct entity wckey_entity = {
	.names = "WCKeys:1",
	.rows = rows,
	.vocabulary = &wckey_vocabulary,
	.columns = {&wckey_members},
	.fields = &wckey_members,
	.document = "wckeys",
	.help = "workload keys of users",
};
