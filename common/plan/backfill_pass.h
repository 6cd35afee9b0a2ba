/*
 * What the parts of the backfill pass share: part of common/plan/backfill.h.
 */
#pragma once

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
	enum select_rule later; /* for starts that are not now; 0: as for these */
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
	uint32_t *promised, *shares, *amounts, *least;
};

enum try_outcome {
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
	bool need_whole;	  /* with amounts; the rest is pass.least */
	struct sched_words words; /* of sets of its nodes */
	int64_t seconds;
	bool no_reserve, counted, fit_known;
	bool by_counts; /* nodes are counts: common/plan/schedule_alike.c */
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

/* For a job that a limit refuses for its request or (`placed`) for the nodes it
 * would get: is there a later time at which limits let it run? Then the attempt
 * goes on with the limits of that time and starts no earlier. */
bool backfill_lift(struct attempt *, bool placed);

/* Would limits in force at the planned start (a->when), not those of now,
 * forbid the job? */
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

/* The set of nodes that have room for the job by `horizon` beside running jobs.
 * Call backfill_fits first. */
const uint64_t *backfill_early(struct attempt *, int64_t horizon);

/* Keep what backfill_fits knows up to date: after a job has started; after any
 * other change of the running jobs. */
void backfill_fits_start(struct pass *, const struct sched_start *);
void backfill_fits_forget(struct pass *);

/* Has the record enough licenses for the job? */
bool backfill_licenses_left(const struct attempt *, const struct ns_record *);

/*
 * With amounts: pass.promised is what of each node is taken by others, at most,
 * beside what runs at `from`: at any moment what is promised then, less what
 * running jobs have given back by then. (Where some of these may be preempted:
 * the most promised.) The first takes a record into account, the second sets
 * all to 0.
 */
void backfill_add_promised(const struct attempt *, const struct ns_record *,
	size_t node, int64_t from);
void backfill_nothing_promised(const struct attempt *);

/* With amounts: is pass.left known, the nodes that could hold it beside all that
 * is promised in its time? Are they too few for it? */
bool backfill_asks_left(const struct attempt *);
bool backfill_few_left(const struct attempt *);

/* Fills `promised` for the nodes in `left` during [from, end], where
 * backfill_walk has not done so. */
void backfill_promised_of_left(const struct attempt *, int64_t end);

/* Has the set at least as many nodes of the partition as the job takes? */
bool backfill_enough(const struct attempt *, const uint64_t *set);

/* ---- blocks of nodes: backfill_blocks.c -----------------------------------*/

/* Sets p->blocks where the pass may plan on them. */
void backfill_open_blocks(struct pass *);

/* Allocates the sets of the pass, wide enough for all nodes or blocks. */
void backfill_make_sets(struct pass *);

/* The first returns blocks->chosen as a set, valid until p->next is used again.
 * The second notes that the last of the running jobs runs on blocks->chosen.
 * Both cut blocks as needed. */
const uint64_t *backfill_take_blocks(struct pass *);
void backfill_start_on_blocks(struct pass *);

/* Without blocks: makes `set` the nodes of the attempt's start. */
void backfill_set_of(const struct attempt *, uint64_t *set);

/* Fills a->start.nodes where the nodes are known only as a set. */
void backfill_name_nodes(struct attempt *);

/* ---- one job -------------------------------------------------------------*/

/* Jobs of the QOS do not start before `until`; 0: they may start now. */
void backfill_block(struct pass *, uint32_t qos, int64_t until);
int64_t backfill_blocked(const struct pass *, uint32_t qos);

/* Are nodes kept for as many jobs of the partition as may be? A textbook policy
 * keeps them for all parts of a job. */
bool backfill_enough_reserved(const struct attempt *);

/* One try at a->later, or now. */
enum try_outcome backfill_try(struct attempt *);

struct backfill_rules backfill_rules_of(const struct pass *);

/* Insert one running job into p->order by its expected end, behind those with
 * the same end; and sort p->order of all running jobs. */
void backfill_put_in_order(struct pass *, uint32_t running);
void backfill_order_running(struct pass *);

/* Calls the watch hook. */
void backfill_tell(
	struct pass *, const struct sched_job *, const struct sched_plan *);

/* Puts a running job into the table: its nodes if it has them whole (not with
 * amounts), and its licenses. */
void backfill_insert_running(struct pass *, const struct sched_running *);

/* Starts the job of the attempt, keeps the running in order. */
void backfill_start(struct attempt *);

/* The last of the running jobs has just started like this. */
void backfill_note_start(struct pass *, const struct sched_start *);

/* Notes when the job is expected to run; `reserved`: its slot is in the
 * table. */
void backfill_plan(struct attempt *, bool reserved);

/* Inserts the job's slot, [start, end), into the table: what it takes there is
 * promised. */
void backfill_promise(
	struct pass *, const struct attempt *, int64_t start, int64_t end);

/* ---- jobs like one that found no slot ------------------------------------*/

/* Has a job with the same request and limits found no slot in this pass? */
bool backfill_same_shape(const struct attempt *);
void backfill_remember_shape(const struct attempt *);

/* ---- jobs of several parts -----------------------------------------------*/

/* The time at which all parts planned so far can start; 0: none is planned. */
int64_t backfill_het_time(const struct attempt *);

/* Are nodes kept for a part of its job? Notes that they are. */
bool backfill_het_kept(const struct attempt *);
void backfill_het_keep(const struct attempt *);

/* Notes that a part can start at a->when. True: all parts have been started now
 * (bf_hetjob_immediate). */
bool backfill_het_note(struct attempt *);

/* Starts the heterogeneous jobs whose parts can all start now. */
void backfill_het_start(struct pass *);

/* Gives all parts of a heterogeneous job one priority (bf_hetjob_prio). */
void backfill_het_priority(struct pass *);
