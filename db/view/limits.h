/*
 * Limits and what is in use under them, out of the store, in the form that
 * common/fair/limits.h takes (Slurm's src/slurmctld/acct_policy.c).
 * Associations are read when a job asks for them: a submission reads one branch
 * of the tree.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/conf/conf.h"
#include "common/fair/limits.h"
#include "common/table/qos.h"
#include "db/entity/site.h"

struct accrue_times;
struct limits_assoc;
struct limits_qos;
struct limits_chain;

/* How much is read of what is in use. */
enum limits_detail {
	LIMITS_SUBMITTED, /* the number of pending and running jobs: for checks
			     of submissions */
	LIMITS_RUNNING,	  /* what running jobs hold, and decayed usage: for
			     checks of starts */
	LIMITS_BOTH,
	LIMITS_SHOWN,	  /* all there is, whether or not a limit asks */
};

struct limits {
	struct store *store;
	const struct conf *conf;
	struct arena *arena;
	int64_t cluster; /* key */
	int64_t at;
	enum limits_detail detail;
	struct limits_assoc *assocs; /* hash table by key */
	struct limits_qos *qos;	     /* by id */
	struct limits_chain *chains; /* by association, QOS and partition */
	struct tres_list total; /* of the cluster's nodes */
	struct accrue_times *accrue; /* for effective.c, when it is known */
	bool accrue_known;
};

/* Reads what is in use at `at` (epoch seconds) on the cluster, and all QOS where
 * they are not given (NULL). 0, or -1 with the store's error. Memory is the
 * arena's. */
int limits_open(struct limits *, struct site *, int64_t cluster, int64_t at,
	enum limits_detail, const struct qos_list *, struct arena *);

/* Who a job belongs to and where it would run. */
struct limits_of {
	int64_t assoc;				/* key; 0: none */
	uint32_t qos;				/* id; 0: none */
	const struct conf_partition *partition; /* or NULL */
	const char *user, *account;
};

/*
 * The chain of levels whose limits such a job is under: its QOS and its
 * partition's, then its association and all above. Jobs of the same
 * association, QOS and partition share the chain, and the usage counted in its
 * levels. *qos: the job's QOS; NULL when it has none or it was deleted. 1:
 * *chain is set; 0: the job has no association, or it was deleted; -1.
 */
int limits_chain(struct limits *, const struct limits_of *,
	struct limit_chain **, const struct qos **qos);

/* What an association (key) or a QOS (id) has by itself, NULL where it is gone:
 * its limits, with those it inherits, and in `all` what is in use. 0, or -1. */
int limits_of_assoc(struct limits *, int64_t, const struct limit_level **);
const struct limit_level *limits_of_qos(struct limits *, uint32_t id);

/* Of which user or account of a QOS something is. */
enum limits_whose_kind { WHOSE_USER, WHOSE_ACCOUNT, WHOSE_KINDS };

/* What each of them has in use in the QOS, and its name, in the order in which
 * they came; after the last NULL. `before`: that before it, or NULL. */
struct limits_whose;
const struct limits_whose *limits_next_whose(struct limits *, uint32_t qos,
	enum limits_whose_kind, const struct limits_whose *before,
	const char **name, const struct limit_usage **);
