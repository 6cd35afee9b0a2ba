/*
 * What the parts of splan --when share: a job in all its variants, planned.
 */
#ifndef BURSAR_SPLAN_WHEN_H
#define BURSAR_SPLAN_WHEN_H

#include "cmd/splan/splan.h"
#include "common/plan/advise.h"

/* What became of a variant. */
struct variant_outcome {
	int64_t start; /* 0: unknown */
	const char *nodelist;
	unsigned reason;
	bool far; /* only seen beyond what the scheduler plans */
};

/* The cluster around the job as asked for. */
struct around {
	const char *partition;
	uint32_t priority;
	size_t nodes, idle, down; /* of the partition */
	uint64_t cpus, free;	  /* of its nodes that are up */
	size_t before;		  /* waiting jobs served first */
};

struct when {
	struct planned *p;
	const struct options *options;
	struct site *site; /* with the job in it */
	struct err *err;
	int64_t key;
	uint32_t id; /* the user's own number for it; 0: not submitted */
	const char *user, *account;
	int64_t begin; /* not before; 0 */
	bool own_limit;
	struct advise_variant v[ADVISE_VARIANTS];
	struct variant_outcome out[ADVISE_VARIANTS];
	size_t n, best;
	uint32_t enough; /* longest limit that starts as early as the best */
	struct around around;
	struct arena arena;
};

void print_when(struct when *);

#endif
