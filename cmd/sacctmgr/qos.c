/*
 * QOS as they are shown; what changes them is db/change/qos.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include "cmd/sacctmgr/settings.h"

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct qos_cond cond;
	struct qos_list list;

	if (qos_cond_of(s, r, &cond))
		return -1;
	if (qos_list(s->store, &cond, &s->arena, &list))
		return complain_err(s);
	if (settings_wanted(&r->where))
		return show_settings(s, &r->where, NULL, NULL, &list);
	listing_open(l, "Name," QOS_FORMAT);
	for (size_t i = 0; i < list.n; i++)
		listing_row(l, list.v[i]);
	return 0;
}

const struct entity qos_entity = {
	.names = "QOS:1",
	.rows = rows,
	.changes = &qos_changes,
	.columns = {&qos_members, &setting_columns},
	.document = "qos",
	.help = "quality of service: limits, priority, preemption",
};
