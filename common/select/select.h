/*
 * Chooses the nodes of a job among those with room for it, as Slurm's
 * select/cons_tres does on a flat network: best fit among runs of consecutive
 * nodes, or a single node; the least loaded nodes; the last nodes; nodes in use
 * first. Textbook policies take the lowest nodes, or those that come free last.
 * Pure: takes the CPUs that each node could give, returns the CPUs that the job
 * gets on each.
 *
 * A rule is a way to choose (enum select_rule). The rules are in files of their
 * own; select.c calls them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SELECT_ANY_TASKS UINT32_MAX

/* What a job asks for. */
struct select_job {
	uint32_t cpus;	/* on all nodes together */
	uint32_t tasks; /* 0: not given */
	uint32_t cpus_per_task;	 /* 1 or more */
	uint32_t tasks_per_node; /* 0: as many as fit */
	uint32_t most_asked;	 /* largest node count it asks for; 1: all
				  * tasks on one node */
	uint64_t mem;		 /* MiB per node, or per CPU (mem_of_cpu) */
	bool mem_of_cpu;
	bool whole;	   /* it gets whole nodes (exclusive) */
	uint64_t gpus;	   /* GPUs of the job on all nodes together; 0: none */
	uint64_t per_task; /* GPUs per task; 0: none */
};

/* The job's node count: at least `least`, at most `most`; `want` is preferred.
 */
struct select_range {
	uint32_t least, most, want;
};

/* A node that the job could get, and what it gets there. */
struct select_node {
	uint32_t index;	     /* in the cluster; neighbours are consecutive */
	uint32_t cpus;	     /* that the job could get here (select_room) */
	uint32_t free, size; /* CPUs: free ones, all of the node */
	uint64_t weight;     /* of slurm.conf: lower is chosen first */
	uint64_t gpus;	     /* free ones that count for the job's `gpus` */
	bool idle;
	bool required; /* the job names it */
	int64_t free_at; /* for SELECT_FREE_LAST: when it has room */
	uint32_t use;  /* for the rules: CPUs to take here; 0: no node */
	uint32_t got;  /* result: CPUs the job gets; 0: not chosen */
};

enum select_rule {
	SELECT_CONSECUTIVE,  /* best fit: Slurm's default */
	SELECT_LEAST_LOADED, /* LLN=YES, CR_LLN */
	SELECT_LAST,	     /* pack_serial_at_end */
	SELECT_BUSY,	     /* bf_busy_nodes */
	/* Of textbook policies: */
	SELECT_LOWEST,	  /* by weight, then index */
	SELECT_FREE_LAST, /* those that have room latest */
};

/* What is free on a node. */
struct select_left {
	uint32_t cpus;		    /* free ones */
	uint32_t cpus_of_partition; /* CPUs that the partition's jobs have */
	uint32_t most;	/* MaxCPUsPerNode; UINT32_MAX: no limit */
	uint64_t mem;	/* MiB; UINT64_MAX: memory does not count */
	uint64_t gpus;	/* free ones that count for `per_task` */
	bool empty;	/* no job has anything of it */
};

/* The CPUs that the job could get on such a node; 0: it does not fit. */
uint32_t select_room(const struct select_job *, const struct select_left *);

/* Chooses among the `n` nodes, which are in order of index and have cpus > 0,
 * and sets their `got`. Changes `use`, and may set `cpus` of some to 0. False:
 * the nodes are not enough. */
bool select_nodes(const struct select_job *, const struct select_range *,
	enum select_rule, struct select_node *, size_t n);

/* Free nodes that are all alike: same CPUs, one weight, no GPUs. */
struct select_alike {
	const uint64_t *set; /* of node numbers (common/base/bits.h) */
	size_t words;	     /* of the set */
	uint32_t cpus;	     /* that the job could get on each */
};

/* A run: `n` consecutive nodes of them, from number `first` on; the first
 * `taken` of these were chosen. Before select_runs, `taken` and `seen` are 0.
 */
struct select_run {
	uint32_t first, n, taken;
	bool seen; /* for select_runs */
};

/* UNSURE: call select_nodes to know. */
enum select_answer { SELECT_NO, SELECT_YES, SELECT_UNSURE };

/*
 * Gives the result of select_nodes by SELECT_CONSECUTIVE, but faster, for nodes
 * that are all alike and a job that names no nodes and wants no GPUs.
 * SELECT_YES: `chosen`, a set of as many words, has the chosen nodes. `runs` is
 * memory for the runs of the set, of which there is at most one per two nodes.
 */
enum select_answer select_alike(const struct select_job *,
	const struct select_range *, const struct select_alike *,
	uint64_t *chosen, struct select_run *runs);

/* The same for `n` runs, which are in order and as long as possible; `cpus` is
 * what the job could get on each node. Sets `taken` of each run. */
enum select_answer select_runs(const struct select_job *,
	const struct select_range *, uint32_t cpus, struct select_run *,
	size_t n);

/* Spreads the job's CPUs over the chosen nodes (got > 0): first the CPUs of one
 * task, or of tasks_per_node, on each; then node after node is filled. Sets
 * `got`. Does nothing for a job with whole nodes. */
void select_lay_out(const struct select_job *, struct select_node *, size_t n);
