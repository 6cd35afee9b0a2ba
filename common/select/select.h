/*
 * Which nodes a job gets among those with room for it, as Slurm's
 * select/cons_tres chooses them on a flat network (spec/backfill.md 3.7 "Node
 * choice"): runs of consecutive nodes by best fit, or a single node; the least
 * loaded; the last ones; those in use first. Pure: takes what each node could
 * give, returns what the job gets of each.
 *
 * Each rule has its file; select.c picks the rule for a job.
 */
#ifndef BURSAR_SELECT_H
#define BURSAR_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SELECT_ANY_TASKS = UINT32_MAX };

/* How a job may be spread over nodes. */
struct select_job {
	uint32_t cpus;	/* in all */
	uint32_t tasks; /* 0: not said */
	uint32_t cpus_per_task;
	uint32_t tasks_per_node; /* 0: as many as fit */
	uint32_t most_asked;	 /* nodes; 1: all on one */
	uint64_t mem;		 /* MiB of a node, or of a CPU */
	bool mem_of_cpu;
	bool whole;	   /* nodes of its own */
	uint64_t gpus;	   /* of the job in all; 0: every node meets it */
	uint64_t per_task; /* of those a task needs; 0 */
};

/* Least and most nodes, and how many are wanted. */
struct select_range {
	uint32_t least, most, want;
};

/* A node that could be taken, and what becomes of it. */
struct select_node {
	uint32_t index;	     /* in the cluster: neighbours are consecutive */
	uint32_t cpus;	     /* the job could have (select_room) */
	uint32_t free, size; /* CPUs: free, in all */
	uint64_t weight;     /* lowest first */
	uint64_t gpus;	     /* free, of those it wants in all */
	bool idle;
	bool required; /* the job named it */
	uint32_t use;  /* CPUs, while rules look at it; 0: none */
	uint32_t got;  /* CPUs; 0: not chosen */
};

enum select_rule {
	SELECT_CONSECUTIVE,  /* best fit */
	SELECT_LEAST_LOADED, /* LLN=YES, CR_LLN */
	SELECT_LAST,	     /* pack_serial_at_end */
	SELECT_BUSY,	     /* bf_busy_nodes */
};

/* What is left on a node. */
struct select_left {
	uint32_t cpus, size;
	uint32_t cpus_of_partition; /* its jobs have already */
	uint32_t most;		    /* MaxCPUsPerNode; UINT32_MAX */
	uint64_t mem;		    /* UINT64_MAX: not counted */
	uint64_t gpus;		    /* free, of those of tasks */
	bool empty;
};

/* CPUs that the job could have there; 0: it does not fit. */
uint32_t select_room(const struct select_job *, const struct select_left *);

/* Chooses among the nodes, in order of index, each with cpus > 0: sets `got`.
 * False: they are not enough. */
bool select_nodes(const struct select_job *, const struct select_range *,
	enum select_rule, struct select_node *, size_t n);

/* Nodes that are all alike, of one weight, without GPUs: those that are free, as
 * bits (common/base/bits.h), and the CPUs that each could give. */
struct select_alike {
	const uint64_t *set;
	size_t words;
	uint32_t cpus;
};

/* Some of them, one beside the other; the first `taken` were chosen. Others
 * than `first` and `n` are 0 before. */
struct select_run {
	uint32_t first, n, taken;
	bool seen;
};

enum select_answer { SELECT_NO, SELECT_YES, SELECT_UNSURE };

/*
 * Chooses by SELECT_CONSECUTIVE among these for a job that names none and wants
 * no GPUs: `chosen` is a set of as many words, `runs` has room for one for every
 * other node. What select_nodes would say; SELECT_UNSURE: that must be asked.
 */
enum select_answer select_alike(const struct select_job *,
	const struct select_range *, const struct select_alike *,
	uint64_t *chosen, struct select_run *runs);

/* The same of runs in order, each as long as can be: sets `taken`. */
enum select_answer select_runs(const struct select_job *,
	const struct select_range *, uint32_t cpus, struct select_run *,
	size_t n);

/* Spreads its CPUs over the nodes that were chosen: a task on each, then one
 * node after the other. Sets `got`. */
void select_lay_out(const struct select_job *, struct select_node *, size_t n);

#endif
