/*
 * Adds up the TRES that nodes and partitions of slurm.conf have: for billing
 * and size of partitions, limits in percent, and records of nodes and their
 * capacity.
 *
 * All functions add to the counts in the list. They skip what the catalogue
 * does not know; names are compared with case: "gres/GPU" is not the TRES
 * gres/gpu.
 */
#pragma once

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/text/tres.h"

/* Adds CPUs, memory (MiB) and GRES of a node. */
void totals_add_node(struct tres_list *, const struct conf_node *,
	const struct tres_catalog *, struct arena *);

/* Adds `count` to gres/NAME and, unless `type` is NULL, to gres/NAME:TYPE too.
 */
void totals_add_gres(struct tres_list *, const char *name, const char *type,
	uint64_t count, const struct tres_catalog *, struct arena *);

/* Adds the TRES of the partition's nodes (NULL: of all nodes), the number of
 * nodes, and the licenses of the cluster. */
void totals_of(struct tres_list *, const struct conf *,
	const struct conf_partition *, const struct tres_catalog *,
	struct arena *);
