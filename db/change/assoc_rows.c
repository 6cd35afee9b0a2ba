/*
 * Association rows for the operations that list or log them.
 */
#include "db/change/change.h"

#include <string.h>

struct settings assoc_settings(struct session *s, const struct settings *all)
{
	struct settings part = {0};

	for (size_t i = 0; i < all->n; i++)
		if (members_has(&assoc_members, all->v[i].attr))
			*ARENA_PUSH(&s->arena, part.v, part.n, part.cap) =
				all->v[i];
	return part;
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

/* Of the rows on that cluster: ids are unique on one cluster only. */
static const char *ids_on(struct session *s, const struct assoc_list *rows,
	const char *cluster, const char *quote)
{
	struct strv ids = {0};

	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->v[i]->cluster, cluster))
			strv_printf(&ids, &s->arena, "id_assoc=%s%u%s",
				quote, rows->v[i]->id, quote);
	return strv_join(&ids, " || ", &s->arena);
}

int log_assocs(struct session *s, enum txn_action action,
	const struct assoc_list *rows, const char *info)
{
	bool removed = action == TXN_REMOVE_ASSOCS;
	struct strv clusters = {0};

	for (size_t i = 0; i < rows->n; i++) {
		const char *cluster = rows->v[i]->cluster, *ids;

		if (strv_has(&clusters, cluster))
			continue;
		strv_push(&clusters, &s->arena, cluster);
		ids = ids_on(s, rows, cluster, removed ? "'" : "");
		if (txn_add(s->store, action, cluster,
			    removed ? ids
				    : arena_printf(&s->arena, "(%s)", ids),
			    info))
			return -1;
	}
	return 0;
}

void complain_default_qos(
	struct session *s, const char *qos, const struct assoc *row)
{
	const char *user = "", *partition = "";

	if (*row->user)
		user = arena_printf(&s->arena, " U = %-9s", row->user);
	if (*row->partition)
		partition = arena_printf(&s->arena, " P = %s", row->partition);
	complain(s, "  DefQOS = %-10s C = %-10s A = %-20s%s%s", qos,
		row->cluster, row->account, user, partition);
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
