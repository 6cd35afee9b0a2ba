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
