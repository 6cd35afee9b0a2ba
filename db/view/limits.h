/*
 * Limits and what is in use under them, out of the store, in the form that
 * common/fair/limits.h takes (spec/priority.md 8). Associations are read when a
 * job asks for them: a submission reads one branch of the tree.
 */
#ifndef BURSAR_DB_LIMITS_H
#define BURSAR_DB_LIMITS_H

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

struct limits {
	struct store *store;
	const struct conf *conf;
	struct arena *arena;
	int64_t cluster; /* key */
	int64_t at;
	struct limits_assoc *assocs; /* hash table by key */
	struct limits_qos *qos;	     /* by id */
	struct limits_chain *chains; /* by association, QOS and partition */
	struct tres_list total; /* of the cluster's nodes */
	struct accrue_times *accrue; /* for effective.c, when it is known */
	bool accrue_known;
};

/* How much is read of what is in use. */
enum limits_detail {
	LIMITS_SUBMITTED, /* the number of pending and running jobs: for checks
			     of submissions */
	LIMITS_RUNNING,	  /* also what running jobs hold, and decayed usage:
			     for checks of starts */
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

#endif
