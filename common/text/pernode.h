/*
 * Lists of an amount per node of a job (CPUs, memory), as Slurm writes them:
 * `10,1(x2)` is 10 on the first node and 1 on each of the next two.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

struct pernode {
	uint64_t *v; /* v[i]: amount on the job's node i */
	size_t n, cap;
};

/* Reads such a list in place of what *list held. `memory`: amounts are in MiB
 * and may end in K, M, G or T. Returns 0; -1: the text is not such a list, or
 * has more than 1,000,000 nodes. */
int pernode_parse(
	const char *text, bool memory, struct arena *, struct pernode *);

/* Appends the amount of one more node. */
void pernode_add(struct pernode *, uint64_t amount, struct arena *);

/* The list as text, equal neighbours folded to `1(x2)`; in the arena. */
const char *pernode_text(const struct pernode *, struct arena *);
