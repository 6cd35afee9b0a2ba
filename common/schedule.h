/*
 * The main scheduling pass (spec/backfill.md 2): waiting jobs in order of tier
 * and priority, each on the nodes that are free, as far as limits allow. The
 * first that does not fit keeps the nodes of its partition from those behind
 * it; one that a limit holds back does not. Pure: the caller brings nodes, what
 * runs on them, partitions and jobs, and does what comes out.
 */
#ifndef BURSAR_SCHEDULE_H
#define BURSAR_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/limits.h"
#include "common/tres.h"

/* Amounts of gres are arrays of schedule->n_gres. Memory in MiB; 0: not
 * counted. */
struct sched_node {
	const char *name;
	uint32_t cpus, cpus_used;
	uint64_t mem, mem_used;
	uint64_t *gres, *gres_used;
	uint32_t jobs; /* running here */
	bool down;     /* or drained: nothing starts here */
	bool whole;    /* a job has it for itself */
	bool kept;     /* for a job of higher priority; the pass sets it */
};

struct sched_partition {
	const char *name;
	unsigned refuses;      /* reason why it starts nothing; REASON_NONE */
	const uint32_t *nodes; /* places, the preferred first */
	size_t n_nodes;
	uint16_t tier;
	uint32_t max_time;	       /* minutes; INFINITE */
	uint32_t min_nodes, max_nodes; /* INFINITE: no limit */
	uint32_t max_cpus_per_node;    /* INFINITE */
	bool exclusive;		       /* nodes are not shared */
	bool failed; /* nothing more starts in this pass; it sets it */
	const uint64_t *largest; /* CPUs of the n largest nodes; made by it */
};

/* A partition a job may run in. */
struct sched_choice {
	struct sched_partition *partition;
	uint32_t priority;
	uint32_t qos;	  /* the caller's; 0: the job's only one */
	unsigned refused; /* reason why not there; REASON_NONE */
	const struct limit_chain *limits; /* NULL: none are enforced */
	const struct tres_list *tres;	  /* what limits look at */
	/* Flags of the QOS. */
	bool any_time, any_min_nodes, any_max_nodes;
};

/* One job, or one task of an array, put on nodes. */
struct sched_start {
	const struct sched_choice *choice;
	uint32_t *nodes; /* places, ascending */
	size_t n_nodes;
	uint32_t cpus;
	bool whole;		      /* nodes of its own */
	const struct tres_list *tres; /* choice->tres, as many as it got */
};

struct sched_job {
	const void *record; /* the caller's */
	uint32_t id, task;
	int64_t submit;
	unsigned waits; /* reason not to look at it: held, ...; REASON_NONE */
	uint32_t cpus, nodes;
	uint64_t mem; /* MiB in all; 0: none */
	const uint64_t *gres, *licenses;
	uint32_t time_limit; /* minutes; NO_VAL */
	bool exclusive;
	uint32_t tasks;	    /* in this record: 1 but for arrays */
	uint32_t startable; /* as many of them may start now */
	struct sched_choice *choices;
	size_t n_choices;

	/* What comes out: those that start now, and why the rest waits. */
	unsigned reason;
	struct sched_start *starts;
	size_t n_starts, cap_starts;
};

struct schedule {
	struct sched_node *nodes;
	size_t n_nodes;
	struct sched_partition *partitions;
	size_t n_partitions;
	struct sched_job *jobs;
	size_t n_jobs;
	size_t n_gres, n_licenses;
	const uint64_t *licenses; /* how many there are */
	uint64_t *licenses_used;
	bool limit_stops; /* assoc_limit_stop: a limit blocks those behind */
	/* Of the job being placed. */
	uint32_t *room;
	size_t n_room;
};

/*
 * How the CPUs of a job lie on its nodes: as even as their sizes `caps` allow,
 * the first ones get what is over. False when they do not fit.
 */
bool schedule_spread(
	uint32_t cpus, const uint32_t *caps, size_t n, uint32_t *shares);

/* A job that runs there already, on start->nodes: its cpus, mem, gres and
 * licenses are taken. `partition`: where it runs; NULL: unknown. */
void schedule_occupy(struct schedule *, const struct sched_job *,
	const struct sched_partition *partition, const struct sched_start *,
	struct arena *);

/* The pass. Nodes, licenses and the usage in the limits are counted up by what
 * starts. */
void schedule_main(struct schedule *, struct arena *);

#endif
