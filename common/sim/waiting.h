/*
 * Pending jobs in queue order, laid out for backfill scans: a block without any
 * job that is small and short enough is skipped as a whole. Removed jobs leave
 * holes, which are closed when there are many; an index is valid until the next
 * waiting_push or waiting_tidy. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Indexes head .. n - 1; a hole asks for WAITING_HOLE processors. */
#define WAITING_HOLE UINT32_MAX

struct waiting {
	uint32_t *job;
	uint32_t *procs;
	int64_t *length; /* as planned, seconds */
	int64_t *start;	 /* as planned; the caller's */
	size_t head, n, cap;
	size_t alive;
	/* By block: lower bounds of the processors and lengths of its jobs, and
	 * the exact number of its jobs that are not removed. */
	uint32_t *least_procs;
	int64_t *least_length;
	uint32_t *living;
};

void waiting_init(struct waiting *);
void waiting_release(struct waiting *);

/* Appends the job; returns its index. */
size_t waiting_push(
	struct waiting *, uint32_t job, uint32_t procs, int64_t length);

void waiting_remove(struct waiting *, size_t index);

/* Closes the holes when they are many; true: indexes have changed. */
bool waiting_tidy(struct waiting *);

/*
 * The first index from `index` on whose job asks for at most `procs` and either
 * is at most `length` long or asks for at most `extra`; waiting->n: none. Every
 * job it passed is counted in *passed.
 */
size_t waiting_find(struct waiting *, size_t index, uint32_t procs,
	int64_t length, uint32_t extra, uint64_t *passed);
