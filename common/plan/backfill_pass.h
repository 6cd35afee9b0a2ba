/*
 * What the parts of the backfill pass share: part of common/plan/backfill.h.
 */
#ifndef BURSAR_BACKFILL_PASS_H
#define BURSAR_BACKFILL_PASS_H

#include "common/plan/backfill.h"
#include "common/plan/blocks.h"
#include "common/plan/schedule_need.h"
#include "common/plan/schedule_nodes.h"

/* The policy as numbers the pass goes by. */
struct backfill_rules {
	int64_t resolution;   /* of the table; seconds */
	int64_t window_end;   /* nothing is promised after it */
	int64_t reserve_most; /* jobs of a partition; 0: all */
	bool exact;	      /* every end of a running job is tried */
	bool in_order;	      /* no job starts before an earlier one in the queue */
	bool insert_started; /* whole-node jobs that start go into the table */
	bool licenses;	     /* are kept in the table */
	bool round_up;	     /* ends of slots, to the grid */
	bool end_counts; /* the second in which a job ends is its own, too */
	bool reasons; /* it says why jobs wait, as slurmctld's does */
	bool limits_of_tests; /* bf_max_job_... count */
};

struct backfill_shape;
struct backfill_het;
struct backfill_block;
struct backfill_fit;

struct pass {
	struct schedule *s;
	struct backfill *b;
	struct arena *arena, *scratch;
	struct backfill_rules rules;
	struct nodespace ns;
	struct blocks *blocks; /* sets are of these; NULL: of nodes */
	bool owners; /* nodes may belong to a user */
	uint32_t *order; /* running jobs by expected end */
	size_t n_order, cap_order;
	int64_t slept, yielded; /* microseconds: in all, when last */
	/* Tests so far, by number; jobs with reserved nodes, by partition. */
	uint32_t *of_user, *of_assoc, *of_partition, *of_user_partition;
	uint32_t *reserved;
	int64_t *not_before; /* of a partition, where order is kept */
	struct backfill_block *blocked; /* QOS whose limit is reached */
	struct backfill_shape *shapes;
	struct backfill_het *hets;
	/* Sets of nodes and amounts of the present attempt. */
	uint64_t *up, *ready, *usable, *next, *entry, *chosen, *left;
	int64_t *fit, *times;
	struct backfill_fit *fit_sets, *fit_alone;
	struct sched_ends ends;
	uint32_t *promised, *shares, *amounts;
	struct counts_asked asked;
};

enum outcome {
	OUTCOME_NEXT_JOB,
	OUTCOME_NEXT_TASK,
	OUTCOME_LATER,
	OUTCOME_END
};

/* One job in one of its partitions, for which a slot is looked for. */
struct attempt {
	struct pass *p;
	struct sched_job *job;
	const struct sched_choice *choice;
	size_t partition;
	size_t n_nodes;		  /* it takes */
	size_t least; /* fewer cannot hold its CPUs, whichever; 0: none can */
	size_t need;		  /* nodespace_need, with amounts */
	struct sched_words words; /* of sets of its nodes */
	int64_t seconds;
	bool no_reserve, counted, fit_known;
	bool by_counts; /* nodes are counts: common/plan/schedule_alike.c */
	const struct counts_asked *asked; /* then, the pass's; or NULL */
	bool may_push;		/* it may preempt others */
	unsigned limit_reached; /* the reason, with assoc_limit_stop: it is
				 * planned, not started */
	int64_t lifts;		/* limits let it run from then on; 0: now */
	bool no_slot;		/* no slot of the window could hold it */
	int64_t from, later;
	uint32_t record; /* the first that ends after `from` */
	uint32_t clear;	 /* see first_clear */
	struct sched_start start;
	int64_t when;
};

/* ---- limits over time: backfill_limits.c ----------------------------------*/

/* A limit refuses it, for what it asks or (`placed`) where it would run. Is there
 * a time after which limits let it? Then it is tried with these, from then on. */
bool backfill_lift(struct attempt *, bool placed);

/* Would limits forbid it at the time it would start, though not now? */
bool backfill_forbidden(struct attempt *);

/* ---- the table over the time of the job ----------------------------------*/

struct ns_record *backfill_record(const struct attempt *, uint32_t index);

/* Moves a->record to the first that ends after a->from. */
void backfill_find_record(struct attempt *);

/*
 * The nodes left during [from, end] become `usable` and `promised`; the first
 * end of a record after which more are left becomes `later`. False: too few to
 * be worth a test.
 */
bool backfill_walk(struct attempt *, int64_t end);

/* When each node of the partition has room beside the running jobs. NULL where
 * a->by_counts. */
const struct sched_fits *backfill_fits(struct attempt *);

/* Nodes that have room by then. To be called after backfill_fits. */
const uint64_t *backfill_early(struct attempt *, int64_t horizon);

/* A job has started like this; the running jobs have changed otherwise. */
void backfill_fits_start(struct pass *, const struct sched_start *);
void backfill_fits_forget(struct pass *);

bool backfill_licenses_left(const struct attempt *, const struct ns_record *);

/* Raises `promised`, the most promised of each node of the partition, by what
 * this record has; sets it to nothing. */
void backfill_add_promised(const struct attempt *, const struct ns_record *);
void backfill_nothing_promised(const struct attempt *);

/* With amounts: is `left` known, nodes with room beside all that is promised
 * in the time of the job? Are they too few? */
bool backfill_knows_left(const struct attempt *);
bool backfill_few_left(const struct attempt *);

/* What is promised of those in [from, end], where backfill_walk left it open. */
void backfill_promised_of_left(const struct attempt *, int64_t end);

/* Are as many nodes of the partition in the set as the job takes? */
bool backfill_enough(const struct attempt *, const uint64_t *set);

/* ---- blocks of nodes: backfill_blocks.c -----------------------------------*/

/* Sets p->blocks where the pass may plan on them. */
void backfill_open_blocks(struct pass *);

/* Rooms for sets of nodes, or of as many blocks as there may be now. */
void backfill_make_sets(struct pass *);

/* What was chosen for the present attempt as a set, until another is made; the
 * last of the running jobs has taken it. */
const uint64_t *backfill_take_blocks(struct pass *);
void backfill_start_on_blocks(struct pass *);

/* Without blocks: the nodes of the attempt's start. */
void backfill_set_of(const struct attempt *, uint64_t *set);

/* The attempt's start, where it is known only as a set, gets its nodes. */
void backfill_name_nodes(struct attempt *);

/* ---- one job -------------------------------------------------------------*/

/* Jobs of the QOS do not start before `until`; 0: they may start now. */
void backfill_block(struct pass *, uint32_t qos, int64_t until);
int64_t backfill_blocked(const struct pass *, uint32_t qos);

/* One try at a->later, or now. */
enum outcome backfill_try(struct attempt *);

struct backfill_rules backfill_rules_of(const struct pass *);

/* Puts a running job in order of its expected end, behind those that end then;
 * all of them. */
void backfill_put_in_order(struct pass *, uint32_t running);
void backfill_order_running(struct pass *);

/* Calls the watch hook. */
void backfill_tell(
	struct pass *, const struct sched_job *, const struct sched_plan *);

/* Promised to running jobs that the table knows of. */
void backfill_insert_running(struct pass *, const struct sched_running *);

/* Starts the job of the attempt, keeps the running in order. */
void backfill_start(struct attempt *);

/* The last of the running jobs has just started like this. */
void backfill_note_start(struct pass *, const struct sched_start *);

/* Notes when the job is expected to run; `reserved`: its slot is in the table. */
void backfill_plan(struct attempt *, bool reserved);

/* Takes the job's slot from the table. */
void backfill_promise(
	struct pass *, const struct attempt *, int64_t start, int64_t end);

/* ---- jobs like one that found no slot ------------------------------------*/

bool backfill_same_shape(const struct attempt *);
void backfill_remember_shape(const struct attempt *);

/* ---- jobs of several parts -----------------------------------------------*/

/* When the parts planned so far can start. */
int64_t backfill_het_time(const struct attempt *);

/* A part can start at a->when; true: with it all did (bf_hetjob_immediate). */
bool backfill_het_note(struct attempt *);

/* Starts those whose parts can all start now. */
void backfill_het_start(struct pass *);

/* One priority for all parts: bf_hetjob_prio. */
void backfill_het_priority(struct pass *);

#endif
