/*
 * The QOS lines of a file: all are carried out before the cluster's
 * (spec/sacctmgr.md 6.2 - 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <stdlib.h>
#include <ctype.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/base/words.h"

static int check_double_qos(struct loading *l, size_t i, const char *name)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(l->qos.v[j].name, name))
			return err_usage(&l->s->err, ERR_PLACED,
				" Problem with line(%d). QOS '%s' has "
				"multiple entries. Remove one to continue.",
				l->qos.v[i].line.number, name);
	return 0;
}

/* Names first, so that QOS of the file can preempt each other. */
static int add_qos_names(struct loading *l)
{
	const struct settings none = {0};

	for (size_t i = 0; i < l->qos.n; i++) {
		struct new_qos *q = &l->qos.v[i];

		q->name = flat_name(l->s, &q->line);
		if (!q->name || check_double_qos(l, i, q->name))
			return -1;
		q->is_new = !qos_by_name(&l->s->store->qos, q->name);
		if (q->is_new && op_add_qos(l->s, q->name, &none))
			return -1;
	}
	return 0;
}

static int find_qos(struct loading *l, const char *name, struct qos **qos)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	strv_push(&cond.names, &l->s->arena, name);
	if (qos_list(l->s->store, &cond, &l->s->arena, &list) || !list.n)
		return -1;
	*qos = list.v[0];
	return 0;
}

/* In capitals; "OFF" when the cluster decides. */
static const char *mode_text(struct session *s, uint32_t mode)
{
	char *text;

	if (!(mode & ~(uint32_t)PREEMPT_CLUSTER))
		return "OFF";
	text = arena_strdup(&s->arena, preempt_mode_text(mode, &s->arena));
	for (char *c = text; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return text;
}

/* Flags, preemption and its mode compare as text. */
static bool qos_setting_differs(
	struct loading *l, const struct qos *qos, const struct setting *set)
{
	const char *old, *new;

	switch (set->attr->set->type) {
	case ATTR_FLAGS:
		old = qos->flags_text;
		new = flags_text(qos_flag_words, set->number, &l->s->arena);
		break;
	case ATTR_PREEMPT_MODE:
		old = mode_text(l->s, qos->preempt_mode);
		new = mode_text(l->s, set->number);
		break;
	case ATTR_QOS_LIST:
		old = qos->preempt_text;
		new = load_sorted(l->s, &set->list);
		break;
	default:
		return load_differs(l, qos, set, "QOS", qos->name);
	}
	if (!strcmp(old, new))
		return false;
	load_change_line(l,
		arena_printf(
			&l->s->arena, "Changed %s", set_change(set->attr->set)),
		"QOS", qos->name, old, new);
	return true;
}

static int update_qos(struct loading *l, struct new_qos *q)
{
	struct flat_record record;
	struct settings rest = {0}, all;
	struct qos *qos;

	if (flat_parse(l->s, &q->line, &record))
		return -1;
	q->set = record.set;
	if (find_qos(l, q->name, &qos))
		return -1;
	if (q->is_new)
		return qos_update(
			l->s->store, qos, &record.set, &l->s->arena);
	all = load_in_order(l, &record.set);
	for (size_t i = 0; i < all.n; i++)
		if (qos_setting_differs(l, qos, &all.v[i]))
			*ARENA_PUSH(&l->s->arena, rest.v, rest.n, rest.cap) =
				all.v[i];
	if (!rest.n)
		return 0;
	return op_modify_qos(
		l->s, &(const struct qos_list){.v = &qos, .n = 1}, &rest);
}

/* What the file does not say stays blank, though the store has a value. */
static void as_in_file(struct qos *qos, const struct settings *set)
{
	if (!settings_find(set, qos_attr(priority)))
		qos->priority = NO_VAL;
	if (!settings_find(set, qos_attr(grace_time)))
		qos->grace_time = NO_VAL;
	if (!settings_find(set, qos_attr(usage_factor)))
		qos->usage_factor = NO_VAL;
}

/* The table of new QOS: each row with dashes of its own. */
static int print_new_qos(struct loading *l)
{
	struct listing list;

	listing_init(&list, l->s, &qos_members);
	for (size_t i = 0; i < l->qos.n; i++) {
		struct qos *qos;

		if (!l->qos.v[i].is_new)
			continue;
		if (!list.open)
			listing_open(&list, "Name%20," QOS_FORMAT);
		if (find_qos(l, l->qos.v[i].name, &qos))
			return -1;
		as_in_file(qos, &l->qos.v[i].set);
		listing_row(&list, qos);
		load_dashes(l->s, 62);
	}
	if (list.open)
		listing_close(&list);
	return 0;
}

int load_qos(struct loading *l)
{
	struct held_output held;
	char *lines;
	int rc = add_qos_names(l);
	bool any = false, changed = l->changed;

	report_hold(l->s, &held);
	for (size_t i = 0; i < l->qos.n && !rc; i++) {
		l->number = l->qos.v[i].line.number;
		rc = update_qos(l, &l->qos.v[i]);
		any |= l->qos.v[i].is_new;
	}
	lines = report_text(l->s, &held);
	if (!rc && (any || *lines))
		fputs("QOS\n", output(l->s));
	l->qos_changed = any || l->changed != changed;
	l->changed = changed; /* they alone add nothing to the cluster */
	if (!rc)
		rc = print_new_qos(l);
	if (!rc)
		fputs(lines, output(l->s));
	free(lines);
	return rc;
}
