/*
 * Limits: may this job be submitted, may it start now, and if not, which limit
 * says so (spec/priority.md 8.2 - 8.4). Pure: takes levels with their limits
 * and what is in use there, gives a reason. Whether limits are enforced at all
 * the caller decides.
 *
 * The levels of a job form a chain: partition QOS and job QOS (the one whose
 * limits win first), its association, the accounts above. A limit that a QOS
 * sets overrides the same limit of all later levels; limits of associations all
 * apply.
 */
#ifndef BURSAR_LIMITS_H
#define BURSAR_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/text/tres.h"

/* Numbers; INFINITE (or NO_VAL): no limit. Minutes where it is about time. */
enum limit_number {
	LIMIT_GRP_JOBS,
	LIMIT_GRP_SUBMIT,
	LIMIT_GRP_WALL,
	LIMIT_MAX_JOBS,	     /* associations */
	LIMIT_MAX_JOBS_PA,   /* QOS */
	LIMIT_MAX_JOBS_PU,   /* QOS */
	LIMIT_MAX_SUBMIT,    /* associations */
	LIMIT_MAX_SUBMIT_PA, /* QOS */
	LIMIT_MAX_SUBMIT_PU, /* QOS */
	LIMIT_MAX_WALL,
	LIMIT_NUMBERS,
};

/* TRES lists; an entry that is missing: no limit. */
enum limit_tres {
	LIMIT_GRP,
	LIMIT_GRP_MINS,
	LIMIT_GRP_RUN_MINS,
	LIMIT_PJ,
	LIMIT_PN,
	LIMIT_MINS_PJ,
	LIMIT_PA,	   /* QOS */
	LIMIT_PU,	   /* QOS */
	LIMIT_RUN_MINS_PA, /* QOS */
	LIMIT_RUN_MINS_PU, /* QOS */
	LIMIT_MIN_PJ,	   /* QOS */
	LIMIT_TRES_LISTS,
};

/* What is in use somewhere. Seconds; lists by TRES. */
struct limit_usage {
	uint32_t jobs;		    /* running */
	uint32_t submit;	    /* waiting and running */
	uint64_t wall;		    /* used, decayed */
	struct tres_list tres;	    /* of running jobs */
	struct tres_list run_secs;  /* what running jobs may use yet */
	struct tres_list used_secs; /* used, decayed */
	uint32_t *node_jobs;	    /* running on each node; NULL: not needed */
};

struct limit_level {
	bool qos;
	bool no_decay;	  /* usage here does not decay */
	const char *name; /* whose limits, for people: "QOS normal"; NULL */
	int64_t key;	  /* the caller's, of the QOS or association */
	uint32_t number[LIMIT_NUMBERS];
	struct tres_list tres[LIMIT_TRES_LISTS];
	/* How many levels further up each was set that an association has from
	 * above; 0, or not in the list: here. */
	uint16_t number_up[LIMIT_NUMBERS];
	struct tres_list tres_up[LIMIT_TRES_LISTS];
	/* In use in the whole QOS or association; of this user and of this
	 * account in the QOS (NULL for associations). */
	struct limit_usage *all, *user, *account;
};

/* Everything above one kind of jobs: same association, QOS and partition. */
struct limit_chain {
	struct limit_level *levels;
	size_t n, n_qos;     /* the QOS come first, at most two */
	bool deny;	     /* one of them has DenyOnLimit, or there is none */
	double usage_factor; /* of the job's QOS; 1 */
	bool usage_factor_safe;
	double limit_factor;  /* times GrpTRES and MaxTRESPerJob of the
				 associations; 0: as they are */
	bool below_threshold; /* fair share is below the QOS's threshold */
	uint32_t default_time, max_time; /* minutes of the partition; NO_VAL */
	bool safe;			 /* AccountingStorageEnforce=safe */
	const struct tres_catalog *catalog;
};

struct limit_job {
	const struct tres_list *tres; /* with billing; mem in MiB */
	uint32_t time_limit;	      /* minutes; NO_VAL: none given */
	uint32_t tasks;		      /* of an array in one record; else 1 */
	/* The nodes it would run on, ascending indexes; NULL: not chosen. */
	const uint32_t *nodes;
	size_t n_nodes;
	bool anywhere; /* while not chosen: perhaps those its group has */
};

/* No limit at all, no usage. */
void limit_level_init(struct limit_level *);

/*
 * Why the job may not be submitted, REASON_NONE when it may. Counts of
 * submitted jobs always refuse, size and time only with `deny`.
 */
unsigned limits_submit(const struct limit_chain *, const struct limit_job *);

/*
 * Why the job may not start now, REASON_NONE when it may. A limit that the job
 * exceeds by itself is named before one that is only used up now.
 */
unsigned limits_start(const struct limit_chain *, const struct limit_job *);

/* The same as far as it is known before it has nodes: numbers of jobs, wall
 * time, the request by itself. */
unsigned limits_count(const struct limit_chain *, const struct limit_job *);

/* Nodes that limits let a job have at most; INFINITE: any number. */
uint32_t limits_most_nodes(const struct limit_chain *);

/*
 * The limit that a running job has reached, for which a controller would end
 * it: minutes used in a group, wall time of a group, minutes of the job, which
 * has run for `seconds`. REASON_NONE: it may go on; so may any under
 * AccountingStorageEnforce=safe, and limits of the root end no job.
 */
unsigned limits_reached(
	const struct limit_chain *, const struct limit_job *, uint64_t seconds);

/* The limit behind a reason. */
struct limit_breach {
	const struct limit_level *level;
	const char *word; /* sacctmgr's: "MaxTRESPerUser" */
	uint32_t tres;	  /* id; 0: none, the limit is a number */
	bool minutes;	  /* the number is of minutes */
	uint64_t limit;
	const struct limit_level *set_on; /* level, or where it has it from */
	uint64_t asked;			  /* by the job, in the limit's unit */
	bool shared;  /* with other jobs; see limits_in_use */
	bool group;   /* by all below, where an association has it */
	bool of_one;  /* of each user or account of a QOS */
	bool lasting; /* the job exceeds it by itself */
	size_t at;    /* index of the level */
	int kind;     /* limits.c knows which */
};

/* As limits_start; where a limit says no, it is in `breach`, whose level is
 * else NULL. */
unsigned limits_start_breach(const struct limit_chain *,
	const struct limit_job *, struct limit_breach *);

/* How much of the limit is in use in the chain, in the limit's unit; 0 for a
 * limit that jobs do not share. The chain may be that of another moment. */
uint64_t limits_in_use(const struct limit_chain *, const struct limit_breach *);

/* Calls `each` with every limit that holds for such jobs, level by level: not
 * with what a QOS hides. Nothing is asked there. */
void limits_each(const struct limit_chain *,
	void (*each)(void *arg, const struct limit_breach *), void *arg);

/* Minutes the job will be allowed to run: its own limit, else the partition's
 * default, else the least of the partition's maximum (INFINITE), MaxWall and
 * GrpWall, and with `deny` what limits on minutes of a TRES leave it. */
uint32_t limits_wall(const struct limit_chain *, const struct limit_job *);

/* The job starts: everything above counts it from now on. */
void limits_begin(
	const struct limit_chain *, const struct limit_job *, struct arena *);

/* One level and one user or account of it: `sign` 1 or -1. `minutes`: what it
 * may use yet, times `factor`. */
void limit_usage_add(struct limit_usage *, const struct limit_job *,
	uint64_t seconds, double factor, struct arena *);

#endif
