/*
 * The jobs that wait, in the order of the queue: what a backfill scan looks at
 * lies side by side, and blocks of it that hold nothing small and short enough
 * are passed over whole. Taking jobs out leaves holes, closed when they are
 * many; so a place is good until the next waiting_push or waiting_tidy. Pure.
 */
#ifndef BURSAR_WAITING_H
#define BURSAR_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places head .. n - 1; a hole asks for WAITING_HOLE processors. */
#define WAITING_HOLE UINT32_MAX

struct waiting {
	uint32_t *job;
	uint32_t *procs;
	int64_t *length; /* as planned, seconds */
	int64_t *start;	 /* as planned; the caller's */
	size_t head, n, cap;
	size_t alive;
	/* Of each block the least of both, or less. */
	uint32_t *least_procs;
	int64_t *least_length;
	uint32_t *living; /* exactly */
};

void waiting_init(struct waiting *);
void waiting_release(struct waiting *);

/* To the end of the queue; its place. */
size_t waiting_push(
	struct waiting *, uint32_t job, uint32_t procs, int64_t length);

void waiting_remove(struct waiting *, size_t place);

/* Closes the holes when they are many; true: places have changed. */
bool waiting_tidy(struct waiting *);

/*
 * The first place from `place` on that asks for at most `procs` and either is
 * at most `length` long or asks for at most `extra`; waiting->n: none. Every
 * job it passed is counted in *passed.
 */
size_t waiting_find(struct waiting *, size_t place, uint32_t procs,
	int64_t length, uint32_t extra, uint64_t *passed);

#endif
