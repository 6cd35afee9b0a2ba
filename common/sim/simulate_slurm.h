/*
 * Slurm's scheduling in a simulation: the main pass at every event, the
 * backfill pass every bf_interval when something has changed
 * (common/plan/schedule.h, common/plan/backfill.h), in order of multifactor
 * priorities with the fair share of the moment. Pure.
 */
#pragma once

#include "common/conf/policy.h"
#include "common/fair/billing.h"
#include "common/plan/backfill.h"
#include "common/sim/simulate.h"
#include "common/sim/simulate_share.h"

/* The machine; nothing of it is changed. */
struct sim_machine {
	const struct sched_node *nodes; /* name, cpus, down count */
	size_t n_nodes;
	const struct sched_partition *partitions;
	const uint16_t *job_factors; /* of the partitions; NULL: all 1 */
	size_t n_partitions;
	/* Where jobs of a queue of the trace run; NULL: in the first. */
	const uint32_t *partition_of;
	bool whole; /* jobs ask for nodes of their own */
};

/* Properties of a job that come from its QOS, association and partition. What is
 * in use under its limits is counted by the simulation, from nothing. */
struct sim_kind {
	struct limit_chain *limits; /* NULL: none */
	uint32_t qos;	       /* the caller's; 0: none */
	uint32_t qos_priority; /* 0: none */
	uint32_t assoc_priority; /* NO_VAL: none */
	double usage_factor;
	struct sched_rights may;
	/* How it is preempted itself; seconds. */
	enum preempted_how how;
	uint32_t exempt_time, grace_time;
};

/* sim_options.policy of sim_slurm. */
struct sim_slurm {
	struct backfill backfill; /* policy and parameters */
	const struct policy *policy;
	const struct tres_weights *tres_weights; /* NULL: none */
	const struct sim_tree *tree; /* NULL: groups and users, all equal */
	struct sim_machine machine;
	/* By the tags of jobs, from 1; a job whose tag is 0 has no QOS. */
	const struct sim_kind *kinds;
	uint32_t max_qos_priority, max_assoc_priority; /* of all there are */
	struct preempt_rules preempt;
};

extern const struct sim_policy sim_slurm_policy;

/* `n` nodes of so many CPUs in one partition; memory is the arena's. */
void sim_machine_plain(
	struct sim_machine *, size_t n, uint32_t cpus, struct arena *);

/* Nodes and partitions of a slurm.conf, in its order; a queue of the trace is the
 * partition of its name (of names[number], where it has one), else the default
 * one, else the first. Memory is the arena's. -1: it has no partitions. */
struct conf;
int sim_machine_of_conf(struct sim_machine *, const struct conf *,
	const struct trace_names *queues, const struct strv *names,
	struct arena *, struct err *);

/* CPUs of the nodes of slurm.conf that are not down for good. */
uint64_t sim_machine_cpus(const struct conf *);
