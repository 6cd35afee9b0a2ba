/*
 * The scheduling pass over the queue in the store: nodes and partitions from
 * slurm.conf, down nodes and jobs from the store, priorities and limits
 * computed now. For splan, which carries the result out, and for squeue, which
 * says why jobs are pending. Nothing is written; memory is the arena's.
 * Functions that return int: 0, or -1 with the store's error.
 */
#pragma once

#include <stddef.h>

#include "common/base/arena.h"
#include "common/plan/backfill.h"
#include "common/plan/verdict.h"
#include "db/entity/event.h"
#include "db/entity/reservation.h"
#include "db/entity/site.h"
#include "db/job/noted.h"
#include "db/job/job.h"
#include "db/view/shares.h"
#include "db/view/limits.h"
#include "db/view/preempt_site.h"

struct one_node_jobs;

/* How to plan, where it is not as slurm.conf and the store say; NULL: so. */
struct plan_how {
	const char *policy; /* see backfill_read */
	bool cores, skip_same_shape; /* see struct backfill */
};

struct plan {
	struct site *site;
	struct arena *arena;
	int64_t at; /* time of the pass, epoch seconds */
	const char *cluster;
	struct jobprio prio;
	struct limits limits;
	struct job_list jobs;	    /* all pending and running jobs */
	struct schedule schedule;   /* its jobs are the pending ones */
	const char **gres;	    /* names of the kinds, "gpu", "gpu:a100" */
	struct event_list events;   /* of nodes, that are open */
	/* Those that are not over; by number - 1 in the schedule. */
	struct reservation_list reservations;
	struct backfill backfill; /* the policy of both passes */
	bool begun, planned; /* the main pass is made, and that of backfill */
	struct strv remarks; /* about SchedulerParameters, as slurmctld logs */
	struct preempt_site *preempt; /* NULL: nothing is preempted */
	struct strv more_remarks; /* about preemption and relative QOS */
	struct preemption_list preemptions;
	/* Jobs suspended for others for which there is room again: they
	 * resume. */
	const struct sched_job **resumes;
	size_t n_resumes, cap_resumes;
	struct features *features;
	uint32_t largest_cpus; /* most of any node */
	uint64_t largest_mem;  /* MiB, most of any node */
	bool by_node; /* jobs of the site ask for nodes, not for tasks */
	const struct one_node_jobs
		*one_node;	     /* jobs that ask for one node; NULL */
	struct plan_layout *layouts; /* by index in `jobs` */
	struct plan_name *users, *assocs; /* see plan_number */
	struct plan_name *outside; /* see plan_is_outside */
};

/* Loads everything and makes the pass at `at`. */
int plan_make(struct plan *, struct site *, const char *cluster, int64_t at,
	const struct plan_how *, struct arena *);

/* Loads everything without the pass: nodes hold what running jobs use. */
int plan_look(struct plan *, struct site *, const char *cluster, int64_t at,
	struct arena *);

/* What a running job of plan->jobs has on each of its nodes, in the order of its
 * host list: as recorded, else as guessed (common/plan/layout.h). */
struct plan_layout {
	size_t n; /* 0: unknown */
	const uint32_t *cpus;
	const uint64_t *mem; /* MiB */
};

/* The first of these partitions on whose nodes the job could ever run; NULL: none
 * that is known. `accepted`: also one where Slurm accepts it although its size
 * does not fit (it waits with PartitionConfig or PartitionNodeLimit). Features do
 * not count: nodes get them and lose them. */
const char *plan_possible(struct site *, const struct job *,
	const struct strv *partitions, bool accepted, struct arena *);

/* The backfill pass, once, by the policy of plan_make, and the main pass before
 * it where that was not made; the result is in the plans of schedule.jobs. */
void plan_backfill(struct plan *);

/* What both passes say of a waiting job. */
struct plan_outcome {
	int64_t start; /* 0: unknown */
	const char *nodelist;
	const char *reason; /* Slurm's word; NULL: it starts now */
	bool far; /* the scheduler keeps no nodes for it: looked for without
		   * its bounds, with everybody in front of it */
	uint32_t minutes, nodes, cpus; /* that it asks for */
};

/* Reads it from the plan, after plan_backfill; a job without nodes kept for it
 * is planned once more, `how` and without bounds. Texts are the arena's; so is
 * what else it takes. */
int plan_outcome(const struct plan *, const struct sched_job *,
	const struct plan_how *, struct arena *, struct plan_outcome *);

/* Adds verdict_plan() of every job that has one to the list, ascending by job,
 * for expected_replace. */
void plan_expected_list(const struct plan *, struct expected_list *);

/* The entry of schedule.jobs for a job of plan->jobs; NULL: it is not
 * pending. */
const struct sched_job *plan_find(const struct plan *, const struct job *);

/* The entry of schedule.jobs for the record of that key; NULL. */
const struct sched_job *plan_find_key(const struct plan *, int64_t key);

/* Why the job waits, in Slurm's words: as both passes say (common/plan/verdict.h;
 * the backfill pass is made when it may say otherwise than the main one), else
 * as recorded. */
const char *plan_reason(struct plan *, const struct job *);

/* The reason as one word, always. */
const char *plan_reason_word(struct plan *, const struct job *);
/* The sentence that Slurm shows instead of that word; NULL where it shows the
 * word. */
const char *plan_description(struct plan *, const struct job *);

/* *reason: the limit that a running job has reached and for which slurmctld
 * would end it (common/fair/limits.h); REASON_NONE: none. */
int plan_reached(struct plan *, const struct job *, unsigned *reason);

/* The `n` nodes of these indexes (in slurm.conf) as a host list. */
const char *plan_nodelist(
	const struct plan *, const uint32_t *indexes, size_t n, struct arena *);
