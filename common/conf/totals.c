/*
 * What nodes have, as TRES; see totals.h.
 */
#include "common/conf/totals.h"

#include <string.h>

static void add_named(struct tres_list *list, const char *name, uint64_t count,
	const struct tres_catalog *catalog, struct arena *arena)
{
	const struct tres *tres = tres_by_name(catalog, name);

	if (tres && !strcmp(tres_full_name(tres, arena), name))
		tres_list_add(list, arena, tres->id, count);
}

void totals_add_gres(struct tres_list *list, const char *name, const char *type,
	uint64_t count, const struct tres_catalog *catalog, struct arena *arena)
{
	add_named(list, arena_printf(arena, "gres/%s", name), count, catalog,
		arena);
	if (type)
		add_named(list, arena_printf(arena, "gres/%s:%s", name, type),
			count, catalog, arena);
}

void totals_add_node(struct tres_list *list, const struct conf_node *node,
	const struct tres_catalog *catalog, struct arena *arena)
{
	tres_list_add(list, arena, TRES_CPU, node->cpus);
	tres_list_add(list, arena, TRES_MEM, node->real_memory);
	for (size_t i = 0; i < node->n_gres; i++)
		totals_add_gres(list, node->gres[i].name, node->gres[i].type,
			node->gres[i].count, catalog, arena);
}

void totals_of(struct tres_list *list, const struct conf *conf,
	const struct conf_partition *partition,
	const struct tres_catalog *catalog, struct arena *arena)
{
	size_t n = partition ? partition->nodes.n : conf->n_nodes;

	for (size_t i = 0; i < n; i++) {
		const struct conf_node *node =
			partition ? conf_node_by_name(
					    conf, partition->nodes.v[i])
				  : &conf->nodes[i];

		if (!node)
			continue;
		totals_add_node(list, node, catalog, arena);
		tres_list_add(list, arena, TRES_NODE, 1);
	}
	for (size_t i = 0; i < conf->n_licenses; i++)
		add_named(list,
			arena_printf(arena, "license/%s",
				conf->licenses[i].name),
			conf->licenses[i].count, catalog, arena);
}
