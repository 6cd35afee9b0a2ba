/*
 * Fair share during a simulation: an association tree of the groups of a trace
 * (accounts) and their users, what they have used up to any moment, and their
 * factors. Pure; part of common/sim/simulate_slurm.h.
 */
#pragma once

#include <stdint.h>

#include "common/conf/policy.h"
#include "common/fair/fairshare.h"
#include "common/sim/trace.h"

struct sim_share;

/* An association tree to use instead of the groups of the trace: nodes as
 * fairshare_compute wants them (their usage does not matter). `find` gives the
 * index of the node of a user in a group, both by index in the trace's names;
 * UINT32_MAX: none, the user then counts under root. */
struct sim_tree {
	const struct fs_node *nodes;
	size_t n;
	uint32_t (*find)(const void *arg, uint32_t group, uint32_t user);
	const void *arg;
};

/* `tree` NULL: every group is an account with its users, each has one share.
 * Times are seconds since 1970. */
struct sim_share *sim_share_new(
	const struct trace *, const struct policy *, const struct sim_tree *);
void sim_share_free(struct sim_share *);

/* The index of the job's association (group and user), from 0. */
uint32_t sim_share_assoc(const struct sim_share *, uint32_t job);

/* The job ran in [start, end) and has ended, or stopped: adds its usage, times
 * `factor` (UsageFactor). */
void sim_share_ran(struct sim_share *, uint32_t job, int64_t start,
	int64_t end, double factor);

/* Computes factors at `now`: begin decays past usage, runs adds each running
 * job, end computes. */
void sim_share_begin(struct sim_share *, int64_t now);
void sim_share_runs(
	struct sim_share *, uint32_t job, int64_t start, double factor);
void sim_share_end(struct sim_share *);

/* The fair-share factor of the job's association at the last sim_share_end. */
double sim_share_factor(const struct sim_share *, uint32_t job);
