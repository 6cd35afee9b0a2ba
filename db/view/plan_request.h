/*
 * What jobs ask for in the terms of the pass: part of db/view/plan.h.
 */
#ifndef BURSAR_DB_PLAN_REQUEST_H
#define BURSAR_DB_PLAN_REQUEST_H

#include "db/view/plan.h"

/* Kinds of gres and licenses, from slurm.conf. */
void plan_kinds(struct plan *);

/* How much of each kind a node has. */
void plan_node_gres(
	const struct plan *, const struct conf_node *, uint64_t *gres);

/* CPUs, memory, gres and licenses of the job; `tres`: its request, or what it
 * was given. */
void plan_request(struct plan *, const struct job *,
	const struct tres_list *tres, struct sched_job *);

/* Nodes, partitions, what is down, what is reserved: into the schedule. */
void plan_load_nodes(struct plan *);
void plan_load_partitions(struct plan *);
int plan_load_events(struct plan *);
int plan_load_reservations(struct plan *, const char *cluster);

/* Limits of waiting jobs as they will be, behind the jobs. */
int plan_foresee(struct plan *);

/* The index of a node by name; UINT32_MAX: there is none. */
uint32_t plan_node_index(const struct plan *, const char *name);

/* Adds the nodes of a host list that slurm.conf knows to the set. */
void plan_add_nodes(struct plan *, const char *hostlist, uint64_t *set);

/* Nodes that have the features; NULL: none are asked for. */
const uint64_t *plan_features(struct plan *, const char *text);

/* Nodes it may use, by features and its exclude list (NULL: all); those it named
 * (NULL: none). */
const uint64_t *plan_may(struct plan *, const struct job *);
const uint64_t *plan_required(struct plan *, const struct job *);

/* What a running job has on each of its nodes that slurm.conf knows: as
 * recorded, else as guessed (layout.h). NULL: unknown. */
struct plan_layout {
	size_t n;
	const uint32_t *cpus;
	const uint64_t *mem;
};
void plan_lay_out(struct plan *);
const struct plan_layout *plan_layout_of(
	const struct plan *, const struct job *);

/* Was it recorded without saying how it may be spread over nodes? */
bool plan_shape_unsaid(const struct job *);

/* Those of them that must have asked for one node: keys, ascending. */
struct plan_alone {
	int64_t *v;
	size_t n, cap;
	unsigned tries;
};
bool plan_is_alone(const struct plan *, const struct job *);

/* Looks for more of them by planning. 1: the plan was consumed, make it again;
 * 0: unchanged; -1 on errors. */
int plan_try_shapes(struct plan *, struct plan_alone *);

/* The reservation's number in the schedule, from 1; 0: none of that name. */
uint32_t plan_reservation(const struct plan *, const char *name);

/* The same number, counted from 0, for the same name. */
uint32_t plan_number(struct plan *, struct plan_name **, const char *name);

/* Preemption: the rules and what of them is needed (behind priorities, before
 * jobs); what they say of a running job; which QOS a pending one may preempt. */
int plan_load_preempt(struct plan *);
void plan_preempt_running(
	struct plan *, const struct job *, struct sched_running *);
void plan_preempt_choice(const struct plan *, struct sched_choice *);

/* Was it suspended for another job? It comes last: it runs on where there is
 * room for it, else it keeps its memory. */
bool plan_suspended(const struct plan *, const struct job *);
void plan_resume(struct plan *, struct sched_running *);

/* Why the job waits for others; REASON_NONE: it does not any more. */
unsigned plan_dependency(struct plan *, const struct job *);

#endif
