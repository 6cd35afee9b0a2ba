/*
 * The site's slurm.conf and slurmdbd.conf, as far as this suite needs them
 * (spec/priority.md 9, backfill.md 4 and 5.2). A real site's files are read
 * as they are: unknown keywords pass, a bad value of a known one is an error
 * "<file>:<line>: <Slurm's sentence>".
 *
 * Everything lives in the arena given to the loader; there is nothing to
 * release. Memory is in MiB, times as each member says.
 */
#ifndef BURSAR_CONF_H
#define BURSAR_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/conf/conf_index.h"
#include "common/conf/conf_lex.h"
#include "common/conf/policy.h"

/* AccountingStorageEnforce; what a word implies is set too (safe: limits and
 * associations). */
enum conf_enforce {
	ENFORCE_ASSOCS = 1 << 0,
	ENFORCE_LIMITS = 1 << 1,
	ENFORCE_WCKEYS = 1 << 2,
	ENFORCE_QOS = 1 << 3,
	ENFORCE_SAFE = 1 << 4,
	ENFORCE_NO_JOBS = 1 << 5,
	ENFORCE_NO_STEPS = 1 << 6,
};

enum conf_private {
	PRIVATE_ACCOUNTS = 1 << 0,
	PRIVATE_EVENTS = 1 << 1,
	PRIVATE_JOBS = 1 << 2,
	PRIVATE_NODES = 1 << 3,
	PRIVATE_PARTITIONS = 1 << 4,
	PRIVATE_RESERVATIONS = 1 << 5,
	PRIVATE_USAGE = 1 << 6,
	PRIVATE_USERS = 1 << 7,
	PRIVATE_ALL = (1 << 8) - 1,
};

struct conf_license {
	const char *name;
	uint32_t count;
};

struct conf_gres {
	const char *name; /* "gpu" */
	const char *type; /* "a100", or NULL */
	uint64_t count;
};

struct conf_node {
	const char *name;
	uint32_t cpus, sockets, cores, threads; /* cores per socket, ... */
	uint64_t real_memory;			/* MiB */
	const struct conf_gres *gres;
	size_t n_gres;
	struct strv features;
	const char *state; /* as written, "UNKNOWN" when absent */
	uint32_t weight;
	uint32_t boards, tmp_disk; /* MiB */
	const char *port;	   /* as written; NULL: the cluster's */
	const char *address, *host; /* its name where nothing else is said */
	const char *gres_text;	    /* as written, or NULL */
};

enum partition_state {
	PARTITION_UP,
	PARTITION_DOWN,
	PARTITION_DRAIN,
	PARTITION_INACTIVE,
};

struct conf_partition {
	const char *name;
	const char *nodes_text; /* as written, or NULL */
	struct strv nodes;	/* expanded, each once; ALL and sets resolved */
	bool is_default;	/* true for one partition at most */
	bool hidden, root_only, req_resv, lln, exclusive_user, exclusive_topo;
	enum partition_state state;
	uint32_t max_time;     /* minutes, INFINITE */
	uint32_t default_time; /* minutes, INFINITE; NO_VAL: max_time */
	uint32_t
		over_time_limit; /* minutes, INFINITE; NO_VAL: the global one */
	uint32_t grace_time;	 /* seconds */
	uint32_t min_nodes, max_nodes; /* INFINITE: no limit */
	uint32_t max_cpus_per_node;    /* INFINITE: no limit */
	uint16_t priority_job_factor, priority_tier;
	const char *billing_weights; /* TRESBillingWeights, or NULL */
	const char *qos;	     /* or NULL */
	const char *preempt_mode;    /* as written; NULL: the global one */
	/* Jobs that may share a node: 0 EXCLUSIVE, 1 NO, n YES:n or FORCE:n. */
	uint16_t max_share;
	bool share_force;
	/* MiB, 0: none. At most one of a pair is set; with neither, what the
	 * global defaults say has been put here. */
	uint64_t def_mem_per_cpu, def_mem_per_node;
	uint64_t max_mem_per_cpu, max_mem_per_node;
	/* Lower case; empty: everyone, nobody. Deny is empty beside Allow. */
	struct strv allow_accounts, deny_accounts, allow_qos, deny_qos;
	struct strv allow_groups; /* as written */
	const char *alloc_nodes, *alternate, *job_defaults; /* or NULL */
	bool no_root;			/* root runs nothing here */
	uint32_t max_cpus_per_socket;	/* INFINITE: no limit */
	const char *file;	  /* where it was defined */
	int line;
};

/* EnforcePartLimits: of how many of its partitions a new job must keep. */
enum enforce_parts { ENFORCE_PARTS_NO, ENFORCE_PARTS_ANY, ENFORCE_PARTS_ALL };

struct conf {
	const char *path;
	const char *cluster_name; /* lower case, or NULL */
	const char *slurm_user;	  /* "root" when absent */
	struct strv tres; /* AccountingStorageTRES, lower case, as listed */
	unsigned enforce; /* enum conf_enforce */
	unsigned private_data; /* enum conf_private */
	bool track_wckey;
	struct conf_license *licenses; /* same names added up */
	size_t n_licenses;
	const char *select_type, *select_type_parameters; /* or NULL */
	bool memory_consumable;
	struct strv gres_types;
	const char *scheduler_type;	  /* or NULL */
	const char *scheduler_parameters; /* as written, or NULL */
	const char *preempt_type, *preempt_mode, *preempt_exempt_time;
	uint32_t over_time_limit;		    /* minutes, INFINITE */
	enum enforce_parts enforce_parts;
	uint64_t def_mem_per_cpu, def_mem_per_node; /* as in a partition */
	uint64_t max_mem_per_cpu, max_mem_per_node;
	struct policy policy;
	struct conf_node *nodes; /* in order of definition, each name once */
	size_t n_nodes;
	struct conf_partition *partitions;
	size_t n_partitions;
	struct conf_pairs all; /* every global key=value, known or not */
	/* Messages Slurm's commands print on stderr and go on. */
	struct strv warnings;
	/* What `sacctmgr check` may say: "<file>:<line>: ...". */
	struct strv remarks;
	struct conf_index node_index, partition_index; /* use the look-ups */
};

/* The configuration of a site that wrote nothing down. */
void conf_defaults(struct conf *);

/*
 * Reads slurm.conf and what it includes. -1 with `conf` untouched: the file
 * cannot be read (ERR_SYSTEM, "cannot read PATH: why"), is not a configuration,
 * or holds a bad value (ERR_USAGE).
 */
int conf_load(struct conf *, const char *slurm_conf_path, struct arena *,
	struct err *);

/* The same with more lines behind those of the file, which may be NULL, and whose
 * NodeName=DEFAULT is not theirs. An error about one of these names no place. */
int conf_load_with(struct conf *, const char *slurm_conf_path,
	const struct strv *more, struct arena *, struct err *);

/* NULL when none has that name (case matters). */
const struct conf_partition *conf_partition_by_name(
	const struct conf *, const char *name);
const struct conf_node *conf_node_by_name(
	const struct conf *, const char *name);

/* How long a job that asks for so many minutes (NO_VAL: not given) may run in
 * the partition (NULL: in none). */
uint32_t conf_minutes(const struct conf_partition *, uint32_t asked);

/* The partition marked Default=YES (the last one marked), or NULL. */
const struct conf_partition *conf_default_partition(const struct conf *);

/* slurmdbd.conf. Purge*After are as written, NULL when absent. */
struct conf_dbd {
	const char *path; /* where it is or would be */
	bool present;	  /* there, and read */
	bool unreadable;  /* there, but this user may not read it */
	const char *storage_type, *storage_loc; /* or NULL */
	const char *default_qos;		/* lower case, or NULL */
	const char *archive_dir;		/* "/tmp" when absent */
	const char *parameters;			/* or NULL */
	bool allow_no_def_acct, disable_coord, track_wckey;
	bool allow_own_jobs; /* users may record their own */
	bool preserve_case_user, preserve_case_resource;
	unsigned private_data; /* enum conf_private */
	const char *purge_event, *purge_job, *purge_job_env, *purge_job_script;
	const char *purge_resv, *purge_step, *purge_suspend, *purge_txn;
	const char *purge_usage;
	struct conf_pairs all; /* every key=value; may hold a password */
};

/*
 * Reads the slurmdbd.conf beside the given slurm.conf. No such file, and one
 * that only the store's owner may read, are fine: the defaults, with
 * `present` false. Otherwise as conf_load.
 */
int conf_load_dbd(struct conf_dbd *, const char *slurm_conf_path,
	struct arena *, struct err *);

/* Seconds a job is remembered after its end. */
int64_t conf_min_job_age(const struct conf *);

#endif
