/*
 * Records what happened in the store: jobs and their steps, nodes, capacity,
 * reservations, each given as key=value words. Who may submit what, what a job
 * asks for, has and costs, and whether limits admit it is decided here, for
 * srecord, for its imports, and for what-if.
 *
 * A fact is recorded inside the caller's transaction, which the caller rolls
 * back when it is refused. Nothing here prints.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/nearest.h"
#include "common/base/words.h"
#include "common/table/complete.h"
#include "common/text/tres.h"
#include "db/entity/site.h"
#include "db/job/job.h"

struct job_facts;

/* One fact being recorded. */
struct recording {
	struct site *site;
	struct store *store; /* that of the site */
	struct owners *owners;
	struct nearest nearest; /* key to one that is unknown */
	struct arena arena;  /* of the fact being recorded */
	uint32_t new_id;     /* the id given to a job that came without one */
	bool only_own;	     /* the caller may record own jobs, nothing else */
	struct {
		uint32_t action; /* enum txn_action; 0: nothing to log */
		const char *cluster, *name;
	} log;
	struct err err;
};

/* A number that may not have been given. */
struct number {
	bool given;
	int64_t v;
};

/* How the text of a word is read, and what lies at its offset. */
enum word_type {
	WORD_TEXT,     /* const char * */
	WORD_LOWER,    /* const char *, lower-cased */
	/* The same, names in the store or in slurm.conf. */
	WORD_USER,
	WORD_PARTITION,
	WORD_ACCOUNT, /* these lower-cased */
	WORD_CLUSTER,
	WORD_QOS,
	WORD_WCKEY,
	WORD_HOSTS,    /* const char *: a host list */
	WORD_COUNT,    /* struct number, 0 and up */
	WORD_AMOUNT,   /* struct number, 1 and up */
	WORD_JOB,      /* the same, of a job */
	WORD_SIGNED,   /* struct number, -2147483645 to 2147483645 */
	WORD_PAST,     /* struct number: a time, rather in the past */
	WORD_AHEAD,    /* struct number: a time, rather in the future */
	WORD_MINUTES,  /* struct number: a time limit */
	WORD_SECONDS,  /* struct number: seconds, or [D-]HH:MM:SS */
	WORD_CPU_TIME, /* struct number: microseconds; read as WORD_SECONDS */
	WORD_CPU_MS,   /* the same: milliseconds */
	WORD_MIB,      /* struct number: memory, bare numbers are MiB */
	WORD_BYTES,    /* struct number: memory, bare numbers are KiB */
	WORD_STATE,    /* struct number: enum job_state */
	WORD_EXIT,     /* struct number: wait status from CODE[:SIGNAL] */
	WORD_HOLD,     /* struct number: enum job_hold */
	WORD_FLAGS,    /* struct number: bits of common/text/jobstate.h */
	WORD_STEP,     /* struct number: step id */
	WORD_TRES,     /* struct tres_list */
	WORD_CPUS_ON,  /* const char *: a number for each node, "10,1(x2)" */
	WORD_MIB_ON,   /* const char *: a memory size for each node */
	WORD_ARRAY,    /* const char *: tasks of an array, "1-10:3,12%2" */
	WORD_TYPES,    /* how many types there are */
};

struct word_row {
	const char *names; /* with minima, see common/base/words.h */
	enum word_type type;
	size_t offset;
	const char *help;
	const char *column; /* of the record it goes to as it is; NULL: none */
};

#define WORD_ROW(facts, names, type, member, column, help)                     \
	{names, WORD_##type, offsetof(struct facts, member), help, column}

/* Reads `n` words into the struct at `into`, zeroed before by the caller. The
 * table ends with NULL names. -1: a bad word, named in recording->err. */
int read_words(struct recording *, const struct word_row *, char **words, int n,
	void *into);

/* Those that are given and have a column go to its member of the record. */
void take_facts(const struct word_row *table, const void *facts,
	const struct members *, void *record);

/* Where the values of the word come from; FROM_NOTHING for one that is not in
 * the table. */
enum value_source word_source(const struct word_row *table, const struct word *);

/* Offers a key of the table or, behind its `=`, its values. */
void offer_facts(struct completion *, const struct word_row *table);

/* What is kept of look-ups while facts are recorded: associations, which they do
 * not change, until owners_end, in the same transaction; users of the machine
 * until owners_close. */
struct owners *owners_open(void);
void owners_end(struct owners *);
void owners_close(struct owners *);

/* ---- facts: inside a transaction; -1 with recording->err ------------------- */

/* X(name, what it is): each has its record_NAME and its NAME_words. */
#define RECORD_FACTS(X)                                                        \
	X(job, "a job: new, or more of what became of it")                     \
	X(step, "a step of a job")                                             \
	X(node, "a node is down, or up again; what one has")                   \
	X(cluster, "how large the cluster is from a time on")                  \
	X(reservation, "what is kept free, and for whom")

#define RECORD_FACT(name, help)                                                \
	int record_##name(struct recording *, char **words, int n);
RECORD_FACTS(RECORD_FACT)
#undef RECORD_FACT

/* Any of them, that the first word names, with the rights of the caller and the
 * entry of the transaction log. */
int record_fact(struct recording *, char **words, int n);

/* The same as a part of the open transaction. 1: it is refused, and leaves nothing
 * behind; -1: the store failed. */
int record_part(struct recording *, char **words, int n);

/* Is it a job that is to get its number? */
bool record_lacks_number(char **words, int n);

/* May such a fact wait until it can be recorded? Not with words that it cannot have,
 * and no job that is to get its number. What the store has is not asked. */
int record_may_wait(struct recording *, char **words, int n);

/* One job as `srecord job` would record it, in a transaction of its own, with
 * any caller's rights: for what-if, on a private store. `id` gets the number of
 * a new job that was given none. */
int record_submit(struct site *, char **words, int n, uint32_t *id,
	struct err *);

/* Adds the partitions that are up, that the job does not ask for, and whose
 * RootOnly, ReqResv and AllowGroups are for its user. */
void record_other_partitions(const struct conf *, const struct job *,
	struct arena *, struct strv *names);

/* ---- rights -------------------------------------------------------------- */

/* May the caller record such a fact at all? */
int rights_check(struct recording *, const char *fact);

/* For a caller who may record only own jobs: is this job the caller's, before
 * (NULL: new) and now? */
int rights_own_job(struct recording *, const struct job_facts *,
	const struct job *now, const struct job *before);

/* The fact at hand is to be in the transaction log. `cluster`: NULL is this
 * one. */
void log_fact(struct recording *, uint32_t action, const char *cluster,
	const char *name);

/* Does the record contradict what was known before? */
bool job_is_corrected(const struct recording *, const struct job_facts *,
	const struct job *before, const struct job *now);

/* Writes what log_fact asked for, with the words that were typed. */
int write_log(struct recording *, char **words, int n);

extern const struct word_row job_words[], step_words[], node_words[],
	cluster_words[], reservation_words[];

/* ---- the words of a job --------------------------------------------------*/

struct job_facts {
	struct number id, submit, eligible, begin, start, end;
	struct number array_job, array_task, het_job, het_offset;
	struct number cpus, nodes, mem, gpus, time_limit, time_min;
	struct number nice, priority, last_priority, site, hold, exclusive;
	struct number flags;
	struct number state, exit, derived_exit, suspended, restarts;
	struct number cputime, systime, maxrss;
	struct number nodes_max, tasks, cpus_per_task, tasks_per_node;
	struct number mem_per_cpu, gpus_per_task, gpus_per_socket;
	const char *user, *account, *cluster, *partition, *qos, *wckey, *name;
	const char *gres, *licenses, *nodelist, *constraints, *reservation;
	const char *std_in, *std_out, *std_err;
	const char *nodes_wanted, *nodes_excluded, *cpus_on, *mem_on;
	const char *array, *work_dir, *submit_line, *container, *dependency;
	const char *reason, *killed_by, *failed_node;
	const char *comment, *admin_comment, *system_comment, *extra;
	struct tres_list tres, alloc_tres;
};

/* Whether a pending submission may be refused as Slurm does, or the facts of
 * the past are only written down. */
bool job_is_past(const struct job *);

/* Adds the base state to a state that is only a flag. */
uint32_t job_full_state(uint32_t state);

/* Finds user, account, association, partition and QOS of the job. -1 with
 * recording->err. */
int job_owner(
	struct recording *, const struct job_facts *, struct job *, bool is_new);

/* Sets the job's association: its user's in its account (without one, in the
 * user's default account, which is set, too), for its partition or for all. NULL:
 * there is none. The user gets the store's spelling. `cluster`: its name. 0, or -1
 * with recording->err. */
struct assoc;
int job_assoc(struct recording *, const char *cluster, struct job *,
	struct arena *, struct assoc **);

/* The id of the QOS that the partition (NULL: none) has; 0: none. */
uint32_t job_part_qos(struct recording *, const struct conf_partition *);

/* Sets what the job asks for and has: TRES lists, memory, limits, billing.
 * `before` is the record so far, NULL for a new job. -1 with recording->err. */
int job_request(struct recording *, const struct job_facts *, struct job *,
	const struct job *before);

/* May this new job be submitted? Gives it the time that limits leave it, and
 * its user's wckey. In db/record/limits.c. */
int job_limits(struct recording *, const struct job_facts *, struct job *);

/* May it, as far as EnforcePartLimits goes? In db/record/partlimits.c. */
int job_part_limits(
	struct recording *, const char *cluster, const struct job *);

/* The partition a job runs in, or the first of its list; NULL when slurm.conf
 * has no partitions. */
const struct conf_partition *job_partition(
	struct recording *, const struct job *);

/* The key of the cluster by that name, NULL: this one. -1: unknown. */
int64_t find_cluster(struct recording *, const char *name);

/* Is it a node of the cluster (NULL: this one)? A refusal names the word and what
 * to do. */
int check_known_node(struct recording *, const char *cluster,
	const char *word, const char *node, const char *advice);

/* The uid of that user as text, or the name for an unknown user. */
const char *uid_text(struct arena *, const char *name);
