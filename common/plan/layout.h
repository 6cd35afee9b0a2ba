/*
 * How the CPUs of running jobs are spread over their nodes where that is not
 * recorded: a layout in which all of them fit. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

struct layout_job {
	const uint32_t *nodes; /* indexes */
	size_t n;
	uint32_t cpus;
	uint32_t each;	    /* at least so many CPUs on each node */
	uint32_t partition; /* a number; of each of its nodes ... */
	uint32_t most_on;   /* ... it may have so many CPUs; UINT32_MAX */
	bool even;	    /* the same number on each node where that fits */
	int64_t began;	    /* earlier jobs are placed first */
	uint32_t *on;	    /* out: CPUs on each of its nodes */
	bool told;	    /* `on` is already known */
	size_t job;	    /* the caller's number; the lower goes first */
};

/* Fills `on` of the `n` jobs; may reorder them. sizes[node]: its CPUs. */
void layout_guess(struct layout_job *, size_t n, const uint32_t *sizes,
	size_t n_nodes, struct arena *);
