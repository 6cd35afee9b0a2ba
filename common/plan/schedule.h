/*
 * The cluster at one moment as the scheduling passes see it, and the main pass
 * (Slurm's src/slurmctld/job_scheduler.c, _schedule()): pending jobs in order
 * of tier and priority start on the nodes that are free, as far as limits
 * allow. After the first that does not fit no job of lower priority starts in
 * its partition; a job that a limit holds back does not block others. The
 * second pass is common/plan/backfill.h. Pure: the caller passes nodes, running
 * jobs, partitions and pending jobs, and carries out the result.
 *
 * Sets of nodes are bits (common/base/bits.h) by index in schedule->nodes.
 * Times are epoch seconds; reasons are those of common/text/reason.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/fair/limits.h"
#include "common/text/tres.h"

/* What one running job has on one node. */
struct sched_share {
	uint32_t running; /* index in schedule->running */
	uint32_t cpus;
	uint64_t mem;
	/* Copied from the job, so that passes need not look there. */
	int64_t end;
	bool whole;
};

/* Amounts of gres are arrays of schedule->n_gres. Memory in MiB; 0: not
 * counted. schedule_run and schedule_end count what is used. */
struct sched_node {
	const char *name;
	uint32_t cpus, cpus_used;
	uint64_t mem, mem_used;
	uint64_t *gres, *gres_used;
	struct sched_share *shares; /* of the jobs here, by their ends */
	size_t jobs, cap_shares;
	int64_t last_end; /* of those jobs; undefined when there are none */
	uint32_t whole;	 /* exclusive jobs */
	uint32_t weight; /* lowest first */
	bool down;	 /* or drained: nothing starts here */
};

/* The range of words of a set, [first, end), outside of which it is empty. */
struct sched_words {
	size_t first, end;
};

/* What preemption does to a running job (Slurm's src/slurmctld/job_scheduler.c,
 * _schedule()). */
enum preempted_how {
	PREEMPTED_NEVER,
	PREEMPTED_CANCEL,
	PREEMPTED_REQUEUE,
	PREEMPTED_SUSPEND, /* it keeps memory and gres */
};

enum preempt_by { PREEMPT_BY_NOTHING, PREEMPT_BY_QOS, PREEMPT_BY_TIER };

/* PreemptType, PreemptParameters. */
struct preempt_rules {
	enum preempt_by by;
	bool youngest_first, strict_order, reclaim_licenses;
	uint32_t reorder_count;
	uint32_t min_exempt_priority; /* never preempted above it; 0: none */
};

/* A running job that is preempted. */
struct sched_victim {
	const struct sched_job *job;
	enum preempted_how how;
	int64_t when; /* now, or at the end of its grace time */
	bool warned;  /* its grace time has begun before */
};

struct sched_partition {
	const char *name;
	unsigned refuses;      /* reason why it starts nothing; REASON_NONE */
	const uint32_t *nodes; /* indexes, the preferred first */
	size_t n_nodes;
	const uint64_t *bits; /* the same nodes as a set; made by the passes */
	struct sched_words words;
	uint16_t tier;
	uint32_t max_time;	       /* minutes; INFINITE */
	uint32_t default_time;	       /* minutes; INFINITE; NO_VAL: max_time */
	uint32_t min_nodes, max_nodes; /* INFINITE: no limit */
	uint32_t max_cpus_per_node;    /* INFINITE */
	bool exclusive;		       /* nodes are not shared */
	bool exclusive_user;	       /* shared only by jobs of one user */
	bool least_loaded;	       /* LLN: emptier nodes first */
	bool failed;	    /* set by a pass: it starts no more here */
	uint32_t looked_at; /* jobs, in this pass */
	/* Made by the passes: largest[n - 1]: CPUs of the n largest nodes
	 * together; alike: all nodes have the same CPUs, memory and weight. */
	const uint64_t *largest;
	bool alike;
};

/* Limits as they will be from a time on. */
struct sched_later {
	int64_t at;
	const struct limit_chain *limits; /* NULL: it may no longer run there */
};

/* What its QOS lets a job do. */
struct sched_rights {
	bool any_time, any_min_nodes, any_max_nodes, no_reserve;
	uint32_t reserve_priority; /* MinPrioThreshold; 0: the site's */
	const uint32_t *preempts;  /* QOS it may preempt, 0 ends; NULL */
	bool preempts_own;	   /* WITHIN: those of its own, if lower */
	bool preempts_lower;	   /* PRIORITY: only if they are lower */
};

/* A partition a job may run in. */
struct sched_choice {
	struct sched_partition *partition;
	uint32_t priority;
	uint32_t qos;	  /* the caller's number; 0: the job has only one */
	unsigned refused; /* reason why not there; REASON_NONE */
	const struct limit_chain *limits; /* NULL: none are enforced */
	struct sched_later *later; /* where that changes, in order of time */
	size_t n_later, cap_later;
	const struct tres_list *tres;	  /* the request, for limits */
	struct sched_rights may;
};

/* One job, or one task of an array, put on nodes. */
struct sched_start {
	const struct sched_choice *choice;
	uint32_t *nodes; /* indexes, ascending */
	size_t n_nodes;
	uint32_t cpus;
	bool whole;	  /* nodes of its own */
	uint32_t minutes; /* time limit, cut down by the pass; 0: as asked */
	const struct tres_list *tres; /* choice->tres with what it gets */
	/* On each of its nodes; NULL: spread evenly. */
	const uint32_t *cpus_on;
	const uint64_t *mem_on;
	const struct sched_victim *victims; /* preempted for it */
	size_t n_victims;
};

/* Where and when a job is expected to run. */
struct sched_plan {
	const struct sched_choice *choice;
	int64_t start, end;
	uint32_t *nodes; /* indexes, ascending */
	size_t n_nodes;
	bool reserved; /* its nodes are kept for it; else just an estimate */
	const struct sched_victim *victims; /* preempted by then */
	size_t n_victims;
};

struct sched_job {
	const void *record; /* the caller's */
	uint32_t id, task;
	uint32_t user, assoc; /* numbers from 0, for counting */
	int64_t submit;
	int64_t eligible;	 /* 0: as submitted */
	uint32_t time_min;	 /* minutes; 0: none */
	uint32_t reservation;	 /* index from 1; 0: none, or unknown */
	const char *reservation_name; /* "": it asks for none; NULL */
	const char *features;	 /* that it wants; "", NULL */
	uint32_t het, het_parts; /* the job it is a part of, and of how many */
	const uint64_t *may;	 /* nodes that have what it wants; NULL: all */
	unsigned waits; /* why the passes skip it: held, ...; REASON_NONE */
	uint32_t cpus, nodes;
	uint64_t mem; /* MiB in all; 0: none */
	/* How it may be spread over nodes, for Slurm's rules; 0: not said. */
	uint32_t most_nodes, tasks_asked, cpus_per_task, tasks_per_node;
	bool any_nodes; /* most_nodes only follows from its tasks */
	uint64_t mem_per_node, mem_per_cpu;
	const uint64_t *required;  /* nodes it named; NULL */
	const uint64_t *gres_node; /* on each node; NULL: none */
	uint32_t gres_kind;	   /* of what follows */
	uint64_t gres_job;	   /* in all, on whichever nodes */
	uint64_t gres_task;	   /* of each task */
	const uint64_t *gres, *licenses;
	uint32_t time_limit; /* minutes; NO_VAL */
	bool exclusive;
	uint32_t tasks;	    /* in this record: 1 but for arrays */
	uint32_t startable; /* so many of them may start now */
	struct sched_choice *choices;
	size_t n_choices;

	/* The result: those that start now, and why the rest is pending. */
	unsigned reason;
	unsigned main_reason; /* what the main pass said before backfill */
	bool by_partition; /* the reason is a partition that refuses it */
	struct sched_start *starts;
	size_t n_starts, cap_starts;
	/* When the rest is expected to start; by common/plan/backfill.h. */
	struct sched_plan *plans;
	size_t n_plans, cap_plans;
};

/* A job that holds its nodes. */
struct sched_running {
	const struct sched_job *job; /* cpus, mem, gres, licenses count */
	const struct sched_partition *partition; /* NULL: unknown */
	struct sched_start start; /* its nodes, and whether it has them whole */
	int64_t began, end;	  /* the end is what is expected */
	uint32_t qos;
	/* How it is preempted, from when on it may be, and when it is gone if
	 * it is preempted now. */
	enum preempted_how how;
	int64_t exempt_until, gone;
	bool warned; /* its grace time has begun */
	uint32_t priority, qos_priority;
	bool preemptable; /* by the job being placed: preempt_mark */
};

/* Nodes kept for some jobs for a while. */
struct sched_reservation {
	int64_t start, end;
	const uint64_t *nodes;
};

/* A job in one of its partitions. */
struct sched_entry {
	struct sched_job *job;
	const struct sched_choice *choice;
	uint64_t rank; /* the largest first; then by age */
};

struct preempt_candidate;
struct select_node;
struct select_run;

/* What is known of all nodes as sets; jobs that start and end keep them. */
struct sched_sets {
	uint64_t *up;	     /* not down when they were made */
	uint64_t *idle;	     /* no job is there */
	uint64_t *exclusive; /* an exclusive job is */
	uint64_t *shared;    /* several are, or one that leaves CPUs */
	size_t n_shared;
	uint64_t *kept; /* for a job of higher priority; a pass sets it */
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
	bool licenses_stop; /* bf_licenses: a job without licenses ends it */
	/* Younger jobs (seconds), and those of lower priority, keep no nodes
	 * from others; 0: all do. */
	int64_t min_reserve_age;
	uint32_t min_reserve_priority;
	bool limit_stops; /* assoc_limit_stop: a limit blocks later jobs */
	/* Limits of the main pass; 0: none. Jobs it looks at (it looks at one
	 * more), jobs of one partition it looks at, and jobs it starts. */
	uint32_t queue_depth, partition_depth, start_most;
	int64_t now;
	struct sched_running *running;
	size_t n_running, cap_running;
	const struct sched_reservation *reservations;
	size_t n_reservations;
	struct preempt_rules preempt;
	/* A textbook policy: jobs get the lowest nodes, reservations are kept
	 * throughout, no main pass comes first. Else all is as Slurm does it. */
	bool textbook;
	bool serial_at_end; /* single CPUs go to the last nodes */
	bool starts_none; /* the main pass only tells why jobs wait */
	struct select_node *choosing;
	struct select_run *runs;
	struct sched_sets sets;
	/* Of the passes: the job being placed, the queue. */
	size_t n_started;
	uint32_t *room, *room_cpus, *caps;
	uint64_t *room_mem;
	uint64_t *usable, *failed_reservations;
	struct sched_entry *queue;
	size_t cap_queue;
	struct preempt_candidate *candidates;
	size_t cap_candidates;
	uint64_t *chosen, *counted, *picked;
};

/*
 * How the CPUs of a job are spread over its nodes: as evenly as their sizes
 * `caps` allow, the remainder on the first ones. False when they do not fit.
 */
bool schedule_spread(
	uint32_t cpus, const uint32_t *caps, size_t n, uint32_t *shares);

/* A job runs on start.nodes: its cpus, mem, gres and licenses are taken. */
void schedule_run(
	struct schedule *, const struct sched_running *, struct arena *);

/* The running job has ended; the last of the running jobs moves to its
 * index. */
void schedule_end(struct schedule *, size_t running);

/* Changes the expected end of a running job, which moves to the last index of
 * the running jobs (the job that was last, to its index). */
void schedule_move_end(
	struct schedule *, size_t running, int64_t end, struct arena *);

/* Removes all running jobs; nodes and licenses are free. */
void schedule_clear(struct schedule *);

/* The running job is suspended: gives up its CPUs, keeps memory, gres and its
 * index. */
void schedule_suspend(struct schedule *, size_t running);

/* The main pass. A job that starts is added to the running jobs and counted on
 * its nodes, in the licenses and in the usage of its limits. */
void schedule_main(struct schedule *, struct arena *);

/* Why jobs wait, as the main pass would say; none starts, and those that have
 * started stay so. */
void schedule_reasons(struct schedule *, struct arena *);

/* ---- for the passes ------------------------------------------------------*/

/* Fills schedule->queue with the jobs that may still start, one entry for each
 * partition, in the order in which they are tried; returns how many.
 * `least_time`: the partition's MaxTime is compared with time_min of jobs that
 * have one. */
size_t schedule_queue(struct schedule *, bool least_time, struct arena *);

/* Allocates and fills what passes need of nodes and partitions. Call it before
 * jobs are put on nodes; further calls do nothing. */
void schedule_measure(struct schedule *, struct arena *);

/* Seconds the job may run in that partition: its time limit or the default, at
 * most MaxTime; a year when there is no limit. */
int64_t schedule_seconds(const struct sched_job *, const struct sched_choice *);

/* The same of a job that starts so: it may be given less. */
int64_t schedule_start_seconds(
	const struct sched_job *, const struct sched_start *);

/* Why the job may not start there even if all nodes were free; REASON_NONE. */
unsigned schedule_refuses(const struct sched_job *, const struct sched_start *);

/* Does a limit forbid its start that it would keep by itself: one that counts
 * other jobs, too? */
bool schedule_limit_passes(
	const struct sched_job *, const struct sched_start *);

/* Sets start->tres to what the job would get, which may be more than it
 * requested. Returns the reason why limits forbid that, or REASON_NONE. */
unsigned schedule_settle(
	const struct sched_job *, struct sched_start *, struct arena *);

/* Are there licenses enough now? Are there in all? */
bool schedule_licenses_free(const struct schedule *, const struct sched_job *);
bool schedule_licenses_exist(
	const struct schedule *, const struct sched_job *);

/*
 * Reservations (Slurm's src/slurmctld/job_scheduler.c, _schedule()): removes
 * from the set `nodes` those that the job may not use in [*from, *from +
 * seconds). *from may move to a later time, to the start of the job's own
 * reservation or past those of nodes it names. Returns false when its own
 * reservation does not let it run then. *until: an end of a reservation after
 * which more nodes may be free, 0 for none.
 */
bool schedule_reserved(const struct schedule *, const struct sched_job *,
	int64_t seconds, int64_t *from, uint64_t *nodes, int64_t *until);

/* Starts the job now and preempts the victims of the start. */
void schedule_start(struct schedule *, struct sched_job *,
	const struct sched_start *, struct arena *);
