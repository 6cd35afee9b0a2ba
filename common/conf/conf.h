/*
 * Reads the site's slurm.conf and slurmdbd.conf, as far as Bursar needs them
 * (slurm.conf(5), slurmdbd.conf(5)). A site's files are read as they are:
 * unknown keywords are accepted; a bad value of a known keyword is the error
 * "<file>:<line>: <Slurm's sentence>".
 *
 * Everything lives in the arena given to the loader; there is nothing to
 * release. Memory is in MiB, times in the unit that each member names. "As
 * written": the text of the file, not interpreted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/conf/conf_index.h"
#include "common/conf/conf_lex.h"
#include "common/conf/policy.h"

/* AccountingStorageEnforce, or-ed; what a word implies is set too (safe: limits
 * and associations). */
enum conf_enforce {
	ENFORCE_ASSOCS = 1 << 0,
	ENFORCE_LIMITS = 1 << 1,
	ENFORCE_WCKEYS = 1 << 2,
	ENFORCE_QOS = 1 << 3,
	ENFORCE_SAFE = 1 << 4,
	ENFORCE_NO_JOBS = 1 << 5,
	ENFORCE_NO_STEPS = 1 << 6,
};

/* PrivateData, or-ed. */
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
	/* CPUs and sockets of the node, cores per socket, threads per core. */
	uint32_t cpus, sockets, cores, threads;
	uint64_t real_memory;			/* MiB */
	const struct conf_gres *gres;
	size_t n_gres;
	struct strv features;
	const char *state; /* as written, "UNKNOWN" when absent */
	uint32_t weight;
	uint32_t boards, tmp_disk; /* tmp_disk: MiB */
	const char *port;	   /* as written; NULL: the cluster's */
	const char *address, *host; /* the node's name when absent */
	const char *gres_text;	    /* Gres as written, or NULL */
};

enum partition_state {
	PARTITION_UP,
	PARTITION_DOWN,
	PARTITION_DRAIN,
	PARTITION_INACTIVE,
};

struct conf_partition {
	const char *name;
	const char *nodes_text; /* Nodes as written, or NULL */
	struct strv nodes; /* names, each once; ALL and NodeSets resolved */
	bool is_default;   /* true for at most one partition */
	bool hidden, root_only, req_resv, lln, exclusive_user, exclusive_topo;
	enum partition_state state;
	uint32_t max_time;     /* minutes, or INFINITE */
	uint32_t default_time; /* minutes, or INFINITE; NO_VAL: max_time */
	uint32_t
		over_time_limit; /* minutes, INFINITE; NO_VAL: the global one */
	uint32_t grace_time;	 /* seconds */
	uint32_t min_nodes, max_nodes; /* INFINITE: no limit */
	uint32_t max_cpus_per_node;    /* INFINITE: no limit */
	uint16_t priority_job_factor, priority_tier;
	const char *billing_weights; /* TRESBillingWeights, or NULL */
	const char *qos;	     /* or NULL */
	const char *preempt_mode;    /* as written; NULL: the global one */
	/* OverSubscribe: how many jobs may share a resource: 0 EXCLUSIVE, 1 NO,
	 * n YES:n or FORCE:n. */
	uint16_t max_share;
	bool share_force; /* FORCE */
	/* MiB, 0: none. At most one of each pair is set. If the partition sets
	 * neither, these are the global values. */
	uint64_t def_mem_per_cpu, def_mem_per_node;
	uint64_t max_mem_per_cpu, max_mem_per_node;
	/* Lower case. Empty allow: everyone; empty deny: nobody. If a partition
	 * has Allow, its Deny is ignored and empty. */
	struct strv allow_accounts, deny_accounts, allow_qos, deny_qos;
	struct strv allow_groups; /* as written */
	const char *alloc_nodes, *alternate, *job_defaults; /* or NULL */
	const char *select; /* its own SelectTypeParameters, as written, or NULL */
	bool no_root;			/* root runs nothing here */
	uint32_t max_cpus_per_socket;	/* INFINITE: no limit */
	const char *file;	  /* where it is defined */
	int line;
};

/* EnforcePartLimits: the limits of how many of its partitions (none, one, all)
 * a job must keep at its submission. */
enum enforce_parts { ENFORCE_PARTS_NO, ENFORCE_PARTS_ANY, ENFORCE_PARTS_ALL };

struct conf {
	const char *path;
	const char *cluster_name; /* lower case, or NULL */
	const char *slurm_user;	  /* "root" when absent */
	struct strv tres; /* AccountingStorageTRES, lower case, as listed */
	unsigned enforce; /* enum conf_enforce */
	unsigned private_data; /* enum conf_private */
	bool track_wckey;
	struct conf_license *licenses; /* counts of one name are added up */
	size_t n_licenses;
	const char *select_type, *select_type_parameters; /* or NULL */
	bool memory_consumable; /* memory is a consumable resource */
	struct strv gres_types;
	const char *scheduler_type;	  /* or NULL */
	const char *scheduler_parameters; /* as written, or NULL */
	const char *preempt_type, *preempt_mode, *preempt_exempt_time;
	uint32_t over_time_limit;		    /* minutes, or INFINITE */
	/* MinJobAge, seconds: how long after its end a job is still listed,
	 * because slurmctld would still know it. */
	uint32_t min_job_age;
	enum enforce_parts enforce_parts;
	uint64_t def_mem_per_cpu, def_mem_per_node; /* as in a partition */
	uint64_t max_mem_per_cpu, max_mem_per_node;
	struct policy policy;
	struct conf_node *nodes; /* in order of definition, each name once */
	size_t n_nodes;
	struct conf_partition *partitions;
	size_t n_partitions;
	struct conf_pairs all; /* every global key=value, known or not */
	/* Messages that Slurm's commands print to standard error. */
	struct strv warnings;
	/* The same: keywords that are nearly one of Slurm's. */
	struct strv hints;
	/* For `sacctmgr check`: "<file>:<line>: ...". */
	struct strv remarks;
	/* By name; use conf_node_by_name and conf_partition_by_name. */
	struct conf_index node_index, partition_index;
};

/* The configuration of an empty slurm.conf. */
void conf_defaults(struct conf *);

/*
 * Reads slurm.conf and the files it includes. Returns 0; -1 with `conf`
 * unchanged: a file cannot be read (ERR_SYSTEM, "cannot read PATH: why"), is
 * not a configuration, or has a bad value (ERR_USAGE).
 */
int conf_load(struct conf *, const char *slurm_conf_path, struct arena *,
	struct err *);

/* The same, then reads the lines of `more` (NULL: none) as if they came after
 * the file. A NodeName=DEFAULT of the file does not apply to them, and errors
 * about them name neither file nor line. A NULL path: only `more`. */
int conf_load_with(struct conf *, const char *slurm_conf_path,
	const struct strv *more, struct arena *, struct err *);

/* NULL: there is none of that name (case matters). */
const struct conf_partition *conf_partition_by_name(
	const struct conf *, const char *name);
/* The nth (from 0) with that QOS; NULL: none. */
const struct conf_partition *conf_partition_with_qos(
	const struct conf *, const char *qos, size_t nth);
const struct conf_node *conf_node_by_name(
	const struct conf *, const char *name);

/* By its State: nothing starts there. */
bool conf_node_is_down(const struct conf_node *);

/* The indexes of the nodes of a host list, in its order. Those that the file does
 * not have are left out; nothing is known of text that is no host list. */
struct conf_places {
	uint32_t *v;
	size_t n, unknown;
};
struct conf_places conf_nodes_listed(
	const struct conf *, const char *hostlist, struct arena *);

/* The time limit of a job in minutes, or INFINITE: `asked`, or if that is
 * NO_VAL (not given) the partition's DefaultTime, or else its MaxTime. It is
 * not cut to MaxTime. A NULL partition gives `asked`. */
uint32_t conf_minutes(const struct conf_partition *, uint32_t asked);

/* The partition marked Default=YES (the last one marked), or NULL. */
const struct conf_partition *conf_default_partition(const struct conf *);

/* slurmdbd.conf. Purge*After are as written, NULL when absent. */
struct conf_dbd {
	const char *path; /* where it is or would be */
	bool present;	  /* it exists and was read */
	const char *storage_type, *storage_loc; /* or NULL */
	const char *default_qos;		/* lower case, or NULL */
	const char *archive_dir;		/* "/tmp" when absent */
	const char *parameters;			/* or NULL */
	bool allow_no_def_acct, disable_coord, track_wckey;
	bool allow_own_jobs; /* AllowOwnJobRecords */
	bool preserve_case_user, preserve_case_resource;
	unsigned private_data; /* enum conf_private */
	const char *purge_event, *purge_job, *purge_job_env, *purge_job_script;
	const char *purge_resv, *purge_step, *purge_suspend, *purge_txn;
	const char *purge_usage;
	struct conf_pairs all; /* every key=value; may hold a password */
};

/*
 * Reads the slurmdbd.conf in the folder of the given slurm.conf. If there is
 * none, returns 0 with the defaults and `present` false. Errors are those of
 * conf_load, and ERR_DENIED where this user may not read it; a message shows no
 * line with a password.
 */
int conf_load_dbd(struct conf_dbd *, const char *slurm_conf_path,
	struct arena *, struct err *);
