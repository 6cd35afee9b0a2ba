/*
 * The scheduling pass over the queue in the store (spec/backfill.md 2): nodes
 * and partitions from slurm.conf, down nodes and jobs from the store,
 * priorities and limits computed now. For splan, which carries the result out,
 * and for squeue, which says why jobs are pending.
 */
#ifndef BURSAR_DB_PLAN_H
#define BURSAR_DB_PLAN_H

#include <stddef.h>

#include "common/base/arena.h"
#include "common/conf/sched_params.h"
#include "common/plan/schedule.h"
#include "db/entity/site.h"
#include "db/job/expected.h"
#include "db/job/job.h"
#include "db/job/preemption.h"
#include "db/view/jobprio.h"
#include "db/view/limits.h"
#include "db/view/preempt_site.h"

struct plan_alone;

/* A pending job as it would be with a change. */
struct plan_change {
	int64_t key; /* of the job */
	void (*apply)(struct job *, struct arena *, const void *arg);
	const void *arg;
};

struct plan {
	struct site *site;
	struct arena *arena;
	int64_t at;
	const struct plan_change *change; /* or NULL */
	struct jobprio prio;
	struct limits limits;
	struct job_list jobs;	    /* all that wait or run */
	struct schedule schedule;   /* its jobs: those that wait */
	const char **gres;	    /* names of the kinds, "gpu", "gpu:a100" */
	const char **reservations;  /* names, as in the schedule */
	struct sched_params params; /* SchedulerParameters */
	struct strv remarks;	    /* about them */
	struct preempt_site *preempt; /* NULL: nothing is preempted */
	struct strv preempt_remarks;  /* about its words in slurm.conf */
	struct preemption_list preemptions;
	/* Suspended for others; there is room again and they resume. */
	const struct sched_job **resumes;
	size_t n_resumes, cap_resumes;
	struct features *features;
	uint32_t largest_cpus; /* of a node */
	uint64_t largest_mem;
	bool by_node; /* jobs of the site ask for nodes, not for tasks */
	const struct plan_alone *alone; /* jobs that ask for one node; NULL */
	struct plan_layout *layouts; /* of running jobs, as in `jobs` */
	struct plan_name *users, *assocs;
};

/* Loads all and makes the pass; nothing is written. Memory is the arena's. */
int plan_make(struct plan *, struct site *, const char *cluster, int64_t at,
	struct arena *);

/* What runs and what waits, without the pass: nodes hold what is used now. */
int plan_look(struct plan *, struct site *, const char *cluster, int64_t at,
	struct arena *);

/* What the running job plan->jobs.v[i] has on each of its nodes that slurm.conf
 * knows, in the order of its list. 0: unknown. */
size_t plan_lies(const struct plan *, size_t i, const uint32_t **cpus,
	const uint64_t **mem);

/* The same with one job changed before the pass; NULL: none. */
int plan_make_changed(struct plan *, struct site *, const char *cluster,
	int64_t at, const struct plan_change *, struct arena *);

/* Could the job ever run, on the nodes of one of its partitions? Also true
 * where it waits for its size to be mended (PartitionConfig,
 * PartitionNodeLimit), and where slurm.conf tells nothing of the nodes.
 * Features are not asked about: nodes get them and lose them. */
bool plan_possible(struct site *, const struct job *, struct arena *);

/* The backfill pass after it with the site's parameters, into the jobs' plans;
 * nothing is written. */
void plan_backfill(struct plan *);

/* The earliest start the backfill pass planned for it; NULL: none. */
const struct sched_plan *plan_expected(const struct sched_job *);

/* That of every job that has one, as the store records it. */
void plan_expected_list(const struct plan *, struct expected_list *);

/* The pass's view of a pending job; NULL when it has none. */
const struct sched_job *plan_find(const struct plan *, const struct job *);

/* Why the job waits, in Slurm's words: as computed, else as recorded, else
 * None. */
const char *plan_reason(const struct plan *, const struct job *);

/* The same in one word always; and what Slurm says instead where it says more,
 * NULL where it does not. */
const char *plan_reason_word(const struct plan *, const struct job *);
const char *plan_description(struct plan *, const struct job *);

/* The limit that a running job has reached and for which a controller would end
 * it (common/fair/limits.h), REASON_NONE without one; -1 with the error of the
 * store. */
int plan_reached(struct plan *, const struct job *, unsigned *reason);

/* Nodes, by their indexes, as a host list. */
const char *plan_nodelist(
	const struct plan *, const uint32_t *indexes, size_t n, struct arena *);

#endif
