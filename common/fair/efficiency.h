/*
 * How well a job used what it was given (spec/reporting.md 6), and what jobs
 * like it would have needed. Pure: no store, no clock.
 */
#ifndef BURSAR_EFFICIENCY_H
#define BURSAR_EFFICIENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

/* What one step used. Bytes; NO_VAL64: unknown. */
struct efficiency_step {
	uint64_t cpu_usec;	   /* user and system */
	uint64_t tot_mem;	   /* sum of the peaks of its tasks */
	uint64_t max_mem, ave_mem; /* of one task */
	uint32_t tasks;
};

/* What the job was given. */
struct efficiency_job {
	uint64_t elapsed;     /* seconds, suspension taken out */
	uint64_t cpus, nodes; /* 0: unknown, counts as 1 */
	uint64_t mem;	      /* MiB in all; NO_VAL64: unknown */
	bool mem_per_cpu;     /* asked for by the core */
	const struct efficiency_step *steps;
	size_t n_steps;
};

struct efficiency {
	uint64_t cpus, nodes;
	uint64_t cpu_used, core_wall; /* seconds */
	double cpu_percent;	      /* 0 where there was nothing to use */
	double mem_used, mem_given;   /* KiB */
	double mem_percent;
	double mem_share;   /* KiB of a node, or of a core with mem_per_cpu */
	bool mem_estimated; /* from the largest task times tasks */
	double spread;	    /* largest task / mean task in percent; 0: all alike */
};

struct efficiency efficiency_of(const struct efficiency_job *);

/* Of `n` numbers in rising order the least that `share` (0 to 1) of them do
 * not exceed; 0 of none. */
double efficiency_quantile(const double *sorted, size_t n, double share);

/* The part of the numbers that is greater, 0 to 1. */
double efficiency_above(const double *sorted, size_t n, double limit);

/* "[D-]HH:MM:SS"; "1.05 GB". */
char *efficiency_time(struct arena *, uint64_t seconds);
char *efficiency_size(struct arena *, double kib);

#endif
