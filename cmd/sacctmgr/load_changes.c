/*
 * What a line of the file changes in a record that is there: told, and
 * written at once (spec/sacctmgr.md 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>
#include <strings.h>

#include "common/numbers.h"

void load_change_line(struct loading *l, const char *label, const char *type,
	const char *name, const char *old, const char *new)
{
	fprintf(l->s->out, " %-29.29s for %-7.7s %-10.10s %8s -> %s\n", label,
		type, name, old && *old ? old : "(null)", new);
	l->changed = true;
}

static const char *number_text(struct session *s, uint32_t n)
{
	if (n == INFINITE || n == NO_VAL)
		return "";
	return arena_printf(&s->arena, "%u", n);
}

/* How the record and the setting read as text, to be compared and shown. */
static void attr_texts(struct session *s, const void *record,
	const struct setting *set, const char **old, const char **new)
{
	const char *member = (const char *)record + set->attr->offset;
	struct tres_list tres = {0};
	uint32_t number;
	double real;

	switch (set->attr->type) {
	case ATTR_TRES:
		memcpy(&tres, member, sizeof(tres));
		*old = tres_list_format(
			&tres, &s->store->tres, 0, &s->arena);
		tres = (struct tres_list){0};
		tres_list_apply(&tres, &s->arena, &set->tres);
		*new = tres_list_format(
			&tres, &s->store->tres, 0, &s->arena);
		return;
	case ATTR_TEXT:
		memcpy(old, member, sizeof(*old));
		*old = *old ? *old : "";
		*new = set->text;
		return;
	case ATTR_REAL:
		memcpy(&real, member, sizeof(real));
		*old = real == (double)INFINITE
			? ""
			: arena_printf(&s->arena, "%f", real);
		*new = arena_printf(&s->arena, "%f", set->real);
		return;
	default:
		memcpy(&number, member, sizeof(number));
		*old = number_text(s, number);
		*new = number_text(s, set->number);
	}
}

/* A setting that differs from the record: told, and kept for the update. */
bool load_differs(struct loading *l, const void *record,
	const struct setting *set, const char *type, const char *name)
{
	const char *old = "", *new = "";

	attr_texts(l->s, record, set, &old, &new);
	if (!strcasecmp(old, new))
		return false;
	load_change_line(l,
		arena_printf(
			&l->s->arena, "Changed %s", set->attr->change),
		type, name, old, *new ? new : "(null)");
	return true;
}

const char *load_sorted(struct session *s, const struct strv *list)
{
	struct strv sorted = {0};

	for (size_t i = 0; i < list->n; i++)
		strv_push(&sorted, &s->arena, list->v[i]);
	strv_sort(&sorted);
	return strv_join(&sorted, ",", &s->arena);
}

/* QOS lists and the default QOS are told without what was before. */
static bool qos_differs(struct loading *l, const struct assoc *row,
	const struct setting *set, const char *type, const char *name)
{
	bool list = set->attr->type == ATTR_QOS_LIST;
	const struct qos_name *qos =
		qos_by_id(&l->s->store->qos, set->number);
	const char *new = list ? load_sorted(l->s, &set->list)
			  : qos ? qos->name
				: "";
	const char *old = list ? load_sorted(l->s, &row->qos_names)
			       : row->def_qos;

	if (!strcmp(old, new))
		return false;
	fprintf(l->s->out, " %-29.29s for %-7.7s %-10.10s %8s\n",
		list ? "Added QOS" : "Set DefaultQOS", type, name, new);
	l->changed = true;
	return true;
}

/* The settings of a line that the row does not hold already. */
static struct settings differences(struct loading *l, const struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	struct settings rest = {0};

	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		bool qos = one->attr->type == ATTR_QOS_LIST ||
			one->attr->type == ATTR_QOS;

		if (one->attr == &assoc_attrs[ASSOC_ATTR_PARENT])
			continue;
		if (qos ? qos_differs(l, row, one, type, name)
			: load_differs(l, row, one, type, name))
			*ARENA_PUSH(&l->s->arena, rest.v, rest.n, rest.cap) =
				*one;
	}
	return rest;
}

int load_update_row(struct loading *l, struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	struct settings rest = differences(l, row, set, type, name);

	if (!rest.n)
		return 0;
	if (assoc_update(l->s->store, row, &rest, &l->s->arena))
		return -1;
	return txn_add(l->s->store, TXN_MODIFY_ASSOCS, l->cluster,
		arena_printf(&l->s->arena, "(id_assoc=%u)", row->id),
		settings_text(&rest, &l->s->arena));
}
