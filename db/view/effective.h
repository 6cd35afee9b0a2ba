/*
 * Limits in force: every limit that jobs of an association or of a QOS are
 * under, where it is set, and how much of it is in use. Which one holds where
 * several are set is decided by common/fair/limits.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/table/assoc.h"
#include "db/view/limits.h"

struct effective {
	const char *word; /* sacctmgr's: "GrpTRES" */
	uint32_t tres;	  /* id; 0: the limit is a number */
	bool minutes;	  /* the number is in minutes */
	uint64_t limit, used;
	uint64_t to_come; /* that running jobs may use yet; NO_VAL64: nothing */
	bool has_used;	    /* `used` is known: several jobs share the limit */
	const char *origin; /* "account physics", "partition QOS long" */
	bool of_qos;	    /* `key` is the id of a QOS, else of an association */
	int64_t key;
};

struct effective_list {
	struct effective *v;
	size_t n, cap;
};

/*
 * The limits on jobs of the association in this QOS (id; 0: none) and partition
 * (or NULL), in the arena of `limits`. For the association of an account, QOS
 * and partition do not count, and limits that each user below has for itself
 * have no `used`. 0, or -1 with the store's error; the list is empty when the
 * association is gone.
 */
int effective_of_assoc(struct limits *, const struct assoc *, uint32_t qos,
	const struct conf_partition *, struct effective_list *);

/* The limits on all jobs of the QOS (id); those per user and account have no
 * `used`. 0, or -1 with the store's error; empty without such a QOS. */
int effective_of_qos(
	struct limits *, uint32_t qos, struct effective_list *);
