/*
 * On which nodes a job fits, and when: part of common/plan/schedule.h.
 */
#pragma once

#include "common/plan/schedule.h"
#include "common/select/select.h"

/* What of the cluster a job may take. All zero: what is free now. */
struct sched_view {
	const uint64_t *usable; /* these nodes; NULL: all */
	bool future;		/* jobs that end by the horizon do not count */
	int64_t horizon;
	bool preempting; /* nor do jobs marked preemptable */
	enum select_rule rule; /* instead of the schedule's; 0: as that says */
	/* Promised to others, taken beside what runs: CPUs, memory and gres of
	 * every node, 2 + n_gres numbers each; NULL: nothing. */
	const uint32_t *promised;
	/* When each usable node has room for the job (sched_fit_times), used
	 * instead of looking at what runs there; NULL: unknown. */
	const int64_t *fit;
	/* Nodes with room beside what is promised; NULL: not known. */
	const uint64_t *left;
	/* Nodes whose jobs all end by the horizon; NULL: not known. */
	const uint64_t *early;
	/* The caller needs only the set of nodes: start->nodes may be NULL,
	 * then s->picked has them in the words of the partition, until the next
	 * job is placed. */
	bool unnamed;
};

#define SCHED_NEVER INT64_MAX

/* fit[index]: the time at which each usable node of the choice's partition has
 * room for its part of the job if nothing starts meanwhile: INT64_MIN: now,
 * SCHED_NEVER: never. `times` gets the `n` times that are not SCHED_NEVER. */
void sched_fit_times(const struct schedule *, const struct sched_job *,
	const struct sched_start *, const struct sched_view *, int64_t *fit,
	int64_t *times, size_t *n);

/* That time of one node. */
int64_t sched_fit_time(const struct schedule *, const struct sched_job *,
	const struct sched_partition *, const uint64_t *usable,
	uint32_t index);

/* Do both jobs need the same of a node of the partition, so that
 * sched_fit_times is the same for both? */
bool sched_needs_same(const struct schedule *, const struct sched_partition *,
	const struct sched_job *, const struct sched_job *);

/* The least of each amount (CPUs, memory, gres) that the job takes of a node of
 * the partition; true: it wants nodes of its own. */
bool sched_least(const struct schedule *, const struct sched_job *,
	const struct sched_partition *, uint32_t *least);

/* What sched_fit_times gives, kept for jobs with the same need. */
struct sched_fits {
	int64_t *fit;	  /* of every node */
	size_t n;	  /* that ever have room */
	uint32_t *sorted; /* their indexes, the earliest first ... */
	size_t n_sorted;  /* ... 0: not yet */
	uint64_t *early;  /* the set of the first n_early of them */
	size_t n_early;
};

struct blocks;

/* Where nodes are counts: a node has room when its job ends. */
struct sched_ends {
	const struct blocks *blocks; /* common/plan/blocks.h; NULL */
	const struct schedule *s;
	const uint32_t *order; /* running jobs by expected end */
	size_t n, cap;
	int64_t *when;	 /* those ends */
	uint64_t *steps; /* nodes that are idle after 0, 2^shift, ... of them */
	size_t words;
	unsigned shift;
	uint64_t *early; /* the set asked for last */
	bool made;
};

/* To be opened again when running jobs have changed, in the same arena. Blocks
 * are set before. */
void sched_ends_open(struct sched_ends *, const struct schedule *,
	const uint32_t *order, size_t n, struct arena *);

/* A block has become two; there is room for more blocks. */
void sched_ends_cut(struct sched_ends *, size_t block);
void sched_ends_grow(struct sched_ends *, struct arena *);

/* The nodes of a start that has none yet, and what the job gets of each. */
void sched_name_picked(
	struct schedule *, const struct sched_job *, struct sched_start *);

/* The nodes that are idle or whose job ends by then; until the next call. */
const uint64_t *sched_early(struct sched_ends *, int64_t horizon);

/* When `n` nodes of the set are idle: `from` if they are by then, else the end
 * of a running job; SCHED_NEVER. Ends after `until` (0: none) need not be looked
 * at: the answer is then SCHED_NEVER or a time after `until`. */
int64_t sched_when_idle(struct sched_ends *, const uint64_t *set,
	struct sched_words, size_t n, int64_t from, int64_t until);

/* May the job be planned in the partition by counts of nodes (sched_ends)? */
bool sched_ends_do(const struct schedule *, const struct sched_job *,
	const struct sched_partition *);

/* How many nodes of the choice's partition the job takes: as many as it asks
 * for, more if its CPUs need them; 0: it would not fit even on an idle cluster.
 * Of the choice only the partition and the flags of its QOS count. */
size_t nodes_needed(const struct schedule *, const struct sched_job *,
	const struct sched_choice *);

/* The smallest number of nodes of the partition, from `n` up, whose largest
 * could hold the CPUs; 0: not even all of them. */
size_t nodes_for_cpus(const struct sched_partition *, size_t n, uint32_t cpus);

/* Could the nodes of the partition that are up and not kept hold it, were they
 * empty? */
bool would_fit(struct schedule *, const struct sched_job *,
	const struct sched_choice *);

/* Is a node of the partition that is up and not kept used by an exclusive job,
 * or by any job where this one is exclusive? */
bool nodes_in_use(const struct schedule *, const struct sched_job *,
	const struct sched_partition *);

/* Nodes of the partition that are up and not kept for another job. */
size_t nodes_up(const struct schedule *, const struct sched_partition *);

/* Chooses start->n_nodes of the choice's partition; false: too few are free.
 * start->nodes is the schedule's until the next call: schedule_keep. */
bool place_job(struct schedule *, const struct sched_job *,
	struct sched_start *, const struct sched_view *);

/* Copies the nodes of the start into the arena. */
void schedule_keep(struct sched_start *, struct arena *);

/* CPUs of the job on each of its nodes. */
void start_shares(struct schedule *, const struct sched_job *,
	const struct sched_start *, const struct sched_partition *,
	uint32_t *shares);

/* An even part of an amount, rounded up. */
uint64_t share_of(uint64_t amount, uint64_t nodes);
