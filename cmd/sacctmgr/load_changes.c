/*
 * What a line of the file changes in a record that is there: told, and
 * written at once (spec/sacctmgr.md 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/utf8.h"

void load_change_line(struct loading *l, const char *label, const char *type,
	const char *name, const char *old, const char *new)
{
	struct arena *arena = &l->s->arena;

	fprintf(output(l->s), " %-29.29s for %-7.7s %-10.10s %8s -> %s\n", label,
		type, utf8_visible(arena, name),
		old && *old ? utf8_visible(arena, old) : "(null)",
		utf8_visible(arena, new));
	l->changed = true;
}

/* Numbers as they are: one that is not set is -1 in a row, the largest there
 * is in a QOS. */
static const char *number_text(struct session *s, uint32_t n, bool qos)
{
	if (!qos && n == INFINITE)
		return "-1";
	return arena_printf(&s->arena, "%u", n);
}

/* "1=4,2=5120". */
static const char *tres_text(struct session *s, const struct tres_list *list)
{
	struct strv entries = {0};

	for (size_t i = 0; i < list->n; i++)
		strv_push(&entries, &s->arena,
			arena_printf(&s->arena, "%u=%" PRIu64, list->v[i].id,
				list->v[i].count));
	return strv_join(&entries, ",", &s->arena);
}

static const char *edits_text(struct session *s, const struct tres_edits *edits)
{
	static const char *const signs[] = {"", "+", "-"};
	struct tres_list order = {0};
	struct strv entries = {0};

	for (size_t i = 0; i < edits->n; i++)
		tres_list_set(&order, &s->arena, edits->v[i].id, i);
	for (size_t i = 0; i < order.n; i++) {
		const struct tres_edit *edit = &edits->v[order.v[i].count];

		strv_push(&entries, &s->arena,
			arena_printf(&s->arena, "%u=%s%" PRIu64, edit->id,
				signs[edit->op], edit->count));
	}
	return strv_join(&entries, ",", &s->arena);
}

/* How the record and the setting read as text, to be compared and shown. */
static void attr_texts(struct session *s, const void *record,
	const struct setting *set, bool qos, const char **old, const char **new)
{
	const char *member = (const char *)record + set->attr->offset;
	struct tres_list tres = {0};
	uint32_t number;
	double real;

	switch (set->attr->set->type) {
	case ATTR_TRES:
		memcpy(&tres, member, sizeof(tres));
		*old = tres_text(s, &tres);
		*new = edits_text(s, &set->tres);
		return;
	case ATTR_TEXT:
		memcpy(old, member, sizeof(*old));
		*old = *old ? *old : "";
		*new = set->text;
		return;
	case ATTR_REAL:
		memcpy(&real, member, sizeof(real));
		*old = arena_printf(&s->arena, "%f", real);
		*new = arena_printf(&s->arena, "%f", set->real);
		return;
	default:
		memcpy(&number, member, sizeof(number));
		*old = number_text(s, number, qos);
		*new = number_text(s, set->number, qos);
	}
}

/* A setting that differs from the record: told, and kept for the update. */
bool load_differs(struct loading *l, const void *record,
	const struct setting *set, const char *type, const char *name)
{
	const char *old = "", *new = "";

	attr_texts(l->s, record, set, !strcmp(type, "QOS"), &old, &new);
	if (!strcasecmp(old, new))
		return false;
	load_change_line(l,
		arena_printf(
			&l->s->arena, "Changed %s", set_change(set->attr->set)),
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

static void tell_qos(struct loading *l, const char *label, const char *type,
	const char *name, const char *qos)
{
	fprintf(output(l->s), " %-29.29s for %-7.7s %-10.10s %8s\n", label, type,
		utf8_visible(&l->s->arena, name),
		utf8_visible(&l->s->arena, qos));
	l->changed = true;
}

/* QOS are added to a list, none is removed. False: all are in it already. */
static bool adds_qos(struct loading *l, const struct assoc *row,
	struct setting *set, const char *type, const char *name)
{
	const struct strv *now = &row->qos_names;
	struct strv added = {0}, all = {0};
	bool explicit = row->own_qos.n && row->own_qos.v[0].sign == '=';

	for (size_t i = 0; i < set->list.n; i++)
		if (!row->own_qos.n || !strv_has(now, set->list.v[i]))
			strv_push(&added, &l->s->arena, set->list.v[i]);
	if (!added.n)
		return false;
	tell_qos(l, "Added QOS", type, name, load_sorted(l->s, &added));
	for (size_t i = 0; explicit && i < now->n; i++)
		strv_push(&all, &l->s->arena, now->v[i]);
	for (size_t i = 0; i < added.n; i++)
		strv_push(&all, &l->s->arena, added.v[i]);
	if (explicit && *added.v[0] != '+' && *added.v[0] != '-')
		set->list = all;
	return true;
}

static bool sets_default_qos(struct loading *l, const struct assoc *row,
	const struct setting *set, const char *type, const char *name)
{
	const struct qos_name *qos = qos_by_id(&l->s->store->qos, set->number);

	if (!strcmp(row->def_qos, qos ? qos->name : ""))
		return false;
	tell_qos(l, "Set DefaultQOS", type, name, qos ? qos->name : "");
	return true;
}

/* Does it differ? `set` becomes what has to be written. */
static bool row_differs(struct loading *l, const struct assoc *row,
	struct setting *set, const char *type, const char *name)
{
	if (set->attr->set->type == ATTR_QOS_LIST)
		return adds_qos(l, row, set, type, name);
	if (set->attr->set->type == ATTR_QOS)
		return sets_default_qos(l, row, set, type, name);
	return load_differs(l, row, set, type, name);
}

/* In a dump the default QOS comes first, among changes before the list. */
static int change_rank(const struct member *attr)
{
	if (attr == assoc_attr(def_qos_id))
		return 2 * assoc_attr(own_qos)->set->dump_order - 1;
	return 2 * attr->set->dump_order;
}

struct settings load_in_order(struct loading *l, const struct settings *set)
{
	struct settings sorted = {0};

	for (size_t i = 0; i < set->n; i++) {
		const struct setting one = set->v[i];
		size_t at = sorted.n;

		ARENA_PUSH(&l->s->arena, sorted.v, sorted.n, sorted.cap);
		for (; at && change_rank(sorted.v[at - 1].attr) >
				     change_rank(one.attr);
			at--)
			sorted.v[at] = sorted.v[at - 1];
		sorted.v[at] = one;
	}
	return sorted;
}

/* The settings of a line that the row does not hold already. */
static struct settings differences(struct loading *l, const struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	const struct settings all = load_in_order(l, set);
	struct settings rest = {0};

	for (size_t i = 0; i < all.n; i++) {
		struct setting one = all.v[i];

		if (one.attr != assoc_attr(parent_account) &&
			row_differs(l, row, &one, type, name))
			*ARENA_PUSH(&l->s->arena, rest.v, rest.n, rest.cap) =
				one;
	}
	return rest;
}

int load_update_row(struct loading *l, struct assoc *row,
	const struct settings *set, const char *type, const char *name)
{
	struct settings rest = differences(l, row, set, type, name);
	int rc = rest.n ? op_modify_assoc(l->s, row, &rest) : 0;

	return rc > 0 ? err_usage(&l->s->err, ERR_PLACED,
				" Problem with line(%d)", l->number)
		      : rc;
}
