/*
 * Limits in force: what holds for the jobs of an association or of a QOS, whose
 * limit it is, and how much of it is in use. Which limit holds is said by
 * common/fair/limits.h.
 */
#ifndef BURSAR_DB_EFFECTIVE_H
#define BURSAR_DB_EFFECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/table/assoc.h"
#include "db/view/limits.h"

struct effective {
	const char *word; /* sacctmgr's: "GrpTRES" */
	uint32_t tres;	  /* id; 0: the limit is a number */
	bool minutes;	  /* the number is of minutes */
	uint64_t limit, used;
	bool has_used;	    /* others use of it, too */
	const char *origin; /* "account physics", "partition QOS long" */
	bool of_qos;	    /* `key` is the id of a QOS, else of an association */
	int64_t key;
};

struct effective_list {
	struct effective *v;
	size_t n, cap;
};

/*
 * For jobs of the association in this QOS (id; 0: none) and partition (or
 * NULL). For an account only associations are looked at, and what users below
 * it have for themselves does not count as used by it. -1; or 0, also when the
 * association is gone.
 */
int effective_of_assoc(struct limits *, const struct assoc *, uint32_t qos,
	const struct conf_partition *, struct effective_list *);

/* For all jobs of the QOS; limits per user come without what is in use. */
int effective_of_qos(
	struct limits *, uint32_t qos, struct effective_list *);

#endif
