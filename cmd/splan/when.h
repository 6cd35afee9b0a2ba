/*
 * What the parts of splan --when share: a job, planned, and what would help it.
 */
#pragma once

#include "cmd/splan/splan.h"
#include "db/whatif/remedies.h"

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
	const char *words; /* that submit it */
	int64_t key;
	uint32_t id; /* the user's own number for it; 0: not submitted */
	const char *user, *account;
	int64_t begin; /* not before; 0 */
	bool own_limit;
	const char *help; /* what it waits for */
	const char *start; /* when it starts, in words */
	struct remedies found;
	struct around around;
	struct arena arena;
};

void print_when(struct when *);
