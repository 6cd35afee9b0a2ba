/*
 * Limits: may this job be submitted, may it start now, and if not, which limit
 * forbids it (Slurm's src/slurmctld/acct_policy.c). Pure: takes the limits and
 * the usage of each level, gives a reason of common/text/reason.h. The caller
 * decides whether limits are enforced at all.
 *
 * The levels of a job form a chain: partition QOS and job QOS (the one whose
 * limits win first), its association, the accounts above up to the root. A
 * limit that a QOS sets overrides the same limit of all later levels; limits of
 * associations all apply.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/numbers.h"
#include "common/text/tres.h"

/* Limits that are one number; INFINITE (or NO_VAL): no limit. Wall limits are
 * in minutes. Those marked "associations" or "QOS" exist only there. */
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

/* Limits that are a list of TRES; no entry: no limit on that TRES. *_MINS: in
 * TRES-minutes. PJ, PN, PA, PU: per job, node, account, user. */
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

/* What counts against limits in one QOS or association, or of one user or
 * account in a QOS. */
struct limit_usage {
	uint32_t jobs;		    /* running */
	uint32_t submit;	    /* pending and running */
	uint32_t accruing;	    /* pending that accrue age; LIMITS_SHOWN */
	uint64_t wall;		    /* decayed seconds used */
	long double raw;	    /* decayed RawUsage; LIMITS_SHOWN */
	struct tres_list tres;	    /* allocated to running jobs */
	uint64_t run_wall;	    /* seconds running jobs may yet use */
	struct tres_list run_secs;  /* TRES-seconds running jobs may yet use */
	struct tres_list used_secs; /* decayed TRES-seconds used */
	uint32_t *node_jobs;	    /* jobs running, by node; NULL: not kept */
};

struct limit_level {
	bool qos;
	bool no_decay;	  /* usage here does not decay */
	const char *name; /* whose limits, for people: "QOS normal"; NULL */
	int64_t key;	  /* of the QOS or association; for the caller */
	uint32_t number[LIMIT_NUMBERS];
	struct tres_list tres[LIMIT_TRES_LISTS];
	/* For each limit that an association inherits: how many levels further
	 * up it is set. 0, or no entry in the list: it is set at this level. */
	uint16_t number_up[LIMIT_NUMBERS];
	struct tres_list tres_up[LIMIT_TRES_LISTS];
	/* Usage of the whole QOS or association; and in a QOS that of the job's
	 * user and account (NULL for associations). NULL: no usage. */
	struct limit_usage *all, *user, *account;
};

/* All levels for the jobs of one association, QOS and partition. */
struct limit_chain {
	struct limit_level *levels;
	size_t n, n_qos;     /* levels; the first n_qos are QOS, at most two */
	bool deny;	     /* a QOS has DenyOnLimit, or there is no QOS */
	double usage_factor; /* of the job's QOS; 1 */
	bool usage_factor_safe; /* flag UsageFactorSafe: minutes times factor */
	double limit_factor;  /* LimitFactor: times GrpTRES and MaxTRESPerJob
				 of associations; 0: unchanged */
	bool below_threshold; /* fair share is below UsageThreshold */
	uint32_t default_time, max_time; /* minutes of the partition; NO_VAL */
	bool safe;			 /* AccountingStorageEnforce=safe */
	const struct policy *policy; /* how usage decays; NULL: it does not */
	const struct tres_catalog *catalog;
};

struct limit_job {
	const struct tres_list *tres; /* with billing; mem in MiB */
	uint32_t time_limit;	      /* minutes; NO_VAL: none given */
	uint32_t tasks;		      /* array tasks in the record; else 1 */
	/* The nodes it would run on, ascending indexes; NULL: not chosen. */
	const uint32_t *nodes;
	size_t n_nodes;
	bool anywhere; /* nodes not chosen: it may share nodes with jobs counted
			* at the same level */
};

struct assoc;
struct policy;
struct qos;

/* Sets the level to no limits and no usage. */
void limit_level_init(struct limit_level *);

/* The limits that a QOS or an association itself sets are those of the level;
 * lists share memory with it. */
void limit_level_of_qos(struct limit_level *, const struct qos *);
void limit_level_of_assoc(struct limit_level *, const struct assoc *);

/* Max limits that the association of the level does not set come from that
 * above, per TRES. */
void limit_level_inherit(struct limit_level *, const struct limit_level *above,
	struct arena *);

/*
 * Why the job may not be submitted, REASON_NONE when it may. MaxSubmit and
 * GrpSubmit limits always refuse; limits on size and time only with `deny`.
 */
unsigned limits_submit(const struct limit_chain *, const struct limit_job *);

/*
 * Why the job may not start now, REASON_NONE when it may. A limit that the job
 * exceeds by itself is named before one that is only used up now.
 */
unsigned limits_start(const struct limit_chain *, const struct limit_job *);

/* limits_start as far as it can be told before the job has nodes: limits on
 * numbers of jobs and wall time, and TRES limits that the request exceeds by
 * itself and that are not shared with other jobs. */
unsigned limits_count(const struct limit_chain *, const struct limit_job *);

/* The most nodes that TRES limits let one job have; INFINITE: any number. */
uint32_t limits_most_nodes(const struct limit_chain *);

/*
 * The limit for which slurmctld would end a running job: GrpTRESMins, GrpWall
 * or MaxTRESMins reached, the job having run for `seconds`. REASON_NONE: it may
 * run on. With AccountingStorageEnforce=safe no job is ended, nor is any for
 * limits of the root.
 */
unsigned limits_reached(
	const struct limit_chain *, const struct limit_job *, uint64_t seconds);

/* The limit behind a reason. Amounts are in the limit's unit: a number,
 * minutes, or a count of the TRES. */
struct limit_breach {
	const struct limit_level *level;
	const char *word; /* its name in sacctmgr: "MaxTRESPerUser" */
	uint32_t tres;	  /* id; 0: the limit is one number */
	bool minutes;	  /* the number is of minutes (wall limits) */
	uint64_t limit;
	uint64_t set; /* as it is set: before LimitFactor */
	const struct limit_level *set_on; /* where it is set: level or above */
	uint64_t asked;			  /* what the job asks for */
	bool shared;  /* other jobs count against it, too: limits_in_use */
	bool group;   /* Grp*: all associations below share it */
	bool of_one;  /* per user or per account of a QOS */
	bool lasting; /* the job exceeds it by itself */
	size_t at;    /* index of the level in the chain */
	int kind;     /* private to limits.c */
};

/* As limits_start; also puts the limit that forbids the start into `breach`
 * (which may be NULL). breach->level is NULL when no limit does. */
unsigned limits_start_breach(const struct limit_chain *,
	const struct limit_job *, struct limit_breach *);

/* An amount as the limit's value is written: "cpu=100", "1-00:00:00". */
const char *limits_value(const struct limit_breach *, uint64_t amount,
	const struct tres_catalog *, struct arena *);

/* How much of the limit is in use in the chain; 0 for a limit that jobs do not
 * share. The chain may be another one with the same levels, with the usage of
 * another moment. */
uint64_t limits_in_use(const struct limit_chain *, const struct limit_breach *);

/* How much more of the limit running jobs may use up; NO_VAL64 where they hold
 * what they have, or do not share the limit. */
uint64_t limits_to_come(const struct limit_chain *, const struct limit_breach *);

/* Is it a limit on what jobs have used? *when: no earlier than then usage will
 * have decayed so far that the job may start, or have been reset; 0: it never
 * will. */
bool limits_decays(const struct limit_chain *, const struct limit_breach *,
	int64_t now, int64_t *when);

/* How much of that usage counts against a limit: of an enum limit_number (tres 0),
 * or LIMIT_NUMBERS + an enum limit_tres; NO_VAL64 where jobs do not share it. */
uint64_t limit_used(const struct limit_usage *, int kind, uint32_t tres);

/* Calls `each` with every limit that applies to jobs of the chain, level by
 * level, but not with limits that a QOS overrides. breach->asked has no meaning
 * there. */
void limits_each(const struct limit_chain *,
	void (*each)(void *arg, const struct limit_breach *), void *arg);

/* Minutes the job may run: its own time limit, else the partition's default,
 * else the least of the partition's maximum, MaxWall, GrpWall and, with `deny`,
 * the minutes in which it would use up a limit on TRES-minutes. INFINITE: no
 * limit. */
uint32_t limits_wall(const struct limit_chain *, const struct limit_job *);

/* The job starts: adds it to the usage of all levels of the chain, with
 * limits_wall minutes to run. */
void limits_begin(
	const struct limit_chain *, const struct limit_job *, struct arena *);

/* Adds one running job to one usage: jobs, tres, node_jobs, and what it may use
 * yet for the `seconds` it may still run, times `factor` (UsageFactor). */
void limit_usage_add(struct limit_usage *, const struct limit_job *,
	uint64_t seconds, double factor, struct arena *);
