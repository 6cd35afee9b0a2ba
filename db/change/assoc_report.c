/*
 * How settings and associations read in the report of a change: the Settings
 * block, the line of a row (spec/sacctmgr.md 3.0 C, D).
 */
#include "db/change/change.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/timespec.h"

static const char *echo_tres(struct session *s, const struct setting *set)
{
	struct strv texts = {0};

	for (size_t i = 0; i < set->tres.n; i++) {
		const struct tres_edit *edit = &set->tres.v[i];
		const struct tres *tres = tres_by_id(&s->store->tres, edit->id);
		struct tres_list one = {0};
		const char *sign = edit->op == TRES_OP_ADD   ? "+"
				   : edit->op == TRES_OP_SUB ? "-"
							     : "";
		const char *text;

		tres_list_set(&one, &s->arena, edit->id, edit->count);
		text = tres_list_format(
			&one, &s->store->tres, TRES_NONE_WORD, &s->arena);
		if (*sign)
			text = arena_printf(&s->arena, "%s%s%s",
				tres_full_name(tres, &s->arena), sign,
				strchr(text, '='));
		strv_push(&texts, &s->arena, text);
	}
	strv_sort(&texts);
	return strv_join(&texts, ",", &s->arena);
}

static const char *echo_list(struct session *s, const struct setting *set)
{
	struct strv sorted = {0};

	for (size_t i = 0; i < set->list.n; i++)
		strv_push(&sorted, &s->arena, set->list.v[i]);
	strv_sort(&sorted);
	return strv_join(&sorted, ",", &s->arena);
}

/* In capitals; off and cluster say nothing. */
static const char *echo_preempt_mode(
	struct session *s, const struct setting *set)
{
	char *text;

	if (!(set->number & ~(uint32_t)PREEMPT_CLUSTER))
		return NULL;
	text = arena_strdup(
		&s->arena, preempt_mode_text(set->number, &s->arena));
	for (char *c = text; *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
	return text;
}

/* The text behind a label; NULL: no line. */
static const char *echo_text(struct session *s, const struct setting *set)
{
	const char *none = set->attr->set->none ? set->attr->set->none : "NONE";
	const struct qos_name *qos;

	switch (set->attr->set->type) {
	case ATTR_TRES:
		return echo_tres(s, set);
	case ATTR_QOS_LIST:
	case ATTR_LIST:
		return echo_list(s, set);
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		return set->text;
	case ATTR_FLAGS:
		return set->number == INFINITE
			       ? NULL
			       : flags_text(set->attr->set->flags, set->number,
					 &s->arena);
	case ATTR_PREEMPT_MODE:
		return echo_preempt_mode(s, set);
	case ATTR_REAL:
		return set->real == (double)INFINITE
			       ? none
			       : arena_printf(&s->arena, "%.4f", set->real);
	case ATTR_QOS:
		qos = qos_by_id(&s->store->qos, set->number);
		return qos ? qos->name : "(null)";
	default:
		break;
	}
	if (set->number == INFINITE)
		return none;
	if (set->attr->set->type == ATTR_MINUTES)
		return duration_format(&s->arena, (uint64_t)set->number * 60);
	if (set->attr->set->type == ATTR_SECONDS)
		return duration_format(&s->arena, set->number);
	if (set->attr->set->type == ATTR_SHARES && set->number == SHARES_PARENT)
		return "parent";
	return arena_printf(&s->arena, "%u", set->number);
}

/* Those of the table that have an echo, in the order of echoes. */
static struct settings to_be_echoed(struct session *s,
	const struct members *members, const struct settings *settings)
{
	struct settings echoed = {0};

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting one = settings->v[i];
		size_t at = echoed.n;

		if (one.attr < members->v ||
			one.attr >= members->v + members->n ||
			!one.attr->set->echo)
			continue;
		ARENA_PUSH(&s->arena, echoed.v, echoed.n, echoed.cap);
		for (; at && echoed.v[at - 1].attr->set->echo_order >
				     one.attr->set->echo_order;
			at--)
			echoed.v[at] = echoed.v[at - 1];
		echoed.v[at] = one;
	}
	return echoed;
}

void echo_settings(struct session *s, const struct members *members,
	const struct settings *settings)
{
	const struct settings echoed = to_be_echoed(s, members, settings);

	for (size_t i = 0; i < echoed.n; i++) {
		const char *text = echo_text(s, &echoed.v[i]);

		if (text)
			fprintf(s->out, "%s%s\n", echoed.v[i].attr->set->echo,
				text);
	}
}

struct settings assoc_settings(struct session *s, const struct settings *all)
{
	struct settings part = {0};

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].attr >= assoc_members.v &&
			all->v[i].attr < assoc_members.v + assoc_members.n)
			*ARENA_PUSH(&s->arena, part.v, part.n, part.cap) =
				all->v[i];
	return part;
}

void report_assoc(struct session *s, const struct assoc *assoc, bool of_parent)
{
	fprintf(s->out, "  C = %-10s ", assoc->cluster);
	if (*assoc->user) {
		fprintf(s->out, "A = %-20s U = %-9s", assoc->account,
			assoc->user);
		if (*assoc->partition)
			fprintf(s->out, " P = %s", assoc->partition);
	} else if (!of_parent) {
		fprintf(s->out, "A = %-20s", assoc->account);
	} else if (*assoc->parent_account) {
		fprintf(s->out, "A = %s of %s", assoc->account,
			assoc->parent_account);
	} else {
		fprintf(s->out, "A = %s", assoc->account);
	}
	fputc('\n', s->out);
}

void report_new_assoc(
	struct session *s, const struct assoc *assoc, FILE *lines, bool *any)
{
	FILE *out = s->out;

	if (!*any)
		fputs(" Associations =\n", lines);
	*any = true;
	s->out = lines;
	report_assoc(s, assoc, false);
	s->out = out;
}

void order_by_clusters(
	struct session *s, struct assoc_list *rows, const struct strv *clusters)
{
	struct assoc_list ordered = {0};

	if (clusters->n < 2)
		return;
	for (size_t c = 0; c < clusters->n; c++)
		for (size_t i = 0; i < rows->n; i++)
			if (!strcmp(rows->v[i]->cluster, clusters->v[c]))
				*ARENA_PUSH(&s->arena, ordered.v, ordered.n,
					ordered.cap) = rows->v[i];
	*rows = ordered;
}

void assoc_clusters(struct session *s, const struct assoc_list *rows,
	struct strv *clusters)
{
	for (size_t i = 0; i < rows->n; i++)
		if (!strv_has(clusters, rows->v[i]->cluster))
			strv_push(clusters, &s->arena, rows->v[i]->cluster);
}

const char *assoc_ids(struct session *s, const struct assoc_list *rows,
	const char *cluster, bool quoted)
{
	const char *quote = quoted ? "'" : "";
	struct strv ids = {0};

	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->v[i]->cluster, cluster))
			strv_push(&ids, &s->arena,
				arena_printf(&s->arena, "id_assoc=%s%u%s",
					quote, rows->v[i]->id, quote));
	return strv_join(&ids, " || ", &s->arena);
}

int chosen_clusters(
	struct session *s, const struct strv *given, struct strv *clusters)
{
	for (size_t i = 0; i < given->n; i++)
		strv_push(clusters, &s->arena, given->v[i]);
	if (clusters->n)
		return 0;
	return cluster_names(s->store, &s->arena, clusters);
}
