/*
 * An amount for each of a job's nodes in order, as Slurm writes it: `10,1(x2)`
 * is 10 on the first node and 1 on each of the next two.
 */
#ifndef BURSAR_PERNODE_H
#define BURSAR_PERNODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

struct pernode {
	uint64_t *v;
	size_t n, cap;
};

/* Reads it; `memory`: amounts are MiB and may end in K, M, G or T. -1 when the
 * text is not such a list. */
int pernode_parse(
	const char *text, bool memory, struct arena *, struct pernode *);

void pernode_add(struct pernode *, uint64_t amount, struct arena *);

/* The shortest way to write it. */
const char *pernode_text(const struct pernode *, struct arena *);

#endif
