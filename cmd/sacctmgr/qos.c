/*
 * QOS as they are shown; what changes them is db/change/qos.c.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/settings.h"
#include "common/cli/cli.h"

static int show(struct session *s, char **words, int n)
{
	struct part part = {&qos_members, NULL};
	struct request r;
	struct qos_cond cond;
	struct qos_list list;
	struct listing l;

	parse_words(s, &qos_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed || qos_cond_of(s, &r, &cond))
		return -1;
	if (qos_list(s->store, &cond, &s->arena, &list))
		return complain_err(s);
	if (settings_wanted(&r.where))
		return show_qos_settings(s, &r.where, &list);
	listing_open(&l, s, &r.where.format, "Name," QOS_FORMAT, &part, 1);
	for (size_t i = 0; i < list.n; i++) {
		part.row = list.v[i];
		listing_row(&l, &part);
	}
	listing_close(&l);
	return 0;
}

const struct entity qos_entity = {
	.names = "QOS:1",
	.show = show,
	.changes = &qos_changes,
	.vocabulary = &qos_vocabulary,
	.columns = {&qos_members, &setting_columns},
	.document = "qos",
	.help = "quality of service: limits, priority, preemption",
};
