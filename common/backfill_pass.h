/*
 * What the parts of the backfill pass share: part of common/backfill.h.
 */
#ifndef BURSAR_BACKFILL_PASS_H
#define BURSAR_BACKFILL_PASS_H

#include "common/backfill.h"
#include "common/schedule_nodes.h"

/* The policy as numbers the pass goes by. */
struct backfill_rules {
	int64_t resolution;   /* of the table; seconds */
	int64_t window_end;   /* nothing is promised behind it */
	int64_t reserve_most; /* jobs of a partition; 0: all */
	bool exact;	      /* every end of a running job is tried */
	bool in_order;	      /* no job starts before the one in front */
	bool insert_started; /* whole-node jobs that start stand in the table */
	bool licenses;	     /* stand in the table */
	bool round_up;	     /* ends of slots, to the grid */
	bool end_counts; /* the second in which a job ends is its own, too */
	bool limits_of_tests; /* bf_max_job_... count */
};

struct backfill_shape;
struct backfill_het;
struct backfill_block;

struct pass {
	struct schedule *s;
	struct backfill *b;
	struct arena *arena, *scratch;
	struct backfill_rules rules;
	struct nodespace ns;
	uint32_t *order; /* running jobs by expected end */
	size_t n_order, cap_order;
	int64_t slept, yielded; /* microseconds: in all, when last */
	/* How often tested, by number; how many nodes are kept for. */
	uint32_t *of_user, *of_assoc, *of_partition, *of_user_partition;
	uint32_t *reserved;
	int64_t *not_before; /* of a partition, where order is kept */
	struct backfill_block *blocked; /* QOS whose limit is reached */
	struct backfill_shape *shapes;
	struct backfill_het *hets;
	/* Sets of nodes, amounts: of the attempt. */
	uint64_t *up, *ready, *usable, *next, *entry, *chosen;
	int64_t *fit, *times;
	uint32_t *promised, *shares, *amounts;
};

enum outcome {
	OUTCOME_NEXT_JOB,
	OUTCOME_NEXT_TASK,
	OUTCOME_LATER,
	OUTCOME_END
};

/* One job in one of its partitions, on its way to a place. */
struct attempt {
	struct pass *p;
	struct sched_job *job;
	const struct sched_choice *choice;
	size_t partition;
	struct sched_words words; /* of sets of its nodes */
	int64_t seconds;
	bool no_reserve, counted, fit_known;
	bool may_push;	    /* others aside */
	bool limit_reached; /* and assoc_limit_stop: it is planned, not started
			     */
	bool no_place;	    /* no slot of the window could hold it */
	int64_t from, later;
	uint32_t record; /* the first that ends behind `from` */
	uint32_t clear;	 /* see first_clear */
	struct sched_start start;
	int64_t when;
};

/* One try at a->later, or now. */
enum outcome backfill_try(struct attempt *);

/* Promised to running jobs that the table knows of. */
void backfill_insert_running(struct pass *, const struct sched_running *);

/* Starts the job of the attempt, keeps the running in order. */
void backfill_start(struct attempt *);

/* The last of the running has just started so. */
void backfill_note_start(struct pass *, const struct sched_start *);

/* Notes when the job is expected to run; `reserved`: it stands in the table. */
void backfill_plan(struct attempt *, bool reserved);

/* Takes the job's slot from the table. */
void backfill_promise(
	struct pass *, const struct attempt *, int64_t start, int64_t end);

/* ---- jobs like one that found no place -----------------------------------*/

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
