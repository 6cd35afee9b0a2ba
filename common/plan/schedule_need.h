/*
 * What a job needs of a node and what is free there: part of
 * common/plan/schedule_nodes.h.
 */
#pragma once

#include "common/plan/schedule_nodes.h"
#include "common/select/select.h"

/* What a job needs of each node. */
struct need {
	const struct sched_job *job;
	const struct sched_partition *partition;
	struct select_job rules;
	struct empty_node *empty; /* the last that was asked about; NULL */
};

/* What an empty node of a size could give: most are of one size. */
struct empty_node {
	uint32_t cpus;
	uint64_t mem;
	uint32_t room;
};

/* What running jobs and promises leave of a node. */
struct taken {
	uint64_t cpus, mem;
	uint64_t cpus_of_partition; /* known where a limit counts them */
	size_t jobs;
	bool whole;
};

/* Puts the node into the sets of the schedule as its jobs have it. */
void schedule_note(struct schedule *, uint32_t index);

struct need need_of(const struct sched_job *, const struct sched_partition *);

/* Does its part fit on the node when that is empty? */
bool could_hold(const struct schedule *, const struct sched_node *,
	const struct need *);

struct taken taken_of(const struct schedule *, const struct sched_view *,
	uint32_t index, const struct need *);

/* CPUs of the node that jobs of the partition may use. */
uint32_t cap_of(const struct sched_node *, const struct sched_partition *);

/* What one of its nodes has of the gres of a job that runs. */
uint64_t gres_share(const struct sched_job *, size_t kind, size_t nodes);

uint64_t gres_taken(const struct schedule *, const struct sched_view *,
	uint32_t index, size_t kind);

/* CPUs that the job could have beside what runs there; 0: it does
 * not fit. GPUs of the node are not counted. */
uint32_t room_beside(const struct schedule *, const struct sched_view *,
	uint32_t index, const struct taken *, const struct need *);

/* As room_beside, of the node when empty. */
uint32_t room_when_empty(const struct schedule *, const struct sched_node *,
	const struct need *);

/* Is the node empty in the view, with nothing promised? */
bool is_empty_then(const struct sched_view *, const struct sched_node *);

/*
 * Nodes as counts. Are the nodes of the partition alike, and does the job name
 * none and want no gres? Then a set of those that are idle says all there is to
 * know, where no node is shared.
 */
bool can_use_counts(const struct schedule *, const struct sched_job *,
	const struct sched_partition *);

/* Is nothing asked for and, if the view looks ahead, is its `early` known? */
bool can_use_counts_in(const struct schedule *, const struct sched_view *,
	const struct need *);

/* Chooses among those of the view, or among all as if they were idle (`now`:
 * all that are up and not kept), into s->picked. SELECT_UNSURE: the nodes have
 * to be looked at. */
enum select_answer choose_by_counts(const struct schedule *,
	const struct sched_view *, const struct need *,
	const struct select_range *);
enum select_answer choose_by_counts_of_all(const struct schedule *,
	const struct need *, const struct select_range *, bool now);

/* Is there room on the node, in the view, for the job's part? */
bool has_room(const struct schedule *, const struct sched_view *,
	uint32_t index, const struct need *);

/* May it use the node at all, whatever is free? */
bool may_use(const struct schedule *, const struct sched_view *, uint32_t index,
	const struct need *);

/* How many nodes it may get: limits of the partition, which the QOS may lift, its
 * own, and with `limits` those above it. */
struct select_range range_of(const struct sched_job *,
	const struct sched_choice *, bool limits);

/* Fills the start from the first `n` of s->choosing, the chosen nodes. */
void keep_chosen(struct schedule *, const struct need *, struct sched_start *,
	size_t n);
