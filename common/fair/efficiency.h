/*
 * How much of its CPUs and memory a job used (Slurm's contribs/seff), and the
 * quantiles from which the need of similar jobs is told. Pure: no store, no
 * clock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"

/* What one step used. Memory in bytes; NO_VAL64: unknown. */
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
	bool mem_per_cpu;     /* memory was requested per CPU */
	const struct efficiency_step *steps;
	size_t n_steps;
};

struct efficiency {
	uint64_t cpus, nodes;
	uint64_t cpu_used, core_wall; /* seconds */
	double cpu_percent;	      /* of core_wall; 0 when that is 0 */
	double mem_used, mem_given;   /* KiB; used: of the largest step */
	double mem_percent;	      /* of mem_given; 0 when that is 0 */
	double mem_share;   /* KiB of a node, or of a core with mem_per_cpu */
	bool mem_estimated; /* mem_used is the largest task times tasks */
	double spread;	    /* memory of the largest task / of the mean task, in
			     * percent; 0: all alike, or unknown */
};

struct efficiency efficiency_of(const struct efficiency_job *);

/* What a job needed of something; `at_least` when a limit stopped it there. */
struct efficiency_need {
	double value;
	bool at_least;
};

/* Order in which the two functions below want needs; a and b are those. */
int efficiency_by_need(const void *a, const void *b);

/* Quantile of `n` needs: the least that at least `share` (0 to 1) of the jobs
 * do not exceed, by the estimate of Kaplan and Meier; 0 when n is 0, INFINITY
 * where only jobs that were stopped could tell. */
double efficiency_quantile(
	const struct efficiency_need *sorted, size_t n, double share);

/* Which part of the jobs needs more than `limit`, estimated likewise: 0 to 1. */
double efficiency_above(
	const struct efficiency_need *sorted, size_t n, double limit);

/* Text like "[D-]HH:MM:SS" and "1.05 GB" (units of 1024), in the arena. */
char *efficiency_time(struct arena *, uint64_t seconds);
char *efficiency_size(struct arena *, double kib);
