/*
 * What jobs ask for, and what nodes have, in the terms of the pass: part of
 * db/view/plan.h, internal to db/view/plan*.c. Functions that return int: 0, or
 * -1 with the store's error, unless they say otherwise.
 */
#pragma once

#include "db/view/plan.h"

/* Sets the kinds of gres and licenses from slurm.conf. First of all. */
void plan_kinds(struct plan *);

/* Adds how much of each kind (index in plan->gres) the node has. */
void plan_node_gres(
	const struct plan *, const struct conf_node *, uint64_t *gres);

/* Fills in CPUs, nodes, memory, gres and licenses of the job; `tres`: what it
 * asks for (tres_req) or holds (tres_alloc). */
void plan_request(struct plan *, const struct job *,
	const struct tres_list *tres, struct sched_job *);

/* Load nodes, partitions, down nodes and reservations into the schedule. */
void plan_load_nodes(struct plan *);
void plan_load_partitions(struct plan *);
int plan_load_events(struct plan *);
int plan_load_reservations(struct plan *, const char *cluster);

/* Adds to every choice of the pending jobs, which must be loaded, the limits
 * that will hold from later times on, when leases have ended. */
int plan_foresee(struct plan *);

/* Adds those nodes of a host list that slurm.conf has to the set, a bit for
 * each index. */
void plan_add_nodes(struct plan *, const char *hostlist, uint64_t *set);

/* The set of nodes that have the features; NULL: none are asked for. */
const uint64_t *plan_features(struct plan *, const char *text);

/* The set of nodes a job may use, by its features and exclude list; NULL:
 * all. */
const uint64_t *plan_may(struct plan *, const struct job *);
/* The set of nodes that it must get (--nodelist); NULL: none. */
const uint64_t *plan_required(struct plan *, const struct job *);

/* Fills plan->layouts, and plan->by_node. */
void plan_lay_out(struct plan *);

/* Was the job recorded without saying how it may be spread over nodes (tasks,
 * tasks per node, fewest and most nodes)? */
bool plan_shape_unsaid(const struct job *);

/* Such jobs that must have asked for one node, or they would run: keys,
 * ascending (plan_one_node.c). */
struct one_node_jobs {
	int64_t *v;
	size_t n, cap;
	unsigned tries;
};
bool plan_asked_one_node(const struct plan *, const struct job *);

/* Looks for more of them by making the passes. 1: the plan is used up, load it
 * again; 0: it is unchanged; -1 with the store's error. */
int plan_find_one_node_jobs(struct plan *, struct one_node_jobs *);

/* The reservation's number in the schedule, from 1; 0: none of that name. */
uint32_t plan_reservation(const struct plan *, const char *name);

/* A number for the name, from 0, always the same for the same name and list
 * (plan->users, plan->assocs). */
uint32_t plan_number(struct plan *, struct plan_name **, const char *name);

/* Is the user in none of the groups that the partition is for? The machine, which
 * may have to look far, is asked once for each. */
bool plan_is_outside(
	struct plan *, const struct conf_partition *, const char *user);

/* Loads the rules of preemption and what they need; after priorities, before
 * jobs. */
int plan_load_preempt(struct plan *);
/* Sets how and when a running job can be preempted. */
void plan_preempt_running(
	struct plan *, const struct job *, struct sched_running *);

/* Was the job suspended for another one? */
bool plan_suspended(const struct plan *, const struct job *);
/* Adds such a job, after all running ones: where there is room for it it runs
 * on (plan->resumes), else it keeps its memory alone. */
void plan_resume(struct plan *, struct sched_running *);

/* Why the job's dependency keeps it pending; REASON_NONE: it does not. */
unsigned plan_dependency(struct plan *, const struct job *);
