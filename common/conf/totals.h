/*
 * What nodes have, as TRES: for the billing and the size of partitions, for
 * limits in percent, for records of nodes and their capacity.
 *
 * A name counts as it is written: "gres/GPU" is not the TRES gres/gpu.
 */
#ifndef BURSAR_TOTALS_H
#define BURSAR_TOTALS_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/text/tres.h"

/* CPUs, memory (MiB) and GRES of a node; GRES with a type count under the plain
 * name too. Added to what the list has. */
void totals_add_node(struct tres_list *, const struct conf_node *,
	const struct tres_catalog *, struct arena *);

/* GRES of that name, and of that type (NULL: none). */
void totals_add_gres(struct tres_list *, const char *name, const char *type,
	uint64_t count, const struct tres_catalog *, struct arena *);

/* The nodes of the partition (NULL: all nodes) and how many they are, and the
 * licenses of the cluster. */
void totals_of(struct tres_list *, const struct conf *,
	const struct conf_partition *, const struct tres_catalog *,
	struct arena *);

#endif
